"""What a page says about the source of an element: attributes, and what frameworks note during development.

Everything here was written by the page, so it is checked and cut, and a file counts only if the folder has it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from boathook.engine.elements.evaluate import evaluate
from boathook.engine.events.console import StackFrame
from boathook.engine.page_scripts import page_script
from boathook.values import count_noun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.clock import Deadline
    from boathook.engine.sources.candidates import Source
    from boathook.engine.tab import Tab

MOST_STACK = 8
_FRAME = re.compile(
    r"^\s*at (?:(?P<name>[^\n(]*?) \()?(?P<url>[^\n()]*?):(?P<line>\d{1,7}):(?P<column>\d{1,7})\)?$",
    re.MULTILINE,
)
_LIBRARY = re.compile(
    r"/node_modules/|/\.vite/deps/|jsx-dev-runtime|react(?:-dom)?[.-][\w.-]*js", re.IGNORECASE
)
"""Frames of frameworks, which stand between a component and its own code."""
_PLACE = re.compile(r"(?P<file>.*?):(?P<line>\d{1,7})(?::(?P<column>\d{1,7}))?(?::[\w-]*)?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A place in a file, as the page reports it."""

    source: Source
    evidence: str
    file: str = ""
    line: int = 0
    column: int = 0
    component: str = ""
    is_own: bool = True
    """Whether it is about the element itself, and not about one around it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageEvidence:
    """What a page reports about one element or component."""

    claims: tuple[Claim, ...] = ()
    components: tuple[str, ...] = ()
    """The components around the element, the innermost first."""
    marks: tuple[tuple[str, str], ...] = ()
    """Attributes that its source probably has too."""
    has_react: bool = False


async def read_evidence(
    tab: Tab, target: str | None, *, component_id: int | None, attributes: bool, deadline: Deadline
) -> PageEvidence:
    """Ask the page; with a component of React instead of an element, about that."""
    script = f"{page_script('debug/sources.js')}({page_script('debug/react.js')}, %s, {component_id or 0})"
    question = f"element => ({script % 'element'})" if target is not None else f"({script % 'null'})"
    told = await evaluate(tab, question, target=target, world="main", deadline=deadline)
    found = told if isinstance(told, dict) else {}
    claims = [
        *(_attribute(entry) for entry in _entries(found, "attributes") if attributes),
        *(_svelte(entry, number) for number, entry in enumerate(_entries(found, "svelte"))),
        *(_vue(entry, number) for number, entry in enumerate(_entries(found, "vue"))),
    ]
    fibers = _entries(found, "react")
    for number, entry in enumerate(fibers):
        claims += await _react(tab, entry, is_own=number == 0)
    names = [_text(entry, "name") for entry in (*fibers, *_entries(found, "vue"))]
    marks = [(_text(entry, "name"), _text(entry, "value")) for entry in _entries(found, "marks")]
    return PageEvidence(
        claims=tuple(claims),
        components=tuple(dict.fromkeys(name for name in names if name)),
        marks=tuple(marks),
        has_react=bool(found.get("hasReact")),
    )


def _entries(told: dict[str, Any], name: str) -> list[dict[str, Any]]:
    listed = told.get(name)
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _text(entry: dict[str, Any], name: str) -> str:
    value = entry.get(name)
    return value[:500] if isinstance(value, str) else ""


def _number(entry: dict[str, Any], name: str) -> int:
    value = entry.get(name)
    return int(value) if isinstance(value, int | float) and 0 < value < 10_000_000 else 0  # noqa: PLR2004


def _attribute(entry: dict[str, Any]) -> Claim:
    """`src/App.tsx`, or `src/App.tsx:12:5` in one attribute."""
    file, line, column = _text(entry, "file"), _number(entry, "line"), _number(entry, "column")
    together = _PLACE.match(file) or _PLACE.match(f":{_text(entry, 'place')}")
    if together is not None and not line:
        file = together["file"] or file
        line, column = int(together["line"]), int(together["column"] or 0)
    depth = _number(entry, "depth")
    where = "the element" if not depth else f"an element around it ({count_noun(depth, 'level')} up)"
    evidence = f"attribute {_text(entry, 'attribute')} of {where}"
    return Claim(
        source="dom-attribute", evidence=evidence, file=file, line=line, column=column, is_own=not depth
    )


def _svelte(entry: dict[str, Any], number: int) -> Claim:
    return Claim(
        source="svelte",
        evidence="__svelte_meta of the element" if not number else "__svelte_meta of an element around it",
        file=_text(entry, "file"),
        line=_number(entry, "line"),
        column=_number(entry, "column"),
        is_own=not number,
    )


def _vue(entry: dict[str, Any], number: int) -> Claim:
    name = _text(entry, "name")
    said = "the Vue component that rendered it" if not number else "a Vue component around it"
    return Claim(
        source="vue",
        evidence=f"{said}: {name or 'unnamed'}",
        file=_text(entry, "file"),
        component=name,
        is_own=not number,
    )


async def _react(tab: Tab, entry: dict[str, Any], *, is_own: bool) -> list[Claim]:
    """From `_debugSource` of React up to 18, or from the stack that React 19 keeps of where an element was created."""
    component = _text(entry, "name")
    name = component or _text(entry, "element")
    claim = Claim(
        source="react-inspect", evidence=f"_debugSource of {name}", component=component, is_own=is_own
    )
    if file := _text(entry, "file"):
        return [replace(claim, file=file, line=_number(entry, "line"), column=_number(entry, "column"))]
    stack = entry.get("stack")
    frames = parse_stack(stack) if isinstance(stack, str) else []
    return [
        replace(
            claim,
            evidence=f"_debugStack of {name}: created in {frame.function or 'an unnamed function'}",
            file=frame.url,
            line=frame.line,
            column=frame.column,
        )
        for frame in (await own_frames(tab, frames))[:1]
    ]


async def own_frames(tab: Tab, frames: Sequence[StackFrame]) -> list[StackFrame]:
    """Frames with original positions, without those of frameworks: in a bundle, only the source map tells them apart."""
    return [frame for frame in await tab.source_maps.map_frames(frames) if not is_library(frame.url)]


def parse_stack(stack: str) -> list[StackFrame]:
    """The frames of a stack as text."""
    found = [
        StackFrame(
            function=(match["name"] or "")[:200],
            url=match["url"][:2_000],
            line=int(match["line"]),
            column=int(match["column"]),
        )
        for match in _FRAME.finditer(stack)
    ]
    return found[:MOST_STACK]


def is_library(url: str) -> bool:
    """Whether a script belongs to a framework rather than to the page's author."""
    return _LIBRARY.search(url) is not None
