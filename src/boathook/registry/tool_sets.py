"""Tool sets: which commands tool clients see, with names, parameters and order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boathook.registry.registry import Command

SCRIPTS = ("script", "fn")
"""Parameters that run in a page: their tools are listed only if scripts are allowed."""
ALSO = {
    "console": "watch",
    "keyboard": "keyboard_and_mouse",
    "mouse": "keyboard_and_mouse",
}
"""Aliases of families."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """One tool: a command, or several selected by `kind`. It shows their parameters and adds none."""

    name: str
    title: str
    description: str
    kinds: Mapping[str, str]
    """Commands by kind; a tool for one command has the empty string as its only kind."""
    default: str = ""
    """The default kind."""
    shown: tuple[str, ...] | None = None
    """Parameters in order; None means all."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Fixed arguments."""


def _one(name: str, command: str, title: str, description: str, *shown: str, **fixed: Any) -> ToolDefinition:
    return ToolDefinition(
        name=name, title=title, description=description, kinds={"": command}, shown=shown, fixed=fixed
    )


_SAME = (
    "click", "fill", "type", "press", "select", "check", "uncheck", "hover", "focus", "clear", "tap", "drag", "scroll",
    "scroll_to", "upload",
)  # fmt: skip

CORE = (
    _one(
        "open",
        "tab_new",
        "Open a page",
        "Open a tab and load a URL; starts a browser if none is running. Returns the tab id.",
        "url",
        "label",
        "wait_until",
    ),
    _one("tabs", "tabs", "List tabs", "List open tabs: id, label, URL."),
    ToolDefinition(
        name="close",
        title="Close",
        description="Close a tab, or the whole session with its tabs and cookies.",
        kinds={"tab": "tab_close", "session": "session_close"},
        shown=(),
    ),
    ToolDefinition(
        name="goto",
        title="Go to a URL",
        description="Load a URL in the current tab, or go back, forward or reload.",
        kinds={"url": "goto", "back": "back", "forward": "forward", "reload": "reload"},
        default="url",
        shown=("url",),
    ),
    _one(
        "snapshot",
        "snapshot",
        "Page snapshot",
        "The page as text; refs such as @e12 are stable. since=-1 returns only changes.",
        "mode",
        "root",
        "search",
        "urls",
        "since",
        "budget",
        "expand",
    ),
    ToolDefinition(
        name="act",
        title="Act on the page",
        description="Act on an element. Returns what changed; take a new snapshot only if that is not enough.",
        kinds={name: name for name in _SAME},
        shown=(
            "target",
            "value",
            "text",
            "key",
            "wanted",
            "source",
            "paths",
            "down",
            "button",
            "count",
            "nth",
        ),
    ),
    _one(
        "batch",
        "batch",
        "Several steps",
        'Run several command lines in one call: ["fill @e3 Ann", "click @e4", "wait --text Thanks"].',
        "lines",
        "bail",
    ),
    _one(
        "wait",
        "wait_until",
        "Wait",
        "Wait for one condition: an element, text, URL or load state.",
        "what",
        "state",
        "text",
        "url",
        "load",
        "timeout",
    ),
    _one(
        "read",
        "read",
        "Read the page",
        "The main text of the page, or of one element.",
        "format",
        "target",
        "limit",
    ),
    _one(
        "screenshot",
        "screenshot",
        "Take a screenshot",
        "Screenshot of the viewport, sized for a model.",
        "target",
        "full_page",
        "annotate",
        for_model=True,
    ),
    _one(
        "dialog",
        "answer_dialog",
        "Answer a dialog",
        "Answer the open confirm or prompt dialog.",
        "accept",
        "text",
    ),
    ToolDefinition(
        name="logs",
        title="Console and network",
        description="Console messages and network requests of the page.",
        kinds={"console": "console", "errors": "errors", "requests": "requests", "body": "response_body"},
        shown=("level", "pattern", "failed", "request"),
    ),
)
"""The tools for most tasks, as few tokens as possible."""


_READING = (
    "url", "title", "get_text", "get_html", "get_value", "get_attribute", "get_box", "get_styles", "get_count", "is_visible",
    "is_enabled", "is_checked",
)  # fmt: skip
_FOUND = {"text": "read", "tap": "click", "dblclick": "click"}


def _find_command(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The command that `find` runs on the element."""
    words = list(arguments.get("words") or ())[1 if arguments.get("by") == "nth" else 0 :]
    action = str(words[0]) if words else "click"
    return (_FOUND.get(action, action),)


def _same_as(*names: str) -> Callable[[Mapping[str, Any]], tuple[str, ...]]:
    return lambda _arguments: names


STANDS_FOR: dict[str, Callable[[Mapping[str, Any]], tuple[str, ...]]] = {
    "accept_dialog": _same_as("answer_dialog"),
    "dismiss_dialog": _same_as("answer_dialog"),
    "dialog_status": _same_as("answer_dialog"),
    "dblclick": _same_as("click"),
    "do": lambda arguments: (str(arguments.get("action")),),
    "find": _find_command,
    "frame": _same_as("snapshot"),
    "keyboard_type": _same_as("type"),
    "pushstate": _same_as("goto"),
    "scroll_page": _same_as("scroll"),
    "scroll_end": _same_as("scroll"),
    "scroll_top": _same_as("scroll"),
    "tab_or_list": _same_as("tabs"),
    "window_new": _same_as("tab_new"),
    "storage_local": _same_as("storage", "set_storage", "clear_storage"),
    "storage_session": _same_as("storage", "set_storage", "clear_storage"),
    **{name: _same_as("read") for name in _READING},
}
"""Commands that only delegate to others: a caller that may run those may run these."""


def equivalent_calls(command: str, arguments: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Equivalent commands with their arguments, the command itself first; `tab` names the tab."""
    yield command, dict(arguments)
    if command == "accept_dialog":
        yield "answer_dialog", {"accept": True, **arguments}
    elif command == "dismiss_dialog":
        yield "answer_dialog", {"accept": False}
    elif command == "tab_or_list" and arguments.get("name") is None:
        yield "tabs", {}
    elif command == "tab_or_list":
        yield "tab", dict(arguments)
        yield "snapshot", {"tab": arguments["name"]}


def views(commands: Mapping[str, Command]) -> dict[str, list[ToolDefinition]]:
    """The tools of other programs, by tool set."""
    found: dict[str, list[ToolDefinition]] = {}
    for command in commands.values():
        if command.tool_set:
            found.setdefault(command.tool_set, []).append(
                _plain(command, name=command.cli_name.replace(" ", "_"))
            )
    return found


def families(commands: Mapping[str, Command]) -> dict[str, list[ToolDefinition]]:
    """A tool for every command with all its parameters, by group, except those of a single tool set."""
    taken = {tool.name for tool in CORE if tool.name not in tool.kinds.values()}
    found: dict[str, list[ToolDefinition]] = {}
    for command in commands.values():
        if not command.cli_only and not command.tool_set and not command.for_people:
            family = command.group.replace(" ", "_")
            # A name that core has for something else gets the family before it.
            name = f"{family}_{command.name}" if command.name in taken else command.name
            found.setdefault(family, []).append(_plain(command, name=name))
    return found


def _plain(command: Command, *, name: str) -> ToolDefinition:
    title = command.cli_name[:1].upper() + command.cli_name[1:]
    fixed = {"for_model": True} if command.parameter("for_model") else {}
    return ToolDefinition(
        name=name, title=title, description=command.summary, kinds={"": command.name}, fixed=fixed
    )
