"""The supported clients: file, place of the servers in it, and folder of their skills."""

from __future__ import annotations

import os
import re
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Place = Literal["user", "project"]
Entry = Literal["plain", "typed", "opencode", "goose"]
SERVER = "boathook"
_APP_DATA = "Library/Application Support" if sys.platform == "darwin" else "{XDG_CONFIG_HOME:.config}"
_FORMATS = {".json": "json", ".toml": "toml", ".yaml": "yaml"}
_VARIABLE = re.compile(r"\{(\w+):([^}]*)\}")
_FIRST_ANSWER_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class McpClient:
    """One program that can use boathook.

    Paths are relative to the user's home or to the project; `{NAME:folder}` stands for the folder that a variable names.
    An empty path: not supported there.
    """

    name: str
    title: str
    servers: tuple[str, ...] = ("mcpServers",)
    """The keys that lead to the servers in the file."""
    entry: Entry = "plain"
    user: str = ""
    project: str = ""
    user_skills: str = ".agents/skills"
    project_skills: str = ".agents/skills"
    programs: tuple[str, ...] = ()
    """Names of the program on PATH."""
    marks: tuple[str, ...] = ()
    """Folders in the home that show that it is installed, besides that of its configuration."""

    def config(self, place: Place) -> str:
        """The file for this place, or nothing."""
        return self.user if place == "user" else self.project

    def skills(self, place: Place) -> str:
        """The folder for skills."""
        return self.user_skills if place == "user" else self.project_skills

    @property
    def format(self) -> str:
        """How its files are written."""
        return _FORMATS[os.path.splitext(self.user)[1]]  # noqa: PTH122


CLIENTS: dict[str, McpClient] = {
    client.name: client
    for client in (
        McpClient(
            name="claude",
            title="Claude Code",
            user="{CLAUDE_CONFIG_DIR:}/.claude.json",
            project=".mcp.json",
            user_skills="{CLAUDE_CONFIG_DIR:.claude}/skills",
            project_skills=".claude/skills",
            programs=("claude",),
            marks=(".claude", ".claude.json"),
        ),
        McpClient(
            name="claude-desktop",
            title="Claude Desktop",
            user=f"{_APP_DATA}/Claude/claude_desktop_config.json",
            programs=("claude-desktop",),
        ),
        McpClient(
            name="cline",
            title="Cline",
            user=".cline/data/settings/cline_mcp_settings.json",
            programs=("cline",),
            marks=(".cline",),
        ),
        McpClient(
            name="codex",
            title="Codex",
            servers=("mcp_servers",),
            user="{CODEX_HOME:.codex}/config.toml",
            project=".codex/config.toml",
            programs=("codex",),
        ),
        McpClient(
            name="copilot",
            title="Copilot CLI",
            user=".copilot/mcp-config.json",
            project_skills=".github/skills",
            programs=("copilot",),
        ),
        McpClient(
            name="cursor",
            title="Cursor",
            user=".cursor/mcp.json",
            project=".cursor/mcp.json",
            user_skills=".cursor/skills",
            project_skills=".cursor/skills",
            programs=("cursor", "cursor-agent"),
        ),
        McpClient(
            name="gemini",
            title="Gemini CLI",
            user=".gemini/settings.json",
            project=".gemini/settings.json",
            programs=("gemini",),
        ),
        McpClient(
            name="goose",
            title="Goose",
            servers=("extensions",),
            entry="goose",
            user="{XDG_CONFIG_HOME:.config}/goose/config.yaml",
            programs=("goose",),
        ),
        McpClient(
            name="kiro",
            title="Kiro",
            user=".kiro/settings/mcp.json",
            project=".kiro/settings/mcp.json",
            programs=("kiro", "kiro-cli"),
            marks=(".kiro",),
        ),
        McpClient(name="lmstudio", title="LM Studio", user=".lmstudio/mcp.json", programs=("lms",)),
        McpClient(
            name="openclaw",
            title="OpenClaw",
            servers=("mcp", "servers"),
            user="{OPENCLAW_STATE_DIR:.openclaw}/openclaw.json",
            user_skills="{OPENCLAW_STATE_DIR:.openclaw}/skills",
            programs=("openclaw",),
        ),
        McpClient(
            name="opencode",
            title="OpenCode",
            servers=("mcp",),
            entry="opencode",
            user="{XDG_CONFIG_HOME:.config}/opencode/opencode.json",
            project="opencode.json",
            programs=("opencode",),
        ),
        McpClient(
            name="qwen",
            title="Qwen Code",
            user=".qwen/settings.json",
            project=".qwen/settings.json",
            programs=("qwen",),
        ),
        McpClient(
            name="vscode",
            title="VS Code",
            servers=("servers",),
            entry="typed",
            user=f"{_APP_DATA}/Code/User/mcp.json",
            project=".vscode/mcp.json",
            project_skills=".github/skills",
            programs=("code",),
        ),
        McpClient(
            name="windsurf",
            title="Windsurf",
            user=".codeium/windsurf/mcp_config.json",
            programs=("windsurf",),
        ),
        McpClient(
            name="zed",
            title="Zed",
            servers=("context_servers",),
            user="{XDG_CONFIG_HOME:.config}/zed/settings.json",
            project=".zed/settings.json",
            programs=("zed", "zeditor"),
        ),
    )
}


def find_client(name: str) -> McpClient:
    """The client of this name."""
    if name not in CLIENTS:
        raise BadRequest(f"unknown client: {name!r:.40}", hint=f"use one of {', '.join(CLIENTS)}")
    return CLIENTS[name]


def place_of(path: str, *, base: Path, environment: Mapping[str, str]) -> Path:
    """A path of the table, below the base or in the folder that a variable names."""

    def folder(match: re.Match[str]) -> str:
        named = environment.get(match[1], "")
        return named if named.startswith("/") else str(base / match[2])

    return base / _VARIABLE.sub(folder, path)


def config_file(
    client: McpClient, place: Place, *, home: Path, project: Path, environment: Mapping[str, str]
) -> Path:
    """The file that our server is written to."""
    relative = client.config(place)
    if not relative:
        other = "user" if place == "project" else "project"
        raise BadRequest(f"{client.title} has no {place} configuration file", hint=f"use `--place {other}`")
    return place_of(relative, base=home if place == "user" else project, environment=environment)


def is_installed(client: McpClient, *, home: Path, environment: Mapping[str, str]) -> bool:
    """Whether its program is on PATH, or it has left a configuration in the home."""
    path = environment.get("PATH", os.defpath)
    if any(shutil.which(program, path=path) for program in client.programs):
        return True
    own = place_of(client.user, base=home, environment=environment).parent
    return (own != home and own.is_dir()) or any((home / mark).exists() for mark in client.marks)


def server_entry(client: McpClient, command: list[str]) -> dict[str, Any]:
    """The entry of a server that this client starts itself."""
    program, *arguments = command
    if client.entry == "opencode":
        return {"type": "local", "command": command, "enabled": True}
    if client.entry == "goose":
        return {
            "enabled": True,
            "type": "stdio",
            "name": SERVER,
            "cmd": program,
            "args": arguments,
            "envs": {},
            "timeout": _FIRST_ANSWER_SECONDS * 5,
        }
    entry: dict[str, Any] = {"command": program, "args": arguments}
    return {"type": "stdio", **entry} if client.entry == "typed" else entry
