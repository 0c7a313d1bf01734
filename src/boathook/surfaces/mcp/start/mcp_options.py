"""The command-line options of `boathook mcp`."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import AddressValueError, IPv4Address
from typing import Any

from boathook.errors import BadRequest
from boathook.local_server.guard import HOST
from boathook.service.input.command_line import setting_value
from boathook.settings import SETTINGS

USAGE = """\
usage: boathook mcp [options]

  --tools SETS         core (default), full, argv, single, direct, named, scripted; or families and tools: core,storage,evaluate
  --session NAME       use this session, which outlives the client (default: one session per client)
  --agent ID           use the settings for this agent in boathook.toml
  --structured         also return results as structured content, with output schemas: for programs, not for models
  --http               serve HTTP on 127.0.0.1 instead of stdio
  --port N             the HTTP port (default: a free one)
  --host IP            listen on this IP address instead, in containers: 0.0.0.0; requires BOATHOOK_MCP_TOKEN
  --allow-host NAME    accept this Host header too, as NAME or NAME:PORT (default: names of this machine's loopback)
  --allow-origin URL   allow requests from this web origin (default: none)

Settings of every command, such as --headed, --cdp and --timeout, apply to all calls.
"""
_LISTS = {"--tools": "tools", "--allow-origin": "origins", "--allow-host": "hosts"}
_HIGHEST_PORT = 65_535


@dataclass(slots=True)
class McpOptions:
    """The parsed command line."""

    tools: list[str] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    agent: str = ""
    http: bool = False
    port: int = 0
    host: str = HOST
    help: bool = False


def read_options(argv: list[str]) -> McpOptions:
    """Parse the arguments after `mcp`; BadRequest names an invalid one."""
    options, words = McpOptions(), list(argv)
    while words:
        name, equals, value = words.pop(0).partition("=")
        if name in {"--help", "-h"}:
            options.help = True
        elif name == "--http":
            options.http = True
        else:
            if not equals and not _is_flag(name):
                value = _next(name, words)
            _take(options, name, value)
    options.tools = options.tools or ["core"]
    return options


def _is_flag(name: str) -> bool:
    setting = SETTINGS.get(_setting_name(name))
    return setting is not None and setting.kind == "flag"


def _setting_name(name: str) -> str:
    return name.removeprefix("--no-").removeprefix("--").replace("-", "_")


def _next(name: str, words: list[str]) -> str:
    if name == "call":
        raise BadRequest(
            "mcp call is not supported: each command line is already one call",
            hint="`--json COMMAND …`",
        )
    if not name.startswith("--"):
        raise BadRequest(f"mcp: unexpected argument {name!r}", hint="`mcp --help`")
    if not words:
        raise BadRequest(f"mcp: {name} requires a value", hint="`mcp --help`")
    return words.pop(0)


def _take(options: McpOptions, name: str, value: str) -> None:
    if name in _LISTS:
        getattr(options, _LISTS[name]).extend(part.strip() for part in value.split(",") if part.strip())
    elif name == "--agent":
        options.agent = value
    elif name == "--host":
        options.host = str(_ip_address(value))
    elif name == "--port":
        if not value.isdigit() or int(value) > _HIGHEST_PORT:
            raise BadRequest(f"mcp: invalid port: {value[:20]!r} (0 to {_HIGHEST_PORT})")
        options.port = int(value)
    elif (setting := SETTINGS.get(_setting_name(name))) is not None and setting.name != "json":
        plain = value or ("false" if name.startswith("--no-") else "true")
        options.settings[setting.name] = setting_value(setting, plain if setting.kind == "flag" else value)
    else:
        raise BadRequest(f"mcp: unknown option {name[:40]}", hint="`mcp --help`")


def _ip_address(value: str) -> IPv4Address:
    try:
        return IPv4Address(value)
    except AddressValueError:
        raise BadRequest(
            f"mcp: invalid IP address: {value[:40]!r} (use 0.0.0.0 or another IPv4 address)"
        ) from None
