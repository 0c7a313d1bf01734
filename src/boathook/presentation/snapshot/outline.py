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

    def close(self, end: int) -> None:
        """All lines below it are known."""
        self.end = end
        kind = self.kind
        self.shape = hash((kind, *[child.shape for child in self.children])) if self.children else hash(kind)

    @property
    def size(self) -> int:
        """Lines in it, itself included."""
        return self.end - self.start


def depth_of(line: str) -> int:
    """How deep a line stands."""
    return (len(line) - len(line.lstrip(" "))) // INDENT


def kind_of(line: str) -> str:
    """A line's role; text lines have none and count as one kind."""
    return _kind_in(line.lstrip(" "))


def _kind_in(content: str) -> str:
    return '"' if content.startswith('"') else content.partition(" ")[0]


def outline(lines: list[str]) -> list[OutlineNode]:
    """The lines as a forest, with a number for each subtree's shape (kinds and nesting, not names)."""
    roots: list[OutlineNode] = []
    path: list[tuple[int, OutlineNode]] = []
    for index, line in enumerate(lines):
        content = line.lstrip(" ")
        depth = (len(line) - len(content)) // INDENT
        while path and path[-1][0] >= depth:
            path.pop()[1].close(index)
        node = OutlineNode(start=index, end=index + 1, kind=_kind_in(content), shape=0, children=[])
        (path[-1][1].children if path else roots).append(node)
        path.append((depth, node))
    while path:
        path.pop()[1].close(len(lines))
    return roots
