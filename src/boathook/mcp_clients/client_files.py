"""Configuration files of clients: our entry is added, replaced or removed, and nothing else is changed."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.mcp_clients.known_clients import SERVER

if TYPE_CHECKING:
    from boathook.mcp_clients.known_clients import McpClient

_KEYS = {"mcpServers": "mcpServers", "servers": "servers", "opencode": "mcp"}
_SECTION = f"[mcp_servers.{SERVER}]"
_HEADER = re.compile(r"^\s*\[")


def with_entry(client: McpClient, text: str, entry: dict[str, Any] | None) -> str:
    """The file with our server in it, or without it if there is no entry."""
    if client.shape == "codex":
        return _in_toml(text, entry)
    return _in_json(client, text, entry)


def _in_json(client: McpClient, text: str, entry: dict[str, Any] | None) -> str:
    content = _read_json(text)
    key = _KEYS[client.shape]
    servers = content.get(key, {})
    if not isinstance(servers, dict):
        raise BadRequest(f"{key} in the file is not an object")
    kept = {name: value for name, value in servers.items() if name != SERVER}
    # An entry that is there already keeps its place, so that the difference is small.
    changed = kept if entry is None else {**servers, SERVER: entry}
    if changed or key in content:
        content[key] = changed
    if entry is None and not changed:
        content.pop(key, None)
    return json.dumps(content, indent=_indent(text), ensure_ascii=False) + "\n" if content else ""


def _read_json(text: str) -> dict[str, Any]:
    if not text.strip():
        return {}
    try:
        content = json.loads(text)
    except ValueError as error:
        raise BadRequest(
            f"the file is not plain JSON ({error})", hint="add the entry by hand|: `--show` prints it"
        ) from None
    if not isinstance(content, dict):
        raise BadRequest("the file does not contain a JSON object")
    return content


def _indent(text: str) -> int | str:
    """The indentation of the existing file."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    if found is None:
        return 2
    return "\t" if found[1].startswith("\t") else len(found[1])


def _in_toml(text: str, entry: dict[str, Any] | None) -> str:
    _check_toml(text)
    lines = _without_section(text.splitlines())
    while lines and not lines[-1].strip():
        lines.pop()
    if entry is not None:
        section = [_SECTION, *(f"{name} = {json.dumps(value)}" for name, value in entry.items())]
        lines = [*lines, *([""] if lines else []), *section]
    made = "\n".join(lines) + ("\n" if lines else "")
    _check_toml(made)
    return made


def _without_section(lines: list[str]) -> list[str]:
    """All lines except those of our section and of the tables below it."""
    kept: list[str] = []
    inside = False
    for line in lines:
        if _HEADER.match(line):
            name = line.strip()
            inside = name.startswith((_SECTION, _SECTION[:-1] + "."))
        if not inside:
            kept.append(line)
    return kept


def _check_toml(text: str) -> None:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadRequest(
            f"the file cannot be read ({error})", hint="fix the file first; nothing was changed"
        ) from None
