"""The commands of agent-browser: how each is written here, and the shape of its answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One command."""

    ours: str = ""
    """Our command, if it has another name."""
    shape: str = "done"
    least: int = 0
    """The arguments that it needs."""
    joins: int | None = None
    """From this argument on, the words are one text, also words that look like flags."""
    value_flags: tuple[str, ...] = ()
    """Its flags with a value, if it takes free text."""
    flags: tuple[str, ...] = ()
    """Its flags without one."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments of our command that make it do the same."""
    targets: tuple[int, ...] = ()
    """Which arguments name elements."""


def _on_element(shape: str, *, ours: str = "", **more: Any) -> Rule:
    return Rule(ours=ours, shape=shape, least=1, targets=(0,), **more)


RULES: dict[tuple[str, ...], Rule] = {
    ("open",): Rule(shape="page"),
    ("goto",): Rule(ours="open", shape="page", least=1),
    ("navigate",): Rule(ours="open", shape="page", least=1),
    ("back",): Rule(shape="url"),
    ("forward",): Rule(shape="url"),
    ("reload",): Rule(shape="url"),
    ("pushstate",): Rule(shape="url", least=1),
    ("read",): Rule(shape="content", fixed={"limit": 100_000_000}),
    ("close",): Rule(shape="closed"),
    ("quit",): Rule(ours="close", shape="closed"),
    ("exit",): Rule(ours="close", shape="closed"),
    ("click",): _on_element("clicked"),
    ("dblclick",): _on_element("clicked"),
    ("tap",): _on_element("tapped"),
    ("hover",): _on_element("hovered"),
    ("focus",): _on_element("focused"),
    ("check",): _on_element("checked element"),
    ("uncheck",): _on_element("unchecked"),
    ("scrollintoview",): _on_element("scrolled to"),
    ("scrollinto",): _on_element("scrolled to"),
    ("highlight",): _on_element("highlighted"),
    ("fill",): _on_element("filled", joins=1),
    ("type",): _on_element("typed", joins=1, value_flags=("--delay",), flags=("--clear",)),
    ("press",): Rule(shape="pressed", least=1),
    ("key",): Rule(ours="press", shape="pressed", least=1),
    ("keydown",): Rule(shape="keydown", least=1),
    ("keyup",): Rule(shape="keyup", least=1),
    ("keyboard", "type"): Rule(shape="typed at focus", least=1, joins=0),
    ("keyboard", "inserttext"): Rule(shape="inserted", least=1, joins=0),
    ("select",): Rule(shape="selected", least=2, targets=(0,)),
    ("drag",): Rule(shape="dragged", least=2, targets=(0, 1)),
    ("upload",): _on_element("uploaded"),
    ("download",): _on_element("download"),
    ("scroll",): Rule(shape="scrolled"),
    ("mouse", "move"): Rule(shape="moved", least=2),
    ("mouse", "down"): Rule(shape="mouse down"),
    ("mouse", "up"): Rule(shape="mouse up"),
    ("mouse", "wheel"): Rule(shape="wheel", least=1),
    ("get", "text"): _on_element("text"),
    ("get", "html"): _on_element("html", fixed={"inner": True}),
    ("get", "value"): _on_element("value", fixed={"raw": True}),
    ("get", "attr"): Rule(shape="attribute", least=2, targets=(0,)),
    ("get", "count"): Rule(shape="count", least=1),
    ("get", "box"): _on_element("box"),
    ("get", "styles"): _on_element("styles"),
    ("get", "title"): Rule(shape="title"),
    ("get", "url"): Rule(shape="url"),
    ("get", "cdp-url"): Rule(shape="cdp url"),
    ("is", "visible"): _on_element("visible", fixed={"must_exist": True}),
    ("is", "enabled"): _on_element("enabled"),
    ("is", "checked"): _on_element("checked"),
    ("find",): Rule(shape="found", least=2, value_flags=("--name",), flags=("--exact",)),
    ("eval",): Rule(shape="result", joins=0, flags=("-b", "--base64", "--stdin"), fixed={"world": "main"}),
    ("snapshot",): Rule(shape="snapshot"),
    ("screenshot",): Rule(shape="screenshot"),
    ("pdf",): Rule(shape="pdf", least=1),
    ("wait",): Rule(shape="waited"),
    ("tab",): Rule(shape="tab"),
    ("tab", "list"): Rule(ours="pages", shape="tabs"),
    ("tab", "new"): Rule(shape="new tab"),
    ("tab", "close"): Rule(shape="closed tab"),
    ("window", "new"): Rule(shape="window"),
    ("frame",): Rule(shape="frame", least=1, targets=(0,), fixed={"enter": True}),
    ("dialog", "accept"): Rule(shape="accepted"),
    ("dialog", "dismiss"): Rule(shape="dismissed"),
    ("dialog", "status"): Rule(shape="dialog"),
    ("cookies",): Rule(shape="cookies"),
    ("cookies", "get"): Rule(ours="cookies", shape="cookies"),
    ("cookies", "set"): Rule(shape="set"),
    ("cookies", "clear"): Rule(shape="cookies cleared"),
    ("storage", "local"): Rule(shape="storage"),
    ("storage", "session"): Rule(shape="storage"),
    ("network", "route"): Rule(shape="routed", least=1),
    ("network", "unroute"): Rule(shape="unrouted"),
    ("network", "requests"): Rule(shape="requests"),
    ("network", "request"): Rule(shape="request", least=1),
    ("network", "har", "start"): Rule(shape="har started"),
    ("network", "har", "stop"): Rule(shape="har"),
    ("console",): Rule(shape="console"),
    ("errors",): Rule(shape="errors"),
    ("set", "viewport"): Rule(shape="viewport", least=2),
    ("set", "device"): Rule(shape="device", least=1),
    ("set", "geo"): Rule(shape="geo", least=2),
    ("set", "offline"): Rule(shape="offline"),
    ("set", "headers"): Rule(shape="set", least=1),
    ("set", "credentials"): Rule(shape="set", least=2),
    ("set", "media"): Rule(shape="set"),
    ("state", "save"): Rule(shape="state saved", least=1),
    ("state", "load"): Rule(shape="state loaded", least=1),
    ("state", "list"): Rule(shape="states"),
    ("auth", "list"): Rule(shape="profiles"),
    ("trace", "start"): Rule(shape="started"),
    ("trace", "stop"): Rule(shape="trace"),
    ("profiler", "start"): Rule(shape="started"),
    ("profiler", "stop"): Rule(shape="profile"),
    ("a11y",): Rule(shape="audit"),
    ("vitals",): Rule(shape="vitals"),
    ("clipboard", "read"): Rule(shape="clipboard"),
    ("clipboard", "write"): Rule(shape="clipboard written", least=1, joins=0),
    ("clipboard", "copy"): Rule(shape="copied"),
    ("clipboard", "paste"): Rule(shape="pasted"),
    ("session",): Rule(ours="session id", shape="session"),
    ("session", "list"): Rule(shape="sessions"),
    ("session", "id"): Rule(shape="session id"),
    ("diff", "snapshot"): Rule(shape="diff", fixed={"full": True}),
    ("batch",): Rule(shape="batch"),
}
"""By their first words. Other lines run as they are, and their data is ours."""

LOCAL_SHAPES = frozenset({"session", "sessions", "session id"})
"""Answers of the program itself: without `error`."""
GROUPS = (
    "get",
    "is",
    "find",
    "network",
    "storage",
    "mouse",
    "keyboard",
    "dialog",
    "set",
    "diff",
    "state",
    "window",
)
"""Words that need a second one."""
PLAIN_SNAPSHOT: Mapping[str, Any] = {
    "mode": "full",
    "content_refs": True,
    "budget": None,
    "fold": False,
    "since": -1,
}
"""The whole tree, compared with the last one for the refs that are gone."""
GLOBAL_FLAGS = frozenset(
    {
        "--json",
        "--debug",
        "--headed",
        "--ignore-https-errors",
        "--allow-file-access",
        "--content-boundaries",
        "--auto-connect",
        "--no-auto-dialog",
        "--pin-tab",
        "--no-pin-tab",
        "--no-webmcp",
        "--use-system-ca",
        "--no-ca-cert",
        "--hide-scrollbars",
        "--confirm-interactive",
        "--webgpu",
    }
)
"""Flags that may stand anywhere in a line; true or false may follow some."""
GLOBAL_VALUES = frozenset(
    {
        "--session",
        "--session-name",
        "--namespace",
        "--restore-save",
        "--restore-check-url",
        "--restore-check-text",
        "--restore-check-fn",
        "--profile",
        "--executable-path",
        "--extension",
        "--init-script",
        "--enable",
        "--args",
        "--user-agent",
        "--proxy",
        "--proxy-bypass",
        "--cdp",
        "--provider",
        "-p",
        "--device",
        "--color-scheme",
        "--download-path",
        "--max-output",
        "--allowed-domains",
        "--action-policy",
        "--confirm-actions",
        "--engine",
        "--screenshot-dir",
        "--config",
        "--idle-timeout",
        "--input-mode",
        "--ca-cert",
        "--model",
    }
)
"""Flags with a value that may stand anywhere; so may `--state`, but not in `wait`."""
OPTIONAL_VALUES = frozenset({"--restore"})
