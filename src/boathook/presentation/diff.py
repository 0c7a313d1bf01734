"""What changed between two snapshots, line by line: added, removed, changed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from boathook.presentation.fold import fold, refs_in
from boathook.presentation.outline import INDENT, depth_of

REMOVED_SHOWN = 3
_URGENT = re.compile(r"(in|\+) (alert|status|log|dialog|alertdialog)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The lines of a diff and how many of each sort."""

    added: int
    removed: int
    changed: int
    changed_lines: list[str]
    added_blocks: list[list[str]]
    """Lines that came, in groups; a group starts with the line that it stands in."""
    removed_blocks: list[list[str]]

    @property
    def summary(self) -> str:
        """In words."""
        return f"{self.added} added, {self.removed} removed, {self.changed} changed"

    @property
    def lines(self) -> list[str]:
        """Everything in reading order."""
        blocks = [*self.added_blocks, *self.removed_blocks]
        return [*self.changed_lines, *(line for block in blocks for line in block)]

    @property
    def lines_by_weight(self) -> list[str]:
        """What a reader must not miss first: messages and dialogs that came, then values, then the rest."""
        urgent = [block for block in self.added_blocks if any(_URGENT.match(line) for line in block[:2])]
        other = [block for block in self.added_blocks if block not in urgent]
        told = [line for block in urgent for line in block]
        rest = [line for block in [*other, *self.removed_blocks] for line in block]
        return [*told, *self.changed_lines, *rest]


def compare(before: list[str], after: list[str]) -> Change:
    """Compare two snapshots of the same page; a node that keeps its ref and says something else is `changed`."""
    old, new = [line.strip() for line in before], [line.strip() for line in after]
    gone, come = _only_in(old, new), _only_in(new, old)
    was = {ref: old[index] for index in gone for ref in refs_in(old[index])}
    is_now = {ref for index in come for ref in refs_in(new[index])}
    changed = [index for index in come if any(ref in was for ref in refs_in(new[index]))]
    added = [index for index in come if index not in set(changed)]
    removed = [index for index in gone if not any(ref in is_now for ref in refs_in(old[index]))]
    chosen = set(removed)
    # What stood inside a removed node went with it; naming the node is enough.
    outermost = [index for index in removed if _parent(before, index) not in chosen]
    return Change(
        added=len(added),
        removed=len(removed),
        changed=len(changed),
        changed_lines=[_changed_line(new[index], was) for index in changed],
        added_blocks=_blocks(after, added, sign="+"),
        removed_blocks=_blocks(before, outermost, sign="-"),
    )


def _only_in(these: list[str], those: list[str]) -> list[int]:
    """Places of lines that stand in the first list more often than in the second, in order."""
    surplus = Counter(these)
    surplus.subtract(those)
    left = {line: count for line, count in surplus.items() if count > 0}
    places = []
    for index in range(len(these) - 1, -1, -1):
        if left.get(these[index], 0) > 0:
            left[these[index]] -= 1
            places.append(index)
    return places[::-1]


def _changed_line(line: str, was: dict[int, str]) -> str:
    """The line as it is now, and of the old one only what is not the same: mostly the value or the states."""
    ref = refs_in(line)[0]
    mark = f" @e{ref}"
    now_head, _, _ = line.partition(mark)
    old_head, _, old_rest = was[ref].partition(mark)
    old = old_rest.strip() if old_head == now_head else was[ref].replace(mark, "", 1)
    return f"~ {line} (was {old})" if old else f"~ {line}"


def _blocks(lines: list[str], places: list[int], *, sign: str) -> list[list[str]]:
    """The lines at these places, folded, each group under the line that it stands in."""
    groups: dict[int, list[str]] = {}
    chosen = set(places)
    for place in places:
        top = _topmost(lines, place, chosen)
        base = depth_of(lines[top])
        groups.setdefault(_parent(lines, top), []).append(lines[place][base * INDENT :])
    blocks = []
    for parent, group in groups.items():
        head = [f"in {lines[parent].strip()}:"] if parent >= 0 else []
        blocks.append(
            [*head, *(f"{sign} {line}" for line in (fold(group) if sign == "+" else _shortened(group)))]
        )
    return blocks


def _shortened(group: list[str]) -> list[str]:
    """A few of the lines that went, and how many more."""
    if len(group) <= REMOVED_SHOWN + 1:
        return group
    return [*group[:REMOVED_SHOWN], f"… {len(group) - REMOVED_SHOWN} more"]


def _topmost(lines: list[str], place: int, chosen: set[int]) -> int:
    """The highest line above this one that is part of the same change."""
    while (parent := _parent(lines, place)) in chosen:
        place = parent
    return place


def _parent(lines: list[str], place: int) -> int:
    depth = depth_of(lines[place])
    if depth == 0:
        return -1
    for above in range(place - 1, -1, -1):
        if depth_of(lines[above]) < depth:
            return above
    return -1
