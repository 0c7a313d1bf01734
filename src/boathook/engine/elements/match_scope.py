"""Where a target is looked up, and which of several matches is meant.

Usually a target is looked up in all frames and must match one element. A call can take the first match instead,
which is then the first of one document, hidden or not; a tab can be limited to one of its frames.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab

takes_first: ContextVar[bool] = ContextVar("whether the first of several matches is meant", default=False)
_everywhere: ContextVar[bool] = ContextVar("whether all frames are searched in any case", default=False)


@contextmanager
def whole_page() -> Iterator[None]:
    """Look in all frames meanwhile: what has the focus may be in any of them."""
    token = _everywhere.set(True)
    try:
        yield
    finally:
        _everywhere.reset(token)


@contextmanager
def exactly_one() -> Iterator[None]:
    """Several matches are an error meanwhile, also for a caller that usually takes the first."""
    token = takes_first.set(False)
    try:
        yield
    finally:
        takes_first.reset(token)


def frames_to_search(tab: Tab) -> list[Frame]:
    """The frames whose documents are searched, in order."""
    if _everywhere.get():
        return tab.frames.walk_roots()
    if tab.frames.entered is not None:
        return [tab.frames.entered]
    return [tab.frames.main] if takes_first.get() else tab.frames.walk_roots()


def search_options(tab: Tab) -> dict[str, Any]:
    """What the page script has to know about it."""
    if _everywhere.get():
        return {}
    first = takes_first.get()
    return {"all": first, "here": first or tab.frames.entered is not None}


def index_of_match(nth: int | None) -> int | None:
    """Which match is meant, if a call did not say it."""
    return 0 if nth is None and takes_first.get() else nth
