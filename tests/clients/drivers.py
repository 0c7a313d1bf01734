"""What a client is to this harness: how it is installed, configured and started."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.clients.installing import path_with_node

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.clients.installing import NpmPackage, PythonPackages

ROOT = Path(__file__).parents[2]
KEY = "key-of-the-scripted-model"
MCP_SERVER = """#!/bin/sh
# Boathook as the client's MCP server, with the client's environment; its answers are also kept in a file.
'{boathook}' mcp {options} | tee -a '{log}'
"""


@dataclass(frozen=True)
class Place:
    """A home for one run of one client."""

    home: Path
    model_origin: str

    @property
    def work(self) -> Path:
        return self.home / "work"

    @property
    def mcp_log(self) -> Path:
        return self.home / "mcp-answers.jsonl"

    @property
    def mcp_server(self) -> str:
        return str(self.home / "mcp-server")

    @property
    def environment(self) -> dict[str, str]:
        """Only what every shell has, so that no setting of the machine gets in."""
        return {
            "PATH": path_with_node(),
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "TMPDIR": str(self.home / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
        }

    def prepare(self, *, server_options: Sequence[str] = ()) -> None:
        """Make the folders, and the program that clients start as their MCP server."""
        for folder in (self.work, self.home / "tmp"):
            folder.mkdir()
        (self.home / "run").mkdir(mode=0o700)
        server = Path(self.mcp_server)
        text = MCP_SERVER.format(
            boathook=ROOT / ".venv/bin/boathook",
            options=" ".join(server_options),
            log=self.mcp_log,
        )
        server.write_text(text)
        server.chmod(0o755)

    def write_json(self, path: str, data: dict[str, Any]) -> Path:
        """Write a file of settings into the home."""
        return self.write_text(path, json.dumps(data, indent=1))

    def write_text(self, path: str, text: str) -> Path:
        file = self.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


@dataclass(frozen=True)
class Start:
    """A command line, and the variables that it needs besides the usual ones."""

    arguments: list[str]
    variables: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Client:
    """A program or library that offers the tools of MCP servers to a model."""

    name: str
    api: str
    package: NpmPackage | PythonPackages
    start: Callable[[Place], Start]
    server_options: tuple[str, ...] = ()
    """Options of `boathook mcp`."""
    no_image: str = ""
    """Why the model is not sent images, when that is known of this client."""

    def latest(self) -> Client:
        return replace(self, package=self.package.latest())

    def command(self, place: Place) -> tuple[list[str], dict[str, str]]:
        start = self.start(place)
        return [*self.package.argv, *start.arguments], {**place.environment, **start.variables}


def dead_proxies() -> dict[str, str]:
    """Variables that send all traffic except loopback to a closed port, for machines without namespaces."""
    closed = "http://127.0.0.1:9"
    return {
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), closed),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost"),
    }


def server_entry(place: Place, **more: Any) -> dict[str, Any]:
    """The usual entry of an MCP server in JSON settings."""
    return {"mcpServers": {"boathook": {"command": place.mcp_server, "args": [], **more}}}
