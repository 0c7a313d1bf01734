"""Next actions, from the result of a call and the current state; from types, never from message text."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from boathook.commands.results import NavigationResult, RecordingStarted
from boathook.engine.actions.perform import Performed
from boathook.engine.tab import Tab
from boathook.errors import (
    AmbiguousTarget,
    BrowserError,
    BrowserNotFound,
    Busy,
    ConfirmationRequired,
    Covered,
    DialogOpen,
    FileMissing,
    LaunchConflict,
    LaunchFailed,
    LimitReached,
    NavigationFailed,
    NoSuchSession,
    NotReceived,
    NotScrolled,
    OptionNotFound,
    ProfileInUse,
    StaleRef,
    TabCrashed,
    TabGone,
    TargetError,
    TargetNotFound,
    TimedOut,
    Unsupported,
)
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.same_call import on_element
from boathook.service.diagnostics.targets import after_target_error
from boathook.service.input.command_words import command_words
from boathook.service.sessions.session import DEFAULT_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boathook.errors import BoathookError
    from boathook.registry.context import NextAction
    from boathook.registry.registry import Command

    Advice = Callable[[BoathookError, Command | None, Mapping[str, Any]], list[NextAction]]

MOST = 6
FRESH = "--fresh"


def after_error(
    error: BoathookError,
    settings: Mapping[str, Any],
    *,
    command: Command | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> tuple[NextAction, ...]:
    """Ready-made calls that help after an error, the most useful first."""
    for kind, advise in _ADVICE.items():
        if isinstance(error, kind):
            return in_session(advise(error, command, arguments or {}), settings)
    return ()


def after_success(value: Any, settings: Mapping[str, Any]) -> tuple[NextAction, ...]:
    """The obvious next step after a successful call; most results need none."""
    actions: list[NextAction] = []
    if isinstance(value, NavigationResult | Tab):
        actions.append(suggest("inspect-opened-page", "snapshot"))
    if isinstance(value, RecordingStarted):
        actions.append(suggest("stop-pending-recording", "record", "stop"))
    if isinstance(value, Performed) and value.changes.dialog is not None:
        actions += _answer_dialog()
    if isinstance(value, Performed):
        actions += [
            suggest("switch-to-opened-tab", "tab", tab, reason=f"work in {tab}")
            for tab in value.changes.opened_tabs[:2]
        ]
    return in_session(actions, settings)


def in_session(actions: Sequence[NextAction], settings: Mapping[str, Any]) -> tuple[NextAction, ...]:
    """Calls for the same session and tab as the one that they follow, at most six."""
    session, tab = settings.get("session"), settings.get("tab")
    place: tuple[str, ...] = ()
    if session and session != DEFAULT_NAME:
        place += ("--session", str(session))
    if tab:
        place += ("--tab", str(tab))
    return tuple(replace(action, argv=_at(place, action.argv)) for action in actions[:MOST])


def _at(place: tuple[str, ...], argv: tuple[str, ...]) -> tuple[str, ...]:
    """A file has no words, and a line that names its session keeps it."""
    return argv if not argv or "--session" in argv else (*place, *argv)


def _answer_dialog() -> list[NextAction]:
    return [suggest("accept-dialog", "dialog", "accept"), suggest("dismiss-dialog", "dialog", "dismiss")]


def _actions_for_covered(error: BoathookError, *_call: object) -> list[NextAction]:
    return [
        suggest("inspect-overlay-state", "snapshot", "--root", str(error.evidence["by"])),
        suggest("try-closing-overlay", "press", "Escape"),
    ]


def _actions_for_miss(
    error: BoathookError, command: Command | None, arguments: Mapping[str, Any]
) -> list[NextAction]:
    """After input that did not reach its element."""
    ref = str(error.evidence.get("ref") or "")
    again = on_element(command, arguments, ref) if command is not None and ref else ()
    return [
        suggest("inspect-click-dispatch-miss", "snapshot"),
        *([suggest("scroll-target-into-view-after-dispatch-miss", "scrollintoview", ref)] if ref else []),
        *([suggest("retry-click-after-dispatch-miss", *again)] if again else []),
    ]


def _actions_for_scroll(
    error: BoathookError, command: Command | None, arguments: Mapping[str, Any]
) -> list[NextAction]:
    """Scroll each scrollable element instead, with the same distance."""
    listed = error.evidence.get("scrollers")
    refs = [str(entry["ref"]) for entry in listed[:3]] if isinstance(listed, list) else []
    field = "selector" if command is not None and command.parameter("selector") is not None else "target"
    calls = [_with_target(command, arguments, field, ref) for ref in refs]
    numbered = len(calls) > 1
    return [
        suggest("inspect-after-noop-scroll", "snapshot"),
        *(
            suggest("try-scrollable-container", *call, number=number if numbered else 0)
            for number, call in enumerate(calls, 1)
            if call
        ),
        suggest("verify-noop-scroll-visually", "screenshot"),
    ]


def _with_target(
    command: Command | None, arguments: Mapping[str, Any], field: str, ref: str
) -> tuple[str, ...]:
    if command is None or command.parameter(field) is None:
        return ()
    return tuple(command_words(command, {**arguments, field: ref}))


def _actions_for_option(
    error: BoathookError, command: Command | None, arguments: Mapping[str, Any]
) -> list[NextAction]:
    """The same call with the option that is most similar."""
    listed = error.evidence.get("options")
    options = [str(option) for option in listed] if isinstance(listed, list | tuple) else []
    wanted = arguments.get("wanted")
    given = wanted if isinstance(wanted, list | tuple) else [wanted]
    look = suggest("refresh-interactive-refs", "snapshot")
    near = get_close_matches(str(given[0]), options, n=1) if len(given) == 1 and command is not None else []
    if not near or command is None or command.parameter("wanted") is None:
        return [look]
    words = command_words(command, {**arguments, "wanted": [near[0]]})
    return [suggest("try-nearest-option", *words), look]


def _start_afresh(error: BoathookError, *_call: object) -> list[NextAction]:
    words = error.evidence.get("argv")
    argv = tuple(str(word) for word in words) if isinstance(words, list | tuple) else ()
    return [suggest("start-fresh-session", *argv)]


def _answer_confirmation(error: BoathookError, *_call: object) -> list[NextAction]:
    """For a person: surfaces of models leave them out."""
    number = str(error.evidence.get("confirmation", ""))
    return [
        suggest("approve-confirmation", "confirm", number),
        suggest("deny-confirmation", "deny", number),
    ]


def _calls(*actions: tuple[str, ...]) -> Advice:
    """The same calls after every error of a type, each as its id and words."""
    return lambda _error, _command, _arguments: [suggest(*action) for action in actions]


_DOCTOR = ("run-agent-browser-doctor", "doctor")
_PROFILES = ("inspect-browser-profiles", "profiles")
_ADVICE: dict[type[BoathookError], Advice] = {
    StaleRef: after_target_error,
    AmbiguousTarget: after_target_error,
    TargetNotFound: after_target_error,
    Covered: _actions_for_covered,
    NotReceived: _actions_for_miss,
    NotScrolled: _actions_for_scroll,
    OptionNotFound: _actions_for_option,
    TargetError: _calls(("refresh-interactive-refs", "snapshot")),
    DialogOpen: lambda *_call: _answer_dialog(),
    NavigationFailed: _calls(("inspect-page-after-navigation-error", "snapshot")),
    TabCrashed: _calls(("reload-crashed-tab", "reload")),
    TabGone: _calls(("list-tabs-after-tab-gone", "tab"), ("open-tab-after-tab-gone", "tab", "new")),
    FileMissing: _calls(("list-artifacts", "artifacts")),
    TimedOut: _calls(("inspect-after-timeout", "snapshot")),
    Busy: _calls(("inspect-busy-session", "session", "info")),
    NoSuchSession: _calls(("list-sessions", "session", "list")),
    LimitReached: _calls(("list-sessions", "session", "list")),
    LaunchConflict: _start_afresh,
    ConfirmationRequired: _answer_confirmation,
    BrowserNotFound: _calls(("install-browser", "install")),
    ProfileInUse: _calls(_PROFILES, _DOCTOR),
    LaunchFailed: _calls(_DOCTOR, _PROFILES),
    Unsupported: lambda *_call: [],
    BrowserError: _calls(_DOCTOR),
}
"""The first type that matches counts: narrower ones come before wider ones."""
