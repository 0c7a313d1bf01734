"""The MCP server object and its handlers."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

from mcp.server.caching import CacheHint
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPDeprecationWarning

from boathook._version import __version__

NAME = "boathook"
TITLE = "Boathook"
DESCRIPTION = "A browser for agents: snapshots with stable refs, actions that report what changed."
_LASTING = CacheHint(ttl_ms=3_600_000, scope="public")
"""Lists do not change while the server is running."""


class Handlers(Protocol):
    """The handlers of a server; each receives the context and parameters of a request."""

    @property
    def list_tools(self) -> Any:
        """List all tools."""

    @property
    def call_tool(self) -> Any:
        """Run a tool."""

    @property
    def list_resources(self) -> Any:
        """List all resources."""

    @property
    def list_resource_templates(self) -> Any:
        """List resource templates."""

    @property
    def read_resource(self) -> Any:
        """Read a resource."""

    @property
    def set_logging_level(self) -> Any:
        """Set the log level."""

    @property
    def list_prompts(self) -> Any:
        """List all prompts."""

    @property
    def get_prompt(self) -> Any:
        """Get a prompt."""


def server_of(handlers: Handlers, *, instructions: str, **more: Any) -> Server[Any]:
    """A server for both versions of the protocol."""
    with warnings.catch_warnings():
        # The latest protocol no longer has it; clients of earlier ones request it.
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
            on_list_tools=handlers.list_tools,
            on_call_tool=handlers.call_tool,
            on_list_resources=handlers.list_resources,
            on_list_resource_templates=handlers.list_resource_templates,
            on_read_resource=handlers.read_resource,
            on_list_prompts=handlers.list_prompts,
            on_get_prompt=handlers.get_prompt,
            on_set_logging_level=handlers.set_logging_level,
            **more,
        )
    # Spans for every message are not needed, and cost an import and time on each.
    server.middleware.clear()
    return server
