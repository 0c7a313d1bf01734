"""Flags and commands of agent-browser that have other names here, have no effect, or are refused with a reason."""

from __future__ import annotations

OTHER_NAMES = {
    "--executable-path": "executable",
    "--ignore-https-errors": "ignore_certificate_errors",
    "--ca-cert": "ca_bundle",
    "--content-boundaries": "boundaries",
    "--session-name": "restore",
}
"""Flags that are settings under another name."""

ALIASES: dict[str, tuple[str, str | bool]] = {
    "--auto-connect": ("browser", "relay"),
    "--no-auto-dialog": ("dialogs", "hold"),
    "--no-ca-cert": ("ca_bundle", False),
}
"""Flags without a value, with their setting and value."""

OPPOSITES = {"--hide-scrollbars": "scrollbars"}
"""Flags that are the opposite of a setting; true or false may follow."""

NO_OPS: dict[str, tuple[str, ...]] = {
    "--pin-tab": (),
    "--no-webmcp": (),
    "--enable": ("react-devtools",),
    "--use-system-ca": (),
    "--engine": ("chrome",),
}
"""Flags that have no effect, with the values for which that is so; an empty list takes no value."""

COMMAND_FLAGS = {
    "--headers": "open",
    "--annotate": "screenshot",
    "--full": "screenshot",
    "--if-changed": "screenshot",
    "--threshold": "screenshot",
    "--screenshot-format": "screenshot",
    "--screenshot-quality": "screenshot",
}
"""Flags that may also be written before the command, with the command that they belong to."""
WITH_VALUE = frozenset({"--headers", "--threshold", "--screenshot-format", "--screenshot-quality"})

REFUSED = {
    "--provider": "remote browser services are not supported yet",
    "-p": "remote browser services are not supported yet",
    "--device": "iOS devices are not supported; use set device to emulate a phone",
    "--extension": "browser extensions are not supported yet",
    "--namespace": "sessions already belong to a project; set another HOME for another namespace",
    "--args": "Chromium switches can run programs or open ports; the Python API has an allow-list",
    "--webgpu": "Chromium decides this for each machine",
    "--confirm-interactive": "use confirm and deny, which a person can run in any terminal",
    "--no-pin-tab": "a session always uses its own tabs",
    "--engine": "only Chromium and other CDP browsers are supported; choose one with --browser",
    "--enable": "not needed: react, vitals and a11y work on any page",
    "--model": "chat is not supported yet",
    "--categories": "a profile covers the page's scripts; use trace start for the rest",
    "--with-deps": "system packages are installed by the administrator; run doctor for missing ones",
    "--frame": "only the page's own tools are available",
    "--credential-provider": "plug-ins are not supported yet; auth save reads passwords from a command or keyring",
}
"""Flags that do not exist here, and why."""

REFUSED_COMMANDS = {
    "upgrade": "upgrade with the tool that installed it: pip, pipx or uv",
    "device": "iOS devices are not supported; use set device to emulate a phone",
    "swipe": "it is for iOS devices; use scroll, drag or mouse instead",
    "stream": "streaming is not supported yet",
    "dashboard": "a dashboard is not supported yet",
    "chat": "chat is not supported yet",
    "plugin": "plug-ins are not supported yet",
}
"""Commands that do not exist here, and why."""

OTHER_WORDS = {
    "version": "--version",
    "visit": "open",
    "browse": "open",
    "refresh": "reload",
    "dump": "snapshot",
    "observe": "snapshot",
    "tree": "snapshot",
    "content": "read",
    "extract": "read",
    "table": "read tables",
    "tables": "read tables",
    "csv": "read tables --output FILE.csv",
    "js": "eval",
    "input": "fill",
    "choose": "select",
    "tick": "check",
    "untick": "uncheck",
    "double-click": "dblclick",
    "doubleclick": "dblclick",
    "right-click": "click --button right",
    "submit": "press Enter",
    "enter": "press Enter",
    "sleep": "wait",
    "pause": "wait",
    "ls": "tab list",
    "ps": "session list",
    "sessions": "session list",
    "stop": "close",
    "audit": "a11y",
    "accessibility": "a11y",
    "vault": "auth",
    "login": "auth login",
    "signin": "auth login",
    "video": "record start",
}
"""Words that other programs use for a command, and the beginning of its line here."""


def long_flags() -> set[str]:
    """All flags that begin with two dashes, whether they are supported or not."""
    every = {*OTHER_NAMES, *ALIASES, *OPPOSITES, *NO_OPS, *COMMAND_FLAGS, *REFUSED}
    return {flag for flag in every if flag.startswith("--")}


IMPOSSIBLE = {
    "set proxy": (
        "cannot change the proxy of a running browser",
        "start a new session|: `--fresh --proxy PROXY open URL`",
    ),
    "set client-certificate": (
        "client certificates cannot be set over CDP",
        "install it in the browser and use that profile|: `=profile`|, or start with a proxy that presents it|: `=proxy`",
    ),
}
"""Commands that no browser can do, what is wrong, and what to do instead."""
