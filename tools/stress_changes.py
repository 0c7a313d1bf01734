"""Change pages at random behind clicks, and judge every report: `python -m tools.stress_changes [--mutations N] [--seed S]`.

The truth is read over plain CDP by a script in the page (`change_pages/page.js`): innerText of all frames and open
shadow roots, form properties, ARIA attributes, images, title and URL. A report is wrong when it says that nothing changed
although the truth differs, when it lists a change although the truth does not differ, or when it shows text that is not on
the page. `vague` counts reports that mention a change but none of the text that changed.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from examples.ticket_desk.demo import served

import boathook
from tools.change_pages.layouts import LAYOUTS, ODD, page_for, silenced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PAGE_SCRIPT = Path(__file__).parent / "change_pages" / "page.js"
NOTHING = "nothing else changed"
NEW_REFS = "same content, new refs"
CUT = "more changed lines"
MOMENTS = ("now",) * 7 + ("microtask", "task", "frame")
PER_LOAD = 12
"""Reload the page after this many mutations, before too much of it is hidden or removed."""
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
_HINT = re.compile(r'~"(?:[^"\\]|\\.)*"')
"""Hints for controls without a name."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One mutation, what was reported, and what is wrong with that."""

    layout: str
    kind: str
    seed: int
    did: str
    report: str
    changed: tuple[str, ...]
    """Parts of the truth that differ."""
    wrong: str = ""
    vague: bool = False


@dataclass(slots=True)
class Score:
    """The result of all mutations."""

    verdicts: list[Verdict] = field(default_factory=list)

    def wrong(self, sort: str = "") -> list[Verdict]:
        """Wrong reports, of all kinds or of one."""
        return [
            verdict
            for verdict in self.verdicts
            if verdict.wrong and (not sort or verdict.wrong.startswith(sort))
        ]

    @property
    def summary(self) -> str:
        """The counts in one line."""
        visible = sum(1 for verdict in self.verdicts if verdict.changed)
        return (
            f"{len(self.verdicts)} mutations on {len({verdict.layout for verdict in self.verdicts})} layouts, {visible} visible: "
            f"{len(self.wrong('false'))} false 'nothing changed', {len(self.wrong('invented'))} invented, "
            f"{sum(1 for verdict in self.verdicts if verdict.vague)} vague"
        )


def _words(texts: Iterable[Any]) -> Counter[str]:
    return Counter(word.lower() for text in texts for word in _WORD.findall(str(text)))


def _everything(truth: dict[str, Any]) -> str:
    return str(list(truth.values())).lower()


def _page_lines(report: str) -> list[str]:
    return report.split("\n")[1:]


def _foreign_text(report: str, truths: dict[str, dict[str, Any]]) -> str:
    """Text in an added or removed line that the page does not show, or did not."""
    for line in _page_lines(report):
        truth = {"+ ": truths["after"], "- ": truths["before"]}.get(line[:2])
        if truth is None:
            continue
        quoted = [text for text in _QUOTED.findall(_HINT.sub("", line)) if not text.endswith("…")]
        # Not as whole words: inline elements without a space between them read as one.
        if extra := [word for word in _words(quoted) if word not in _everything(truth)]:
            return f"{line!r} has {extra}"
    return ""


def _is_vague(report: str, truths: dict[str, dict[str, Any]]) -> bool:
    """Whether the report contains none of the words that were added or removed."""
    before, after = (_words(truths[name]["text"]) for name in ("before", "after"))
    came, went = after - before, before - after
    wanted = came or went
    return bool(wanted) and CUT not in report and not wanted.keys() & _words([report]).keys()


def judge(
    layout: str, *, kind: str, seed: int, did: str, report: str, truths: dict[str, dict[str, Any]]
) -> Verdict:
    """Compare a report with what the page showed before and after."""
    changed = tuple(name for name, part in truths["before"].items() if part != truths["after"][name])
    says_nothing = NOTHING in report
    told = [line for line in _page_lines(report) if not line.startswith((NOTHING, NEW_REFS, "  "))]
    wrong = ""
    if changed and says_nothing:
        wrong = f"false: {', '.join(changed)} changed"
    elif not changed and told:
        wrong = "invented: nothing changed"
    elif foreign := _foreign_text(report, truths):
        wrong = f"invented: {foreign}"
    vague = changed == ("text",) and _is_vague(report, truths)
    return Verdict(
        layout=layout, kind=kind, seed=seed, did=did, report=report, changed=changed, wrong=wrong, vague=vague
    )


async def _page(tab: Any, expression: str) -> Any:
    """Run a script of the page's own world over plain CDP."""
    reply = await tab._engine.session.send("Runtime.evaluate", expression=expression, returnByValue=True)  # noqa: SLF001
    if "exceptionDetails" in reply:
        raise RuntimeError(str(reply["exceptionDetails"])[:500])
    return reply["result"].get("value")


async def mutate(tab: Any, layout: str, kind: str, seed: int) -> Verdict | None:
    """One mutation behind a click; None when the layout has nothing to apply it to."""
    when = random.Random(seed).choice(MOMENTS)
    before = await _page(tab, "__truth()")
    await _page(tab, f"__mutate({kind!r}, {seed}, {when!r})")
    report = str(await tab.click("#go"))
    did = await _page(tab, "__did")
    if did == "none":
        return None
    truths = {"before": before, "after": await _page(tab, "__truth()")}
    return judge(layout, kind=kind, seed=seed, did=f"{did} ({when})", report=report, truths=truths)


async def mutate_layout(tab: Any, url: str, layout: str, *, count: int, seed: int) -> list[Verdict]:
    """Many mutations of one layout, each of a kind drawn at random."""
    chance = random.Random(f"{layout} {seed}")
    verdicts: list[Verdict] = []
    while len(verdicts) < count:
        await tab.goto(url)
        # Over CDP, where no policy of the page forbids it.
        await _page(tab, PAGE_SCRIPT.read_text())
        kinds = await _page(tab, "__kinds")
        for _ in range(min(PER_LOAD, count - len(verdicts))):
            verdict = await mutate(tab, layout, chance.choice(kinds), chance.randrange(1 << 31))
            if verdict is not None:
                verdicts.append(verdict)
    return verdicts


async def stress(
    mutations: int,
    *,
    seed: int,
    pages: Mapping[str, str] | None = None,
    browser: Any = None,
    on_wrong: Callable[[Verdict], None] = lambda _verdict: None,
) -> Score:
    """This many mutations in total, spread evenly over the pages, or over all layouts by default."""
    pages = pages or {name: page_for(name) for name in LAYOUTS}
    names = list(pages)
    score = Score()
    with tempfile.TemporaryDirectory() as folder:
        for name, html in pages.items():
            (Path(folder) / f"{name}.html").write_text(html, encoding="utf-8")
        with served(Path(folder)) as origin:
            used: Any = browser if browser is not None else await boathook.launch()
            try:
                tab = await used.open()
                for number, name in enumerate(names):
                    count = mutations // len(names) + (number < mutations % len(names))
                    for verdict in await mutate_layout(
                        tab, f"{origin}/{name}.html", name, count=count, seed=seed
                    ):
                        score.verdicts.append(verdict)
                        if verdict.wrong or verdict.vague:
                            on_wrong(verdict)
                await tab.close()
            finally:
                if browser is None:
                    await used.close()
    return score


def _show(verdict: Verdict) -> None:
    sort = verdict.wrong or "vague"
    print(
        f"{verdict.layout} {verdict.kind} {verdict.seed}: {sort}; {verdict.did}\n    "
        + verdict.report.replace("\n", "\n    ")
    )


def main() -> int:
    """Run and report; returns 1 if any report was wrong."""
    reading = argparse.ArgumentParser(description=__doc__)
    reading.add_argument("--mutations", type=int, default=3000)
    reading.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    reading.add_argument("--layouts", nargs="*", help="only these; `odd` means those that were tuned on")
    reading.add_argument("--pages", nargs="*", type=Path, help="HTML files to change instead of the layouts")
    options = reading.parse_args()
    layouts = list(ODD) if options.layouts == ["odd"] else options.layouts or list(LAYOUTS)
    pages = {name: page_for(name) for name in layouts}
    if options.pages:
        pages = {
            f"page{number}": silenced(file.read_text(errors="replace"))
            for number, file in enumerate(options.pages)
        }
    score = asyncio.run(stress(options.mutations, seed=options.seed, pages=pages, on_wrong=_show))
    kinds = Counter(wrong.kind for wrong in score.wrong())
    if kinds:
        print("wrong by kind:", ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    print(f"{score.summary} (seed {options.seed})")
    return 1 if score.wrong() else 0


if __name__ == "__main__":
    sys.exit(main())
