"""The MCP surfaces of the scenario: each line is a call of the tool for its command."""

import shlex
from contextlib import AsyncExitStack

from boathook.commands import catalogue
from boathook.service.input.command_line import read_line, table_of
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog
from tests.mcp.clients import Home, code_of, http_client, text_of
from tests.mcp.conftest import stop

OPTIONS = ("--tools", "full,argv", "--evaluate-enabled")


class McpStdioSurface:
    """A real client with a server on standard input and output."""

    def __init__(self, folder):
        self._home = Home(folder)
        self._home.configure(f'output_roots = ["{folder}"]\n')
        self._table = table_of(catalogue())
        tools = list(read_tool_catalog(["full"], scripts=True))
        # A tool of its own comes before one that stands for several commands.
        self._tools = {
            command: (tool, kind)
            for tool in sorted(tools, key=lambda tool: "" in tool.kinds)
            for kind, command in tool.kinds.items()
        }
        self._open = AsyncExitStack()

    async def __aenter__(self):
        self._client = await self._open.enter_async_context(self._home.client(*OPTIONS))
        return self

    async def __aexit__(self, *_):
        await self._open.aclose()
        stop(self._home)

    async def run(self, lines):
        return [await self._one(shlex.split(line)) for line in lines]

    async def _one(self, argv):
        line = read_line(argv, self._table)
        tool, kind = self._tools.get(line.command.name, (None, ""))
        if tool is None or not set(line.arguments) <= set(tool.parameters):
            # One line that means one of several commands: only words can say it.
            answer = await self._client.call_tool("agent_browser", {"args": argv})
        else:
            given = {**line.arguments, **line.settings, **({"kind": kind} if kind else {})}
            answer = await self._client.call_tool(
                tool.name, {name: _plain(part) for name, part in given.items()}
            )
        return text_of(answer), code_of(answer)


class McpHttpSurface(McpStdioSurface):
    """The same over HTTP, with a client that still begins with a handshake."""

    async def __aenter__(self):
        served = self._home.http_server(*OPTIONS, "--allow-private")
        url, token = await self._open.enter_async_context(served)
        self._client = await self._open.enter_async_context(http_client(url, token, mode="legacy"))
        return self


def _plain(value):
    return value if isinstance(value, str | int | float | bool | list | dict) else str(value)
