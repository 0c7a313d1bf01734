"""TOML: a table of ours is added, replaced or removed as lines; the rest of the file stays as it is."""

from __future__ import annotations

import json
import re
from typing import Any

_HEADER = re.compile(r"^\s*\[")


def with_table(text: str, table: str, entry: dict[str, Any] | None) -> str:
    """The file with the table in it, or without it if there is no entry."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    kept, place = _without_table(lines, table)
    if entry is None:
        return "".join(kept)
    section = [
        f"[{table}]",
        *(f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items()),
    ]
    added = [f"{line}{newline}" for line in section]
    if place is not None:
        return "".join([*kept[:place], *added, *kept[place:]])
    if kept and not kept[-1].endswith("\n"):
        kept[-1] += newline
    if kept and kept[-1].strip():
        added.insert(0, newline)
    return "".join([*kept, *added])


def _without_table(lines: list[str], table: str) -> tuple[list[str], int | None]:
    """All other lines, and where the table was. Comments and blank lines behind it belong to what follows."""
    kept: list[str] = []
    trailing: list[str] = []
    place: int | None = None
    inside = False
    for line in lines:
        if _HEADER.match(line):
            was_inside, inside = inside, line.strip().startswith((f"[{table}]", f"[{table}."))
            kept += [] if was_inside and inside else trailing
            trailing = []
            if inside and place is None:
                place = len(kept)
        if not inside:
            kept.append(line)
        elif line.strip() and not line.lstrip().startswith("#"):
            trailing = []
        else:
            trailing.append(line)
    if place is not None and place == len(kept) and not trailing and kept and not kept[-1].strip():
        kept.pop()  # the blank line between the rest and our table at the end
        place -= 1
        return kept, place
    return [*kept, *trailing], place
