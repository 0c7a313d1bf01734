"""The product itself for the conformance suite: `python -m tests.mcp.conformance.product PORT`, with the token lent."""

import asyncio
import sys

from boathook.client.async_client import DaemonLink
from boathook.surfaces.mcp.daemon_caller import Caller
from boathook.surfaces.mcp.handlers import Door
from boathook.surfaces.mcp.http.http_server import bound, guarded, serve_http
from boathook.surfaces.mcp.instructions import instructions_for
from boathook.surfaces.mcp.start.sdk_server import server_of
from boathook.surfaces.mcp.tool_catalog import read_toolbox
from tests.mcp.conformance.server import TOKEN, lending


async def main(port):
    link = DaemonLink()
    door = Door(read_toolbox(["full"], scripts=False), Caller(link, door="mcp http", settings={}))
    with bound(port) as listening:
        port = listening.getsockname()[1]
        app = guarded(server_of(door, instructions=instructions_for(door.toolbox)), port=port, token=TOKEN)
        sys.stdout.write(f"http://localhost:{port}/mcp\n")
        sys.stdout.flush()
        try:
            await serve_http(lending(app), listening)
        finally:
            await link.close()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
