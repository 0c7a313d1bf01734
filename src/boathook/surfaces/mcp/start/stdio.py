"""Serving one client on standard input and output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mcp.server.stdio import stdio_server

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server


async def serve_stdio(server: Server[Any]) -> None:
    """Serve until the client closes its end."""
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
