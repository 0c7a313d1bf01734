"""What changed between two snapshots, line by line: added, removed, changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from boathook.presentation.fold import fold, refs_in
from boathook.presentation.outline import INDENT, depth_of

REMOVED_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The lines of a diff and how many of each sort."""

    added: int
    removed: int
    changed: int
    lines: list[str]

    @property
    def summary(self) -> str:
        """In words."""
        return f"{self.added} added, {self.removed} removed, {self.changed} changed"


def compare(before: list[str], after: list[str]) -> Change:
    """Compare two snapshots of the same page; a node that keeps its ref and says something else is `changed`."""
    old, new = [line.strip() for line in before], [line.strip() for line in after]
    gone, come = _only_in(old, new), _only_in(new, old)
    was = {ref: old[index] for index in gone for ref in refs_in(old[index])}
    is_now = {ref for index in come for ref in refs_in(new[index])}
    changed = [index for index in come if any(ref in was for ref in refs_in(new[index]))]
    added = [index for index in come if index not in set(changed)]
    removed = [index for index in gone if not any(ref in is_now for ref in refs_in(old[index]))]
    lines = [_changed_line(new[index], was) for index in changed]
    lines += _blocks(after, added, sign="+")
    chosen = set(removed)
    # What stood inside a removed node went with it; naming the node is enough.
    lines += _blocks(before, [index for index in removed if _parent(before, index) not in chosen], sign="-")
    return Change(added=len(added), removed=len(removed), changed=len(changed), lines=lines)


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
    ref = refs_in(line)[0]
    return f"~ {line} (was: {was[ref].replace(f' @e{ref}', '', 1)})"


def _blocks(lines: list[str], places: list[int], *, sign: str) -> list[str]:
    """The lines at these places, folded, each group under the line that it stands in."""
    groups: dict[int, list[str]] = {}
    chosen = set(places)
    for place in places:
        top = _topmost(lines, place, chosen)
        base = depth_of(lines[top])
        groups.setdefault(_parent(lines, top), []).append(lines[place][base * INDENT :])
    out: list[str] = []
    for parent, group in groups.items():
        if parent >= 0:
            out.append(f"in {lines[parent].strip()}:")
        out += [f"{sign} {line}" for line in (fold(group) if sign == "+" else _shortened(group))]
    return out


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
