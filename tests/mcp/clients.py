"""Real clients of the official kind, for a server of one test's own."""

import asyncio
import os
import re
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from rs_bpe.bpe import openai

ERAS = ("auto", "legacy")
"""Clients that speak the present protocol, and those that still begin with a handshake."""


class Home:
    """An empty home with a separate daemon, which ends with `stop`."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.work = self.folder / "work"
        self.work.mkdir()
        runtime = self.folder / "run"
        runtime.mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "HOME": str(self.folder)}
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def configure(self, text):
        """Write the user's own file."""
        folder = self.folder / ".config" / "boathook"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "boathook.toml").write_text(text)

    def command(self, *argv):
        return [sys.executable, "-m", "boathook", *argv]

    def say(self, *argv):
        """Run one command line; both streams and the exit status."""
        return subprocess.run(
            self.command(*argv),
            cwd=self.work,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    @asynccontextmanager
    async def client(self, *options, mode="auto", variables=None, **more):
        """A client with a separate stdio server."""
        program, *argv = self.command("mcp", *options)
        server = StdioServerParameters(
            command=program, args=argv, env={**self.environment, **(variables or {})}, cwd=self.work
        )
        async with Client(stdio_client(server), mode=mode, **more) as client:
            yield client

    @asynccontextmanager
    async def http_server(self, *options, **variables):
        """A server over HTTP: its URL and its token."""
        server = await asyncio.create_subprocess_exec(
            *self.command("mcp", "--http", *options),
            env={**self.environment, **variables},
            cwd=self.work,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            said = (await server.stderr.readline()).decode()
            url, _, where = said.removeprefix("serving ").strip().partition("; the token is ")
            yield url, variables.get("BOATHOOK_MCP_TOKEN") or await asyncio.to_thread(Path(where).read_text)
        finally:
            server.terminate()
            await server.wait()


@asynccontextmanager
async def http_client(url, token, *, mode="auto", **more):
    """A client over HTTP that shows its token."""
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=120) as sender,
        Client(streamable_http_client(url, http_client=sender), mode=mode, **more) as client,
    ):
        yield client


def text_of(result):
    """What a model reads."""
    return "\n".join(part.text for part in result.content if part.type == "text")


def code_of(result):
    """The code of the error, as the text says it; nothing when it went well."""
    told = re.search(r"^error: .*\[(\w+)\]$", text_of(result), re.MULTILINE) if result.is_error else None
    return told[1] if told else ""


def tab_of(result):
    """The id of the tab that `open` has opened."""
    return re.search(r"^(t\d+) ", text_of(result), re.MULTILINE)[1]


def session_of(result):
    """The session that a call has started."""
    return re.search(r"^session: (\S+)$", text_of(result), re.MULTILINE)[1]


class Lasting:
    """A client in a separate task, so that it can be opened in one place and closed in another."""

    def __init__(self, opened):
        self._closing = asyncio.Event()
        self._ready = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(opened))

    async def _live(self, opened):
        async with opened as client:
            self._ready.set_result(client)
            await self._closing.wait()

    async def client(self):
        await asyncio.wait({self._task, self._ready}, return_when=asyncio.FIRST_COMPLETED)
        return self._ready.result() if self._ready.done() else self._task.result()

    async def close(self):
        self._closing.set()
        await self._task


async def eventually(ask, *, named, seconds=30):
    """Wait until what is asked for is so; asking is a call itself."""
    try:
        async with asyncio.timeout(seconds):
            while not await ask():
                pass
    except TimeoutError:
        raise AssertionError(f"not within {seconds} s: {named}") from None


def tokens(text):
    """The number of tokens of some text, counted with o200k_base."""
    return len(openai.o200k_base().encode(text))
