"""Helpers of scripts: what `tab.…` and `browser.…` mean, as commands of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Helper:
    """One helper: its command, what its unnamed arguments are, and other words for its named ones."""

    command: str
    order: tuple[str, ...] = ()
    rest: str = ""
    """Takes all further unnamed arguments."""
    also: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    gives: str = "data"
    """What of the value is handed to the script: data, text, or one field of the data."""
    element: str = ""
    """Its parameter for the element when it is called on one; `target`, where it takes that unnamed."""


_WAITS = {"waitUntil": "wait_until"}
_SELECTOR = {"selector": "target"}

TAB: dict[str, Helper] = {
    "url": Helper(command="url"),
    "title": Helper(command="title"),
    "goto": Helper(command="goto", order=("url",), also=_WAITS),
    "back": Helper(command="back", also=_WAITS),
    "forward": Helper(command="forward", also=_WAITS),
    "reload": Helper(command="reload", also=_WAITS),
    "observe": Helper(
        command="snapshot",
        also={"viewportOnly": "viewport_only"},
        fixed={"fold": False, "budget": None},
        gives="elements",
    ),
    "snapshot": Helper(command="snapshot", also={"selector": "root"}, gives="text", element="root"),
    "screenshot": Helper(
        command="screenshot",
        also={**_SELECTOR, "fullPage": "full_page", "save": "path"},
        fixed={"for_model": True},
        gives="picture",
        element="target",
    ),
    "extract": Helper(command="read", order=("format",), gives="reading"),
    "click": Helper(command="click", order=("target",), gives="text"),
    "hover": Helper(command="hover", order=("target",), gives="text"),
    "focus": Helper(command="focus", order=("target",), gives="text"),
    "type": Helper(command="type", order=("target", "text"), gives="text"),
    "fill": Helper(command="fill", order=("target", "value"), gives="text"),
    "clear": Helper(command="clear", order=("target",), gives="text"),
    "check": Helper(command="check", order=("target",), gives="text"),
    "uncheck": Helper(command="uncheck", order=("target",), gives="text"),
    "press": Helper(command="press", order=("key",), also=_SELECTOR, gives="text", element="target"),
    "scroll": Helper(command="scroll", order=("right", "down"), gives="data"),
    "drag": Helper(
        command="drag",
        order=("source", "target"),
        also={"from": "source", "to": "target"},
        gives="text",
        element="source",
    ),
    "wait_for": Helper(command="wait_for", order=("target",), gives="text"),
    "wait_for_text": Helper(command="wait_for_text", order=("text",), gives="text"),
    "wait_for_url": Helper(command="wait_for_url", order=("pattern",)),
    "wait_for_response": Helper(command="wait_for_response", order=("pattern",)),
    "wait_for_navigation": Helper(command="wait_for_load", order=("state",), also={"waitUntil": "state"}),
    "wait_for_download": Helper(command="wait_for_download", order=("path",)),
    "evaluate": Helper(command="evaluate", order=("script",), rest="arguments", element="target"),
    "scroll_into_view": Helper(command="scroll_to", order=("target",), gives="text"),
    "select": Helper(command="select", order=("target",), rest="wanted", gives="text"),
    "upload_file": Helper(command="upload", order=("target",), rest="paths"),
    "text": Helper(command="get_text", order=("target",)),
    "html": Helper(command="get_html", order=("target",)),
    "value": Helper(command="get_value", order=("target",)),
    "attribute": Helper(command="get_attribute", order=("target", "name")),
    "count": Helper(command="get_count", order=("target",)),
    "is_visible": Helper(command="is_visible", order=("target",)),
    "cookies": Helper(command="cookies", rest="urls"),
    "storage": Helper(command="storage", order=("area",)),
    "console": Helper(command="console"),
    "errors": Helper(command="errors"),
    "requests": Helper(command="requests", order=("pattern",)),
    "request": Helper(command="request", order=("number",)),
    "response_body": Helper(command="response_body", order=("request",)),
    "dialog": Helper(command="answer_dialog", order=("accept", "text")),
    "download": Helper(command="download", order=("target", "path")),
    "close": Helper(command="tab_close"),
}
"""By their Python names; the names that JavaScript has for them follow."""

BROWSER: dict[str, Helper] = {
    "tabs": Helper(command="tabs"),
    "pages": Helper(command="pages"),
    "open": Helper(command="tab_new", order=("url",), also=_WAITS),
    "use": Helper(command="tab", order=("name",)),
}


def camel(name: str) -> str:
    """`wait_for_url` as JavaScript writes it: `waitForUrl`."""
    first, *others = name.split("_")
    return first + "".join(part.title() for part in others)


def names_of(table: Mapping[str, Helper]) -> list[str]:
    """All names under which helpers of a table go."""
    return list(dict.fromkeys([*table, *(camel(name) for name in table)]))


def meant(method: str, given: Sequence[Any], named: Mapping[str, Any]) -> tuple[Helper, dict[str, Any]]:
    """The helper that is called, and the arguments of its command; BadRequest when that makes no sense."""
    helper = _BY_NAME.get(method)
    if helper is None:
        raise BadRequest(f"there is no helper {method!r:.60}")
    arguments, order = _of_element(helper, method, named.get("element"))
    left = list(given)
    for name in order:
        if left:
            arguments[name] = left.pop(0)
    if left and not helper.rest:
        raise BadRequest(f"{method} takes {len(order)} arguments without a name, not {len(given)}")
    if left:
        arguments[helper.rest] = left
    for name, value in named.items():
        if name != "element":
            arguments[helper.also.get(name, name)] = value
    return helper, {**_plain(arguments), **helper.fixed}


def _of_element(helper: Helper, method: str, element: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The argument that the element itself is, when a helper is called on one, and those that are left to be given."""
    if element is None:
        return {}, helper.order
    name = helper.element or ("target" if "target" in helper.order else "")
    if not name:
        raise BadRequest(f"{method} is not about an element", hint=f"tab.{method}(…)")
    return {name: element}, tuple(one for one in helper.order if one != name)


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """As commands know them. What is None was left out: scripts hand on what they were given."""
    return {name: _worded(name, value) for name, value in arguments.items() if value is not None}


def _worded(name: str, value: Any) -> Any:
    """Points and regular expressions, which scripts have objects for and commands have words for."""
    if name in _ELEMENTS:
        match value:
            case {"x": int() | float() as x, "y": int() | float() as y} if len(value) == len("xy"):
                return f"{x},{y}"
            case [int() | float() as x, int() | float() as y]:
                return f"{x},{y}"
    match value:
        case {"regexp": str() as regexp, "flags": str() as flags} if len(value) == len(("regexp", "flags")):
            return _expression(name, regexp, flags)
    return value


def _expression(name: str, regexp: str, flags: str) -> str:
    if name != "pattern":
        raise BadRequest(f"{name} cannot be a regular expression", hint="give a text")
    known = "".join(flag for flag in flags if flag in "ims")
    return f"re:(?{known}){regexp}" if known else f"re:{regexp}"


_ELEMENTS = ("target", "source")
_BY_NAME: dict[str, Helper] = {
    **{camel(name): one for name, one in TAB.items()},
    **{camel(name): one for name, one in BROWSER.items()},
    **TAB,
    **BROWSER,
}
HELPERS = frozenset(_BY_NAME)
"""All names of helpers."""
Serve = Callable[[str, "Sequence[Any]", "Mapping[str, Any]"], Any]
