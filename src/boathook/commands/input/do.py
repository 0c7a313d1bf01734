"""`do`: act on the one visible element with a role, label or text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any

from boathook.commands.input import act
from boathook.commands.input.semantic_action import (
    SELECT_ROLES,
    Action,
    Locator,
    SemanticFields,
    check_fields,
)
from boathook.commands.results import SemanticAction
from boathook.effects import Effect
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.elements.locate import find_all
from boathook.engine.elements.match_scope import exactly_one
from boathook.engine.elements.selector import parse_target
from boathook.engine.tab import Tab
from boathook.errors import AmbiguousTarget, BadRequest
from boathook.redaction.secret import REDACTED
from boathook.registry.invoke import invoke
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Also, Doc, ElementTarget, command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

_HANDLERS: dict[str, Callable[..., Awaitable[Performed]]] = {
    "click": act.click,
    "fill": act.fill,
    "check": act.check,
    "uncheck": act.uncheck,
    "select": act.select,
}
_CHECKED = frozenset({"checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio"})
_ROLES = {
    "fill": frozenset({"textbox", "searchbox", "combobox", "spinbutton"}),
    "check": _CHECKED,
    "uncheck": _CHECKED,
    "select": frozenset(SELECT_ROLES),
}
"""The roles of elements that an action is meant for, if several have the same name."""


def _category(arguments: Mapping[str, Any]) -> str:
    return "click" if arguments.get("action") == "click" else "fill"


def _target(arguments: Mapping[str, Any]) -> tuple[str, int | None] | None:
    """The element of a call; None if the fields are wrong, or its selector says it."""
    if arguments.get("selector") is not None:
        return None
    names = {field.name for field in fields(SemanticFields)}
    given = {name: value for name, value in arguments.items() if name in names}
    try:
        return check_fields(
            SemanticFields(**given | {"values": tuple(given.get("values") or ())}), where="do"
        ).target, None
    except BadRequest:
        return None


@command(
    secrets=("text",),
    group="act",
    effect=Effect.ACTS,
    may_navigate=True,
    types_into="focus",
    category=_category,
    target_of=_target,
    examples=(
        "do click role button --name Save",
        "do fill label Email --text ada@example.org",
        "do select label Country --values France",
        "do check --selector @e8",
    ),
)
async def do(
    tab: Tab,
    action: Annotated[Action, Doc("the action")],
    locator: Annotated[Locator | None, Doc("how to find the element"), Also("--locator")] = None,
    value: Annotated[
        str | None, Doc("role, text, label … to find; with a selector: the option to select"), Also("--value")
    ] = None,
    *,
    values: Annotated[Sequence[str], Doc("for select: the options")] = (),
    selector: Annotated[str | None, Doc("instead of a locator: a ref or a selector"), ElementTarget()] = None,
    text: Annotated[str | None, Doc("for fill: the text to enter")] = None,
    role: Annotated[str | None, Doc("with locator role: the role, instead of value")] = None,
    name: Annotated[str | None, Doc("with locator role: the accessible name")] = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Performed:
    """Act on the one visible element with a role, label or text. Whole texts match, whatever their case and spaces."""
    given = check_fields(
        SemanticFields(
            action=action,
            locator=locator,
            value=value,
            values=tuple(values),
            selector=selector,
            text=text,
            role=role,
            name=name,
        ),
        where="do",
    )
    typed = () if given.text is None else (given.text,)
    options = given.options if action == "select" else ()
    with exactly_one():
        try:
            done = await invoke(_HANDLERS[action], tab, given.target, *options, *typed, timeout=timeout)
        except AmbiguousTarget:
            only = await _only_fitting(tab, given, timeout)
            if only is None:
                raise
            done = await invoke(_HANDLERS[action], tab, only, *options, *typed, timeout=timeout)
    facts = {field.name: getattr(done, field.name) for field in fields(done)}
    return SemanticAction(**facts, compiled=given.line(REDACTED))


async def _only_fitting(tab: Tab, given: SemanticFields, timeout: float) -> str | None:
    """The ref of the only match that the action can be meant for: a label may also be the name of a button beside its field."""
    if given.selector is not None or given.action not in _ROLES:
        return None
    async with tab.call("looking for the element", seconds=timeout, read_only=True):
        found = await find_all(tab, parse_target(given.target))
    fitting = [match for match in found.matches if match.role in _ROLES[given.action] and not match.hidden]
    return str(fitting[0].element.ref) if len(fitting) == 1 else None
