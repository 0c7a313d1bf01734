"""The toolbox: the tools that this server offers, read from the generated catalogue, and what a call of one means."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

CATALOGUE = Path(__file__).parents[2] / "data" / "tools.json"
HANDLES = ("session", "tab")
MOST_CHARACTERS = 4 << 20
"""Of all arguments together."""
OPERATORS = {"&&", "||", "|", ";", ">", ">>", "<"}
PROGRAMS = {"boathook", "bh", "agent-browser"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool as the client is told, and the command or commands behind it."""

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
    """The setting without which it is not listed."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The schemas of its parameters by name."""
        found: dict[str, Any] = self.input_schema["properties"]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """What a call of a tool asks of the daemon."""

    command: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    argv: list[str] | None = None
    stdin: str | None = None


class Toolbox:
    """The chosen tools by name, in a lasting order."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools: dict[str, Tool] = {}
        for tool in tools:
            if tool.name in self._tools:
                raise BadRequest(f"two tools are called {tool.name}", hint="choose one tool set of the two")
            self._tools[tool.name] = tool

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools.values())

    def __len__(self) -> int:
        return len(self._tools)

    def get(self, name: str) -> Tool | None:
        """The tool of this name."""
        return self._tools.get(name)


def read_toolbox(
    words: Iterable[str], *, scripts: bool, programs: bool = False, path: Path = CATALOGUE
) -> Toolbox:
    """The tools that words such as `core` and `storage` mean; those that run scripts or programs only where they may."""
    catalogue = json.loads(path.read_text(encoding="utf-8"))
    sets, tools = catalogue["sets"], catalogue["tools"]
    wanted: set[str] = set()
    for word in words:
        if word not in sets and word not in tools:
            near = get_close_matches(word, [*sets, *tools], n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sets)}"
            raise BadRequest(f"there is no tool set {word[:40]!r}", hint=hint)
        wanted |= set(sets.get(word, [word]))
    wanted -= {key.removeprefix("whole:") for key in wanted if key.startswith("whole:")}
    read = (_tool(key, data) for key, data in tools.items() if key in wanted)
    given = {"": True, "evaluate_enabled": scripts, "scripts_enabled": programs}
    return Toolbox(tool for tool in read if given[tool.needs])


def _tool(key: str, data: Mapping[str, Any]) -> Tool:
    return Tool(
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
    )


def meant(tool: Tool, given: Mapping[str, Any]) -> Meant:
    """What the daemon is to do; BadRequest when the arguments are not of this tool. It checks the rest itself."""
    for name in given:
        if name not in tool.parameters:
            near = get_close_matches(name, list(tool.parameters), n=1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(tool.parameters)}"
            raise BadRequest(f"{tool.name} has no parameter {name[:60]!r}", hint=hint)
    if len(json.dumps(given, default=str)) > MOST_CHARACTERS:
        raise BadRequest(f"the arguments are longer than {MOST_CHARACTERS:,} characters")
    if tool.takes_words:
        return _words(given)
    settings = {
        name: given[name] for name in HANDLES if given.get(name) is not None and name in tool.parameters
    }
    for name, value in settings.items():
        if not isinstance(value, str):
            raise BadRequest(f"{tool.name}: {name} is a text, not {repr(value)[:60]}")
    chooses = set() if "" in tool.kinds else {"kind"}
    rest = {
        name: value
        for name, value in given.items()
        if name not in {*settings, *chooses} and value is not None
    }
    return Meant(command=_command(tool, given), arguments={**rest, **tool.fixed}, settings=settings)


def _command(tool: Tool, given: Mapping[str, Any]) -> str:
    if "" in tool.kinds:
        return tool.kinds[""]
    kind = given.get("kind") or tool.default
    if not isinstance(kind, str) or kind not in tool.kinds:
        said = f"not {repr(kind)[:60]}" if kind else "and it is missing"
        raise BadRequest(f"{tool.name}: kind is one of {', '.join(tool.kinds)}, {said}")
    return tool.kinds[kind]


def _words(given: Mapping[str, Any]) -> Meant:
    args, stdin, mode = given.get("args"), given.get("stdin"), given.get("sessionMode", "auto")
    if not isinstance(args, list) or not args or not all(isinstance(word, str) for word in args):
        raise BadRequest("args is a list of words", hint='such as ["open", "example.org"]')
    if found := OPERATORS.intersection(args):
        raise BadRequest(
            f"{min(found)} is a shell operator, and there is no shell", hint="use batch, or call again"
        )
    if args[0] in PROGRAMS:
        raise BadRequest(f"args begin with the program's name {args[0]}", hint="leave it out")
    if mode not in {"auto", "fresh"}:
        raise BadRequest(f"sessionMode is auto or fresh, not {repr(mode)[:40]}")
    if stdin is not None and not isinstance(stdin, str):
        raise BadRequest(f"stdin is text, not {repr(stdin)[:40]}")
    return Meant(argv=list(args), stdin=stdin, settings={"fresh": True} if mode == "fresh" else {})
