"""Every way a call can fail: one tree, each with a code, an exit status, a hint, and whether a retry is safe.

BoathookError
├── BadRequest            the request is invalid; nothing was done
│   ├── BadUrl
│   ├── BadTarget
│   ├── BadSwitch         a Chromium switch that is not on the allow-list
│   ├── WrongKey          an encrypted file whose key is not available
│   ├── DamagedFile       incomplete or invalid file; it is left unchanged
│   ├── NotSupported      a command or flag of other programs that does not exist here, with the reason
│   └── BadSetting
│       └── LaunchConflict the session runs with other launch settings
├── TargetError           the element
│   ├── TargetNotFound
│   ├── AmbiguousTarget
│   ├── StaleRef          its node or document no longer exists
│   ├── NotVisible
│   ├── IgnoresPointer    it does not receive pointer events
│   ├── Covered           names the covering element
│   ├── Disabled
│   ├── NotEditable
│   ├── Moving            it is still moving
│   ├── NotReceived       the input did not reach it
│   ├── ValueNotTaken     the field does not show the new value
│   ├── NotScrolled       nothing scrolls in that direction
│   └── OptionNotFound
├── TimedOut              names the stage and what was last seen
├── PageError             the page or its tab
│   ├── TabGone
│   ├── TabCrashed
│   ├── DialogOpen
│   │   └── DialogOpened  a script opened it and waits for its answer
│   ├── EvaluationFailed
│   ├── ResultTooLarge
│   ├── FileMissing       a saved file that no longer exists
│   ├── LoginFailed       no login fields found, or the page still asks for a login
│   └── NavigationFailed
│       ├── NameNotResolved
│       ├── ConnectionFailed
│       └── CertificateProblem
├── BrowserError          the browser as a whole
│   ├── BrowserNotFound
│   ├── NotABrowser
│   ├── LaunchFailed
│   ├── ProfileInUse
│   ├── SandboxUnavailable
│   ├── InstallFailed
│   ├── EndpointError     a CDP endpoint that does not answer or refuses
│   ├── Unsupported       this browser lacks what the call needs
│   └── BrowserGone
├── SessionError          sessions, limits and locks
│   ├── CleanupFailed     a session was closed, but not all that belongs to it
│   ├── NoSuchSession
│   ├── LimitReached      session, browser or memory limit
│   ├── FileFailed        the disk is full, or a file cannot be read or written
│   └── Busy              another call holds the tab; names the caller
├── ScriptError           scripts
│   ├── ScriptSyntax      syntax error, with its location
│   ├── ScriptFailed      it raised an exception or exceeded its limits
│   └── ScriptStopped     it timed out
├── Denied                a rule set by the user forbids it
│   ├── UsersTab          a tab that the user opened: it is not closed, navigated elsewhere or emulated
│   ├── PolicyBlocked     a host, scheme, file, script or secret that the policy denies
│   ├── TakenOver         the user controls their own browser at the moment
│   └── ConfirmationRequired   a person must approve it first
├── InternalError         an internal error
└── ProtocolError         CDP answered with an error that nothing above explains
"""

from __future__ import annotations

from typing import ClassVar

from boathook.error_redaction import redact_error_text
from boathook.hints import PYTHON, render


class BoathookError(Exception):
    """Root of the tree. The message names subject, expectation and finding; evidence holds the facts."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1
    category: ClassVar[str] = "upstream-error"
    """The kind of failure, in the terms that agent tools share."""
    retry_safe: ClassVar[bool] = False
    default_hint: ClassVar[str] = ""
    """What to do about it, with the marks of `boathook.hints`."""

    def __init__(self, message: str, *, hint: str | None = None, **evidence: object) -> None:
        super().__init__(message)
        self.message = message
        self.marked_hint = self.default_hint if hint is None else hint  # with marks, for surfaces to render
        self.evidence = evidence

    @property
    def hint(self) -> str:
        """What to do about it, in the terms of the Python library."""
        return render(self.marked_hint, PYTHON)

    def __str__(self) -> str:
        return redact_error_text(f"{self.message} ({self.hint})" if self.hint else self.message)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({redact_error_text(self.message)!r})"


class BadRequest(BoathookError):
    """The request is invalid; nothing was done."""

    code = "bad_request"
    category = "validation-error"
    exit_status = 2
    retry_safe = True


class NotSupported(BadRequest):
    """A command or flag of other programs that does not exist here, with the reason."""

    code = "unsupported_here"
    default_hint = "run `help` for a list of commands"


class BadUrl(BadRequest):
    """The URL is malformed or its scheme is not allowed."""

    code = "bad_url"
    default_hint = "use a full URL such as https://example.org/page"


class BadTarget(BadRequest):
    """The target string is not a ref, a selector or a point."""

    code = "bad_target"
    category = "selector-unsupported"
    default_hint = "use a ref from the snapshot, such as @e12, or a CSS selector"


class BadSwitch(BadRequest):
    """A Chromium switch that is not on the allow-list."""

    code = "bad_switch"
    default_hint = "use only switches on the allow-list"


class WrongKey(BadRequest):
    """A file is encrypted with a key that is not available; it is left unchanged."""

    code = "wrong_key"
    default_hint = "set BOATHOOK_ENCRYPTION_KEY to the key that encrypted it"


class DamagedFile(BadRequest):
    """A file is incomplete or invalid; it is left unchanged."""

    code = "damaged_file"
    default_hint = "move it away or use another name; the file was not overwritten"


class BadSetting(BadRequest):
    """A setting has a value outside its range."""

    code = "bad_setting"


class LaunchConflict(BadSetting):
    """A launch setting differs from the running session; nothing was restarted."""

    code = "other_launch"
    default_hint = "start a new session|: `--fresh`"


class TargetError(BoathookError):
    """The element could not be used."""

    code = "target_error"
    exit_status = 4
    retry_safe = True


class TargetNotFound(TargetError):
    """Nothing on the page matches."""

    code = "target_not_found"
    category = "selector-not-found"
    default_hint = "take a new snapshot to see the current elements"


class AmbiguousTarget(TargetError):
    """Several elements match equally well."""

    code = "ambiguous_target"
    category = "selector-not-found"
    default_hint = "use one of the refs listed"


class StaleRef(TargetError):
    """The ref's node or document no longer exists."""

    code = "stale_ref"
    category = "stale-ref"
    default_hint = "take a new snapshot, then use its refs"


class NotVisible(TargetError):
    """The element exists but is not visible."""

    code = "not_visible"
    default_hint = "open the menu or section that hides it, or use another element"


class IgnoresPointer(TargetError):
    """The element does not receive pointer events (`pointer-events: none`)."""

    code = "ignores_pointer"
    default_hint = "click the element around it that handles the click"


class Covered(TargetError):
    """Another element covers the click point."""

    code = "covered"
    default_hint = "close or move the covering element first"


class Disabled(TargetError):
    """The element is disabled."""

    code = "disabled"
    default_hint = "complete the step that enables it first"


class NotEditable(TargetError):
    """The element is not editable."""

    code = "not_editable"
    default_hint = "use a text field, or another action"


class Moving(TargetError):
    """The element is still moving."""

    code = "moving"
    default_hint = "wait for the animation to end, then retry"


class NotReceived(TargetError):
    """The input was sent, but did not reach the element."""

    code = "not_received"
    retry_safe = False
    default_hint = "check the page: another element may have received the input"


class ValueNotTaken(TargetError):
    """The field does not show the new value."""

    code = "value_not_taken"
    retry_safe = False
    default_hint = "check the field's value; it may have a mask, a length limit or its own format"


class NotScrolled(TargetError):
    """Nothing scrolls in that direction; `scrollers` are the elements of the page that scroll."""

    code = "not_scrolled"
    default_hint = "scroll an element that scrolls, or the other way"


class OptionNotFound(TargetError):
    """No such option."""

    code = "option_not_found"
    default_hint = "use one of the options listed"


class TimedOut(BoathookError):
    """The deadline passed; `stage` is what was being done, `seen` what was last seen."""

    code = "timed_out"
    category = "timeout"
    exit_status = 5
    default_hint = "check the page before you retry, or increase the timeout"

    def __init__(self, stage: str, *, seconds: float, seen: str = "", hint: str | None = None) -> None:
        said = f"timed out after {seconds:g} s while {stage}{f'; last seen: {seen}' if seen else ''}"
        super().__init__(said, hint=hint, stage=stage, seen=seen)
        self.stage = stage
        self.seconds = seconds
        self.seen = seen


class PageError(BoathookError):
    """The page or its tab failed."""

    code = "page_error"
    exit_status = 6


class TabGone(PageError):
    """The tab was closed."""

    code = "tab_gone"
    category = "tab-gone"
    default_hint = "open a new tab"
    retry_safe = True


class TabCrashed(PageError):
    """The tab's renderer crashed."""

    code = "tab_crashed"
    default_hint = "navigate the tab to recover it"
    retry_safe = True


class DialogOpen(PageError):
    """A JavaScript dialog is open, so the page cannot run anything."""

    code = "dialog_open"
    default_hint = "answer it first|: `dialog accept` or `dialog dismiss`"
    retry_safe = True


class DialogOpened(DialogOpen):
    """A JavaScript dialog opened while a script ran: the script continues when the dialog is answered."""

    code = "dialog_opened"
    default_hint = "answer it|: `dialog accept` or `dialog dismiss`|; the script continues then"
    retry_safe = False


class EvaluationFailed(PageError):
    """The caller's script threw an exception in the page."""

    code = "evaluation_failed"
    default_hint = "see the exception; pass an expression, statements or a function"


class ResultTooLarge(PageError):
    """The result exceeds the size limit."""

    code = "result_too_large"
    default_hint = "return less: slice or summarize in the page"


class NavigationFailed(PageError):
    """The URL could not be loaded."""

    code = "navigation_failed"
    default_hint = "check the URL and that the server is running"
    retry_safe = True


class NameNotResolved(NavigationFailed):
    """The host name could not be resolved."""

    code = "name_not_resolved"
    default_hint = "check the spelling of the host and the DNS settings"


class ConnectionFailed(NavigationFailed):
    """The server or the proxy could not be reached."""

    code = "connection_failed"
    default_hint = "check that the server is running and the port is correct"


class CertificateProblem(NavigationFailed):
    """The server's certificate is not trusted."""

    code = "certificate_problem"
    default_hint = "trust its CA|: `=ca_bundle`|, or allow it for this browser|: `=ignore_certificate_errors`"


class BrowserError(BoathookError):
    """The browser as a whole."""

    code = "browser_error"
    exit_status = 7


class BrowserNotFound(BrowserError):
    """No Chromium was found on this machine."""

    code = "browser_not_found"
    category = "missing-binary"
    default_hint = "install one|: `install`|, or set BOATHOOK_BROWSER to an executable"


class NotABrowser(BrowserError):
    """The given path is not a Chromium."""

    code = "not_a_browser"
    category = "missing-binary"
    default_hint = "use the path of a Chrome, Chromium, Edge or Brave executable"


class LaunchFailed(BrowserError):
    """The browser exited or did not answer before it was ready."""

    code = "launch_failed"
    default_hint = "see the browser's last output in the evidence"
    retry_safe = True


class ProfileInUse(BrowserError):
    """Another browser is using this profile."""

    code = "profile_in_use"
    default_hint = "close that browser, or use another profile"


class SandboxUnavailable(BrowserError):
    """The sandbox is required but not available on this machine."""

    code = "sandbox_unavailable"
    default_hint = "run as an unprivileged user with user namespaces, or do not require the sandbox"


class InstallFailed(BrowserError):
    """No source provided a working browser."""

    code = "install_failed"
    default_hint = "install Chromium with your package manager, or set BOATHOOK_BROWSER"


class EndpointError(BrowserError):
    """The CDP endpoint does not answer, is not CDP, or refuses."""

    code = "endpoint_error"
    default_hint = "start the browser with --remote-debugging-port=N and use http://127.0.0.1:N"
    retry_safe = True


class Unsupported(BrowserError):
    """This browser does not support what the call needs."""

    code = "unsupported"


class BrowserGone(BrowserError):
    """The connection to the browser is closed."""

    code = "browser_gone"
    default_hint = "start or attach to a browser again"


class SessionError(BoathookError):
    """The session or its tab cannot be used now."""

    code = "session_error"
    default_hint = "run `session list` for the running sessions"
    exit_status = 9
    retry_safe = True


class NoSuchSession(SessionError):
    """No such session."""

    code = "no_such_session"
    category = "validation-error"


class CleanupFailed(SessionError):
    """A session was closed, but not everything that belongs to it ended."""

    code = "cleanup_failed"
    category = "cleanup-failed"
    retry_safe = False


class LimitReached(SessionError):
    """A session or browser limit was reached; running ones are not affected."""

    code = "too_many"


class FileFailed(SessionError):
    """The operating system could not read or write a file, such as on a full disk; other files are unchanged."""

    code = "file_error"
    default_hint = "check the free space and the permissions of its folder"


class Busy(SessionError):
    """Another call is using the tab."""

    code = "busy"
    default_hint = "wait until it is done, or use another tab"


class FileMissing(PageError):
    """A saved file no longer exists."""

    code = "file_missing"
    category = "artifact-missing"
    default_hint = "create it again, in another folder if necessary"


class LoginFailed(PageError):
    """The page has no login fields, or still asks for a login after they were submitted."""

    code = "login_failed"
    default_hint = "check the page: it may need a person|: `handoff`"


class ScriptError(BoathookError):
    """A script failed; its earlier actions are not undone."""

    code = "script_error"
    category = "script-error"
    exit_status = 10
    default_hint = "the tab is as the script left it: check it before continuing"


class ScriptSyntax(ScriptError):
    """The code has a syntax error; nothing was run."""

    code = "script_syntax"
    retry_safe = True
    default_hint = "fix the line shown"


class ScriptFailed(ScriptError):
    """The code raised an exception, or its process exceeded its limits."""

    code = "script_failed"


class ScriptStopped(ScriptError):
    """The code was stopped when it timed out."""

    code = "script_stopped"


class Denied(BoathookError):
    """A rule forbids it."""

    code = "denied"
    default_hint = "ask the policy owner"
    exit_status = 3
    category = "policy-blocked"


class UsersTab(Denied):
    """A tab that the user opened, in the user's own browser: it is not closed or navigated elsewhere, and nothing is emulated in it; nothing was done."""

    code = "users_tab"
    default_hint = "open a new tab|: `tab new URL`|; the user can attach the tab in the extension's popup, for programs to navigate it"


class PolicyBlocked(Denied):
    """The policy denies it; nothing was done."""

    code = "policy_blocked"
    default_hint = "use another way, or ask the user to allow it"


class TakenOver(Denied):
    """The user has taken over their own browser, or cancelled debugging; nothing was done."""

    code = "taken_over"
    default_hint = "ask the user to click Hand back in the extension's popup, then try again"
    retry_safe = True


class ConfirmationRequired(Denied):
    """A person must approve it first; nothing was done. `confirmation` is the id of the pending confirmation."""

    code = "confirmation_required"
    category = "confirmation-required"
    default_hint = "ask the user"


class InternalError(BoathookError):
    """An internal error: a bug in the program, not in the request."""

    code = "unforeseen"
    default_hint = "check the page before continuing, and please report this"


class ProtocolError(BoathookError):
    """CDP returned an error that has no more specific class."""

    code = "protocol_error"
    exit_status = 8

    def __init__(self, method: str, *, number: int, text: str, data: str = "") -> None:
        said = f"{method}: {text}{' ' + data if data else ''}"
        super().__init__(said, method=method, number=number, text=text)
        self.method = method
        self.number = number
        self.text = text


Unforeseen, OtherLaunch = InternalError, LaunchConflict  # former names
TooMany, UnsupportedHere = LimitReached, NotSupported
