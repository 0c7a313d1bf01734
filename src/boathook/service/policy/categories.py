"""Categories of commands: the words by which an action policy names what may be done; each command has one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.registry.registry import Command, Scope
from boathook.service.policy.script_calls import runs_page_script

if TYPE_CHECKING:
    from collections.abc import Mapping

CATEGORIES: dict[str, str] = {
    "navigate": "go to addresses and through history, also in a new tab",
    "tabs": "list, open, choose and close tabs",
    "snapshot": "see the page: snapshots, pictures, PDF",
    "read": "read the page's text",
    "get": "ask for single facts: texts, values, addresses, whether something is visible",
    "wait": "wait for something",
    "scroll": "scroll",
    "click": "click and tap",
    "fill": "put values into fields: fill, type, select, check",
    "interact": "everything else that a hand does: keys, mouse, dragging, clipboard, dialogs",
    "upload": "give files to pages",
    "download": "take files from pages",
    "eval": "run a script in the page",
    "scripts": "run programs beside a tab",
    "network": "watch and change what pages send and receive",
    "state": "cookies, storage, kept states and logins",
    "emulate": "pretend to be another device or place; permissions",
    "capture": "record: videos, traces, profiles",
    "debug": "consoles, errors, audits, styles, coverage",
    "machine": "change settings of this machine: browsers, clients, kept files, other browsers",
}
"""What each one is about."""

_OF_GROUP = {
    "navigate": "navigate",
    "tabs": "tabs",
    "observe": "snapshot",
    "read": "read",
    "act": "interact",
    "keyboard and mouse": "interact",
    "wait": "wait",
    "dialogs": "interact",
    "handoff": "interact",
    "watch": "debug",
    "files": "download",
    "storage": "state",
    "login": "state",
    "emulate": "emulate",
    "facts": "get",
    "scripts": "scripts",
    "network": "network",
    "capture": "capture",
    "diff": "snapshot",
    "debug": "debug",
    "frameworks": "debug",
    "machine": "machine",
}
_OF_COMMAND = {
    "url": "get",
    "title": "get",
    "frames": "get",
    "evaluate": "eval",
    "wait_for_function": "eval",
    "inspect": "eval",
    "add_init_script": "eval",
    "remove_init_script": "eval",
    "click": "click",
    "dblclick": "click",
    "tap": "click",
    "fill": "fill",
    "clear": "fill",
    "type": "fill",
    "select": "fill",
    "check": "fill",
    "uncheck": "fill",
    "keyboard_type": "fill",
    "insert_text": "fill",
    "scroll": "scroll",
    "scroll_page": "scroll",
    "scroll_to": "scroll",
    "mouse_wheel": "scroll",
    "upload": "upload",
    "answer_file_chooser": "upload",
    "requests": "network",
    "response_body": "network",
    "set_headers": "network",
    "set_offline": "network",
    "set_credentials": "network",
    "grant": "emulate",
    "reset_permissions": "emulate",
    "connect": "machine",
    "clean": "machine",
    "set_headless": "machine",
}
"""Where a command is something else than its group."""
_FOUND = {
    "click": "click",
    "dblclick": "click",
    "fill": "fill",
    "type": "fill",
    "check": "fill",
    "uncheck": "fill",
}
"""What `find` does when it has found something; the rest is a look or a hand over it."""
_LOOKS = {"text": "get"}
ALWAYS = frozenset({"session", "single", "direct", "named", "scripted"})
"""Groups that no policy stops: ending and listing sessions, and what only runs other commands, which are decided about."""
_HARMLESS = frozenset({"doctor", "skills_get", "skills_path", "completion", "logs", "tools", "smoke"})


def categories_of(command: Command, arguments: Mapping[str, Any] | None = None) -> frozenset[str]:
    """What a command with these arguments counts as; nothing for what is always allowed.

    One that also goes to an address counts as `navigate` besides, and one that brings a script into a page as `eval`.
    """
    given = arguments or {}
    own = _own(command, given)
    goes = command.may_navigate and isinstance(given.get("url"), str) and bool(own)
    also = {"navigate": goes, "eval": runs_page_script(command, given)}
    return frozenset({own} - {""}) | {name for name, holds in also.items() if holds}


def _own(command: Command, given: Mapping[str, Any]) -> str:
    if command.name == "find":
        words = list(given.get("words") or ())[1 if given.get("by") == "nth" else 0 :]
        action = str(words[0]) if words else "click"
        return _FOUND.get(action) or _LOOKS.get(action, "interact")
    if command.name == "wait_until" and given.get("fn") is not None:
        return "eval"
    if command.name in _OF_COMMAND:
        return _OF_COMMAND[command.name]
    if command.group in ALWAYS or (command.scope is Scope.HOST and command.name in _HARMLESS):
        return ""
    return _OF_GROUP[command.group]
