"""Every way a conversation with the daemon can fail, with the same facts as the errors of `boathook.errors`.

WireFailure
├── NotRunning        nobody listens; nothing was sent
├── NotServed         the daemon ended or is ending before it took the call; nothing was done
├── Refused           it listens and declines: another protocol, another user, too many clients
├── NotStarted        a daemon could not be started, or does not answer
├── OutcomeUnknown    it ended while it worked: the call may or may not have happened, and is never sent again
├── BadFrame          bytes that are no message
└── NotHere           this system has no way to the daemon yet

They are not part of that tree because the thin client loads them on each call, and `typing` alone would cost it more
than the call.
"""

from __future__ import annotations


class WireFailure(Exception):
    """Root. `code`, `category`, `exit_status`, `retry_safe` and `hint` mean what they mean in `boathook.errors`."""

    code = "daemon_error"
    category = "upstream-error"
    exit_status = 7
    retry_safe = False
    default_hint = ""
    """What to do about it, marked as `boathook.hints` says; only command lines have words for it."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.marked_hint = self.default_hint if hint is None else hint

    @property
    def hint(self) -> str:
        """What to do about it, as a command line; without `re`, which would cost each call of the thin client."""
        parts = (
            self.marked_hint.replace("|", "").split("`") if "`" in self.marked_hint else [self.marked_hint]
        )
        return "".join(f"boathook {part}" if number % 2 else part for number, part in enumerate(parts))

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class NotRunning(WireFailure):
    """Nobody listens."""

    code = "daemon_not_running"
    retry_safe = True
    default_hint = "`daemon start`"


class NotServed(WireFailure):
    """The daemon did not take the call."""

    code = "daemon_ending"
    retry_safe = True
    default_hint = "try again"


class Refused(WireFailure):
    """The daemon declines to serve this client."""

    code = "daemon_refused"
    retry_safe = True
    default_hint = "`daemon restart`"


class NotStarted(WireFailure):
    """No daemon could be brought to answer."""

    code = "daemon_not_started"
    retry_safe = True
    default_hint = "`daemon status`"


class OutcomeUnknown(WireFailure):
    """The call was taken, and no answer came."""

    code = "outcome_unknown"
    default_hint = "look at the page before you repeat the call"


class BadFrame(WireFailure):
    """Bytes that are no message of this protocol."""

    code = "bad_frame"
    exit_status = 8


class NotHere(WireFailure):
    """This system has no Unix sockets with peer checks."""

    code = "unsupported"
    default_hint = "use the Python library, which needs no daemon"
