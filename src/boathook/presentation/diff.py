"""What changed between two snapshots, line by line: added, removed, changed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from boathook.presentation.fold import refs_in
from boathook.presentation.outline import depth_of


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
    gone = _only_in(old, new)
    come = _only_in(new, old)
    was = {ref: old[index] for index in gone for ref in refs_in(old[index])}
    is_now = {ref for index in come for ref in refs_in(new[index])}
    lines: list[str] = []
    added = changed = 0
    context = _Context(after, frozenset(come))
    for index in come:
        refs = refs_in(new[index])
        if refs and refs[0] in was:
            changed += 1
            lines.append(f"~ {new[index]} (was: {_without_ref(was[refs[0]], refs[0])})")
        else:
            added += 1
            lines += context.lines_for(index)
    removed = [old[index] for index in gone if not any(ref in is_now for ref in refs_in(old[index]))]
    lines += [f"- {line}" for line in removed]
    return Change(added=added, removed=len(removed), changed=changed, lines=lines)


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


def _without_ref(line: str, ref: int) -> str:
    return line.replace(f" @e{ref}", "", 1)


class _Context:
    """Added lines with the line they stand under, so that a reader knows where they are."""

    def __init__(self, lines: list[str], added: frozenset[int]) -> None:
        self._lines = lines
        self._added = added
        self._last_parent = -1

    def lines_for(self, index: int) -> list[str]:
        parent = self._parent(index)
        if parent in self._added:
            base = self._base_depth(parent)
            return ["+ " + "  " * (depth_of(self._lines[index]) - base) + self._lines[index].strip()]
        heading = []
        if parent >= 0 and parent != self._last_parent:
            heading = [f"in {self._lines[parent].strip()}:"]
        self._last_parent = parent
        return [*heading, "+ " + self._lines[index].strip()]

    def _parent(self, index: int) -> int:
        depth = depth_of(self._lines[index])
        for place in range(index - 1, -1, -1):
            if depth_of(self._lines[place]) < depth:
                return place
        return -1

    def _base_depth(self, place: int) -> int:
        while (parent := self._parent(place)) in self._added:
            place = parent
        return depth_of(self._lines[place])
