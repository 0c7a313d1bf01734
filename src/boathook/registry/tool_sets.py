"""Tool sets: the commands as clients of tools see them: which, under which names, with which parameters, in which order."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from boathook.registry.registry import Command

SCRIPTS = ("script", "fn")
"""Parameters that are run inside a page: such tools are listed only where scripts are allowed."""
ALSO = {
    "console": "watch",
    "keyboard": "keyboard_and_mouse",
    "mouse": "keyboard_and_mouse",
}
"""Other names that people have for a family."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: a command, or several that a `kind` chooses from. It shows parameters of theirs, and adds none."""

    name: str
    title: str
    description: str
    kinds: Mapping[str, str]
    """Commands by kind; the only kind of a tool that stands for one command is its empty name."""
    default: str = ""
    """The kind when none is given."""
    shown: tuple[str, ...] | None = None
    """Parameters, in their order; None is all of them."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that it always gives, since a model cannot do without."""


def _one(name: str, command: str, title: str, description: str, *shown: str, **fixed: Any) -> Tool:
    return Tool(
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
        "Open a tab and load an address; starts a browser when none runs. Answers with the tab's id.",
        "url",
        "label",
        "wait_until",
    ),
    _one("tabs", "tabs", "List tabs", "The open tabs: id, label, address."),
    Tool(
        name="close",
        title="Close",
        description="Close a tab, or the whole session with its tabs and cookies.",
        kinds={"tab": "tab_close", "session": "session_close"},
        shown=(),
    ),
    Tool(
        name="goto",
        title="Go to an address",
        description="Load an address in the present tab, or go back, forward, or load again.",
        kinds={"url": "goto", "back": "back", "forward": "forward", "reload": "reload"},
        default="url",
        shown=("url",),
    ),
    _one(
        "snapshot",
        "snapshot",
        "Look at the page",
        "The page as text; @e12 names an element for good. since=-1 gives only what changed.",
        "mode",
        "root",
        "search",
        "urls",
        "since",
        "budget",
        "expand",
    ),
    Tool(
        name="act",
        title="Act on the page",
        description="Act on an element; answers with what changed, so look again only when that is not enough.",
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
        'Steps in one call, as command lines: ["fill @e3 Ann", "click @e4", "wait --text Thanks"].',
        "lines",
        "bail",
    ),
    _one(
        "wait",
        "wait_until",
        "Wait",
        "Wait for one thing: an element, a text, an address or a load.",
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
        "Take a picture",
        "A picture of what is in view, small enough for a model.",
        "target",
        "full_page",
        "annotate",
        for_model=True,
    ),
    _one(
        "dialog",
        "answer_dialog",
        "Answer a dialog",
        "Answer the confirm or prompt that waits.",
        "accept",
        "text",
    ),
    Tool(
        name="logs",
        title="Console and network",
        description="What the page said on its console, and what it asked servers for.",
        kinds={"console": "console", "errors": "errors", "requests": "requests", "body": "response_body"},
        shown=("level", "pattern", "failed", "request"),
    ),
)
"""What most work needs, and nothing that a model has to read without need."""


_READING = (
    "url", "title", "get_text", "get_html", "get_value", "get_attribute", "get_box", "get_styles", "get_count", "is_visible",
    "is_enabled", "is_checked",
)  # fmt: skip
_FOUND = {"text": "read", "tap": "click"}


def _found(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """The command that `find` runs on what it has found."""
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
    "find": _found,
    "frame": _same_as("snapshot"),
    "keyboard_type": _same_as("type"),
    "pushstate": _same_as("goto"),
    "scroll_page": _same_as("scroll"),
    "tab_close_named": _same_as("tab_close"),
    "tab_or_list": _same_as("tabs"),
    "window_new": _same_as("tab_new"),
    "storage_local": _same_as("storage", "set_storage", "clear_storage"),
    "storage_session": _same_as("storage", "set_storage", "clear_storage"),
    **{name: _same_as("read") for name in _READING},
}
"""Commands that are only another way to ask for others: a caller that is offered those may run these."""


def in_other_words(command: str, arguments: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Commands that do the same, with their arguments, the command itself first; `tab` says on which tab."""
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


def views(commands: Mapping[str, Command]) -> dict[str, list[Tool]]:
    """The tools of other programs, by the tool set that alone has them."""
    found: dict[str, list[Tool]] = {}
    for one in commands.values():
        if one.tool_set:
            found.setdefault(one.tool_set, []).append(_plain(one, name=one.spoken.replace(" ", "_")))
    return found


def families(commands: Mapping[str, Command]) -> dict[str, list[Tool]]:
    """A tool for every command with all its parameters, by group; what only one tool set has is not among them."""
    taken = {tool.name for tool in CORE if tool.name not in tool.kinds.values()}
    found: dict[str, list[Tool]] = {}
    for one in commands.values():
        if not one.spoken_only and not one.tool_set and not one.for_people:
            family = one.group.replace(" ", "_")
            # A name that core has for something else gets the family before it.
            name = f"{family}_{one.name}" if one.name in taken else one.name
            found.setdefault(family, []).append(_plain(one, name=name))
    return found


def _plain(one: Command, *, name: str) -> Tool:
    title = one.spoken[:1].upper() + one.spoken[1:]
    fixed = {"for_model": True} if one.parameter("for_model") else {}
    return Tool(name=name, title=title, description=one.summary, kinds={"": one.name}, fixed=fixed)
