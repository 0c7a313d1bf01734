"""Every way a conversation with the daemon can fail, with the same facts as the errors of `boathook.errors`.

WireFailure
├── NotRunning        no daemon is listening; nothing was sent
├── NotServed         the daemon exited or is shutting down before it accepted the call; nothing was done
├── Refused           it refuses the connection: another protocol, another user, too many clients
├── NotStarted        a daemon could not be started, or does not respond
├── OutcomeUnknown    it exited during the call: the call may or may not have happened, and is never sent again
├── BadFrame          bytes that are not a message
└── NotHere           this system does not support the daemon yet

They are not part of that tree because the thin client loads them on each call, and `typing` alone would cost it more
than the call.
"""

from __future__ import annotations


class WireFailure(Exception):
    """Root. `code`, `category`, `exit_status`, `retry_safe` and `hint` mean the same as in `boathook.errors`."""

    code = "daemon_error"
    category = "upstream-error"
    exit_status = 7
    retry_safe = False
    default_hint = ""
    """The hint, marked as described in `boathook.hints`; only for command lines."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.marked_hint = self.default_hint if hint is None else hint

    @property
    def hint(self) -> str:
        """The hint, as a command line; without `re`, which would cost each call of the thin client."""
        parts = (
            self.marked_hint.replace("|", "").split("`") if "`" in self.marked_hint else [self.marked_hint]
        )
        return "".join(f"boathook {part}" if number % 2 else part for number, part in enumerate(parts))

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class NotRunning(WireFailure):
    """No daemon is listening."""

    code = "daemon_not_running"
    retry_safe = True
    default_hint = "`daemon start`"


class NotServed(WireFailure):
    """The daemon did not accept the call."""

    code = "daemon_ending"
    retry_safe = True
    default_hint = "try again"


class Refused(WireFailure):
    """The daemon refuses to serve this client."""

    code = "daemon_refused"
    retry_safe = True
    default_hint = "`daemon restart`"


class NotStarted(WireFailure):
    """No daemon could be started or reached."""

    code = "daemon_not_started"
    retry_safe = True
    default_hint = "`daemon status`"


class OutcomeUnknown(WireFailure):
    """The call was accepted, and no answer arrived."""

    code = "outcome_unknown"
    default_hint = "check the page before you repeat the call"


class BadFrame(WireFailure):
    """Bytes that are not a message of this protocol."""

    code = "bad_frame"
    exit_status = 8


class NotHere(WireFailure):
    """This system has no Unix sockets with peer checks."""

    code = "unsupported"
    default_hint = "use the Python library, which needs no daemon"
