"""The lines of a snapshot as agent-browser writes them: `- button "Save" [disabled, ref=e3]: value`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.snapshot.take import Snapshot

INDENT = "  "
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_TEXT = re.compile(rf"(?P<indent> *)(?P<text>{_QUOTED})")
_ELEMENT = re.compile(
    rf"(?P<indent> *)(?P<role>[^\s\"@]+)(?: (?P<hint>~)?(?P<name>{_QUOTED}))?(?: ?@e(?P<ref>\d+))?(?: \[(?P<states>[^\]]*)\])?"
    rf"(?: = (?P<value>{_QUOTED}))?(?: options=(?:{_QUOTED}|\d+))?(?: -> (?P<url>\S+))?(?: \{{(?P<box>[^}}]*)\}})?"
)
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
ROLES = {"iframe": "Iframe", "img": "image"}
"""Roles with another name."""
INTERACTIVE = frozenset(
    [
        "button",
        "link",
        "textbox",
        "checkbox",
        "radio",
        "combobox",
        "listbox",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "treeitem",
        "Iframe",
    ]
)
CONTENT = frozenset(
    [
        "heading",
        "cell",
        "gridcell",
        "columnheader",
        "rowheader",
        "listitem",
        "article",
        "region",
        "main",
        "navigation",
    ]
)
"""Roles that are listed among interactive elements if they have a name."""
STATES = {"checked": "checked=true", "expanded": "expanded=true", "collapsed": "expanded=false"}
CHECKABLE = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
MARKS = {"clickable": " clickable [cursor:pointer]", "editable": " editable [contenteditable]"}
"""States that stand behind the brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One node."""

    depth: int
    role: str
    name: str = ""
    ref: str = ""
    states: tuple[str, ...] = ()
    value: str = ""
    url: str = ""
    box: tuple[int, ...] = ()
    """x, y, width, height."""

    @property
    def is_listed(self) -> bool:
        """Whether it is among the interactive elements."""
        marked = any(state in MARKS for state in self.states)
        return bool(self.ref) and (
            self.role in INTERACTIVE or marked or (self.role in CONTENT and bool(self.name))
        )

    def __str__(self) -> str:
        words = [STATES.get(state, state) for state in self.states if state not in MARKS]
        if self.role in CHECKABLE and not any(word.startswith("checked=") for word in words):
            words.insert(0, "checked=false")
        if self.role == "combobox" and not any(word.startswith("expanded=") for word in words):
            words.insert(0, "expanded=false")
        words += [f"ref={self.ref}"] if self.ref else []
        words += [f"url={self.url}"] if self.url else []
        text = f"{INDENT * self.depth}- {self.role}"
        text += f" {_quote(self.name)}" if self.name else ""
        text += f" [{', '.join(words)}]" if words else ""
        text += "".join(MARKS[state] for state in self.states if state in MARKS)
        return f"{text}: {self.value}" if self.value else text


def read_lines(snapshot: Snapshot) -> list[Line]:
    """The nodes of a snapshot."""
    return [line for text in snapshot.lines if (line := _read(_PRIVATE_USE.sub("", text))) is not None]


def in_their_form(text: str) -> str:
    """One line of a snapshot."""
    line = _read(_PRIVATE_USE.sub("", text))
    return str(line) if line is not None else text


def interactive_lines(lines: Iterable[Line]) -> list[Line]:
    """Only the elements to act on, below those that contain them."""
    kept: list[Line] = []
    above: list[int] = []
    for line in lines:
        while above and above[-1] >= line.depth:
            above.pop()
        if line.is_listed:
            kept.append(replace(line, depth=len(above)))
            above.append(line.depth)
    return kept


def annotations_of(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """The elements that an annotated screenshot marks, in the order of their refs."""
    marked = [line for line in lines if line.ref and line.role != "heading" and all(line.box[2:])]
    return [
        {
            "box": dict(zip(("x", "y", "width", "height"), line.box, strict=True)),
            **({"name": line.name} if line.name else {}),
            "number": int(line.ref[1:]),
            "ref": line.ref,
            "role": line.role,
        }
        for line in sorted(marked, key=lambda line: int(line.ref[1:]))
    ]


def refs_of(lines: Iterable[Line]) -> dict[str, dict[str, Any]]:
    """The elements that have a ref."""
    return {line.ref: {"name": line.name, "role": line.role} for line in lines if line.ref}


def _read(text: str) -> Line | None:
    if match := _TEXT.match(text):
        return Line(depth=_depth(match), role="StaticText", name=_unquote(match["text"]))
    match = _ELEMENT.match(text)
    if match is None:
        return None
    role = ROLES.get(match["role"], match["role"])
    return Line(
        depth=_depth(match),
        role=role,
        name="" if match["hint"] else _unquote(match["name"] or ""),
        ref=f"e{match['ref']}" if match["ref"] else "",
        states=tuple((match["states"] or "").split()),
        value=_unquote(match["value"] or ""),
        url=match["url"] or "",
        box=tuple(map(int, re.findall(r"-?\d+", match["box"] or ""))),
    )


def _depth(match: re.Match[str]) -> int:
    return len(match["indent"]) // len(INDENT)


def _unquote(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text[1:-1]) if text else ""


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
