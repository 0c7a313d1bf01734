"""Tool schemas: the properties of commands as tool definitions for clients, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.effects import Effect
from boathook.registry.argv_tool import ARGV
from boathook.registry.registry import OBJECT, Scope
from boathook.registry.tool_sets import ALSO, CORE, SCRIPTS, families, views

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boathook.registry.registry import Command, Parameter
    from boathook.registry.tool_sets import ToolDefinition

HANDLES = ("session", "tab")
"""Session and tab of a call: settings of every call, not parameters of commands."""
_HARMLESS = {"navigate", "tabs", "wait", "emulate"}
"""Groups whose commands act but are not destructive."""
_TYPES = {"text": "string", "path": "string", "integer": "integer", "number": "number", "flag": "boolean"}


def catalogue_of_tools(commands: Mapping[str, Command]) -> dict[str, Any]:
    """All tools with their schemas in a stable order, by key, and the sets that they belong to.

    A tool that is abridged in core has the key `whole:NAME` where it has all its parameters.
    """
    tools = {tool.name: tool for tool in CORE}
    sets = {"core": list(tools), "full": []}
    for family, members in families(commands).items():
        keyed = {f"whole:{tool.name}" if tool.name in sets["core"] else tool.name: tool for tool in members}
        tools |= keyed
        sets[family] = list(keyed)
    sets["full"] = [key for key in tools if f"whole:{key}" not in tools]
    sets |= {other: sets[family] for other, family in ALSO.items() if family in sets}
    told = {key: tool_data(tool, commands) for key, tool in tools.items()}
    sets["argv"], told["argv"] = ["argv"], ARGV
    for name, members in views(commands).items():
        sets[name] = [f"{name}:{tool.name}" for tool in members]
        told |= {f"{name}:{tool.name}": tool_data(tool, commands) for tool in members}
    return {"sets": sets, "tools": told}


def tool_data(tool: ToolDefinition, commands: Mapping[str, Command]) -> dict[str, Any]:
    """One tool as data: its definition for clients, and its command."""
    members = [commands[name] for name in tool.kinds.values()]
    shown = _list_parameters(tool, members)
    data: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": _input_schema(tool, members, shown),
        "annotations": _annotations(members),
        "kinds": dict(tool.kinds),
    }
    if tool.default:
        data["default"] = tool.default
    if tool.fixed:
        data["fixed"] = dict(tool.fixed)
    return data | _needed_settings(members, shown)


def _needed_settings(members: Iterable[Command], shown: Iterable[Parameter]) -> dict[str, Any]:
    """The setting that the tool requires to be listed and run, and what of it is listed only with a setting."""
    if any(command.group == "scripts" for command in members):
        return {"needs": "scripts_enabled"}
    needed = [
        parameter.requires for parameter in shown if parameter.required and parameter.requires is not None
    ]
    whole = next((requires for requires in needed if not requires.choices), None)
    if whole is not None:
        return {"needs": whole.setting, "unless_off": whole.unless_off}
    parts = {parameter.name: parameter.requires for parameter in shown if parameter.requires is not None}
    if parts:
        return {
            "parts": {
                name: {"needs": requires.setting, "choices": list(requires.choices)}
                for name, requires in parts.items()
            }
        }
    return {"needs": "evaluate_enabled"} if any(parameter.name in SCRIPTS for parameter in shown) else {}


def _list_parameters(tool: ToolDefinition, members: Iterable[Command]) -> list[Parameter]:
    """The parameters of the tool; one that several commands share appears once."""
    every: dict[str, Parameter] = {}
    for command in members:
        for parameter in command.parameters:
            if not parameter.selects_tab:
                every.setdefault(parameter.name, parameter)
    names = list(every) if tool.shown is None else tool.shown
    return [every[name] for name in names if name not in tool.fixed]


def _input_schema(tool: ToolDefinition, members: list[Command], shown: list[Parameter]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    if "" not in tool.kinds:
        properties["kind"] = {"type": "string", "enum": list(tool.kinds)}
        required += [] if tool.default else ["kind"]
    for parameter in shown:
        properties[parameter.name] = parameter_schema(parameter)
        if all(_needs(command, parameter.name) for command in members):
            required.append(parameter.name)
    properties |= {name: {"type": "string"} for name in _handles(members)}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema | {"additionalProperties": False}


def _needs(command: Command, name: str) -> bool:
    found = command.parameter(name)
    return found is not None and found.required


def _handles(members: Iterable[Command]) -> tuple[str, ...]:
    """The handles that apply; the tools of other programs have their own."""
    if any(command.tool_set for command in members):
        return ()
    has_tab = any(command.scope is Scope.TAB or command.runs_commands for command in members)
    return HANDLES if has_tab else HANDLES[:1]


def parameter_schema(parameter: Parameter) -> dict[str, Any]:
    """The JSON Schema of one parameter."""
    schema = _of_kind(parameter)
    if parameter.bounds is not None:
        schema |= {"minimum": _plain(parameter.bounds.least), "maximum": _plain(parameter.bounds.most)}
    schema["description"] = parameter.doc
    if isinstance(parameter.default, str | int | float) and parameter.default not in {"", False}:
        schema["default"] = _plain(parameter.default)
    return schema


def _of_kind(parameter: Parameter) -> dict[str, Any]:
    if parameter.kind == "choice":
        return {"type": "string", "enum": list(parameter.choices)}
    if parameter.kind in {"texts", "paths"}:
        items: dict[str, Any] = {"type": "string"}
        return {
            "type": "array",
            "items": items | ({"enum": list(parameter.choices)} if parameter.choices else {}),
        }
    if parameter.kind == "point":
        return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
    if parameter.kind == "json":
        inner: dict[str, Any] = {"type": "object"} if parameter.choices == OBJECT else {}
        return {"type": "array", "items": inner} if parameter.variadic else inner
    return {"type": _TYPES[parameter.kind]}


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _annotations(members: list[Command]) -> dict[str, bool]:
    reads = all(command.effect is Effect.READS for command in members)
    return {
        "readOnlyHint": reads,
        "destructiveHint": not reads and any(_destroys(command) for command in members),
        "idempotentHint": all(command.effect is not Effect.ACTS for command in members),
        "openWorldHint": any(command.scope is not Scope.HOST or command.may_navigate for command in members),
    }


def _destroys(command: Command) -> bool:
    return command.closes_session or (command.effect is not Effect.READS and command.group not in _HARMLESS)
