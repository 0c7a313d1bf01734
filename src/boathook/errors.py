"""Every way a call can fail: one tree, each with a code, an exit status, a hint, and whether a retry is safe.

BoathookError
├── BadRequest            the caller asked for something that cannot be
│   ├── BadUrl
│   ├── BadTarget
│   ├── BadSwitch         a Chromium switch that is not on the allow-list
│   ├── WrongKey          a sealed file whose key is not here
│   ├── DamagedFile       not whole, or not what it should be; it is left as it is
│   ├── UnsupportedHere   a command or flag of other programs that there is not; says why
│   └── BadSetting
│       └── OtherLaunch   the session runs with another browser than the one asked for
├── TargetError           the element
│   ├── TargetNotFound
│   ├── AmbiguousTarget
│   ├── StaleRef          its node or document is gone
│   ├── NotVisible
│   ├── Covered           names what lies over it
│   ├── Disabled
│   ├── NotEditable
│   ├── Moving            it did not come to rest
│   ├── NotReceived       the input did not reach it
│   ├── ValueNotTaken     the field does not show what was put in
│   └── OptionNotFound
├── TimedOut              names the stage, and what was seen so far
├── PageError             the page or its tab
│   ├── TabGone
│   ├── TabCrashed
│   ├── PageUnresponsive
│   ├── DialogOpen
│   ├── EvaluationFailed
│   ├── ResultTooLarge
│   ├── FileMissing       said to be saved, and not there
│   ├── LoginFailed       no fields to sign in with, or the page asks again
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
│   ├── EndpointError     a CDP endpoint that is silent, wrong or refusing
│   ├── Unsupported       this browser lacks what the call needs
│   └── BrowserGone
├── SessionError          who works where
│   ├── NoSuchSession
│   ├── TooMany           sessions, browsers, or too little memory for another
│   └── Busy              somebody else's call holds the tab; says whose
├── ScriptError           code that was run beside a tab
│   ├── ScriptSyntax      it cannot be read; points at the place
│   ├── ScriptFailed      it raised something, or was ended by its limits
│   └── ScriptStopped     its time was over
├── Denied                a rule of the user's forbids it
│   ├── PolicyBlocked     a host, a scheme, a file, a script or a secret that the policy keeps from this call
│   └── ConfirmationRequired   a person has to say yes first
├── Unforeseen            a fault of ours
└── ProtocolError         CDP answered with an error that nothing above explains
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from boathook.hints import PYTHON, render

if TYPE_CHECKING:
    from collections.abc import Callable


_redactions: list[Callable[[str], str]] = []


def redact_with(redaction: Callable[[str], str]) -> None:
    """Show texts of errors without secrets: the layer that knows those of this process says how."""
    _redactions[:] = [redaction]


def _shown(text: str) -> str:
    return _redactions[0](text) if _redactions else text


class BoathookError(Exception):
    """Root of the tree. The message names subject, expectation and finding; evidence holds the facts."""

    code: ClassVar[str] = "error"
    exit_status: ClassVar[int] = 1
    category: ClassVar[str] = "upstream-error"
    """What kind of failure it is, in the words that agents' tools share."""
    retry_safe: ClassVar[bool] = False
    default_hint: ClassVar[str] = ""
    """What to do about it, marked as `boathook.hints` says."""

    def __init__(self, message: str, *, hint: str | None = None, **evidence: object) -> None:
        super().__init__(message)
        self.message = message
        self.marked_hint = self.default_hint if hint is None else hint
        """For surfaces, which say it in their own words."""
        self.evidence = evidence

    @property
    def hint(self) -> str:
        """What to do about it, in the words of the Python library."""
        return render(self.marked_hint, PYTHON)

    def __str__(self) -> str:
        return _shown(f"{self.message} ({self.hint})" if self.hint else self.message)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({_shown(self.message)!r})"


class BadRequest(BoathookError):
    """The caller asked for something that cannot be; nothing was done."""

    code = "bad_request"
    category = "validation-error"
    exit_status = 2
    retry_safe = True


class UnsupportedHere(BadRequest):
    """A command or a flag that other programs have and this one has not, for a reason that is told."""

    code = "unsupported_here"
    default_hint = "`help` lists what there is"


class BadUrl(BadRequest):
    """The address is malformed or its scheme is not allowed."""

    code = "bad_url"
    default_hint = "give a whole address such as https://example.org/page"


class BadTarget(BadRequest):
    """The target string is not a ref, a selector or a point."""

    code = "bad_target"
    category = "selector-unsupported"
    default_hint = "use a ref from the snapshot, such as @e12, or a CSS selector"


class BadSwitch(BadRequest):
    """A Chromium switch that is not on the allow-list."""

    code = "bad_switch"
    default_hint = "only switches of the allow-list may be given"


class WrongKey(BadRequest):
    """A file was sealed with a key that is not here; it is left as it is."""

    code = "wrong_key"
    default_hint = "give the key with which it was sealed in BOATHOOK_ENCRYPTION_KEY"


class DamagedFile(BadRequest):
    """A file is not whole, or not what it should be; it is left as it is."""

    code = "damaged_file"
    default_hint = "take it away or give another name; nothing was written over it"


class BadSetting(BadRequest):
    """A setting has a value outside its range."""

    code = "bad_setting"


class OtherLaunch(BadSetting):
    """A setting of the launch differs from how the session runs; nothing was restarted."""

    code = "other_launch"
    default_hint = "start a new session for it|: `--fresh`"


class TargetError(BoathookError):
    """The element could not be used."""

    code = "target_error"
    exit_status = 4
    retry_safe = True


class TargetNotFound(TargetError):
    """Nothing on the page matches."""

    code = "target_not_found"
    category = "selector-not-found"
    default_hint = "take a new snapshot to see what is there"


class AmbiguousTarget(TargetError):
    """Several elements match equally well."""

    code = "ambiguous_target"
    category = "selector-not-found"
    default_hint = "use one of the refs listed"


class StaleRef(TargetError):
    """The ref's node or document is gone."""

    code = "stale_ref"
    category = "stale-ref"
    default_hint = "take a new snapshot, then use its refs"


class NotVisible(TargetError):
    """The element is there, but not shown."""

    code = "not_visible"
    default_hint = "open whatever hides it, or choose another element"


class Covered(TargetError):
    """Something lies over the element where it would be pressed."""

    code = "covered"
    default_hint = "close or move what covers it first"


class Disabled(TargetError):
    """The element is switched off."""

    code = "disabled"
    default_hint = "fill in or choose whatever enables it first"


class NotEditable(TargetError):
    """The element takes no text."""

    code = "not_editable"
    default_hint = "choose a text field, or act on it in another way"


class Moving(TargetError):
    """The element did not come to rest."""

    code = "moving"
    default_hint = "wait for the animation to end, then try again"


class NotReceived(TargetError):
    """The input was sent, but did not reach the element."""

    code = "not_received"
    retry_safe = False
    default_hint = "look at the page: another element may have taken the input"


class ValueNotTaken(TargetError):
    """The field does not show what was put in."""

    code = "value_not_taken"
    retry_safe = False
    default_hint = "see what the field shows now; it may have a mask, a limit or its own idea of a value"


class OptionNotFound(TargetError):
    """There is no such option to choose."""

    code = "option_not_found"
    default_hint = "choose one of the options listed"


class TimedOut(BoathookError):
    """The deadline passed; `stage` says while doing what, `seen` what was known by then."""

    code = "timed_out"
    category = "timeout"
    exit_status = 5
    default_hint = "look at the page again before you retry, or allow more time"

    def __init__(self, stage: str, *, seconds: float, seen: str = "", hint: str | None = None) -> None:
        found = f"; seen so far: {seen}" if seen else ""
        super().__init__(
            f"timed out after {seconds:g} s while {stage}{found}", hint=hint, stage=stage, seen=seen
        )
        self.stage = stage
        self.seconds = seconds
        self.seen = seen


class PageError(BoathookError):
    """The page or its tab could not do it."""

    code = "page_error"
    exit_status = 6


class TabGone(PageError):
    """The tab was closed."""

    code = "tab_gone"
    category = "tab-gone"
    default_hint = "open a new tab"
    retry_safe = True


class TabCrashed(PageError):
    """The tab's renderer died."""

    code = "tab_crashed"
    default_hint = "navigate the tab to bring it back"
    retry_safe = True


class PageUnresponsive(PageError):
    """The page's own script does not let anything else run."""

    code = "page_unresponsive"
    default_hint = "the tab is being recovered; navigate it again"


class DialogOpen(PageError):
    """A JavaScript dialog waits for an answer, so the page cannot run anything."""

    code = "dialog_open"
    default_hint = "answer it first|: `dialog accept` or `dialog dismiss`"
    retry_safe = True


class EvaluationFailed(PageError):
    """The page threw an exception while running our caller's script."""

    code = "evaluation_failed"
    default_hint = "see the exception text; a string is an expression or statements, a function is called"


class ResultTooLarge(PageError):
    """The value is larger than may leave the page."""

    code = "result_too_large"
    default_hint = "return less: slice or summarise in the page"


class NavigationFailed(PageError):
    """The address could not be loaded."""

    code = "navigation_failed"
    default_hint = "check the address and that the server is running"
    retry_safe = True


class NameNotResolved(NavigationFailed):
    """The host name is unknown."""

    code = "name_not_resolved"
    default_hint = "check the spelling of the host, and that this machine can resolve it"


class ConnectionFailed(NavigationFailed):
    """The server or the proxy could not be reached."""

    code = "connection_failed"
    default_hint = "check that the server is running and that the port is right"


class CertificateProblem(NavigationFailed):
    """The server's certificate is not trusted."""

    code = "certificate_problem"
    default_hint = "trust its CA|: `=ca_bundle`|, or allow it for this browser|: `=ignore_certificate_errors`"


class BrowserError(BoathookError):
    """The browser as a whole."""

    code = "browser_error"
    exit_status = 7


class BrowserNotFound(BrowserError):
    """No Chromium on this machine."""

    code = "browser_not_found"
    category = "missing-binary"
    default_hint = "install one|: `install`|, or set BOATHOOK_BROWSER to an executable"


class NotABrowser(BrowserError):
    """The given path is not a Chromium."""

    code = "not_a_browser"
    category = "missing-binary"
    default_hint = "give the path of a Chrome, Chromium, Edge or Brave executable"


class LaunchFailed(BrowserError):
    """The browser ended, or said nothing, before it was ready."""

    code = "launch_failed"
    default_hint = "the browser's own last words are in the evidence"
    retry_safe = True


class ProfileInUse(BrowserError):
    """Another browser runs on this profile."""

    code = "profile_in_use"
    default_hint = "close that browser, or use another profile"


class SandboxUnavailable(BrowserError):
    """The sandbox was required, and this machine cannot give it."""

    code = "sandbox_unavailable"
    default_hint = "run as an ordinary user with user namespaces, or do not require the sandbox"


class InstallFailed(BrowserError):
    """No source gave a working browser."""

    code = "install_failed"
    default_hint = "install Chromium with your package manager, or set BOATHOOK_BROWSER"


class EndpointError(BrowserError):
    """The CDP endpoint is silent, wrong or refusing."""

    code = "endpoint_error"
    default_hint = "start the browser with --remote-debugging-port=N and give http://127.0.0.1:N"
    retry_safe = True


class Unsupported(BrowserError):
    """This browser lacks what the call needs."""

    code = "unsupported"


class BrowserGone(BrowserError):
    """The connection to the browser is closed."""

    code = "browser_gone"
    default_hint = "start a browser, or attach to one, again"


class SessionError(BoathookError):
    """The session or its tab cannot be used now."""

    code = "session_error"
    default_hint = "`session list` shows what runs"
    exit_status = 9
    retry_safe = True


class NoSuchSession(SessionError):
    """There is no session of that name."""

    code = "no_such_session"
    category = "validation-error"
    default_hint = "`session list` shows those that there are"


class TooMany(SessionError):
    """There is no room for another session or browser; those that run go on."""

    code = "too_many"
    retry_safe = True


class Busy(SessionError):
    """Another call works on the tab."""

    code = "busy"
    default_hint = "wait until it is done, or work on another tab"


class FileMissing(PageError):
    """A file that was said to be saved is not there."""

    code = "file_missing"
    category = "artifact-missing"
    default_hint = "make it again, into another folder if need be"


class LoginFailed(PageError):
    """The page has no fields to sign in with, or it still asks after they were sent."""

    code = "login_failed"
    default_hint = "look at the page: it may want something that only a person can give|: `handoff`"


class ScriptError(BoathookError):
    """Code that was run beside a tab did not end well; what it did before stays done."""

    code = "script_error"
    category = "script-error"
    exit_status = 10
    default_hint = "the tab is as the script left it: look at it before you go on"


class ScriptSyntax(ScriptError):
    """The code cannot be read; nothing of it was run."""

    code = "script_syntax"
    retry_safe = True
    default_hint = "mend the line that is shown"


class ScriptFailed(ScriptError):
    """The code raised an error, or its process was ended by its limits."""

    code = "script_failed"


class ScriptStopped(ScriptError):
    """The code was ended when its time was over."""

    code = "script_stopped"


class Denied(BoathookError):
    """A rule forbids it."""

    code = "denied"
    default_hint = "ask whoever set the rule"
    exit_status = 3
    category = "policy-blocked"


class PolicyBlocked(Denied):
    """The policy keeps it from this call; nothing was done."""

    code = "policy_blocked"
    default_hint = "choose another way, or ask the user to allow it"


class ConfirmationRequired(Denied):
    """A person has to say yes first; nothing was done. `confirmation` is the id of the question."""

    code = "confirmation_required"
    category = "confirmation-required"
    default_hint = "ask the user"


class Unforeseen(BoathookError):
    """Something that nobody thought of: a fault of the program, not of the caller."""

    code = "unforeseen"
    default_hint = "look at the page before you go on, and please report it"


class ProtocolError(BoathookError):
    """CDP answered with an error that nothing more precise explains."""

    code = "protocol_error"
    exit_status = 8

    def __init__(self, method: str, *, number: int, text: str, data: str = "") -> None:
        super().__init__(
            f"{method}: {text}{' ' + data if data else ''}", method=method, number=number, text=text
        )
        self.method = method
        self.number = number
        self.text = text
