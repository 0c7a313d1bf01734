"""Advice: what to do next, from what went wrong and where things stand; from types, never from wording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.errors import (
    AmbiguousTarget,
    BrowserNotFound,
    Busy,
    Covered,
    DialogOpen,
    NoSuchSession,
    StaleRef,
    TabCrashed,
    TabGone,
    TargetNotFound,
    TimedOut,
)
from boathook.service.outcome import NextAction

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.errors import BoathookError

MOST = 6
_LOOK = NextAction(reason="see what is on the page now", argv=("snapshot",))


def next_actions(error: BoathookError) -> tuple[NextAction, ...]:
    """Ready-made calls that lead on from an error, the most useful first."""
    for kind, advise in _ADVICE.items():
        if isinstance(error, kind):
            return tuple(advise(error))[:MOST]
    return ()


def _candidates(error: BoathookError) -> list[NextAction]:
    listed = error.evidence.get("candidates")
    refs = [str(ref) for ref in listed] if isinstance(listed, list | tuple) else []
    return [
        *(NextAction(reason=f"look closer at {ref}", argv=("snapshot", "--root", ref)) for ref in refs[:3]),
        _LOOK,
    ]


def _covered(error: BoathookError) -> list[NextAction]:
    return [
        NextAction(reason="look at what covers it", argv=("snapshot", "--root", str(error.evidence["by"]))),
        NextAction(reason="a dialog or menu often closes so", argv=("press", "Escape"), safe=False),
    ]


_ADVICE: dict[type[BoathookError], Callable[[BoathookError], list[NextAction]]] = {
    StaleRef: _candidates,
    AmbiguousTarget: _candidates,
    TargetNotFound: _candidates,
    Covered: _covered,
    DialogOpen: lambda _error: [
        NextAction(reason="answer it with yes", argv=("dialog", "accept"), safe=False),
        NextAction(reason="answer it with no", argv=("dialog", "dismiss"), safe=False),
    ],
    TabCrashed: lambda _error: [NextAction(reason="load the page again", argv=("reload",), safe=False)],
    TabGone: lambda _error: [NextAction(reason="see the tabs that there are", argv=("tab",))],
    TimedOut: lambda _error: [_LOOK],
    Busy: lambda _error: [NextAction(reason="see who works where", argv=("session", "info"))],
    NoSuchSession: lambda _error: [NextAction(reason="see the sessions", argv=("session", "list"))],
    BrowserNotFound: lambda _error: [NextAction(reason="get a browser", argv=("install",), safe=False)],
}
