"""The comparison of two accessibility trees of one page: the walker's and Chromium's. Pure, no browser."""

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import Any

from .trees import Element, Node, Side, squeezed


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One difference between the two sides."""

    page: str
    where: str
    kind: str
    ours: str
    chromium: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.page, self.where, self.kind


@dataclass(slots=True)
class Score:
    """What was compared and how much of it agreed; scores add up."""

    nodes: int = 0
    agreeing: int = 0
    states: int = 0
    states_agreeing: int = 0
    descriptions: int = 0
    descriptions_agreeing: int = 0
    nested: int = 0
    nested_agreeing: int = 0
    ordered: int = 0
    ordered_agreeing: int = 0
    texts: int = 0
    texts_agreeing: int = 0
    built_in: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, other: "Score") -> None:
        for slot in self.__slots__:
            setattr(self, slot, getattr(self, slot) + getattr(other, slot))


def percent(part: int, whole: int) -> float:
    return 100.0 * part / whole if whole else 100.0


def compare(page: str, ours: Side, theirs: Side, known: dict[int, Element]) -> Score:
    """Count agreement over all nodes that either side exposes."""
    score = Score(built_in=sum(known[node.key].built_in for node in theirs.nodes))
    left = {node.key: node for node in ours.nodes if node.key in known and not known[node.key].built_in}
    right = {node.key: node for node in theirs.nodes if not known[node.key].built_in}

    def differ(key: int, kind: str, mine: str, other: str) -> None:
        score.disagreements.append(Disagreement(page, known[key].where, kind, mine, other))

    for key in [*right, *(key for key in left if key not in right)]:
        score.nodes += 1
        a, b = left.get(key), right.get(key)
        if a is None or b is None:
            differ(key, "exposed", _short(a), _short(b))
            continue
        score.agreeing += (a.role, a.name) == (b.role, b.name)
        if a.role != b.role:
            differ(key, "role", a.role, b.role)
        if a.name != b.name:
            differ(key, "name", a.name, b.name)
        _compare_facts(a, b, score, differ)
    common = left.keys() & right.keys()
    _compare_shape(left, right, common, score, differ)
    _compare_texts(right, common, (ours.texts, theirs.texts), score, differ)
    return score


def _short(node: Node | None) -> str:
    return "not exposed" if node is None else f'{node.role} "{node.name}"'


def _compare_facts(a: Node, b: Node, score: Score, differ: Any) -> None:
    names = {name for name in (*a.states, *b.states) if not (name == "value" and b.secret)}
    for name in sorted(names):
        score.states += 1
        if a.states.get(name, "") == b.states.get(name, ""):
            score.states_agreeing += 1
        else:
            differ(a.key, f"state {name}", a.states.get(name, ""), b.states.get(name, ""))
    if a.description or b.description:
        score.descriptions += 1
        if a.description == b.description:
            score.descriptions_agreeing += 1
        else:
            differ(a.key, "description", a.description, b.description)


def _compare_shape(
    left: dict[int, Node], right: dict[int, Node], common: Any, score: Score, differ: Any
) -> None:
    """Nesting: the nearest ancestor that both expose. Order: the longest part of the sequence that is the same."""
    for key in common:
        a, b = _ancestor(left, key, common), _ancestor(right, key, common)
        score.nested += 1
        score.nested_agreeing += a == b
        if a != b:
            differ(key, "parent", _short(left.get(a or -1)), _short(right.get(b or -1)))
    place = {key: i for i, key in enumerate(key for key in left if key in common)}
    sequence = [key for key in right if key in common]
    kept = _longest_rising([place[key] for key in sequence])
    score.ordered += len(sequence)
    score.ordered_agreeing += len(kept)
    for i, key in enumerate(sequence):
        if i not in kept:
            differ(key, "order", f"place {place[key]}", f"place {i}")


def _ancestor(side: dict[int, Node], key: int, common: Any) -> int | None:
    parent = side[key].parent
    while parent is not None and parent not in common:
        parent = side[parent].parent if parent in side else None
    return parent


def _longest_rising(numbers: list[int]) -> set[int]:
    """Indexes of a longest strictly rising subsequence."""
    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for i, number in enumerate(numbers):
        j = bisect_left(tails, number)
        tails[j : j + 1] = [number]
        at[j : j + 1] = [i]
        before.append(at[j - 1] if j else -1)
    out: set[int] = set()
    i = at[-1] if at else -1
    while i >= 0:
        out.add(i)
        i = before[i]
    return out


def _compare_texts(right: dict[int, Node], common: Any, texts: Any, score: Score, differ: Any) -> None:
    """Text that stands in a node, apart from what a name or value beside it says already.

    The walker does not repeat such words: those of a link inside the link, those of a label beside its control.
    """
    ours, theirs = texts
    said = _words_said(right)
    for key in common:
        mine, other = ours.get(key, []), theirs.get(key, [])
        if not mine and not other:
            continue
        score.texts += 1
        if "".join(mine) == "".join(other) or _unsaid(mine, said[key]) == _unsaid(other, said[key]):
            score.texts_agreeing += 1
        else:
            differ(key, "text", "".join(mine), "".join(other))


def _unsaid(pieces: list[str], said: str) -> str:
    return "".join(piece for piece in pieces if piece not in said)


def _words_said(side: dict[int, Node]) -> dict[int, str]:
    """For each node: its own name and value, those of everything that holds it, and the names directly in it."""
    own = {
        key: squeezed(node.name) + "\n" + squeezed(node.states.get("value", "")) for key, node in side.items()
    }
    above: dict[int, str] = {}
    inside: dict[int, str] = {}
    for key, node in side.items():  # parents come before children
        above[key] = own[key] + "\n" + above.get(node.parent or -1, "")
        inside[node.parent or -1] = inside.get(node.parent or -1, "") + "\n" + squeezed(node.name)
    return {key: above[key] + "\n" + inside.get(key, "") for key in side}
