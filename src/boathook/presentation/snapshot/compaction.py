"""What a snapshot that is over its budget leaves out: which controls matter most, and how many of each role there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.presentation.snapshot.fold import name_in, refs_in
from boathook.presentation.snapshot.outline import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_CONTROLS = 10
LONGEST_LINK = 80
_WANTED: tuple[tuple[int, frozenset[str]], ...] = (
    (4, frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox"})),
    (3, frozenset({"tab", "dialog", "alertdialog", "menu", "menubar"})),
    (3, frozenset({"button"})),
    (MOST_CONTROLS, frozenset({"link"})),
)
"""How many of which roles; links fill what is left."""
_PLACES = {role: place for place, (_most, roles) in enumerate(_WANTED) for role in roles}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compaction:
    """What is known about a page whose snapshot was cut."""

    controls: tuple[str, ...]
    """Refs of omitted controls that matter most."""
    role_counts: dict[str, int]
    ref_count: int


def describe_cut(lines: Sequence[str], omitted: Sequence[str]) -> Compaction:
    """The facts about a page of which some lines are not shown."""
    refs = [f"@e{refs_in(line)[0]}" for line in high_value_controls(omitted)]
    return Compaction(
        controls=tuple(refs),
        role_counts=dict(Counter(kind_of(line) for line in lines if refs_in(line)).most_common()),
        ref_count=sum(bool(refs_in(line)) for line in lines),
    )


def high_value_controls(omitted: Iterable[str]) -> list[str]:
    """The omitted lines that a reader most likely needs, at most ten, in the order of the page."""
    chosen: list[list[int]] = [[] for _ in _WANTED]
    lines = list(omitted)
    for at, line in enumerate(lines):
        place = _PLACES.get(kind_of(line))
        if place is None or len(chosen[place]) >= _WANTED[place][0]:
            continue
        if refs_in(line) and name_in(line) and _is_short(line):
            chosen[place].append(at)
    first = [at for places in chosen for at in places][:MOST_CONTROLS]
    return [lines[at] for at in sorted(first)]


def _is_short(line: str) -> bool:
    return kind_of(line) != "link" or len(name_in(line)) <= LONGEST_LINK
