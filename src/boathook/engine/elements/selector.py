"""Targets: one string that identifies an element, in every notation that people and other tools use."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Literal

from boathook.errors import BadTarget
from boathook.hints import plain
from boathook.similar_words import did_you_mean
from boathook.values import Ref

Kind = Literal[
    "ref",
    "css",
    "text",
    "role",
    "label",
    "placeholder",
    "testid",
    "alt",
    "title",
    "name",
    "xpath",
    "point",
    "cell",
]

LONGEST_TARGET = 10_000
SHOWN = 300
INSTEAD_OF_CSS = "check brackets and quotes, or use a ref from the snapshot, text=… or role=button"
ROLES = frozenset(
    [
        "alert",
        "alertdialog",
        "application",
        "article",
        "banner",
        "blockquote",
        "button",
        "caption",
        "cell",
        "checkbox",
        "code",
        "columnheader",
        "combobox",
        "complementary",
        "contentinfo",
        "definition",
        "deletion",
        "dialog",
        "directory",
        "document",
        "emphasis",
        "feed",
        "figure",
        "form",
        "generic",
        "grid",
        "gridcell",
        "group",
        "heading",
        "image",
        "img",
        "insertion",
        "link",
        "list",
        "listbox",
        "listitem",
        "log",
        "main",
        "mark",
        "marquee",
        "math",
        "menu",
        "menubar",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "meter",
        "navigation",
        "none",
        "note",
        "option",
        "paragraph",
        "presentation",
        "progressbar",
        "radio",
        "radiogroup",
        "region",
        "row",
        "rowgroup",
        "rowheader",
        "scrollbar",
        "search",
        "searchbox",
        "separator",
        "slider",
        "spinbutton",
        "status",
        "strong",
        "subscript",
        "superscript",
        "switch",
        "tab",
        "table",
        "tablist",
        "tabpanel",
        "term",
        "textbox",
        "time",
        "timer",
        "toolbar",
        "tooltip",
        "tree",
        "treegrid",
        "treeitem",
        "iframe",
        "label",
        "text",
        "video",
        "audio",
        "details",
        "summary",
        "date",
    ]
)
"""Roles that pages have; a word that is only similar to one of them is a mistake."""
PREFIXES: dict[str, Kind] = {
    "css": "css",
    "pierce": "css",
    "text": "text",
    "role": "role",
    "aria": "role",
    "label": "label",
    "placeholder": "placeholder",
    "testid": "testid",
    "data-testid": "testid",
    "alt": "alt",
    "title": "title",
    "name": "name",
    "xpath": "xpath",
    "cell": "cell",
}
SUPPORTED = ", ".join(f"{kind}=" for kind in sorted(set(PREFIXES.values())))

_POINT = re.compile(r"(-?\d+(?:\.\d+)?)\s*,\s*(-?\d+(?:\.\d+)?)\Z")
_PREFIX = re.compile(r"(?P<legacy>p-)?(?P<word>[a-z][a-z-]*)(?P<mark>=|/|:(?!:))\s*(?P<rest>.*)\Z", re.DOTALL)
_FOREIGN_PSEUDO = re.compile(
    r":(contains|has-text|text|text-is|text-matches|visible|nth-match|near|right-of|left-of|above|below)\b(?:\((.*?)\))?"
)
_OF_TEXT = frozenset({"contains", "has-text", "text", "text-is"})
_ROLE = re.compile(
    r"""(?P<role>[a-zA-Z]+)\s*(?:\[\s*name\s*[*~^$]?=\s*(?P<quote>["']?)(?P<name>.*?)(?P=quote)\s*(?P<exact>exact|s|i)?\s*\])?\Z""",
    re.DOTALL,
)
_ARIA_ATTRIBUTE = re.compile(
    r"""\[\s*(?P<key>name|role)\s*=\s*(?P<quote>["']?)(?P<value>.*?)(?P=quote)\s*\]""", re.DOTALL
)
_P_ELEMENT = re.compile(r"\*?::-p-(?P<word>text|xpath|aria|pierce)\((?P<inner>.*)\)\Z", re.DOTALL)
"""The same engines as pseudo-elements: `::-p-text(Save)`."""
_QUOTED = re.compile(r"""(?P<quote>["'])(?P<inner>.*)(?P=quote)(?P<any_case>\s+i)?\Z""", re.DOTALL)
_CSS_PSEUDO = re.compile(
    r"hover|focus|active|not\(|has\(|is\(|where\(|nth-|first-|last-|only-|checked|disabled|enabled|required|empty"
    r"|invalid|valid|visited|link|target|root|host|defined|open|placeholder-shown|read-|lang\(|dir\(|in-range"
    r"|out-of-range|optional|default"
)
"""What can follow a colon in CSS: `label:hover` is a selector, `label:First name` is a label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """A parsed target: its kind, its text, and whether that must match exactly."""

    given: str
    kind: Kind
    value: str
    name: str | None = None
    exact: bool = False
    any_case: bool = False
    """An exact match that ignores case, written as in CSS: `role=button[name="Save" i]`, `label="Email" i`."""
    point: tuple[float, float] | None = None
    ref: Ref | None = None


def point_target(x: float, y: float) -> str:
    """The target for the element at a point; without exponents, which a target cannot have."""
    return f"{x:.3f},{y:.3f}"


def parse_target(text: str) -> Selector:
    """Parse a target; BadTarget names what is supported."""
    if not isinstance(text, str):
        raise BadTarget(
            f"a target must be a string, not {type(text).__name__}",
            hint="use a ref such as @e5, or role=button[name=Save]",
        )
    given = text.strip()
    if not given:
        raise BadTarget("the target is empty")
    if len(given) > LONGEST_TARGET:
        raise BadTarget("the target is too long")
    if (ref := Ref.parse(given.removeprefix("aria-").removeprefix("ref="))) is not None:
        return Selector(given=given, kind="ref", value=given, ref=ref)
    if point := _POINT.match(given):
        return Selector(given=given, kind="point", value=given, point=(float(point[1]), float(point[2])))
    if given.startswith("@"):
        raise BadTarget(f"invalid ref: {given[:SHOWN]!r}")
    if given.startswith(("//", "(//", "..")):
        return Selector(given=given, kind="xpath", value=given)
    return _parse_prefixed(given) or _css(given)


def _parse_prefixed(given: str) -> Selector | None:
    pseudo = _P_ELEMENT.match(given)
    if pseudo is None and "::-p-" in given:
        raise BadTarget(
            f"unsupported selector: {given!r} (::-p-… must stand alone)", hint=f"supported: {SUPPORTED}"
        )
    match = _PREFIX.match(f"{pseudo['word']}/{pseudo['inner']}" if pseudo else given)
    if match is None:
        return None
    word, rest = match["word"], match["rest"]
    kind = PREFIXES.get(word)
    if kind is None or (match["mark"] == ":" and _CSS_PSEUDO.match(rest)):
        if match["legacy"] or match["mark"] == "/":
            raise BadTarget(
                f"unsupported selector: {given!r} (no such engine: {match['legacy'] or ''}{word})",
                hint=f"supported: {SUPPORTED}",
            )
        return None
    if not rest.strip():
        raise BadTarget(f"empty selector: {given!r}")
    if kind == "css":
        return _css(rest)
    if kind == "role":
        return _role(given, rest, by_name_first=word == "aria")
    if kind == "cell":
        return _cell(given, rest)
    quoted = _QUOTED.match(rest.strip())
    return Selector(
        given=given,
        kind=kind,
        value=quoted["inner"] if quoted else rest.strip(),
        exact=quoted is not None or kind == "testid",
        any_case=quoted is not None and quoted["any_case"] is not None,
    )


def _role(given: str, rest: str, *, by_name_first: bool) -> Selector:
    """`role=button[name="Save"]`; in `aria/Save[role="button"]` the name comes first, or is an attribute too."""
    if by_name_first:
        said = {match["key"]: match["value"] for match in _ARIA_ATTRIBUTE.finditer(rest)}
        name = _ARIA_ATTRIBUTE.sub("", rest).strip() or said.get("name")
        return Selector(
            given=given,
            kind="role",
            value=said.get("role", "").strip().lower(),
            name=name,
            exact=name is not None,
        )
    match = _ROLE.match(rest.strip())
    if match is None:
        raise BadTarget(f"invalid role: {given!r}", hint='use role=button or role=button[name="Save"]')
    role = match["role"].lower()
    if role not in ROLES and (near := did_you_mean(role, ROLES, cutoff=0.75)):
        raise BadTarget(f"unknown role: {match['role']!r}", hint=near)
    return Selector(
        given=given,
        kind="role",
        value=role,
        name=match["name"],
        exact=bool(match["exact"]),
        any_case=match["exact"] == "i",
    )


def _cell(given: str, rest: str) -> Selector:
    """`cell=Ann/City`: the text of a cell in its row, and the header of its column after the last slash."""
    row, slash, column = rest.strip().rpartition("/")
    if not (slash and row.strip() and column.strip()):
        raise BadTarget(f"invalid cell: {given!r}", hint="use cell=ROW/COLUMN, for example cell=Ann/City")
    return Selector(given=given, kind="cell", value=row.strip(), name=column.strip())


def _css(given: str) -> Selector:
    if foreign := _FOREIGN_PSEUDO.search(given):
        text = plain((foreign[2] or "").strip("\"' ")) if foreign[1] in _OF_TEXT else ""
        raise BadTarget(
            f"{given!r}: :{foreign[1]} is not CSS",
            hint=f"use {shlex.quote(f'text={text}')}"
            if text
            else 'use text=…, role=button[name="…"] or a ref from the snapshot',
        )
    return Selector(given=given, kind="css", value=given)


def invalid_selector(wanted: Selector) -> BadTarget:
    """The error for a CSS selector or XPath that the page cannot parse."""
    kind = "XPath" if wanted.kind == "xpath" else "CSS selector"
    return BadTarget(f"invalid {kind}: {wanted.given[:SHOWN]!r}", hint=INSTEAD_OF_CSS)
