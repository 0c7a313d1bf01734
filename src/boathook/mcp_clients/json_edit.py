"""JSON with comments: members are added, replaced and removed in the text itself, and nothing else changes.

Comments, trailing commas, single quotes and bare keys are read too, since configuration files of programs have them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

_SPACE = re.compile(r"(?:[\s\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_REST_OF_LINE = re.compile(r"[ \t]*(?:/\*[^\n]*?\*/[ \t]*)*(?://[^\n]*)?")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.DOTALL)
_BARE = re.compile(r"[^\s,:\[\]{}\"'/]+")
_DEEPEST = 200


class InvalidJson(ValueError):
    """The text is not JSON, even with comments."""


@dataclass(slots=True)
class Member:
    """One `key: value` of an object, with the comma behind it."""

    key: str
    start: int
    value: Node
    comma: int = -1


@dataclass(slots=True)
class Node:
    """A value and its place in the text. The members of objects are kept; of other values only the data."""

    start: int
    end: int = 0
    data: Any = None
    members: list[Member] | None = None

    def member(self, key: str) -> Member | None:
        """The last member of this name, which is the one that programs use."""
        return next((member for member in reversed(self.members or []) if member.key == key), None)


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    depth: int = field(default=0)

    def document(self) -> Node:
        self._skip()
        root = self._value()
        self._skip()
        if self.at != len(self.text):
            raise self._problem("more text after the value")
        return root

    def _skip(self) -> None:
        if match := _SPACE.match(self.text, self.at):
            self.at = match.end()

    def _problem(self, what: str) -> InvalidJson:
        return InvalidJson(f"{what} in line {self.text.count(chr(10), 0, self.at) + 1}")

    def _next(self) -> str:
        return self.text[self.at : self.at + 1]

    def _value(self) -> Node:
        node = Node(self.at)
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._problem("too many levels")
        if self._next() == "{":
            self._object(node)
        elif self._next() == "[":
            self._array(node)
        else:
            node.data = self._scalar()
        self.depth -= 1
        node.end = self.at
        return node

    def _object(self, node: Node) -> None:
        node.members = []
        self.at += 1
        self._skip()
        while self._next() != "}":
            start = self.at
            key = str(self._scalar())
            self._skip()
            if self._next() != ":":
                raise self._problem("a missing colon")
            self.at += 1
            self._skip()
            node.members.append(Member(key, start, self._value()))
            node.members[-1].comma = self._separator("}")
        self.at += 1
        node.data = {member.key: member.value.data for member in node.members}

    def _array(self, node: Node) -> None:
        node.data = []
        self.at += 1
        self._skip()
        while self._next() != "]":
            node.data.append(self._value().data)
            self._separator("]")
        self.at += 1

    def _separator(self, end: str) -> int:
        """The place of the comma, or -1 before the end."""
        self._skip()
        comma = self.at
        if self._next() == ",":
            self.at += 1
            self._skip()
            return comma
        if self._next() != end:
            raise self._problem("a missing comma or bracket")
        return -1

    def _scalar(self) -> Any:
        match = _STRING.match(self.text, self.at) or _BARE.match(self.text, self.at)
        if match is None:
            raise self._problem("an unexpected character")
        self.at = match.end()
        try:
            return json.loads(match[0])
        except ValueError:  # JSON5, or a bare key: its own text is the data
            return match[0][1:-1] if match[0].startswith("'") else match[0]


def read_json(text: str) -> Node:
    """The document; an empty one is an error."""
    return _Reader(text).document()


def with_member(text: str, path: tuple[str, ...], value: Any) -> str:
    """The text with the value at the path; objects on the way are created."""
    root = read_json(text)
    node, level = root, 0
    while level < len(path) and node.members is not None and (found := node.member(path[level])) is not None:
        node, level = found.value, level + 1
    if level < len(path) and node.members is None:
        raise InvalidJson(f"{'.'.join(path[:level]) or 'the file'} is not an object")
    for key in reversed(path[level + 1 :]):
        value = {key: value}
    style = _Style.of(text, root)
    if level == len(path):
        if node.data == value:
            return text
        return text[: node.start] + style.dump(value, base=style.indent_at(node.start)) + text[node.end :]
    return _insert(text, node, path[level], value, style)


def without_member(text: str, path: tuple[str, ...]) -> str:
    """The text without the member at the path."""
    node = read_json(text)
    for key in path[:-1]:
        member = node.member(key)
        if member is None:
            return text
        node = member.value
    members = node.members or []
    if (ours := node.member(path[-1])) is None:
        return text
    place = members.index(ours)
    before = members[place - 1] if place else None
    start = _end_of_line(text, node.start + 1 if before is None else max(before.comma + 1, before.value.end))
    end = ours.comma + 1 if ours.comma >= 0 else ours.value.end
    if not text[start:end].strip().startswith(text[ours.start : ours.value.end][:1]):
        start = ours.start  # comments stand before it: they stay
    text = text[:start] + text[end:]
    if before is not None and ours.comma < 0 and before.comma >= 0:
        text = text[: before.comma] + text[before.comma + 1 :]
    return text


@dataclass(frozen=True, slots=True)
class _Style:
    """How a file is indented, and how its lines end."""

    text: str
    unit: str
    newline: str

    @classmethod
    def of(cls, text: str, root: Node) -> _Style:
        """The style of the first member that has a line for itself."""
        found = re.compile(r"\n([ \t]+)(?=[^\s/*])").search(text, root.start)
        return cls(text, found[1] if found else "  ", "\r\n" if "\r\n" in text else "\n")

    def indent_at(self, place: int) -> str:
        """The indentation of the line that this place is in."""
        line = self.text[self.text.rfind("\n", 0, place) + 1 :]
        return line[: len(line) - len(line.lstrip(" \t"))]

    def dump(self, value: Any, *, base: str) -> str:
        """The value as text, its further lines indented from the base."""
        text = json.dumps(value, indent=self.unit, ensure_ascii=False)
        return text.replace("\n", f"{self.newline}{base}")


def _insert(text: str, node: Node, key: str, value: Any, style: _Style) -> str:
    """The object with one more member at its end."""
    assert node.members is not None  # noqa: S101 - the caller has looked
    inner = text[node.start + 1 : node.end - 1]
    if node.members and "\n" not in inner:
        last = node.members[-1]
        added = f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        place = last.comma + 1 if last.comma >= 0 else last.value.end
        return text[:place] + ("" if last.comma >= 0 else ",") + added + text[place:]
    outer = style.indent_at(node.start)
    indent = style.indent_at(node.members[0].start) if node.members else outer + style.unit
    line = f"{style.newline}{indent}{json.dumps(key)}: {style.dump(value, base=indent)}"
    if not node.members:
        if "\n" not in inner:
            return (
                text[: node.start + 1] + line + style.newline + outer + inner.lstrip() + text[node.end - 1 :]
            )
        place = node.start + 1 + len(inner.rstrip())
        return text[:place] + line + text[place:]
    last = node.members[-1]
    if last.comma >= 0:  # the file ends its lists with commas
        place = _end_of_line(text, last.comma + 1)
        return text[:place] + line + "," + text[place:]
    place = _end_of_line(text, last.value.end)
    return text[: last.value.end] + "," + text[last.value.end : place] + line + text[place:]


def _end_of_line(text: str, place: int) -> int:
    """Behind the comments that belong to the line of this place."""
    match = _REST_OF_LINE.match(text, place)
    end = match.end() if match else place
    return end if end == len(text) or text[end] in "\r\n" else place
