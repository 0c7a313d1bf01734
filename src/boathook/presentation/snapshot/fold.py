"""Folding: of a long run of similar rows, only the first few are shown, with how to see the rest."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from boathook.presentation.snapshot.outline import INDENT, OutlineNode, depth_of, outline

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

BLOCK_RUN = 8
"""Runs of at most this many multi-line rows are shown in full."""
BLOCKS_SHOWN = 3
LINE_RUN = 24
LINES_SHOWN = 12
NAME_SHOWN = 40

_PAIRED = frozenset({"link", "button", "checkbox", "radio", "menuitem", "img"})
"""Kinds of which two may alternate in a run."""
_REF = re.compile(r" @e([0-9]+)(?: |\Z)")
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')


def fold(lines: list[str], *, expand: Collection[int] = ()) -> list[str]:
    """The lines with repeated rows folded, except rows that hold one of the `expand` refs."""
    if len(lines) <= BLOCK_RUN:
        return lines
    return list(_fold_lines(lines, outline(lines), frozenset(expand)))


def _fold_lines(lines: list[str], spots: list[OutlineNode], expand: frozenset[int]) -> Iterator[str]:
    for run in _runs(spots):
        hidden: list[OutlineNode] = []
        for spot, shown in zip(run, _choices(lines, run, expand), strict=True):
            if not shown:
                hidden.append(spot)
                continue
            yield from _note(lines, hidden)
            hidden = []
            yield lines[spot.start]
            yield from _fold_lines(lines, spot.children, expand)
        yield from _note(lines, hidden)


def _runs(spots: list[OutlineNode]) -> Iterator[list[OutlineNode]]:
    """Neighbours of one kind, or of two kinds that alternate, such as a link and a button for each item."""
    run: list[OutlineNode] = []
    for spot, after in zip(spots, [*spots[1:], None], strict=False):
        if run and not _continues(run, spot, after):
            yield run
            run = []
        run.append(spot)
    if run:
        yield run


def _continues(run: list[OutlineNode], spot: OutlineNode, after: OutlineNode | None) -> bool:
    if len(run) > 1 and run[-1].kind != run[-2].kind:
        return run[-2].kind == spot.kind
    if run[-1].kind == spot.kind:
        return True
    is_pair = len(run) == 1 and after is not None and after.kind == run[0].kind
    return is_pair and {run[0].kind, spot.kind} <= _PAIRED


def _choices(lines: list[str], run: list[OutlineNode], expand: frozenset[int]) -> list[bool]:
    """The rows of a run to show: the first few of each shape."""
    blocks = any(spot.size > 1 for spot in run)
    longest, shown = (BLOCK_RUN, BLOCKS_SHOWN) if blocks else (LINE_RUN, LINES_SHOWN)
    if len(run) <= longest or _holds(lines, run[0].start, run[-1].end, expand):
        return [True] * len(run)
    seen: Counter[int] = Counter()
    choices = []
    for spot in run:
        seen[spot.shape] += 1
        choices.append(seen[spot.shape] <= shown)
    return choices


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
    kinds = " and ".join(_plural(kind) for kind in dict.fromkeys(spot.kind for spot in hidden))
    text = f"… {len(hidden)} more {kinds} like these"
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
