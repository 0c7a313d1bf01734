"""The clients that we know: which file, which shape, and where their skills lie."""

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
class Client:
    """One program that can use us. Paths are relative to the user's home or to the project; empty: it has none there."""

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


CLIENTS: dict[str, Client] = {
    one.name: one
    for one in (
        Client(
            name="claude",
            title="Claude Code",
            user=".claude.json",
            project=".mcp.json",
            user_skills=".claude/skills",
            project_skills=".claude/skills",
        ),
        Client(
            name="claude-desktop",
            title="Claude Desktop",
            user=f"{_APP_DATA}/Claude/claude_desktop_config.json",
        ),
        Client(
            name="codex",
            title="Codex",
            shape="codex",
            user=".codex/config.toml",
            project=".codex/config.toml",
        ),
        Client(
            name="copilot",
            title="Copilot CLI",
            user=".copilot/mcp-config.json",
            project_skills=".github/skills",
        ),
        Client(
            name="cursor",
            title="Cursor",
            user=".cursor/mcp.json",
            project=".cursor/mcp.json",
            user_skills=".cursor/skills",
            project_skills=".cursor/skills",
        ),
        Client(
            name="gemini",
            title="Gemini CLI",
            user=".gemini/settings.json",
            project=".gemini/settings.json",
        ),
        Client(name="kiro", title="Kiro", user=".kiro/settings/mcp.json", project=".kiro/settings/mcp.json"),
        Client(name="lmstudio", title="LM Studio", user=".lmstudio/mcp.json"),
        Client(
            name="opencode",
            title="OpenCode",
            shape="opencode",
            user=".config/opencode/opencode.json",
            project="opencode.json",
        ),
        Client(name="qwen", title="Qwen Code", user=".qwen/settings.json", project=".qwen/settings.json"),
        Client(
            name="vscode",
            title="VS Code",
            shape="servers",
            user=f"{_APP_DATA}/Code/User/mcp.json",
            project=".vscode/mcp.json",
            project_skills=".github/skills",
        ),
        Client(name="windsurf", title="Windsurf", user=".codeium/windsurf/mcp_config.json"),
    )
}


def known_client(name: str) -> Client:
    """The client of this name."""
    if name not in CLIENTS:
        raise BadRequest(f"there is no client {name!r:.40}", hint=f"there are {', '.join(CLIENTS)}")
    return CLIENTS[name]


def config_file(client: Client, place: Place, *, home: Path, project: Path) -> Path:
    """The file into which our server is written."""
    relative = client.config(place)
    if not relative:
        other = "user" if place == "project" else "project"
        raise BadRequest(f"{client.title} has no file for a {place}", hint=f"use `--place {other}`")
    return (home if place == "user" else project) / relative


def server_entry(client: Client, command: list[str]) -> dict[str, Any]:
    """How this client writes down a server that it starts itself."""
    if client.shape == "opencode":
        return {"type": "local", "command": command, "enabled": True}
    entry: dict[str, Any] = {"command": command[0], "args": command[1:]}
    return {"type": "stdio", **entry} if client.shape == "servers" else entry
