"""One blocking connection to the daemon: greet, call, follow, cancel."""

from __future__ import annotations

import os
import socket

from boathook._version import __version__
from boathook.wire import messages
from boathook.wire.failures import BadFrame, NotRunning, NotServed, NotStarted, OutcomeUnknown, Refused
from boathook.wire.framing import HEADER_BYTES, body_length, pack, unpack
from boathook.wire.socket_address import peer_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from boathook.wire.messages import Message

HELLO_SECONDS = 10.0
"""A daemon that sends nothing for this long after a connection is stuck."""
SILENCE_SECONDS = 30.0
"""While it works it sends `alive` every five seconds; six missed ones mean that it is stuck or stopped."""
CANCEL_SECONDS = 2.0


class DaemonReply:
    """The result of a call: text for both streams, the exit status, and the version of the daemon."""

    __slots__ = ("err", "exit", "out", "version")

    def __init__(self, message: Message, *, version: str) -> None:
        self.version = version
        self.out: str = message["out"]
        self.err: str = message["err"]
        self.exit: int = message["exit"]


class DaemonConnection:
    """A connection to a daemon of the same user."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._greeted = False
        self.version = ""
        self.pid, _ = peer_of(connected)

    @classmethod
    def open(cls, path: str) -> Self:
        """Connect, and check that the peer is ours; NotRunning if there is no daemon."""
        connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connecting.settimeout(HELLO_SECONDS)
            connecting.connect(path)
            _, user = peer_of(connecting)
        except (FileNotFoundError, ConnectionRefusedError, ConnectionResetError) as error:
            connecting.close()
            raise NotRunning("no daemon is running") from error
        except BlockingIOError as error:  # its queue of waiting clients is full
            connecting.close()
            raise NotServed("the daemon has too many clients waiting") from error
        except OSError as error:
            connecting.close()
            raise NotStarted(f"{path} cannot be used: {error.strerror or error}") from error
        if user not in {os.geteuid(), None}:
            connecting.close()
            raise Refused(f"{path} is served by user {user}", hint="remove it, or set BOATHOOK_RUNTIME_DIR")
        return cls(connecting)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection, which cancels a running call. May be called twice."""
        self._socket.close()

    def call(self, call: Message, *, on_progress: Callable[[str], None] | None = None) -> DaemonReply:
        """Send a call and wait for its answer. It is sent once: nothing after the hello is ever repeated."""
        self.greet()
        self._send(pack(call))
        try:
            return self._follow(call, on_progress)
        except KeyboardInterrupt:
            self.cancel(call["id"])
            raise

    def _follow(self, call: Message, on_progress: Callable[[str], None] | None) -> DaemonReply:
        while True:
            message = self._next_of_call()
            kind = message["type"]
            if kind == "answer" and message["id"] == call["id"]:
                return DaemonReply(message, version=self.version)
            if kind == "refused":
                raise _refusal(message)
            if kind == "progress" and on_progress is not None:
                on_progress(message["text"])

    def cancel(self, id: str) -> DaemonReply | None:
        """Cancel a call, and wait a moment for its end."""
        try:
            self._send(pack(messages.cancel(id)))
            while True:
                message = self._receive(CANCEL_SECONDS)
                if message is None:
                    return None
                if message["type"] == "answer":
                    return DaemonReply(message, version=self.version)
        except (OSError, BadFrame):
            return None

    def ask(self, message: Message) -> Message:
        """Send `status` or `stop`, which every version understands, and return the answer."""
        self._send(pack(message))
        try:
            answer = self._receive(HELLO_SECONDS)
        except TimeoutError as error:
            raise silent() from error
        if answer is None:
            raise NotServed("the daemon is shutting down")
        return answer

    def wait_for_end(self, seconds: float) -> bool:
        """Wait until the daemon closes the connection, which it does by exiting; False if it does not."""
        try:
            while self._receive(seconds) is not None:
                pass
        except TimeoutError:
            return False
        return True

    def greet(self) -> None:
        """Send hello, once. The call waits for the daemon's: a silent daemon never receives it, and cannot run it later."""
        if self._greeted:
            return
        self._send(pack(messages.hello(version=__version__)))
        try:
            message = self._receive(HELLO_SECONDS)
        except TimeoutError as error:
            raise silent() from error
        if message is None:
            raise NotServed("the daemon exited before it accepted the call")
        if message["type"] != "hello":
            raise _refusal(message)
        self._greeted = True
        self.version = message["version"]

    def _next_of_call(self) -> Message:
        try:
            message = self._receive(SILENCE_SECONDS)
        except TimeoutError as error:
            raise unresponsive() from error
        if message is None:
            raise lost()
        return message

    def _send(self, frames: bytes) -> None:
        try:
            self._socket.sendall(frames)
        except (BrokenPipeError, ConnectionResetError):
            pass  # why it closed may still be there to be read, and if not, reading finds the end
        except TimeoutError as error:
            raise silent() from error

    def _receive(self, seconds: float) -> Message | None:
        """The next message; None at the end of the connection."""
        self._socket.settimeout(seconds)
        header = self._exactly(HEADER_BYTES)
        body = None if header is None else self._exactly(body_length(header))
        return None if body is None else unpack(body)

    def _exactly(self, count: int) -> bytes | None:
        parts = []
        while count:
            try:
                part = self._socket.recv(min(count, 1 << 20))
            except ConnectionResetError:
                return None
            if not part:
                return None
            parts.append(part)
            count -= len(part)
        return b"".join(parts)


def _refusal(message: Message) -> NotServed | Refused:
    reason, hint = str(message.get("reason", "no reason given")), str(message.get("hint", ""))
    if message.get("ending"):
        return NotServed(reason, hint=hint)
    return Refused(f"the daemon refused the connection: {reason}", hint=hint)


def silent() -> NotStarted:
    """It sent nothing after the connection, or did not take the call."""
    return NotStarted(
        f"the daemon does not respond: no message for {HELLO_SECONDS:g} s; the call was not started",
        hint="`daemon stop --force` stops it",
    )


def unresponsive() -> OutcomeUnknown:
    """It has the call, and sends nothing."""
    return OutcomeUnknown(
        f"outcome unknown: the daemon has not responded for {SILENCE_SECONDS:g} s",
        hint="`daemon stop --force` stops it",
    )


def lost() -> OutcomeUnknown:
    """It had the call, and closed the connection."""
    return OutcomeUnknown("outcome unknown: the daemon exited during the call")
