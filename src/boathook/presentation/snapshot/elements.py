"""The elements of a snapshot as data, for code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.engine.page.page_view import PageView
    from boathook.engine.snapshot.take import Snapshot

LINE = re.compile(
    r'^(?P<indent> *)(?P<role>[\w-]+)(?: ~?(?P<name>"(?:[^"\\]|\\.)*"))? @e(?P<number>\d+)(?P<rest>.*)$'
)
"""A line that names an element: role, name, ref, and what follows."""
_STATES = re.compile(r"^ \[([^\]]*)\]")
_VALUE = re.compile(r' = "((?:[^"\\]|\\.)*)"')


_PLACES = frozenset(
    {
        "alert", "alertdialog", "article", "banner", "complementary", "contentinfo", "dialog", "figure", "form", "grid",
        "heading", "img", "main", "navigation", "region", "row", "search", "table", "tabpanel", "treegrid", "Canvas",
    }
)  # fmt: skip
"""Roles of elements that snapshots list for orientation, not because they can be acted on."""
_ACTIVE = frozenset(
    {"clickable", "focused", "editable", "selected", "pressed", "expanded", "collapsed", "checked"}
)


def elements(snapshot: Snapshot, view: PageView, *, everything: bool) -> dict[str, Any]:
    """The page and its elements, each with the number that `tab.id()` takes; only interactive ones unless `everything`."""
    found = (LINE.match(line) for line in snapshot.lines)
    return {
        "url": snapshot.url,
        "title": snapshot.title,
        "revision": snapshot.revision,
        "viewport": {"width": view.width, "height": view.height, "deviceScaleFactor": view.scale},
        "scroll": {
            "x": view.x,
            "y": view.y,
            "width": view.width,
            "height": view.height,
            "scrollWidth": view.content_width,
            "scrollHeight": view.content_height,
        },
        "elements": [
            _element(match) for match in found if match is not None and (everything or is_interactive(match))
        ],
    }


def is_interactive(line: re.Match[str]) -> bool:
    """Whether the element of a line can be acted on."""
    return line["role"] not in _PLACES or not _ACTIVE.isdisjoint(_states(line))


def _states(line: re.Match[str]) -> list[str]:
    found = _STATES.match(line["rest"])
    return found[1].split() if found else []


def _element(line: re.Match[str]) -> dict[str, Any]:
    value = _VALUE.search(line["rest"])
    return {
        "id": int(line["number"]),
        "ref": f"e{line['number']}",
        "role": line["role"],
        "name": _unquote(line["name"] or '""'),
        "states": _states(line),
        "value": _unquote(f'"{value[1]}"') if value else None,
    }


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1])
