"""Hand-off: a tab in a person's hands for a while, for what only a person can do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.engine.handoff import (
    HANDOFF_SECONDS,
    LONGEST_HANDOFF,
    HandedBack,
    Until,
    Waiting,
    give_back,
    hand_over,
    waiting,
)
from boathook.engine.tab import Tab
from boathook.errors import BadRequest
from boathook.progress import tell
from boathook.registry.registry import Between, Doc, Effect, command

MOST_WORDS = 500


@command(
    group="handoff",
    effect=Effect.ACTS,
    may_navigate=True,
    writes_files=("path",),
    unnamed_file="handoff",
    examples=("handoff 'please log in' --url '**/inbox'", "handoff 'solve the puzzle'"),
)
async def handoff(
    tab: Tab,
    reason: Annotated[str, Doc("what the person is asked to do")],
    *,
    url: Annotated[str | None, Doc("ends when the address is like this: a part of it, or a glob")] = None,
    text: Annotated[str | None, Doc("ends when the page shows this")] = None,
    target: Annotated[str | None, Doc("ends when there is such an element to be seen")] = None,
    path: Annotated[Path | None, Doc("where there is no window: the file for a picture of the page")] = None,
    timeout: Annotated[
        float, Doc("seconds after which it is given up"), Between(1, LONGEST_HANDOFF)
    ] = HANDOFF_SECONDS,
) -> HandedBack:
    """Leave the tab to a person (login, puzzle, second factor) until `resume` or a condition, and tell what changed.

    Meanwhile the tab is held: others may look, and nobody else can act on it. A window is put in front.
    """
    if not reason.strip() or len(reason) > MOST_WORDS:
        raise BadRequest(f"say in 1 to {MOST_WORDS} characters what the person is to do")
    async with tab.call("waiting for a person", seconds=timeout, waits=True) as deadline:
        return await hand_over(
            tab,
            reason,
            until=Until(url=url, text=text, target=target),
            picture=path,
            announce=_announce,
            deadline=deadline,
        )


def _announce(told: Waiting) -> None:
    shown = f"; a picture is in {told.picture}" if told.picture else ""
    ends = f", or when {told.until}" if told.until else ""
    tell(
        f"{told.reason}: tab {told.tab} at {told.url[:200]}{shown}; it goes on after `boathook resume`{ends}"
    )


@command(
    group="handoff",
    words=("handoff status", "handoff --status"),
    handles_dialog=True,
    examples=("handoff status", "handoff --status"),
)
async def handoff_status(tab: Tab) -> list[Waiting]:
    """Which tabs of this browser are in a person's hands, why and since when."""
    return waiting(tab)


@command(group="handoff", handles_dialog=True, examples=("resume", "resume --note 'the code was 7 digits'"))
async def resume(tab: Tab, *, note: Annotated[str, Doc("something for the agent to know")] = "") -> Waiting:
    """Give the tab back: the hand-off that goes on, on this tab or else the only one, ends now."""
    return give_back(tab, note[:MOST_WORDS])
