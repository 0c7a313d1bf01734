"""Change pages at random, and compare snapshots that reuse what is known with whole ones: `python -m tools.stress_walks [--changes N] [--seed S]`.

A snapshot looks only at the parts of a page that may have changed since the last one (page_scripts/walker/walk_cache.js). After each
few changes both kinds are taken of the same state of the page, in one script, so that nothing happens between them: any difference
is a fault. `reused` counts the elements that were not looked at again: without any, the comparison would show nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from examples.ticket_desk.demo import served

import boathook
from tools.change_pages.layouts import LAYOUTS, page_for, silenced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CHANGES_SCRIPT = Path(__file__).parent / "change_pages" / "tree.js"
PER_LOAD = 25
"""Reload the page after this many comparisons, before too much of it is hidden or removed."""
SNAPSHOTS_BETWEEN = 0.1
MODES = ("full", "interactive", "changes")
COMPARE = """(() => {
  const linesOf = (text) => text.split('\\n').slice(1).join('\\n');
  const both = MODES.map((mode) => [true, false].map((fresh) => __boathook.walk({ mode, fresh: !fresh })));
  const told = both.map(([kept, whole]) => ({ kept: linesOf(kept), whole: linesOf(whole), ...JSON.parse(kept.split('\\n', 1)[0]) }));
  const wrong = told.findIndex(({ kept, whole }) => kept !== whole);
  return { wrong: wrong < 0 ? null : { mode: MODES[wrong], kept: told[wrong].kept, whole: told[wrong].whole },
    nodes: told[0].nodes, reused: told[0].reused || 0 };
})()"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A snapshot that is not what a whole one shows."""

    page: str
    seed: int
    did: tuple[str, ...]
    """All changes since the page was loaded."""
    mode: str
    kept: str
    whole: str


@dataclass(slots=True)
class Score:
    """The result of all comparisons."""

    compared: int = 0
    nodes: int = 0
    reused: int = 0
    differences: list[Difference] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def summary(self) -> str:
        """The counts in one line."""
        share = self.reused / self.nodes if self.nodes else 0
        return f"{self.compared} comparisons, {len(self.differences)} differences; {share:.0%} of the elements reused"


async def _page(tab: Any, expression: str) -> Any:
    reply = await tab._engine.session.send("Runtime.evaluate", expression=expression, returnByValue=True)  # noqa: SLF001
    return reply["result"].get("value")


async def _change(tab: Any, chance: random.Random) -> str:
    return str(await _page(tab, f"__change({chance.randrange(1 << 31)})"))


async def _compare(tab: Any) -> dict[str, Any]:
    frames = tab._engine.frames  # noqa: SLF001
    reply = await frames.run(frames.main, COMPARE.replace("MODES", json.dumps(MODES)))
    if "exceptionDetails" in reply:
        raise RuntimeError(str(reply["exceptionDetails"])[:2000])
    value: dict[str, Any] = reply["result"]["value"]
    return value


async def change_page(tab: Any, url: str, name: str, score: Score, *, count: int, seed: int) -> None:
    """Compare after each few changes; the page is loaded again from time to time, and after a difference."""
    chance = random.Random(f"{name} {seed}")
    left = count
    while left > 0:
        await tab.goto(url)
        await _page(tab, CHANGES_SCRIPT.read_text())
        await tab.snapshot(mode="full")
        did: list[str] = []
        for _ in range(min(PER_LOAD, left)):
            left -= 1
            did += [await _change(tab, chance) for _ in range(chance.choice((1, 1, 1, 2, 5)))]
            if (
                chance.random() < SNAPSHOTS_BETWEEN
            ):  # answers of Chromium, listeners and closed roots come with snapshots
                with suppress(boathook.BoathookError):
                    await tab.snapshot(mode=chance.choice(("full", "interactive")))
            told = await _compare(tab)
            score.compared += 1
            score.nodes += told["nodes"]
            score.reused += told["reused"]
            score.kinds.update(one.split()[0] for one in did[-1:])
            if told["wrong"]:
                score.differences.append(Difference(page=name, seed=seed, did=tuple(did), **told["wrong"]))
                break


async def stress(
    changes: int,
    *,
    seed: int,
    pages: Mapping[str, str] | None = None,
    browser: Any = None,
    on_difference: Callable[[Difference], None] = lambda _difference: None,
) -> Score:
    """This many comparisons in total, spread evenly over the pages, or over all layouts by default."""
    pages = pages or {name: page_for(name) for name in LAYOUTS}
    score = Score()
    with tempfile.TemporaryDirectory() as folder:
        for name, html in pages.items():
            (Path(folder) / f"{name}.html").write_text(html, encoding="utf-8")
        with served(Path(folder)) as origin:
            used: Any = browser if browser is not None else await boathook.launch()
            try:
                tab = await used.open()
                for number, name in enumerate(pages):
                    before = len(score.differences)
                    count = changes // len(pages) + (number < changes % len(pages))
                    await change_page(tab, f"{origin}/{name}.html", name, score, count=count, seed=seed)
                    for difference in score.differences[before:]:
                        on_difference(difference)
                await tab.close()
            finally:
                if browser is None:
                    await used.close()
    return score


def _show(difference: Difference) -> None:
    kept, whole = difference.kept.split("\n"), difference.whole.split("\n")
    at = next(
        (i for i, (one, other) in enumerate(zip(kept, whole, strict=False)) if one != other),
        min(len(kept), len(whole)),
    )
    print(
        f"{difference.page} (seed {difference.seed}), mode {difference.mode}, after {'; '.join(difference.did[-8:])}"
    )
    print(f"    reused: {kept[at : at + 2]}\n    whole:  {whole[at : at + 2]}")


def main() -> int:
    """Run and report; returns 1 if any snapshot differed."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--changes", type=int, default=3000)
    reading.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    reading.add_argument("--pages", nargs="*", type=Path, help="HTML files to change instead of the layouts")
    options = reading.parse_args()
    pages = {name: page_for(name) for name in LAYOUTS}
    if options.pages:
        pages = {
            f"page{number}": silenced(file.read_text(errors="replace"))
            for number, file in enumerate(options.pages)
        }
    score = asyncio.run(stress(options.changes, seed=options.seed, pages=pages, on_difference=_show))
    print(f"{score.summary} (seed {options.seed})")
    return 1 if score.differences else 0


if __name__ == "__main__":
    sys.exit(main())
