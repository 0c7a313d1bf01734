"""Text for differences: snapshots line by line without refs, screenshots as numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import unified_diff
from typing import TYPE_CHECKING, Any

from boathook.commands.results import SnapshotDiff, UrlDiff
from boathook.engine.diff.image_diff import PictureDiff
from boathook.engine.elements.refs import REF_IN_LINE
from boathook.engine.snapshot.token_budget import DEFAULT_BUDGET
from boathook.presentation.rendering import as_data, as_text, own_lines, plain_data
from boathook.presentation.snapshot.snapshot_text import fit, render

if TYPE_CHECKING:
    from boathook.engine.snapshot.take import Snapshot

CONTEXT_LINES = 2
_NOT_OF_THE_PAGE = re.compile(
    r"(?:page .* tab=\S+ revision=\d+|note: .*|\\*\[page content (?:begins|ends).*)\Z"
)
"""Lines of a snapshot that are not page content: header, notes and boundaries."""

_FOLDED = re.compile(r" \(@e[0-9]+(?: to @e[0-9]+)?; expand=@e[0-9]+ shows (?:them|it)\)$", re.MULTILINE)
"""The end of a line for folded rows."""
_CUT = " tokens, left out; see them with a larger budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The difference between two snapshots; `lines` begin with + or -, or a space for context."""

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
        """The text, within the budget of a snapshot."""
        head = f"{self.additions} added, {self.removals} removed, {self.unchanged} unchanged"
        lines = fit(list(self.lines), DEFAULT_BUDGET)
        pictures = [render_picture_diff(self.pictures)] if self.pictures is not None else []
        same = not (self.additions or self.removals)
        return "\n".join([f"no difference ({self.unchanged} lines)" if same else head, *lines, *pictures])

    @classmethod
    def of(cls, value: SnapshotDiff | UrlDiff) -> Difference:
        """The public form of two snapshots."""
        if isinstance(value, UrlDiff):
            return _between(value.before.lines, value.after.lines, pictures=value.pictures)
        if value.before is not None:
            return _with_texts(_between(value.before.lines, value.after.lines), value.after)
        # A file has what was printed, so what would be printed now is compared with it.
        printed = value.baseline or ""
        budget = DEFAULT_BUDGET if _CUT in printed else None
        now = render(value.after, budget=budget, fold=_FOLDED.search(printed) is not None)
        return _between(printed.splitlines(), now.splitlines())


def _with_texts(lines: Difference, after: Snapshot) -> Difference:
    """Also the texts that a snapshot does not list."""
    added = tuple(f"+{text}" for text in after.texts_added)
    removed = tuple(f"-{text}" for text in after.texts_removed)
    return replace(
        lines,
        additions=lines.additions + len(added),
        removals=lines.removals + len(removed),
        lines=(*lines.lines, *removed, *added),
    )


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
    """The page's lines without refs."""
    kept = (line.rstrip() for line in lines if line.strip() and not _NOT_OF_THE_PAGE.match(line))
    without = (REF_IN_LINE.sub(lambda match: match.group(1).removesuffix(" @e"), line) for line in kept)
    return [_FOLDED.sub("", line) for line in without]


@own_lines
def render_picture_diff(value: PictureDiff) -> str:
    """How much two screenshots differ, and the file that shows where."""
    sizes = (
        ""
        if value.same_size
        else f"; the sizes differ: {_size(value.before_size)} before, {_size(value.after_size)} now"
    )
    places = "element" if value.masked == 1 else "elements"
    masked = f"; {value.masked} {places} ignored" if value.masked else ""
    if not value.changed:
        return f"the screenshots are identical{masked}"
    seen = f"; saved {value.path}" if value.path is not None else ""
    return f"{value.share:.2%} of the image differs ({value.pixels} pixels){sizes}{masked}{seen}"


def _size(pair: tuple[int, int]) -> str:
    return f"{pair[0]}x{pair[1]}"


@as_text.register(SnapshotDiff)
@as_text.register(UrlDiff)
def _render_diff(value: SnapshotDiff | UrlDiff) -> str:
    return Difference.of(value).text


@as_data.register(SnapshotDiff)
@as_data.register(UrlDiff)
def _diff_data(value: SnapshotDiff | UrlDiff) -> dict[str, Any]:
    told = Difference.of(value)
    return {**plain_data(told), "changed": told.changed}
