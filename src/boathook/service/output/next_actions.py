"""Next actions, from the result of a call and the current state; from types, never from message text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.commands.results import NavigationResult
from boathook.effects import Effect
from boathook.engine.actions.perform import Performed
from boathook.engine.tab import Tab
from boathook.errors import (
    AmbiguousTarget,
    BrowserError,
    BrowserNotFound,
    Busy,
    Covered,
    DialogOpen,
    FileMissing,
    LaunchConflict,
    LimitReached,
    NavigationFailed,
    NoSuchSession,
    NotReceived,
    StaleRef,
    TabCrashed,
    TabGone,
    TargetNotFound,
    TimedOut,
    Unsupported,
)
from boathook.service.input.command_words import command_words
from boathook.service.output.outcome import NextAction
from boathook.service.sessions.session import DEFAULT_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boathook.errors import BoathookError
    from boathook.registry.registry import Command

MOST = 6


def after_error(
    error: BoathookError,
    settings: Mapping[str, Any],
    *,
    command: Command | None = None,
    arguments: Mapping[str, Any] | None = None,
) -> tuple[NextAction, ...]:
    """Ready-made calls that help after an error, the most useful first."""
    again = _with_nearest(error, command, arguments or {}) if command is not None else []
    for kind, advise in _ADVICE.items():
        if isinstance(error, kind):
            return _in_session([*again, *advise(error)][:MOST], settings)
    return ()


def _with_nearest(error: BoathookError, command: Command, arguments: Mapping[str, Any]) -> list[NextAction]:
    """The same call with the element that is most similar to a target that matches nothing."""
    refs = _listed(error)
    given = [parameter for parameter in command.elements if arguments.get(parameter.name) is not None]
    if not isinstance(error, TargetNotFound | StaleRef) or not refs or len(given) != 1 or command.secrets:
        return []  # what is typed may be secret, and is not repeated
    if isinstance(error, StaleRef) and len(refs) > 1:
        return []  # they are equal
    words = command_words(command, {**arguments, given[0].name: refs[0]})
    safe = command.effect is Effect.READS
    reason = "the nearest match" if isinstance(error, TargetNotFound) else "the same element now"
    return [NextAction(id="use-nearest-match", reason=reason, argv=tuple(words), safe=safe)] if words else []


def after_success(value: Any, settings: Mapping[str, Any]) -> tuple[NextAction, ...]:
    """The obvious next step after a successful call; most results need none."""
    actions: list[NextAction] = []
    if isinstance(value, NavigationResult | Tab):
        actions.append(_look("inspect-opened-page", "see what is on the page"))
    if isinstance(value, Performed) and value.changes.dialog is not None:
        actions += _ANSWER_DIALOG
    if isinstance(value, Performed):
        actions += [
            NextAction(id="switch-to-opened-tab", reason=f"work in {tab}", argv=("tab", tab))
            for tab in value.changes.opened_tabs[:2]
        ]
    return _in_session(actions, settings)


def _in_session(actions: Sequence[NextAction], settings: Mapping[str, Any]) -> tuple[NextAction, ...]:
    """Calls for the same session and tab as the one that they follow."""
    session, tab = settings.get("session"), settings.get("tab")
    place: tuple[str, ...] = ()
    if session and session != DEFAULT_NAME:
        place += ("--session", str(session))
    if tab:
        place += ("--tab", str(tab))
    return tuple(replace(action, argv=(*place, *action.argv)) for action in actions)


def _look(id: str, reason: str = "see what is on the page now") -> NextAction:
    return NextAction(id=id, reason=reason, argv=("snapshot",))


_ANSWER_DIALOG = (
    NextAction(id="accept-dialog", reason="accept the dialog", argv=("dialog", "accept"), safe=False),
    NextAction(id="dismiss-dialog", reason="dismiss the dialog", argv=("dialog", "dismiss"), safe=False),
)


def _listed(error: BoathookError) -> list[str]:
    listed = error.evidence.get("candidates")
    return [str(ref) for ref in listed] if isinstance(listed, list | tuple) else []


def _candidates(error: BoathookError) -> list[NextAction]:
    if error.evidence.get("blank"):
        reason = "the page is blank"
        return [NextAction(id="open-page", reason=reason, argv=("open", "URL"), safe=False)]
    if error.evidence.get("corrected"):
        return []  # the hint has the call
    refs = _listed(error)
    closer = [
        NextAction(
            id=f"inspect-candidate-{number}", reason=f"inspect {ref}", argv=("snapshot", "--root", ref)
        )
        for number, ref in enumerate(refs[:3], 1)
    ]
    return [*closer, _look("refresh-interactive-refs")]


def _actions_for_covered(error: BoathookError) -> list[NextAction]:
    by = str(error.evidence["by"])
    return [
        NextAction(
            id="inspect-overlay-state",
            reason="inspect the element that covers it",
            argv=("snapshot", "--root", by),
        ),
        NextAction(
            id="try-closing-overlay",
            reason="often closes a dialog or menu",
            argv=("press", "Escape"),
            safe=False,
        ),
    ]


def _start_afresh(error: BoathookError) -> list[NextAction]:
    words = error.evidence.get("argv")
    argv = tuple(str(word) for word in words) if isinstance(words, list | tuple) else ()
    return [NextAction(id="start-fresh-session", reason="start a new session instead", argv=argv, safe=False)]


def _single_action(
    id: str, reason: str, *argv: str, safe: bool = True
) -> Callable[[BoathookError], list[NextAction]]:
    return lambda _error: [NextAction(id=id, reason=reason, argv=argv, safe=safe)]


_ADVICE: dict[type[BoathookError], Callable[[BoathookError], list[NextAction]]] = {
    StaleRef: _candidates,
    AmbiguousTarget: _candidates,
    TargetNotFound: _candidates,
    Covered: _actions_for_covered,
    NotReceived: lambda _error: [_look("inspect-click-dispatch-miss")],
    DialogOpen: lambda _error: list(_ANSWER_DIALOG),
    NavigationFailed: lambda _error: [_look("inspect-page-after-navigation-error")],
    TabCrashed: _single_action("reload-crashed-tab", "reload the page", "reload", safe=False),
    TabGone: _single_action("list-tabs-after-tab-gone", "list the open tabs", "tab"),
    FileMissing: _single_action("list-artifacts", "list the files", "artifacts"),
    TimedOut: lambda _error: [_look("inspect-after-timeout")],
    Busy: _single_action("inspect-busy-session", "see which client uses which tab", "session", "info"),
    NoSuchSession: _single_action("list-sessions", "list the sessions", "session", "list"),
    LimitReached: _single_action("list-sessions", "see what can be closed", "session", "list"),
    LaunchConflict: _start_afresh,
    BrowserNotFound: _single_action("install-browser", "install a browser", "install", safe=False),
    Unsupported: lambda _error: [],
    BrowserError: _single_action("run-doctor", "diagnose the problem", "doctor"),
}
"""The first type that matches counts: narrower ones come before wider ones."""
