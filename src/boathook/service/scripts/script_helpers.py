"""Helpers of scripts: the commands behind `tab.…` and `browser.…`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from boathook.commands import catalogue
from boathook.errors import BadRequest
from boathook.registry.registry import Scope

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.registry.registry import Command
    from boathook.registry.script_helper import ScriptHelper


SCOPES = {Scope.TAB: "tab", Scope.BROWSER: "browser"}


@cache
def helpers() -> dict[str, dict[str, tuple[Command, ScriptHelper]]]:
    """The helpers of `tab` and `browser` by their Python names, with their commands."""
    found: dict[str, dict[str, tuple[Command, ScriptHelper]]] = {"tab": {}, "browser": {}}
    for command in catalogue().values():
        for helper in command.script_helpers:
            found[SCOPES[command.scope]][helper.name] = (command, helper)
    return found


@cache
def _by_name() -> dict[str, tuple[Command, ScriptHelper]]:
    """All helpers, by both of their names."""
    every = {**helpers()["tab"], **helpers()["browser"]}
    return {**{camel(name): found for name, found in every.items()}, **every}


def camel(name: str) -> str:
    """`wait_for_url` in JavaScript: `waitForUrl`."""
    first, *others = name.split("_")
    return first + "".join(part.title() for part in others)


def helper_names(owner: Literal["tab", "browser"]) -> list[str]:
    """All names under which scripts have the helpers of `tab` or `browser`."""
    table = helpers()[owner]
    return list(dict.fromkeys([*table, *(camel(name) for name in table)]))


def helpers_giving(kind: str, owner: Literal["tab", "browser"] = "tab") -> list[str]:
    """All names of the helpers of `tab` or `browser` that hand such a value to the script."""
    return [name for name in helper_names(owner) if _by_name()[name][1].gives == kind]


def is_helper(name: str) -> bool:
    """Whether scripts have a helper of this name."""
    return name in _by_name()


def waits(name: str) -> bool:
    """Whether a helper only waits for the page, which takes time and no work."""
    command, _helper = _by_name().get(name, (None, None))
    return command is not None and command.waits


def resolve_helper(
    method: str, given: Sequence[Any], named: Mapping[str, Any]
) -> tuple[Command, ScriptHelper, dict[str, Any]]:
    """The command and helper that are called, and the arguments of the command; BadRequest if they are invalid."""
    command, helper = _by_name().get(method, (None, None))
    if command is None or helper is None:
        raise BadRequest(f"unknown helper: {method!r:.60}")
    arguments, order = _of_element(helper, method, named.get("element"))
    left = list(given)
    for name in order:
        if left:
            arguments[name] = left.pop(0)
    if left and not helper.rest:
        raise BadRequest(f"{method} takes {len(order)} positional arguments, not {len(given)}")
    if left:
        arguments[helper.rest] = left
    for name, value in named.items():
        if name != "element":
            arguments[helper.also.get(name, name)] = value
    return command, helper, {**helper.defaults, **_plain(arguments), **helper.fixed}


def _of_element(helper: ScriptHelper, method: str, element: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The argument for the element, if a helper is called on one, and the remaining ones."""
    if element is None:
        return {}, helper.order
    name = helper.element or ("target" if "target" in helper.order else "")
    if not name:
        raise BadRequest(f"{method} does not take an element", hint=f"tab.{method}(…)")
    return {name: element}, tuple(argument for argument in helper.order if argument != name)


def _plain(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """In the notation of commands. None means not given: scripts pass on what they received."""
    return {name: _to_argument(name, value) for name, value in arguments.items() if value is not None}


def _to_argument(name: str, value: Any) -> Any:
    """Points and regular expressions, which are objects in scripts and strings in commands."""
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
        raise BadRequest(f"{name} cannot be a regular expression", hint="use a string")
    known = "".join(flag for flag in flags if flag in "ims")
    return f"re:(?{known}){regexp}" if known else f"re:{regexp}"


_ELEMENTS = ("target", "source")
