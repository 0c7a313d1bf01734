"""Hand-off: pause a tab for a person to act, for example to sign in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.effects import Effect
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
from boathook.progress import report_progress
from boathook.registry.registry import SECONDS, Between, Doc, command

MOST_WORDS = 500


@command(
    group="handoff",
    effect=Effect.ACTS,
    may_navigate=True,
    writes_files=("path",),
    default_file_name="handoff",
    examples=("handoff 'please log in' --url '**/inbox'", "handoff 'solve the puzzle'"),
)
async def handoff(
    tab: Tab,
    reason: Annotated[str, Doc("what the person should do")],
    *,
    url: Annotated[str | None, Doc("end when the URL matches: a substring or a glob")] = None,
    text: Annotated[str | None, Doc("end when the page shows this text")] = None,
    target: Annotated[str | None, Doc("end when this element is visible")] = None,
    path: Annotated[Path | None, Doc("file for a screenshot, for headless browsers")] = None,
    timeout: Annotated[
        float, Doc("timeout in seconds"), SECONDS, Between(1, LONGEST_HANDOFF)
    ] = HANDOFF_SECONDS,
) -> HandedBack:
    """Hand the tab to a person (login, CAPTCHA, 2FA) until `resume` or a condition. Prints what changed.

    Meanwhile the tab is locked: other calls can read it but not act on it. A headed browser is brought to the front.
    """
    if not reason.strip() or len(reason) > MOST_WORDS:
        raise BadRequest(f"the reason must have 1 to {MOST_WORDS} characters")
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
    shown = f"; screenshot: {told.picture}" if told.picture else ""
    ends = f", or wait until {told.until}" if told.until else ""
    report_progress(
        f"{told.reason}: tab {told.tab} at {told.url[:200]}{shown}; run `boathook resume` to continue{ends}"
    )


@command(
    group="handoff",
    aliases=("handoff status", "handoff --status"),
    handles_dialog=True,
    examples=("handoff status", "handoff --status"),
)
async def handoff_status(tab: Tab) -> list[Waiting]:
    """List the tabs of this browser that are handed off, with reason and start time."""
    return waiting(tab)


@command(group="handoff", handles_dialog=True, examples=("resume", "resume --note 'the code was 7 digits'"))
async def resume(tab: Tab, *, note: Annotated[str, Doc("a note for the agent")] = "") -> Waiting:
    """End the hand-off of this tab, or the only one that is active."""
    return give_back(tab, note[:MOST_WORDS])
