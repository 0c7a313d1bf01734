"""Mixed work on the ticket desk, as calls of a command with arguments, and the three kinds of client that do it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

import boathook
from boathook.client.start_daemon import call_daemon
from boathook.commands import catalogue
from boathook.errors import BoathookError
from boathook.service.input.command_words import command_words
from boathook.wire import messages
from boathook.wire.failures import WireFailure
from boathook.wire.socket_address import daemon_folder

if TYPE_CHECKING:
    import random
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from mcp.types import CallToolResult

SHORT_SECONDS = 1.0
"""The timeout of calls that are meant to reach it."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call."""

    command: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


Task = tuple[Step, ...]


def tasks(site: str, silent: str, closed: str) -> list[tuple[int, Task]]:
    """Tasks with weights; `silent` accepts connections and never answers, `closed` refuses them."""
    index, form = f"{site}/index.html", f"{site}/new.html"
    wait = {"timeout": SHORT_SECONDS}
    return [
        (6, (Step("goto", {"url": index}),)),
        (3, (Step("goto", {"url": form}),)),
        (8, (Step("snapshot"),)),
        (2, (Step("snapshot", {"mode": "full"}),)),
        (5, (Step("goto", {"url": index}), Step("fill", {"target": "label=Search", "value": "printer"}))),
        (5, (Step("goto", {"url": index}), Step("click", {"target": "text=Find"}))),
        (5, (Step("evaluate", {"script": "document.title"}),)),
        (3, (Step("screenshot"),)),
        (3, (Step("requests"), Step("console"))),
        (2, (Step("get_text", {"target": "h1"}),)),
        (2, (Step("run", {"code": "return await tab.title()"}),)),
        (3, (Step("tab_new", {"url": form}), Step("snapshot"), Step("tab_close"))),
        (2, (Step("session_close"), Step("goto", {"url": index}))),
        (1, (Step("cookies"), Step("set_storage", {"items": {"a": "b"}}))),
        (2, (Step("click", {"target": "text=Not on this page", **wait}),)),
        (1, (Step("wait_for", {"target": "#never", **wait}),)),
        (1, (Step("evaluate", {"script": "for (;;) {}", **wait}),)),
        (1, (Step("goto", {"url": closed, **wait}),)),
        (1, (Step("goto", {"url": silent, **wait}),)),
        (1, (Step("click", {"target": "@e99999"}),)),
        (1, (Step("evaluate", {"script": "throw new Error('no')"}),)),
        (1, (Step("run", {"code": "while True: pass", **wait}),)),
    ]


def pick(weighted: list[tuple[int, Task]], chance: random.Random) -> Task:
    """One of them at random."""
    weights = [weight for weight, _ in weighted]
    return chance.choices([task for _, task in weighted], weights)[0]


class Worker(Protocol):
    """A client that makes calls in a session."""

    kind: str

    async def call(self, step: Step, *, session: str) -> str:
        """Make the call; returns the code of its error, or nothing."""


class CommandLine:
    """Command lines, over the socket of the daemon."""

    kind = "command line"

    def __init__(self, work: Path) -> None:
        self._work = str(work)
        self._commands = catalogue()

    async def call(self, step: Step, *, session: str) -> str:
        """Make the call; returns the code of its error, or nothing."""
        words = command_words(self._commands[step.command], step.arguments)
        call = messages.call(
            "1",
            argv=["--json", "--session", session, *words],
            cwd=self._work,
            terminal=messages.terminal(is_tty=False, columns=80, colour=False),
            environment={},
            stdin=None,
            owner=messages.owner(pid=os.getpid(), start_time=None),
        )
        try:
            reply = await asyncio.to_thread(call_daemon, daemon_folder(), call)
        except WireFailure as failure:
            return failure.code
        if not reply.exit:
            return ""
        return str(json.loads(reply.out)["error"]["code"])


class PythonApi:
    """`boathook.connect()`, one connection for all sessions."""

    kind = "Python"

    def __init__(self) -> None:
        self._remotes: dict[str, boathook.Remote] = {}

    async def call(self, step: Step, *, session: str) -> str:
        """Make the call; returns the code of its error, or nothing."""
        if session not in self._remotes:
            self._remotes[session] = boathook.connect(session=session)
        try:
            await self._remotes[session].run(step.command, **step.arguments)
        except BoathookError as error:
            return error.code
        return ""

    async def close(self) -> None:
        """Disconnect."""
        for remote in self._remotes.values():
            await remote.disconnect()


class McpClient:
    """An MCP client with a stdio server."""

    kind = "MCP"

    def __init__(self, client: Client, tools: frozenset[str]) -> None:
        self._client = client
        self._tools = tools

    async def call(self, step: Step, *, session: str) -> str:
        """Make the call; returns the code of its error, or nothing."""
        if step.command not in self._tools:
            return ""
        answer = await self._client.call_tool(step.command, {**step.arguments, "session": session})
        return _code_of(answer)


def _code_of(answer: CallToolResult) -> str:
    if not answer.is_error:
        return ""
    text = "\n".join(part.text for part in answer.content if part.type == "text")
    found = re.search(r"^error: .*\[(\w+)\]$", text, re.MULTILINE)
    return found[1] if found else f"untyped: {text[:200]}"


@asynccontextmanager
async def mcp_client(work: Path) -> AsyncIterator[McpClient]:
    """A client with a separate server, which has all tools."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "boathook", "mcp", "--tools", "full"],
        env=dict(os.environ),
        cwd=work,
    )
    async with Client(stdio_client(server)) as client:
        listed = await client.list_tools()
        yield McpClient(client, frozenset(tool.name for tool in listed.tools))
