"""YAML: an entry of one block mapping is added, replaced or removed as lines, without reading the rest of the file."""

from __future__ import annotations

import json
import re
from typing import Any

_OTHER_DOCUMENT = re.compile(r"^(---|\.\.\.)", re.MULTILINE)

_EMPTY = re.compile(r"^([^#]*:)\s*\{\}")


class UnreadableYaml(ValueError):
    """The mapping is not written as a block, so lines cannot be added to it."""


def with_entry_in_block(text: str, block: str, name: str, entry: dict[str, Any] | None) -> str:
    """The file with `name` in the top-level mapping `block`, or without it if there is no entry."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if _OTHER_DOCUMENT.search(text.removeprefix("---")):
        raise UnreadableYaml("the file contains several documents")
    if lines and not lines[-1].endswith("\n"):
        if entry is None:
            return text
        lines[-1] += newline
    found = _block(lines, block)
    if found is None:
        added = [] if entry is None else [f"{block}:{newline}", *_written(name, entry, "  ", newline)]
        return "".join([*lines, *added]) if added else text
    start, end = found
    indent = _indent_of(lines[start:end]) or "  "
    if "\t" in indent:
        raise UnreadableYaml(f"{block} is indented with tabs")
    first, last = _entry(lines, name, indent, start, end)
    added = [] if entry is None else _written(name, entry, indent, newline)
    if added:
        lines[start - 1] = _EMPTY.sub(r"\1", lines[start - 1])
    return "".join([*lines[:first], *added, *lines[last:]])


def entry_in_block(text: str, block: str, name: str) -> dict[str, Any] | None:
    """The entry, if it is as we write it; None otherwise."""
    lines = text.splitlines()
    found = _block(lines, block)
    if found is None:
        return None
    first, last = _entry(lines, name, _indent_of(lines[slice(*found)]) or "  ", *found)
    entry = {}
    for line in lines[first + 1 : last]:
        key, _, value = line.strip().partition(": ")
        try:
            entry[key] = json.loads(value)
        except ValueError:
            return None
    return entry or None


def _block(lines: list[str], block: str) -> tuple[int, int] | None:
    """The lines below the key of the mapping."""
    head = re.compile(rf"^(?:{block}|\"{block}\"|'{block}')\s*:(.*)$", re.DOTALL)
    for number, line in enumerate(lines):
        match = head.match(line)
        if match is None:
            continue
        if match[1].split("#")[0].strip() not in {"", "{}"}:
            raise UnreadableYaml(f"{block} is not written as a block")
        end = next(
            (place for place in range(number + 1, len(lines)) if lines[place][:1] not in " \t\r\n#"),
            len(lines),
        )
        while end > number + 1 and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
            end -= 1
        return number + 1, end
    return None


def _indent_of(lines: list[str]) -> str:
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            return line[: len(line) - len(line.lstrip())]
    return ""


def _entry(lines: list[str], name: str, indent: str, start: int, end: int) -> tuple[int, int]:
    """The lines of the entry, or the empty place behind the last one."""
    head = re.compile(rf"^{indent}(?:{name}|\"{name}\"|'{name}')\s*:")
    for number in range(start, end):
        if not head.match(lines[number]):
            continue
        last = number + 1
        while last < end and (not lines[last].strip() or lines[last].startswith(f"{indent} ")):
            last += 1
        while not lines[last - 1].strip():
            last -= 1
        return number, last
    return end, end


def _written(name: str, entry: dict[str, Any], indent: str, newline: str) -> list[str]:
    """The entry as lines; its values are JSON, which is YAML too."""
    inner = [
        f"{indent}  {key}: {json.dumps(value, ensure_ascii=False)}{newline}" for key, value in entry.items()
    ]
    return [f"{indent}{name}:{newline}", *inner]
