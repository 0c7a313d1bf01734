"""Starts the MCP server once as a client does: `initialize` and `tools/list` over standard input and output."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SECONDS = 60.0
"""For the first start after an installation, when Python still compiles what it loads."""
_PASSED_ON = ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "TMPDIR", "LANG")
"""What clients give to the servers that they start; some give more."""
_REVISION = "2025-06-18"
_MOST_BYTES = 8 << 20
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class SeenServer:
    """The name, version and tools that the server has answered with."""

    name: str
    version: str
    tools: tuple[str, ...]
    seconds: float


def start_once(command: list[str], *, environment: Mapping[str, str], folder: Path) -> SeenServer:
    """Start the server, ask for its name and tools, and end it; BadRequest with what it printed."""
    began = time.monotonic()
    passed = {name: environment[name] for name in _PASSED_ON if name in environment}
    try:
        process = subprocess.Popen(  # noqa: S603 (our own command, or the user's)
            command,
            cwd=folder,
            env=passed,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # so that closing it has nothing left to write to a server that has ended
        )
    except OSError as error:
        raise _not_started(command, error.strerror or str(error)) from None
    with process:
        try:
            conversation = _Conversation(process, command, last=began + SECONDS)
            about = conversation.ask(1, "initialize", _introduction())
            conversation.tell("notifications/initialized")
            listed = conversation.ask(2, "tools/list", {})
        finally:
            process.kill()
    server = about.get("serverInfo", {})
    return SeenServer(
        name=str(server.get("name", "")),
        version=str(server.get("version", "")),
        tools=tuple(str(tool.get("name", "")) for tool in listed.get("tools", [])),
        seconds=time.monotonic() - began,
    )


def _introduction() -> dict[str, Any]:
    about = {"name": "boathook-setup", "version": "1"}
    return {"protocolVersion": _REVISION, "capabilities": {}, "clientInfo": about}


class _Conversation:
    """Requests and their answers; what the server prints on standard error is kept for the error."""

    def __init__(self, process: subprocess.Popen[bytes], command: list[str], *, last: float) -> None:
        self._process = process
        self._command = command
        self._last = last
        self._out, self._err = b"", b""
        self._streams = selectors.DefaultSelector()
        for stream in (process.stdout, process.stderr):
            assert stream is not None  # noqa: S101 (both are pipes)
            os.set_blocking(stream.fileno(), False)
            self._streams.register(stream, selectors.EVENT_READ)

    def ask(self, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            answer = self._line(method)
            if answer.get("id") != number:
                continue
            if "result" not in answer:
                raise _not_started(self._command, f"{method} failed: {answer.get('error')}")
            result = answer["result"]
            return result if isinstance(result, dict) else {}

    def tell(self, method: str) -> None:
        self._send({"jsonrpc": "2.0", "method": method})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None  # noqa: S101 (a pipe)
        with suppress(BrokenPipeError):  # a server that has ended: what it printed says why
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    def _line(self, method: str) -> dict[str, Any]:
        """The next message from the server."""
        while b"\n" not in self._out:
            left = self._last - time.monotonic()
            if left <= 0 or len(self._out) > _MOST_BYTES:
                raise _not_started(self._command, f"no answer to {method} within {SECONDS:g} s")
            if not self._read(left):
                self._read_until_end()
                raise _not_started(self._command, self._said())
        line, _, self._out = self._out.partition(b"\n")
        try:
            answer = json.loads(line)
        except ValueError:
            raise _not_started(self._command, f"it printed something else: {_printable(line)}") from None
        return answer if isinstance(answer, dict) else {}

    def _read(self, seconds: float) -> bool:
        """Read what there is; False at the end of standard output."""
        for key, _ in self._streams.select(seconds):
            stream: IO[bytes] = key.fileobj  # type: ignore[assignment]
            data = os.read(stream.fileno(), 1 << 16)
            if not data:
                self._streams.unregister(stream)
            if stream is self._process.stderr:
                self._err = (self._err + data)[-_MOST_BYTES:]
            elif not data:
                return False
            else:
                self._out += data
        return True

    def _read_until_end(self) -> None:
        """The rest of standard error, which says why it ended."""
        while self._streams.get_map() and self._last > time.monotonic():
            if not self._streams.select(1):
                return
            self._read(1)

    def _said(self) -> str:
        last_line = self._err.strip().rpartition(b"\n")[2]
        return f"it ended: {_printable(last_line) or 'it printed nothing'}"


def _not_started(command: list[str], why: str) -> BadRequest:
    return BadRequest(
        f"the server does not start: {' '.join(command)} ({why})",
        hint="nothing was written; start that command in a shell to see more|, or write it anyway: `--no-check`",
    )


def _printable(text: bytes) -> str:
    shown = text.decode("utf-8", "replace")[:_SHOWN]
    return "".join(letter if letter.isprintable() else " " for letter in shown)
