"""Coverage: how much of the scripts and style sheets of a page is used."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boathook.engine.hosts.urls import without_credentials
from boathook.errors import BadRequest
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

MOST_FILES = 200


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class FileCoverage:
    """One script or style sheet, in characters."""

    url: str
    kind: str
    total: int
    used: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """All of them, those with the most unused characters first."""

    files: tuple[FileCoverage, ...]

    @property
    def total(self) -> int:
        """Characters in total."""
        return sum(file.total for file in self.files)

    @property
    def used(self) -> int:
        """Characters that were used."""
        return sum(file.used for file in self.files)


class CoverageWatch:
    """The running coverage of one tab."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._needed = AsyncExitStack()
        """Protocol domains that are enabled meanwhile."""
        self._sheets: dict[str, dict[str, Any]] = {}

    async def start(self, *, deadline: Deadline) -> None:
        """Start coverage; the next document that is loaded is counted completely."""
        session = self._tab.session
        self._needed.callback(session.on("CSS.styleSheetAdded", self._on_sheet))
        async with deadline.stage("starting coverage"):
            for domain in ("Profiler", "DOM", "CSS"):
                await self._needed.enter_async_context(session.domain(domain))
            await session.send("Profiler.startPreciseCoverage", callCount=False, detailed=True)
            await session.send("CSS.startRuleUsageTracking")

    async def stop(self, *, deadline: Deadline) -> Coverage:
        """What was used so far."""
        session = self._tab.session
        async with deadline.stage("reading coverage"):
            scripts = (await session.send("Profiler.takePreciseCoverage"))["result"]
            rules = (await session.send("CSS.stopRuleUsageTracking"))["ruleUsage"]
            await session.send("Profiler.stopPreciseCoverage")
            await self._needed.aclose()
        told = [
            *(_script(covered) for covered in scripts if _is_of_page(covered["url"])),
            *self._styles(rules),
        ]
        files = sorted(_once(told), key=lambda covered: covered.used - covered.total)
        return Coverage(files=tuple(files[:MOST_FILES]))

    def _on_sheet(self, params: dict[str, Any]) -> None:
        header = params["header"]
        self._sheets[header["styleSheetId"]] = header

    def _styles(self, rules: list[dict[str, Any]]) -> list[FileCoverage]:
        used: dict[str, list[tuple[int, int]]] = {}
        for rule in rules:
            if rule.get("used"):
                used.setdefault(rule["styleSheetId"], []).append(
                    (int(rule["startOffset"]), int(rule["endOffset"]))
                )
        return [
            FileCoverage(
                url=without_credentials(str(header.get("sourceURL") or "(in the document)"))[:500],
                kind="style",
                total=int(header.get("length", 0)),
                used=_covered_characters(used.get(sheet, [])),
            )
            for sheet, header in self._sheets.items()
            if header.get("origin") == "regular"
        ]


def _once(files: list[FileCoverage]) -> list[FileCoverage]:
    """Several documents may have loaded the same file; what any of them used counts as used."""
    found: dict[tuple[str, str, int], FileCoverage] = {}
    for file in files:
        key = (file.kind, file.url, file.total)
        if key not in found or found[key].used < file.used:
            found[key] = file
    return list(found.values())


def _is_of_page(url: str) -> bool:
    return urlsplit(url).scheme in {"http", "https", "file"}


def _script(told: dict[str, Any]) -> FileCoverage:
    """Ranges are nested, and the inner one decides; the first is the whole script."""
    ranges = [part for function in told["functions"] for part in function["ranges"]]
    total = max((int(part["endOffset"]) for part in ranges), default=0)
    marks = bytearray(b"\x01" * total)
    for part in sorted(ranges, key=lambda each: (each["startOffset"], -each["endOffset"])):
        start, end = int(part["startOffset"]), int(part["endOffset"])
        marks[start:end] = (b"\x01" if part["count"] else b"\x00") * (end - start)
    return FileCoverage(
        url=without_credentials(str(told["url"]))[:500], kind="script", total=total, used=sum(marks)
    )


def _covered_characters(ranges: list[tuple[int, int]]) -> int:
    total, reached = 0, 0
    for start, end in sorted(ranges):
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total


async def start(tab: Tab, *, deadline: Deadline) -> None:
    """Start; BadRequest if coverage is already running."""
    if tab.coverage is not None:
        raise BadRequest("coverage is already running", hint="`coverage stop` returns the results so far")
    watch = CoverageWatch(tab)
    await watch.start(deadline=deadline)
    tab.coverage = watch


async def stop(tab: Tab, *, deadline: Deadline) -> Coverage:
    """Stop, and return the result."""
    watch, tab.coverage = tab.coverage, None
    if watch is None:
        raise BadRequest(
            "coverage is not running", hint="start it first|: `coverage start`|, then load the page"
        )
    return await watch.stop(deadline=deadline)
