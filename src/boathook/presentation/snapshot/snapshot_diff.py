"""Changes between two snapshots, line by line: added, removed, changed."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from boathook.presentation.snapshot.fold import fold, refs_in
from boathook.presentation.snapshot.outline import INDENT, depth_of, kind_of

REMOVED_SHOWN = 4
_URGENT = re.compile(r"(in|\+) (alert|status|log|dialog|alertdialog)\b")
_LABEL = re.compile(r'\x01[0-9]+\x01("(?:[^"\\]|\\.)*")')
_LABEL_TEXT = re.compile(r'(\x01[0-9]+\x01)"(?:[^"\\]|\\.)*"')
_HINT = re.compile(r'^(\S+) ~"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"\x01([0-9]+)\x01")
_ITEMS = frozenset({"listitem", "article"})
_STATES = re.compile(r" (\[[^\]]*\])")
_AFTER_REF = re.compile(r"( @e[0-9]+) .*\Z")
_NAME = re.compile(r' ("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The lines of a diff and their counts."""

    added: int
    removed: int
    changed: int
    changed_lines: list[str]
    added_blocks: list[list[str]]
    """Added lines in groups; a group starts with the line that contains it."""
    removed_blocks: list[list[str]]
    removed_lines: list[str]
    """All removed lines, including nested ones."""

    @property
    def summary(self) -> str:
        """The counts as text."""
        return f"{self.added} added, {self.removed} removed, {self.changed} changed"

    @property
    def lines(self) -> list[str]:
        """Everything in reading order."""
        blocks = [*self.added_blocks, *self.removed_blocks]
        return [*self.changed_lines, *(line for block in blocks for line in block)]

    @property
    def urgent_lines(self) -> list[str]:
        """What a reader must not miss: new messages and dialogs."""
        return [line for block in self.added_blocks if _is_urgent(block) for line in block]

    @property
    def other_lines(self) -> list[str]:
        """Changed values and states, then other added lines, then removed ones."""
        blocks = [block for block in self.added_blocks if not _is_urgent(block)] + self.removed_blocks
        return [*self.changed_lines, *(line for block in blocks for line in block)]


def compare(before: list[str], after: list[str]) -> Change:
    """Compare two snapshots of the same page; a node with the same ref and another line is `changed`."""
    old, new = [_identity(line) for line in before], [_identity(line) for line in after]
    gone, come = _only_in(old, new), _only_in(new, old)
    was = {key: old[index] for index in gone for key in keys_in(old[index])}
    is_now = {key for index in come for key in keys_in(new[index])}
    changed = [index for index in come if any(key in was for key in keys_in(new[index]))]
    added = [index for index in come if index not in set(changed)]
    removed = [index for index in gone if not any(key in is_now for key in keys_in(old[index]))]
    chosen = set(removed)
    # Children of a removed node were removed with it; naming the node is enough.
    outermost = [index for index in removed if _parent(before, index) not in chosen]
    return Change(
        added=len(added),
        removed=len(removed),
        changed=len(changed),
        changed_lines=[_format_changed(after[index].strip(), was) for index in changed],
        added_blocks=_blocks(after, added, sign="+"),
        removed_blocks=_blocks(before, outermost, sign="-"),
        removed_lines=[label_line(before[index], always=True).strip() for index in removed],
    )


def keys_in(line: str) -> list[int]:
    """The identity of a line's node: its ref, else its private number in change reports, as a negative."""
    return refs_in(line) or [-int(number) for number in _NUMBER.findall(line)]


def _identity(line: str) -> str:
    """The identity of a line.

    Everything except the label of a row without a name, which is its text, and hints, which count its neighbors.
    """
    return _HINT.sub(r"\1", _LABEL_TEXT.sub(r"\1", line.strip()))


def label_line(line: str, *, always: bool = False) -> str:
    """A line for display: without private numbers; rows with neither name nor ref, or all removed ones, by their text."""
    known = not always and refs_in(line)
    return _NUMBER.sub("", _LABEL.sub("" if known else r" \1", line))


def _is_urgent(block: list[str]) -> bool:
    return any(_URGENT.match(line) for line in block[:2])


def _only_in(these: list[str], those: list[str]) -> list[int]:
    """Indexes of lines that occur more often in the first list than in the second, in order."""
    surplus = Counter(these)
    surplus.subtract(those)
    left = {line: count for line, count in surplus.items() if count > 0}
    places = []
    for index in range(len(these) - 1, -1, -1):
        if left.get(these[index], 0) > 0:
            left[these[index]] -= 1
            places.append(index)
    return places[::-1]


def _format_changed(line: str, was: dict[int, str]) -> str:
    """The new line, and only what differed in the old one: mostly the value or the states."""
    key = keys_in(line)[0]
    mark = f" @e{key}" if key > 0 else f"\x01{-key}\x01"
    now_head, _, now_rest = _identity(line).partition(mark)
    old_head, _, old_rest = was[key].partition(mark)
    old = _differing(old_rest, now_rest) if old_head == now_head else was[key].replace(mark, "", 1)
    shown = label_line(line)
    return f"~ {shown} (was {label_line(old)})" if old else f"~ {shown}"


def _differing(old: str, now: str) -> str:
    """The old states and value that differ."""
    (old_states, old_value), (now_states, now_value) = (_states_and_value(rest) for rest in (old, now))
    if old_states == now_states:
        return old_value.removeprefix("= ")
    return old_states if old_value == now_value else f"{old_states} {old_value}".strip()


def _states_and_value(rest: str) -> tuple[str, str]:
    states = _STATES.match(rest)
    return (states.group(1), rest[states.end() :].strip()) if states else ("", rest.strip())


def _blocks(lines: list[str], places: list[int], *, sign: str) -> list[list[str]]:
    """The lines at these indexes, folded, each group under the line that contains it."""
    groups: dict[int, list[str]] = {}
    chosen = set(places)
    for place in places:
        top = _topmost(lines, place, chosen)
        base = depth_of(lines[top])
        groups.setdefault(_parent(lines, top), []).append(
            label_line(lines[place][base * INDENT :], always=sign == "-")
        )
    blocks = []
    for parent, group in groups.items():
        head = [f"in {label_line(lines[parent]).strip()}:"] if parent >= 0 else []
        shown = fold(_without_idle(group)) if sign == "+" else _shorten_group(group)
        blocks.append([*head, *(f"{sign} {line}" for line in shown)])
    return blocks


def _without_idle(group: list[str]) -> list[str]:
    """Without items that have no ref and contain a single element whose name is all of their text."""
    lines = list(group)
    for index in range(len(lines) - 2, -1, -1):
        line, child = lines[index], lines[index + 1]
        depth = depth_of(line)
        below = depth_of(lines[index + 2]) if index + 2 < len(lines) else 0
        if refs_in(line) or kind_of(line) not in _ITEMS or depth_of(child) != depth + 1 or below > depth:
            continue
        label = _NAME.search(line)
        if label is None or label.group(1).strip('"…') in child:
            lines[index : index + 2] = [child[INDENT:]]
    return lines


def _shorten_group(group: list[str]) -> list[str]:
    """Removed lines without their states; many similar ones as one line."""
    plain = [
        _AFTER_REF.sub(r"\1", line) if _NAME.search(line.partition(" @e")[0]) else line for line in group
    ]
    if len(plain) <= REMOVED_SHOWN:
        return plain
    kinds = {kind_of(line) for line in plain}
    names = [match.group(1) if (match := _NAME.search(line)) else "" for line in (plain[0], plain[-1])]
    if len(kinds) > 1 or not all(names):
        return [*plain[: REMOVED_SHOWN - 1], f"… {len(plain) - REMOVED_SHOWN + 1} more"]
    return [f"{len(plain)} × {kinds.pop()}, {names[0]} to {names[1]}"]


def _topmost(lines: list[str], place: int, chosen: set[int]) -> int:
    """The topmost ancestor line that is part of the same change."""
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
