"""Configuration files of clients: our entry is added, replaced or removed in the text, and nothing else is changed."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.mcp_clients.json_edit import InvalidJson, read_json, with_member, without_member
from boathook.mcp_clients.known_clients import SERVER
from boathook.mcp_clients.toml_edit import with_table
from boathook.mcp_clients.yaml_edit import UnreadableYaml, entry_in_block, with_entry_in_block

if TYPE_CHECKING:
    from boathook.mcp_clients.known_clients import McpClient


def with_entry(client: McpClient, text: str, entry: dict[str, Any] | None) -> str:
    """The file with our server in it, or without it if there is no entry."""
    try:
        if client.format == "toml":
            return _in_toml(client, text, entry)
        if client.format == "yaml":
            return with_entry_in_block(text, client.servers[0], SERVER, entry)
        return _in_json(client, text, entry)
    except (InvalidJson, UnreadableYaml, tomllib.TOMLDecodeError) as error:
        raise BadRequest(
            f"the file cannot be edited: {error}",
            hint="nothing was changed; add the entry by hand|: `--show` prints it",
        ) from None


def entry_in(client: McpClient, text: str) -> dict[str, Any] | None:
    """Our entry as the file has it; None if there is none."""
    try:
        if client.format == "yaml":
            return entry_in_block(text, client.servers[0], SERVER)
        data = tomllib.loads(text) if client.format == "toml" else read_json(text).data
    except (InvalidJson, UnreadableYaml, tomllib.TOMLDecodeError):
        return None
    for key in (*client.servers, SERVER):
        data = data.get(key) if isinstance(data, dict) else None
    return data if isinstance(data, dict) else None


def _in_json(client: McpClient, text: str, entry: dict[str, Any] | None) -> str:
    path = (*client.servers, SERVER)
    if not text.strip("\ufeff \t\r\n"):
        nested: Any = entry
        for key in reversed(path):
            nested = {key: nested}
        return text if entry is None else json.dumps(nested, indent=2, ensure_ascii=False) + "\n"
    wanted = _changed(read_json(text).data, path, entry)
    made = without_member(text, path) if entry is None else with_member(text, path, entry)
    if read_json(made).data != wanted:
        raise InvalidJson("it has the same name twice")
    return made


def _in_toml(client: McpClient, text: str, entry: dict[str, Any] | None) -> str:
    wanted = _changed(tomllib.loads(text), (*client.servers, SERVER), entry)
    made = with_table(text, ".".join((*client.servers, SERVER)), entry)
    top = client.servers[0]
    if _without_empty(tomllib.loads(made), top) != _without_empty(wanted, top):
        raise InvalidJson(f"{top} is written in a form that cannot be changed")
    return made


def _without_empty(data: dict[str, Any], key: str) -> dict[str, Any]:
    """A table without members is the same as none."""
    return {name: value for name, value in data.items() if name != key or value}


def _changed(data: Any, path: tuple[str, ...], entry: dict[str, Any] | None) -> Any:
    """The data of a file with our entry, or without it: what the edited text must contain."""
    if not isinstance(data, dict):
        raise InvalidJson("it does not contain an object")
    key, *rest = path
    if rest:
        if entry is None and key not in data:
            return data
        below = data.get(key, {})
        if not isinstance(below, dict):
            raise InvalidJson(f"{key} is not an object")
        return {**data, key: _changed(below, tuple(rest), entry)}
    kept = {name: value for name, value in data.items() if name != key}
    return kept if entry is None else {**kept, key: entry}
