"""Snapshot lines as a tree of spans: depth, kind and shape of each, without parsing more than that."""

from __future__ import annotations

from dataclasses import dataclass

INDENT = 2


@dataclass(slots=True)
class OutlineNode:
    """One line and everything below it: lines `start` up to, not including, `end`."""

    start: int
    end: int
    kind: str
    shape: int
    children: list[OutlineNode]

    @property
    def size(self) -> int:
        """Lines in it, itself included."""
        return self.end - self.start


def depth_of(line: str) -> int:
    """How deep a line stands."""
    return (len(line) - len(line.lstrip(" "))) // INDENT


def kind_of(line: str) -> str:
    """A line's role; text lines have none and count as one kind."""
    word = line.lstrip(" ").split(" ", 1)[0]
    return '"' if word.startswith('"') else word


def outline(lines: list[str]) -> list[OutlineNode]:
    """The lines as a forest, with a number for each subtree's shape (kinds and nesting, not names)."""
    children: dict[int, list[OutlineNode]] = {}
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        depth = depth_of(line)
        below: list[OutlineNode] = []
        for deeper in [d for d in children if d > depth]:
            below += children.pop(deeper)
        below.sort(key=lambda spot: spot.start)
        kind = kind_of(line)
        end = below[-1].end if below else index + 1
        shape = hash((kind, tuple(spot.shape for spot in below)))
        children.setdefault(depth, []).append(
            OutlineNode(start=index, end=end, kind=kind, shape=shape, children=below)
        )
    roots = [spot for spots in children.values() for spot in spots]
    return sorted(roots, key=lambda spot: spot.start)
