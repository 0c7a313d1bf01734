"""Web vitals of the current page, as measured by the browser so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.page.page_eval import evaluate_in, value_of
from boathook.engine.page_scripts import page_script
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

Rating = Literal["good", "needs improvement", "poor", "not measured"]
_DOT = {"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1}
GATHER_MS = 100
"""Observers receive buffered entries a moment after they subscribe."""
LIMITS: dict[str, tuple[float, float]] = {
    "lcp": (2_500, 4_000),
    "fcp": (1_800, 3_000),
    "ttfb": (800, 1_800),
    "inp": (200, 500),
    "cls": (0.1, 0.25),
}
"""Up to the first it is good, above the second poor; in milliseconds, except for layout shifts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vital:
    """One metric."""

    name: str
    value: float | None
    rating: Rating


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """The metrics of a page so far."""

    url: str
    figures: tuple[Vital, ...]
    largest: str = ""
    """The element of the largest paint."""


async def measure(tab: Tab, *, deadline: Deadline) -> Vitals:
    """The metrics so far; interaction latency only if there were interactions."""
    async with deadline.stage("measuring the page"):
        # An interaction is measured up to the next paint; a static page is not painted unless requested.
        await tab.session.send("Page.captureScreenshot", format="jpeg", quality=1, clip=_DOT)
        world = await tab.frames.world(tab.frames.main)
        script = f"({page_script('debug/vitals.js')})({GATHER_MS})"
        reply = await evaluate_in(tab.frames.main.session, script, context_id=world.context_id)
    seen: dict[str, Any] = value_of(reply, failed="the page could not be measured")
    figures = tuple(
        Vital(name=name, value=_round_value(name, seen[name]), rating=_rate(name, seen[name]))
        for name in LIMITS
    )
    return Vitals(url=tab.url, figures=figures, largest=str(seen["element"])[:200])


def _round_value(name: str, value: float | None) -> float | None:
    return None if value is None else round(value, 4 if name == "cls" else 1)


def _rate(name: str, value: float | None) -> Rating:
    if value is None:
        return "not measured"
    good, poor = LIMITS[name]
    return "good" if value <= good else "poor" if value > poor else "needs improvement"
