"""Writes the files with which other programs find and install Boathook: plug-in manifests, the registry entry, the skill.

`--check` writes nothing and fails when a file is not current.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from boathook._version import __version__
from boathook.mcp_clients.client_setup import SKILL

ROOT = Path(__file__).parent.parent
NAME = "boathook"
REGISTRY_NAME = "io.github.boathook/boathook"
TITLE = "Boathook"
WHAT = "The browser for AI agents: pages as short text with stable refs, actions that report what changed."
SERVER = {"command": "uvx", "args": ["boathook", "mcp"]}
KEYWORDS = ["browser", "automation", "agents", "mcp", "chromium"]


def plugin(**more: Any) -> dict[str, Any]:
    """The metadata that all plug-in formats share."""
    about = {"name": NAME, "version": __version__, "description": WHAT, "license": "Apache-2.0"}
    return {**about, "keywords": KEYWORDS, **more}


def files() -> dict[Path, str]:
    """Every file with its content."""
    servers = {"mcpServers": {NAME: SERVER}}
    made: dict[str, Any] = {
        ".mcp.json": servers,
        "mcp.json": {"mcpServers": {NAME: {"type": "stdio", **SERVER}}},
        "plugin.json": plugin(),
        ".plugin/plugin.json": plugin(),
        ".claude-plugin/plugin.json": plugin(skills="./skills", mcpServers="./.mcp.json"),
        ".claude-plugin/marketplace.json": {
            "name": NAME,
            "owner": {"name": TITLE},
            "plugins": [{"name": NAME, "source": "./", "description": WHAT, "version": __version__}],
        },
        ".codex-plugin/plugin.json": plugin(skills="./skills", mcpServers="./.mcp.json"),
        ".cursor-plugin/plugin.json": plugin(displayName=TITLE),
        "gemini-extension.json": {"name": NAME, "version": __version__, "description": WHAT, **servers},
        "server.json": {
            "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
            "name": REGISTRY_NAME,
            "title": TITLE,
            "description": WHAT,
            "version": __version__,
            "packages": [
                {
                    "registryType": "pypi",
                    "identifier": NAME,
                    "version": __version__,
                    "runtimeHint": "uvx",
                    "packageArguments": [{"type": "positional", "value": "mcp"}],
                    "transport": {"type": "stdio"},
                }
            ],
        },
    }
    texts = {ROOT / name: json.dumps(content, indent=2) + "\n" for name, content in made.items()}
    return texts | {ROOT / "skills" / NAME / "SKILL.md": SKILL}


def main() -> int:
    """Write or check."""
    stale = {path: text for path, text in files().items() if not path.is_file() or path.read_text() != text}
    if "--check" in sys.argv:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(ROOT)} is not current: run make gen\n")
        return 1 if stale else 0
    for path, text in stale.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
