"""The product itself for the conformance suite: `python -m tests.mcp.conformance.product PORT`, with the token lent."""

import asyncio
import sys

from boathook.client.async_client import DaemonClient
from boathook.service.surface import Surface
from boathook.surfaces.mcp.daemon_caller import DaemonCaller
from boathook.surfaces.mcp.handlers import McpHandlers
from boathook.surfaces.mcp.http.http_server import bind_socket, guard_app, serve_http
from boathook.surfaces.mcp.instructions import instructions_for
from boathook.surfaces.mcp.start.sdk_server import server_of
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog
from tests.mcp.conformance.server import TOKEN, lending


async def main(port):
    link = DaemonClient()
    handlers = McpHandlers(
        read_tool_catalog(["full"], scripts=False), DaemonCaller(link, surface=Surface.MCP_HTTP, settings={})
    )
    with bind_socket(port) as listening:
        port = listening.getsockname()[1]
        app = guard_app(
            server_of(handlers, instructions=instructions_for(handlers.tool_catalog)), port=port, token=TOKEN
        )
        sys.stdout.write(f"http://localhost:{port}/mcp\n")
        sys.stdout.flush()
        try:
            await serve_http(lending(app), listening)
        finally:
            await link.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
