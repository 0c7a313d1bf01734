"""Act on targets that are replaced, moved, covered, disabled or removed during the action: `stress_chaos.py [--rounds N] [--seed N]`.

Each round does one action while the page disturbs its target at moments drawn from a seed, and records every event
with its real target. A reported success must have been seen by the page on the intended target, a failure must be one
of Boathook's errors, and each call must end in time. Every tenth round is calm, and must succeed.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boathook
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.surfaces.python.async_api import Tab

PAGES = Path(__file__).parent.parent / "tests" / "pages" / "gallery"
ACTION_SECONDS = 3.0
GRACE_SECONDS = 1.0
CALM_EVERY = 10
TEXT = "heave"

Events = list[list[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of action: the control that it needs, how it is performed, and what the page must have seen."""

    control: str
    act: Callable[[Tab, str], Awaitable[object]]
    happened: Callable[[Events, dict[str, Any]], bool]
    within: float = 25
    """Milliseconds within which the disturbances start: about as long as the action takes on a calm page."""


def _on_target(*types: str) -> Callable[[Events, dict[str, Any]], bool]:
    """Whether one of these events reached the target."""

    def happened(events: Events, _state: dict[str, Any]) -> bool:
        return any(kind in types and who == "target" and real for kind, who, real, _data in events)

    return happened


def _typed(events: Events, state: dict[str, Any]) -> bool:
    """Whether the whole text went into the target and nothing of it into another field."""
    written = "".join(data for kind, who, _real, data in events if kind == "input" and who == "target")
    return written == TEXT and state["decoy"] == ""


def _chosen(events: Events, _state: dict[str, Any]) -> bool:
    return any(kind == "change" and who == "target" for kind, who, _real, _data in events)


def _carried(events: Events, _state: dict[str, Any]) -> bool:
    return all(_on_target(kind)(events, {}) for kind in ("pointerdown", "mousemove", "pointerup"))


KINDS: dict[str, Kind] = {
    "click": Kind(
        control="button",
        act=lambda tab, ref: tab.click(ref, timeout=ACTION_SECONDS),
        happened=_on_target("click"),
    ),
    "double click": Kind(
        control="button",
        act=lambda tab, ref: tab.click(ref, count=2, timeout=ACTION_SECONDS),
        happened=_on_target("dblclick"),
    ),
    "right click": Kind(
        control="button",
        act=lambda tab, ref: tab.click(ref, button="right", timeout=ACTION_SECONDS),
        happened=_on_target("contextmenu"),
    ),
    "hover": Kind(
        control="button",
        act=lambda tab, ref: tab.hover(ref, timeout=ACTION_SECONDS),
        happened=_on_target("mouseover", "mousemove"),
    ),
    "tap": Kind(
        control="button",
        act=lambda tab, ref: tab.tap(ref, timeout=ACTION_SECONDS),
        happened=_on_target("touchstart"),
    ),
    "fill": Kind(
        control="field", act=lambda tab, ref: tab.fill(ref, TEXT, timeout=ACTION_SECONDS), happened=_typed
    ),
    "type": Kind(
        control="field", act=lambda tab, ref: tab.type(ref, TEXT, timeout=ACTION_SECONDS), happened=_typed
    ),
    "press": Kind(
        control="field",
        act=lambda tab, ref: tab.press("ArrowDown", ref, timeout=ACTION_SECONDS),
        happened=_on_target("keydown"),
    ),
    "select": Kind(
        control="choice",
        act=lambda tab, ref: tab.select(ref, "Some", timeout=ACTION_SECONDS),
        happened=_chosen,
    ),
    "check": Kind(
        control="box",
        act=lambda tab, ref: tab.check(ref, timeout=ACTION_SECONDS),
        happened=_on_target("change"),
    ),
    "drag": Kind(
        control="knob",
        act=lambda tab, ref: tab.drag(ref, offset=(80, 30), timeout=ACTION_SECONDS),
        happened=_carried,
        within=400,
    ),
}


@dataclass(slots=True)
class Tally:
    """The results of the rounds of one kind; `faults` lists what must never happen."""

    succeeded: int = 0
    calm: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    longest: float = 0.0

    def __str__(self) -> str:
        errors = ", ".join(f"{code} {count}" for code, count in self.failed.most_common())
        return (
            f"{self.succeeded} succeeded ({self.calm} of them calm), {self.failed.total()} failed ({errors}), "
            f"{len(self.faults)} faults, longest {self.longest:.2f} s"
        )


async def stress(tab: Tab, url: str, name: str, *, rounds: int, seed: int) -> Tally:
    """All rounds of one kind of action."""
    tally = Tally()
    await tab.goto(url)
    for number in range(rounds):
        await _round(tab, KINDS[name], tally, seed=seed * 10_000 + number, calm=number % CALM_EVERY == 0)
    return tally


async def _round(tab: Tab, kind: Kind, tally: Tally, *, seed: int, calm: bool) -> None:
    await tab.evaluate(f"chaos.set({kind.control!r})")
    ref = _ref_of((await tab.snapshot()).lines)
    planned = await tab.evaluate(f"chaos.start({seed}, {kind.within}, {str(calm).lower()})")
    began = time.monotonic()
    fault = failure = ""
    try:
        async with asyncio.timeout(ACTION_SECONDS + GRACE_SECONDS):
            await kind.act(tab, ref)
    except BoathookError as error:
        failure = error.code if error.code != "target_error" else str(error)
        fault = f"calm, but {error}" if calm else ""
    except TimeoutError:
        fault = "it did not end"
    except Exception as error:  # noqa: BLE001 - an error outside our tree is what this looks for
        fault = f"not a Boathook error: {error!r}"
    tally.longest = max(tally.longest, time.monotonic() - began)
    state = await tab.evaluate("chaos.seen()")
    if failure:
        tally.failed[failure] += 1
    elif not fault and kind.happened(state["events"], state):
        tally.succeeded += 1
        tally.calm += calm
    elif not fault:
        fault = "success was reported, but the page did not see it"
    if fault:
        tally.faults.append(
            f"seed {seed}: {fault}; planned: {', '.join(planned)}; seen: {_short(state['events'])}"
        )


def _ref_of(lines: list[str]) -> str:
    [line] = [line for line in lines if '"Wanted"' in line]
    found = re.search(r"@e\d+", line)
    if found is None:
        raise LookupError(f"no ref in {line!r}")
    return found.group()


def _short(events: Events) -> str:
    return " ".join(f"{kind}>{who or 'page'}" for kind, who, *_rest in events if kind != "mousemove")[-400:]


async def _all(rounds: int, seed: int, names: list[str]) -> int:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(PAGES)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    faults = 0
    try:
        async with await boathook.launch() as browser:
            tab = await browser.open()
            for name in names:
                url = f"http://127.0.0.1:{server.server_port}/chaos.html"
                tally = await stress(tab, url, name, rounds=rounds, seed=seed)
                print(f"{name}: {tally}", flush=True)
                print(*(f"  {fault}" for fault in tally.faults), sep="\n", end="\n" if tally.faults else "")
                faults += len(tally.faults)
    finally:
        server.shutdown()
    print(f"{len(names) * rounds} actions, {faults} faults")
    return 1 if faults else 0


class _Quiet(SimpleHTTPRequestHandler):
    """Serves the page without logging."""

    def log_message(self, *_args: object) -> None:
        """Log nothing."""


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=list(KINDS), action="append")
    given = parser.parse_args()
    return asyncio.run(_all(given.rounds, given.seed, given.kind or list(KINDS)))


if __name__ == "__main__":
    sys.exit(main())
