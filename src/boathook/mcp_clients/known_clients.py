"""The supported clients: file, format, and folder of their skills."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from pathlib import Path

Place = Literal["user", "project"]
Shape = Literal["mcpServers", "servers", "opencode", "codex"]
SERVER = "boathook"
_APP_DATA = "Library/Application Support" if sys.platform == "darwin" else ".config"


@dataclass(frozen=True, slots=True, kw_only=True)
class McpClient:
    """One program that can use boathook. Paths are relative to the user's home or to the project; empty: not supported there."""

    name: str
    title: str
    shape: Shape = "mcpServers"
    user: str = ""
    project: str = ""
    user_skills: str = ".agents/skills"
    project_skills: str = ".agents/skills"

    def config(self, place: Place) -> str:
        """The file for this place, or nothing."""
        return self.user if place == "user" else self.project

    def skills(self, place: Place) -> str:
        """The folder for skills."""
        return self.user_skills if place == "user" else self.project_skills


CLIENTS: dict[str, McpClient] = {
    client.name: client
    for client in (
        McpClient(
            name="claude",
            title="Claude Code",
            user=".claude.json",
            project=".mcp.json",
            user_skills=".claude/skills",
            project_skills=".claude/skills",
        ),
        McpClient(
            name="claude-desktop",
            title="Claude Desktop",
            user=f"{_APP_DATA}/Claude/claude_desktop_config.json",
        ),
        McpClient(
            name="codex",
            title="Codex",
            shape="codex",
            user=".codex/config.toml",
            project=".codex/config.toml",
        ),
        McpClient(
            name="copilot",
            title="Copilot CLI",
            user=".copilot/mcp-config.json",
            project_skills=".github/skills",
        ),
        McpClient(
            name="cursor",
            title="Cursor",
            user=".cursor/mcp.json",
            project=".cursor/mcp.json",
            user_skills=".cursor/skills",
            project_skills=".cursor/skills",
        ),
        McpClient(
            name="gemini",
            title="Gemini CLI",
            user=".gemini/settings.json",
            project=".gemini/settings.json",
        ),
        McpClient(
            name="kiro", title="Kiro", user=".kiro/settings/mcp.json", project=".kiro/settings/mcp.json"
        ),
        McpClient(name="lmstudio", title="LM Studio", user=".lmstudio/mcp.json"),
        McpClient(
            name="opencode",
            title="OpenCode",
            shape="opencode",
            user=".config/opencode/opencode.json",
            project="opencode.json",
        ),
        McpClient(name="qwen", title="Qwen Code", user=".qwen/settings.json", project=".qwen/settings.json"),
        McpClient(
            name="vscode",
            title="VS Code",
            shape="servers",
            user=f"{_APP_DATA}/Code/User/mcp.json",
            project=".vscode/mcp.json",
            project_skills=".github/skills",
        ),
        McpClient(name="windsurf", title="Windsurf", user=".codeium/windsurf/mcp_config.json"),
    )
}


def find_client(name: str) -> McpClient:
    """The client of this name."""
    if name not in CLIENTS:
        raise BadRequest(f"unknown client: {name!r:.40}", hint=f"use one of {', '.join(CLIENTS)}")
    return CLIENTS[name]


def config_file(client: McpClient, place: Place, *, home: Path, project: Path) -> Path:
    """The file that our server is written to."""
    relative = client.config(place)
    if not relative:
        other = "user" if place == "project" else "project"
        raise BadRequest(f"{client.title} has no {place} configuration file", hint=f"use `--place {other}`")
    return (home if place == "user" else project) / relative


def server_entry(client: McpClient, command: list[str]) -> dict[str, Any]:
    """The entry of a server that this client starts itself."""
    if client.shape == "opencode":
        return {"type": "local", "command": command, "enabled": True}
    entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
    return {"type": "stdio", **entry} if client.shape == "servers" else entry
