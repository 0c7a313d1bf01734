"""The whole corpus measured in a browser: both parts of the pages, and the public facts."""

from dataclasses import dataclass
from pathlib import Path

from . import compare, trees
from . import facts as wpt

PAGES = Path(__file__).parent / "pages"
PARTS = ("open", "held_out")


@dataclass(frozen=True, slots=True)
class FactResult:
    """All facts of one part, and what each side has wrong."""

    facts: list
    ours: list
    chromium: list


@dataclass(frozen=True, slots=True)
class Figures:
    """Everything that was measured, by part."""

    pages: dict[str, compare.Score]
    facts: dict[str, FactResult]


def pages_of(part):
    return sorted((PAGES / part).glob("*.html"))


async def both_trees(page, url):
    """The walker's and Chromium's side of one page, and its elements."""
    await page.load(url)
    ours = trees.walker_tree(await page.walker_dump())
    known = trees.elements(await page.document())
    return ours, trees.ChromiumTree(await page.ax_trees(), known).side, known


async def compare_part(page, server, part):
    """All pages of one part, added up."""
    score = compare.Score()
    for file in pages_of(part):
        ours, theirs, known = await both_trees(page, f"{server.origin}/{part}/{file.name}")
        score.add(compare.compare(file.stem, ours, theirs, known))
    return score


async def ask_facts(page, server):
    """Every fact asked once, of both sides."""
    parts = {part: FactResult([], [], []) for part in PARTS}
    for name, facts in wpt.facts_by_file().items():
        ours, theirs = await wpt.answers(page, server, name, facts)
        for part, result in parts.items():
            chosen = [fact for fact in facts if wpt.part_of(fact) == part]
            result.facts.extend(chosen)
            result.ours.extend(wpt.misses(chosen, ours))
            result.chromium.extend(wpt.misses(chosen, theirs))
    return parts


async def measure(page, server):
    pages = {part: await compare_part(page, server, part) for part in PARTS}
    return Figures(pages, await ask_facts(page, server))
