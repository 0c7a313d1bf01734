"""Differences between two looks in words: snapshots line by line without their refs, pictures as numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import unified_diff
from typing import TYPE_CHECKING

from boathook.commands.results import DEFAULT_BUDGET, SnapshotDiff, UrlDiff
from boathook.engine.elements.refs import REF_IN_LINE
from boathook.presentation.snapshot.snapshot_text import fit, render

if TYPE_CHECKING:
    from boathook.engine.diff.image_diff import PictureDiff

CONTEXT_LINES = 2
_NOT_OF_THE_PAGE = re.compile(
    r"(?:page .* tab=\S+ revision=\d+|note: .*|\\*\[page content (?:begins|ends).*)\Z"
)
"""What `snapshot` says besides: where it looked, notes, and the lines around page content."""

_FOLDED = re.compile(r" \(@e[0-9]+(?: to @e[0-9]+)?; expand=@e[0-9]+ shows (?:them|it)\)$", re.MULTILINE)
"""The end of a line that stands for folded rows."""
_CUT = " tokens, left out; see them with a larger budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What two snapshots differ in; `lines` begin with + or -, or with a blank for what stands around that."""

    additions: int
    removals: int
    unchanged: int
    lines: tuple[str, ...]
    pictures: PictureDiff | None = None

    @property
    def changed(self) -> bool:
        """Whether anything differs."""
        return bool(self.additions or self.removals or (self.pictures is not None and self.pictures.changed))

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """In words, within the budget of a snapshot."""
        head = f"{self.additions} added, {self.removals} removed, {self.unchanged} unchanged"
        lines = fit(list(self.lines), DEFAULT_BUDGET)
        pictures = [told_pictures(self.pictures)] if self.pictures is not None else []
        same = not (self.additions or self.removals)
        return "\n".join([f"no difference ({self.unchanged} lines)" if same else head, *lines, *pictures])

    @classmethod
    def of(cls, value: SnapshotDiff | UrlDiff) -> Difference:
        """The public form of two looks."""
        if isinstance(value, UrlDiff):
            return _between(value.before.lines, value.after.lines, pictures=value.pictures)
        if value.before is not None:
            return _between(value.before.lines, value.after.lines)
        # A file has what was printed, so what would be printed now is compared with it.
        printed = value.baseline or ""
        budget = DEFAULT_BUDGET if _CUT in printed else None
        now = render(value.after, budget=budget, fold=_FOLDED.search(printed) is not None)
        return _between(printed.splitlines(), now.splitlines())


def _between(before: list[str], after: list[str], *, pictures: PictureDiff | None = None) -> Difference:
    old, new = _plain(before), _plain(after)
    changes = list(unified_diff(old, new, lineterm="", n=CONTEXT_LINES))[2:]
    additions = sum(1 for line in changes if line.startswith("+"))
    return Difference(
        additions=additions,
        removals=sum(1 for line in changes if line.startswith("-")),
        unchanged=len(new) - additions,
        lines=tuple("…" if line.startswith("@@") else line for line in changes)[1:],
        pictures=pictures,
    )


def _plain(lines: list[str]) -> list[str]:
    """Without refs, and without what is not of the page."""
    kept = (line.rstrip() for line in lines if line.strip() and not _NOT_OF_THE_PAGE.match(line))
    without = (REF_IN_LINE.sub(lambda match: match.group(1).removesuffix(" @e"), line) for line in kept)
    return [_FOLDED.sub("", line) for line in without]


def told_pictures(value: PictureDiff) -> str:
    """How much two pictures differ, and where that can be seen."""
    sizes = (
        ""
        if value.same_size
        else f"; the sizes differ: {_size(value.before_size)} before, {_size(value.after_size)} now"
    )
    places = "place" if value.masked == 1 else "places"
    masked = f"; {value.masked} {places} left out" if value.masked else ""
    if not value.changed:
        return f"the pictures are alike{masked}"
    seen = f"; saved {value.path}" if value.path is not None else ""
    return f"{value.share:.2%} of the picture differs ({value.pixels} pixels){sizes}{masked}{seen}"


def _size(pair: tuple[int, int]) -> str:
    return f"{pair[0]}x{pair[1]}"
