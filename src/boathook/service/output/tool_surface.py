"""The surface of an MCP client: hints and next actions are calls of the tools that its server offers."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from boathook import hints
from boathook.commands import catalogue
from boathook.commands.views.translations import TRANSLATIONS
from boathook.errors import BoathookError, PolicyBlocked
from boathook.registry.tool_schemas import catalogue_of_tools
from boathook.registry.tool_sets import STANDS_FOR, equivalent_calls
from boathook.service.input.command_line import LONGEST_NAME, read_line
from boathook.service.surface_renderer import LONGEST_LINE, facts_of, tag
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boathook.registry.registry import Command
    from boathook.service.input.command_line import ParsedCommandLine
    from boathook.service.output.outcome import NextAction
    from boathook.service.surface_renderer import SurfaceRenderer

HANDLES = ("session", "tab")
FRESH = "--fresh"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTemplate:
    """A tool, as far as its calls can be written."""

    name: str
    view: str
    """The tool set of another program that it belongs to."""
    kinds: Mapping[str, str]
    default: str
    fixed: Mapping[str, Any]
    parameters: frozenset[str]
    required: frozenset[str]
    takes_words: bool

    @classmethod
    def read(cls, key: str, data: Mapping[str, Any]) -> ToolTemplate:
        """A tool of the catalogue."""
        schema = data["inputSchema"]
        view = key.partition(":")[0]
        return cls(
            name=data["name"],
            view=view if view in TRANSLATIONS else "",
            kinds=data.get("kinds", {}),
            default=data.get("default", ""),
            fixed=data.get("fixed", {}),
            parameters=frozenset(schema["properties"]),
            required=frozenset(schema.get("required", ())),
            takes_words=bool(data.get("argv")),
        )

    def arguments_for(
        self, command: str, arguments: Mapping[str, Any], handles: Mapping[str, str]
    ) -> dict[str, Any] | None:
        """What to pass so that it runs the command with these arguments; None if it cannot."""
        kind = next((kind for kind, name in self.kinds.items() if name == command), None)
        if kind is None:
            return None
        given = {name: value for name, value in arguments.items() if self.fixed.get(name) != value}
        chosen = {"kind": kind} if kind and kind != self.default else {}
        whole = {**chosen, **given, **handles}
        return whole if self.required <= whole.keys() <= self.parameters else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedToolCall:
    """A call of a tool."""

    tool: str
    arguments: Mapping[str, Any]
    is_words: bool = False
    """Whether the tool is the only one of its kind, so that its arguments are enough."""

    @property
    def text(self) -> str:
        """The call as it is shown to a model."""
        written = json.dumps(self.arguments, ensure_ascii=False, default=str)
        if self.is_words:
            return written
        return f"{self.tool} {written}" if self.arguments else self.tool


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSurface:
    """The surface of one client."""

    tools: tuple[ToolTemplate, ...]
    table: Mapping[tuple[str, ...], Command]
    own_session: str = ""
    """The default session of its calls."""
    given: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of the current call: stateless tools need some of them again."""

    @property
    def for_model(self) -> bool:
        """Tool results are read by a model."""
        return True

    def hint(self, marked: str, *, command: str) -> str:
        """With tool calls and parameter names."""
        return hints.render(marked, _ToolTerms(self, command))

    def next_lines(self, actions: Iterable[NextAction]) -> str:
        """One call each, with the id; what no tool can express is omitted."""
        lines: dict[str, str] = {}
        for action in actions:
            call = self._ready_call(action.argv)
            if call is not None:  # the same call is listed once
                lines.setdefault(call.text, f"next: {call.text} {tag(action)}\n")
        return "".join(line for line in lines.values() if len(line) <= LONGEST_LINE)

    def next_data(self, actions: Iterable[NextAction]) -> list[dict[str, Any]]:
        """The same as data."""
        calls = [(action, self._ready_call(action.argv)) for action in actions]
        return [
            {**facts_of(action), **({"tool": call.tool, "params": dict(call.arguments)} if call else {})}
            for action, call in calls
            if call is not None or action.path
        ]

    def offers(self, command: Command, arguments: Mapping[str, Any]) -> bool:
        """The commands behind the tools, and their aliases."""
        if any(tool.takes_words for tool in self.tools):
            return True
        behind = {name for tool in self.tools for name in tool.kinds.values()}
        if command.name in behind:
            return self._offers_files(command, arguments)
        stands_for = STANDS_FOR.get(command.name)
        return stands_for is not None and behind.issuperset(stands_for(arguments))

    def _offers_files(self, command: Command, arguments: Mapping[str, Any]) -> bool:
        """Files are named only where a tool has a parameter for their path: without it, we choose an unused path."""
        named = {
            file for file in (*command.writes_files, *command.reads_files) if arguments.get(file) is not None
        }
        return any(named <= tool.parameters for tool in self.tools if command.name in tool.kinds.values())

    def _ready_call(self, argv: Sequence[str]) -> RenderedToolCall | None:
        if not argv:
            return None
        try:
            return self.call(argv)
        except BoathookError:  # an invalid line has no call
            return None

    def call(self, argv: Sequence[str]) -> RenderedToolCall | None:
        """The tool call for a command line; None if no tool can express it, BoathookError if it is invalid."""
        line = read_line(argv, self.table)
        handles = {name: str(line.settings.pop(name)) for name in HANDLES if name in line.settings}
        if handles.get("session") == self.own_session:
            del handles["session"]
        return self._call_of_tool(line, handles) or self._call_in_words(argv, line)

    def tool_for(self, argv: Sequence[str]) -> str | None:
        """The tool for a command line whose arguments are only placeholders."""
        wordy = any(tool.takes_words for tool in self.tools)
        if list(argv) == ["help"]:
            return '{"args": ["--help"]}' if wordy else None
        for length in range(min(LONGEST_NAME, len(argv)), 0, -1):
            command = self.table.get(tuple(argv[:length]))
            if command is None:
                continue
            for tool in self.tools:
                for kind, name in tool.kinds.items():
                    if name == command.name:
                        return RenderedToolCall(tool=tool.name, arguments={"kind": kind} if kind else {}).text
            said = json.dumps({"args": list(argv)}, ensure_ascii=False)
            return said if wordy and not command.for_people else None
        return None

    def _call_of_tool(self, line: ParsedCommandLine, handles: Mapping[str, str]) -> RenderedToolCall | None:
        if line.settings:
            return None  # tools cannot change launch settings
        for name, arguments in equivalent_calls(line.command.name, line.arguments):
            # Choosing a tab is a parameter of every call, where there is no tool for it.
            own = {**handles, **({"tab": arguments.pop("tab")} if "tab" in arguments else {})}
            for tool in self.tools:
                if tool.view:
                    call = TRANSLATIONS[tool.view](name, arguments, self.given)
                    if call is not None and call[0] == tool.name and not own:
                        return RenderedToolCall(tool=tool.name, arguments=call[1])
                elif (given := tool.arguments_for(name, arguments, own)) is not None:
                    return RenderedToolCall(tool=tool.name, arguments=given)
        return None

    def _call_in_words(self, argv: Sequence[str], line: ParsedCommandLine) -> RenderedToolCall | None:
        tool = next((tool for tool in self.tools if tool.takes_words), None)
        if tool is None or line.command.for_people or not all(map(may_be_set, line.settings)):
            return None
        words = list(argv)
        if words[:2] == ["--session", self.own_session]:
            del words[:2]
        mode = {"sessionMode": "fresh"} if words[:1] == [FRESH] else {}
        arguments = {"args": words[1:] if mode else words, **mode}
        return RenderedToolCall(tool=tool.name, arguments=arguments, is_words=len(self.tools) == 1)


@cache
def tool_templates(keys: tuple[str, ...]) -> tuple[ToolTemplate, ...]:
    """The tools of these keys; one that takes any command line is last, since others are more specific."""
    known = _all_tools()
    tools = [ToolTemplate.read(key, known[key]) for key in keys if key in known]
    return tuple(sorted(tools, key=lambda tool: tool.takes_words))


@cache
def _all_tools() -> dict[str, Any]:
    tools: dict[str, Any] = catalogue_of_tools(catalogue())["tools"]
    return tools


def require_offered(surface: SurfaceRenderer, command: Command, arguments: Mapping[str, Any]) -> None:
    """A step of a batch must be a call that its caller could make directly."""
    if not surface.offers(command, arguments):
        person = "only a person may do this" if command.for_people else ""
        raise PolicyBlocked(
            f"{command.cli_name}: {person}"
            if person
            else f"{command.cli_name} is not offered by this server",
            hint="ask the user" if person else "the user can offer more: `=tools`",
            command=command.name,
        )


def may_be_set(setting: str) -> bool:
    """Whether a model may change a setting."""
    return not SETTINGS[setting].trusted_only and not SETTINGS[setting].narrows


@dataclass(frozen=True, slots=True)
class _ToolTerms:
    surface: ToolSurface
    command_name: str

    def command(self, line: str) -> str | None:
        """A call of a tool."""
        argv = shlex.split(line)
        try:
            call = self.surface.call(argv)
        except BoathookError:  # it has placeholders where numbers or more arguments belong
            return self.surface.tool_for(argv)
        return call.text if call is not None else None

    def flag(self, flag: str) -> str | None:
        """A parameter of the called tool, or a word for the tool that takes command lines."""
        name = flag.removeprefix("--").partition(" ")[0].replace("-", "_")
        behind = [tool for tool in self.surface.tools if self.command_name in tool.kinds.values()]
        if any(name in tool.parameters for tool in behind):
            return name
        if not any(tool.takes_words for tool in self.surface.tools):
            return None
        command = next(
            (command for command in self.surface.table.values() if command.name == self.command_name), None
        )
        known = command is not None and command.parameter(name) is not None
        return flag if known or (name in SETTINGS and may_be_set(name)) else None

    def setting(self, name: str) -> str | None:
        """An option of the server, which the user starts."""
        return f"boathook mcp --{name.replace('_', '-')}"

    def usage(self, line: str) -> str | None:
        """The parameters of the called tool, or the words for the tool that takes command lines."""
        behind = [tool for tool in self.surface.tools if self.command_name in tool.kinds.values()]
        if behind:
            return f"{behind[0].name} takes {', '.join(sorted(behind[0].parameters))}"
        return f"args: {line}" if any(tool.takes_words for tool in self.surface.tools) else None
