"""The server: an MCP server object whose handlers are a door's."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPDeprecationWarning

from boathook._version import __version__

NAME = "boathook"
TITLE = "Boathook"
DESCRIPTION = "A browser for agents: snapshots with lasting refs, actions that say what changed."
_LASTING = CacheHint(ttl_ms=3_600_000, scope="public")
"""Lists do not change while a server runs."""


class Handlers(Protocol):
    """What a server answers with; every handler gets the context and the parameters of a request."""

    @property
    def list_tools(self) -> Any:
        """All tools."""

    @property
    def call_tool(self) -> Any:
        """Run one."""

    @property
    def list_resources(self) -> Any:
        """All resources."""

    @property
    def list_resource_templates(self) -> Any:
        """Forms of addresses that can be read."""

    @property
    def read_resource(self) -> Any:
        """Read one."""

    @property
    def set_logging_level(self) -> Any:
        """Say how much of the log the client wants."""

    @property
    def list_prompts(self) -> Any:
        """All prompts."""

    @property
    def get_prompt(self) -> Any:
        """Fill one in."""


def server_of(door: Handlers, *, instructions: str, **more: Any) -> Server[Any]:
    """A server for both eras of the protocol."""
    with warnings.catch_warnings():
        # The latest protocol has it no more; clients of earlier ones ask for it.
        warnings.simplefilter("ignore", MCPDeprecationWarning)
        server: Server[Any] = Server(
            NAME,
            version=__version__,
            title=TITLE,
            description=DESCRIPTION,
            instructions=instructions,
            cache_hints={
                "tools/list": _LASTING,
                "prompts/list": _LASTING,
                "resources/list": _LASTING,
                "resources/templates/list": _LASTING,
            },
            on_list_tools=door.list_tools,
            on_call_tool=door.call_tool,
            on_list_resources=door.list_resources,
            on_list_resource_templates=door.list_resource_templates,
            on_read_resource=door.read_resource,
            on_list_prompts=door.list_prompts,
            on_get_prompt=door.get_prompt,
            on_set_logging_level=door.set_logging_level,
            **more,
        )
    # Spans for every message are nobody's wish here, and cost an import and time on each.
    server.middleware.clear()
    return server
