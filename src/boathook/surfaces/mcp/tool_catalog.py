"""The tools that this server offers, read from the generated catalogue, and the meaning of their calls."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.similar_words import did_you_mean
from boathook.surfaces.mcp.structured_inputs import (
    check_words,
    guard_flags,
    move_code_to_stdin,
    require_one_input,
    settings_of,
    structured_call,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

CATALOGUE = Path(__file__).parents[2] / "data" / "tools.json"
HANDLES = ("session", "tab")
MOST_CHARACTERS = 4 << 20
"""The limit for all arguments together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogTool:
    """One tool as the client sees it, and the command or commands behind it."""

    key: str
    name: str
    title: str
    description: str
    input_schema: dict[str, Any]
    annotations: dict[str, bool]
    kinds: dict[str, str] = field(default_factory=dict)
    default: str = ""
    fixed: dict[str, Any] = field(default_factory=dict)
    takes_words: bool = False
    needs: str = ""
    """The setting that it requires to be listed."""
    unless_off: bool = False
    """It is listed also if that setting is not given."""
    unlisted: tuple[str, ...] = ()
    """Parameters that are not listed, because a setting is off; the daemon says so if one is passed."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The schemas of its parameters by name."""
        found: dict[str, Any] = self.input_schema["properties"]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """The daemon call that a tool call stands for."""

    command: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    argv: list[str] | None = None
    stdin: str | None = None


class ToolCatalog:
    """The selected tools by name, in a stable order."""

    def __init__(self, tools: Iterable[CatalogTool]) -> None:
        self._tools: dict[str, CatalogTool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise BadRequest(
                    f"duplicate tool name: {tool.name}", hint="use only one of the two tool sets"
                )
            self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[CatalogTool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def get(self, name: str) -> CatalogTool | None:
        """The tool with this name."""
        return self._tools.get(name)


def read_tool_catalog(
    words: Iterable[str], *, scripts: bool | None, programs: bool | None = None, path: Path = CATALOGUE
) -> ToolCatalog:
    """The tools of sets such as `core` and `storage`; those that run scripts or programs only if allowed.

    None means that the user has neither allowed nor forbidden them.
    """
    catalogue = json.loads(path.read_text(encoding="utf-8"))
    sets, tools = catalogue["sets"], catalogue["tools"]
    wanted: set[str] = set()
    for word in words:
        if word not in sets and word not in tools:
            hint = did_you_mean(word, [*sets, *tools], otherwise=f"use {', '.join(sets)}")
            raise BadRequest(f"no such tool set: {word[:40]!r}", hint=hint)
        wanted |= set(sets.get(word, [word]))
    wanted -= {key.removeprefix("whole:") for key in wanted if key.startswith("whole:")}
    given = {"": True, "evaluate_enabled": scripts, "scripts_enabled": programs}
    read = (_without_parts(_tool(key, data), data, given) for key, data in tools.items() if key in wanted)
    return ToolCatalog(
        tool for tool in read if given[tool.needs] or (given[tool.needs] is None and tool.unless_off)
    )


def _without_parts(
    tool: CatalogTool, data: Mapping[str, Any], given: Mapping[str, bool | None]
) -> CatalogTool:
    """The tool without the parameters and choices whose setting is off."""
    off = {name: part["choices"] for name, part in data.get("parts", {}).items() if not given[part["needs"]]}
    if not off:
        return tool
    properties = {name: dict(schema) for name, schema in tool.parameters.items() if off.get(name) != []}
    for name, choices in off.items():
        if choices:
            properties[name]["enum"] = [
                choice for choice in properties[name]["enum"] if choice not in choices
            ]
    unlisted = tuple(name for name, choices in off.items() if not choices)
    return replace(tool, input_schema={**tool.input_schema, "properties": properties}, unlisted=unlisted)


def _tool(key: str, data: Mapping[str, Any]) -> CatalogTool:
    return CatalogTool(
        key=key,
        name=data["name"],
        title=data["title"],
        description=data["description"],
        input_schema=data["inputSchema"],
        annotations=data["annotations"],
        kinds=data.get("kinds", {}),
        default=data.get("default", ""),
        fixed=data.get("fixed", {}),
        takes_words=data.get("argv", False),
        needs=data.get("needs", ""),
        unless_off=data.get("unless_off", False),
    )


def resolve_call(tool: CatalogTool, given: Mapping[str, Any]) -> ToolCall:
    """The daemon call; BadRequest if the arguments do not fit the tool. The daemon checks the rest."""
    for name in given:
        if name not in tool.parameters and name not in tool.unlisted:
            hint = did_you_mean(name, tool.parameters, otherwise=f"use {', '.join(tool.parameters)}")
            raise BadRequest(f"{tool.name}: unknown parameter {name[:60]!r}", hint=hint)
    if len(json.dumps(given, default=str)) > MOST_CHARACTERS:
        raise BadRequest(f"arguments too long: more than {MOST_CHARACTERS:,} characters")
    if tool.takes_words:
        return _only_input(given)
    settings = {
        name: given[name] for name in HANDLES if given.get(name) is not None and name in tool.parameters
    }
    for name, value in settings.items():
        if not isinstance(value, str):
            raise BadRequest(f"{tool.name}: {name} must be a string: {repr(value)[:60]}")
    chooses = set() if "" in tool.kinds else {"kind"}
    rest = {
        name: value
        for name, value in given.items()
        if name not in {*settings, *chooses} and value is not None
    }
    return ToolCall(command=_command(tool, given), arguments={**rest, **tool.fixed}, settings=settings)


def _command(tool: CatalogTool, given: Mapping[str, Any]) -> str:
    if "" in tool.kinds:
        return tool.kinds[""]
    kind = given.get("kind") or tool.default
    if not isinstance(kind, str) or kind not in tool.kinds:
        said = f"not {repr(kind)[:60]}" if kind else "but it is missing"
        raise BadRequest(f"{tool.name}: kind must be one of {', '.join(tool.kinds)}, {said}")
    return tool.kinds[kind]


def _only_input(given: Mapping[str, Any]) -> ToolCall:
    """The call of the tool that takes command lines and structured inputs."""
    name, settings = require_one_input(given), settings_of(given)
    if name == "args":
        argv, stdin = move_code_to_stdin(check_words(given["args"]), given.get("stdin"))
        return ToolCall(argv=[*guard_flags(given), *argv], stdin=stdin, settings=settings)
    command, arguments, own = structured_call(name, given)
    return ToolCall(command=command, arguments=arguments, settings=settings | own)
