"""Folding: of a long run of similar rows, or of a few kinds of line that alternate, the first ones are shown, with how to see the rest."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from boathook.presentation.snapshot.outline import INDENT, OutlineNode, depth_of, outline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

BLOCK_RUN = 8
"""Runs of at most this many items of several lines are shown in full."""
BLOCKS_SHOWN = 3
LINE_RUN = 24
LINES_SHOWN = 12
NAME_SHOWN = 40
SHORT_NAME = 2
SHORT_RUN = 42
"""Runs of days, letters and numbers: as many as a calendar shows."""
LONGEST_PERIOD = 4
SHORT_TEXT = 44
"""Longer lines of text between links are prose, which is not folded."""

_TEXT = '"'
_ACTING = frozenset({"link", "button", "checkbox", "radio", "menuitem", "img"})
_REPEATED = _ACTING | {"heading", _TEXT}
"""Kinds that may alternate in a run, at least one of them acting, such as a link and a button for each item."""

_REF = re.compile(r" @e([0-9]+)(?: |\Z)")
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')


def fold(lines: list[str], *, expand: Collection[int] = ()) -> list[str]:
    """The lines with repeated rows folded, except rows that hold one of the `expand` refs."""
    if len(lines) <= BLOCK_RUN:
        return lines
    return list(_fold_lines(lines, outline(lines), frozenset(expand)))


def _fold_lines(lines: list[str], spots: list[OutlineNode], expand: frozenset[int]) -> Iterator[str]:
    for run in _runs(lines, spots):
        hidden: list[OutlineNode] = []
        for item, shown in zip(run, _choices(lines, run, expand), strict=True):
            if not shown:
                hidden += item
                continue
            yield from _note(lines, hidden)
            hidden = []
            for spot in item:
                yield lines[spot.start]
                yield from _fold_lines(lines, spot.children, expand)
        yield from _note(lines, hidden)


def _runs(lines: list[str], spots: list[OutlineNode]) -> Iterator[list[list[OutlineNode]]]:
    """Neighbours as runs of items: of one kind each, or of a few kinds that alternate."""
    at = 0
    while at < len(spots):
        period, end = 1, _end_of_kind(spots, at)
        if spots[at].kind in _REPEATED:
            for longer in range(2, min(LONGEST_PERIOD, (len(spots) - at) // 2) + 1):
                reached = _end_of_run(lines, spots, at, longer)
                if reached > end:
                    period, end = longer, reached
        yield [spots[start : start + period] for start in range(at, end, period)]
        at = end


def _end_of_kind(spots: list[OutlineNode], at: int) -> int:
    kind, end = spots[at].kind, at + 1
    while end < len(spots) and spots[end].kind == kind:
        end += 1
    return end


def _end_of_run(lines: list[str], spots: list[OutlineNode], at: int, period: int) -> int:
    """Where several kinds from here on stop alternating, in whole periods; here if they do not alternate."""
    pattern = [spot.kind for spot in spots[at : at + period]]
    kinds = set(pattern)
    if len(kinds) == 1 or not kinds <= _REPEATED or not kinds & _ACTING:
        return at
    breaks_at_prose = _TEXT in kinds and "heading" not in kinds
    end = at
    while end < len(spots) and spots[end].kind == pattern[(end - at) % period]:
        if breaks_at_prose and _is_prose(lines, spots[end]):
            break
        end += 1
    items = (end - at) // period
    return at + items * period if items > 1 else at


def _is_prose(lines: list[str], spot: OutlineNode) -> bool:
    return spot.kind == _TEXT and len(lines[spot.start].lstrip(" ")) > SHORT_TEXT


def _choices(lines: list[str], run: list[list[OutlineNode]], expand: frozenset[int]) -> list[bool]:
    """The items of a run to show: the first few of each shape."""
    period = len(run[0])
    blocks = any(spot.size > 1 for item in run for spot in item)
    longest, shown = (BLOCK_RUN, BLOCKS_SHOWN) if blocks else (LINE_RUN // period, LINES_SHOWN // period)
    if not blocks and period == 1 and len(run) <= SHORT_RUN and _has_short_names(lines, run):
        longest = SHORT_RUN
    if len(run) <= longest or _holds(lines, run[0][0].start, run[-1][-1].end, expand):
        return [True] * len(run)
    seen: Counter[tuple[int, ...]] = Counter()
    choices = []
    for item in run:
        shape = tuple(spot.shape for spot in item)
        seen[shape] += 1
        choices.append(seen[shape] <= shown)
    return choices


def _has_short_names(lines: list[str], run: list[list[OutlineNode]]) -> bool:
    return all(0 < len(name_in(lines[item[0].start])) <= SHORT_NAME for item in run)


def _holds(lines: list[str], start: int, end: int, expand: frozenset[int]) -> bool:
    return bool(expand) and any(number in expand for line in lines[start:end] for number in refs_in(line))


def refs_in(line: str) -> list[int]:
    """The refs that a line carries (none or one), read after its name so that page text cannot fake one."""
    bare = _NAME.sub('""', line)
    return [int(number) for number in _REF.findall(bare)]


def name_in(line: str) -> str:
    """The name that a line shows."""
    found = _NAME.search(line)
    return found.group(1) if found else ""


def _note(lines: list[str], hidden: list[OutlineNode]) -> Iterator[str]:
    if not hidden:
        return
    first, last = hidden[0], hidden[-1]
    if len(hidden) == 1:
        yield from lines[first.start : first.end]
        return
    refs = [number for line in lines[first.start : last.end] for number in refs_in(line)]
    names = [_short_name(lines, spot) for spot in (first, last)]
    *kinds, last_kind = [_plural(kind) for kind in dict.fromkeys(spot.kind for spot in hidden)]
    said = f"{', '.join(kinds)} and {last_kind}" if kinds else last_kind
    text = f"… {len(hidden)} more {said} like these"
    if all(names):
        text += f', "{names[0]}" to "{names[1]}"'
    if refs:
        text += f" (@e{refs[0]} to @e{refs[-1]}; expand=@e{refs[0]} shows them)"
    yield " " * INDENT * depth_of(lines[first.start]) + text


def _plural(kind: str) -> str:
    """The plural of a kind of line: rows, checkboxes, lines of text."""
    if kind == '"':
        return "lines of text"
    return f"{kind}es" if kind.endswith(("x", "s")) else f"{kind}s"


def _short_name(lines: list[str], spot: OutlineNode) -> str:
    for line in lines[spot.start : spot.end]:
        match = _NAME.search(line)
        if match and match.group(1):
            name = match.group(1)
            return name if len(name) <= NAME_SHOWN else name[: NAME_SHOWN - 1].rstrip("\\") + "…"
    return ""
