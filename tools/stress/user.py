"""A user with an empty home who works on a site, with command lines and through an MCP server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.commands import catalogue
from boathook.service.input.command_words import command_words
from tools.stress.processes import processes_of

if TYPE_CHECKING:
    from pathlib import Path

    from tools.stress.processes import Kind
    from tools.stress.work import Step

PATIENCE_SECONDS = 60.0
LINE_LIMIT = 1 << 26
PROTOCOL = "2025-06-18"
SERVER_GONE = "the server exited"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a call ended."""

    words: tuple[str, ...]
    out: str
    err: str
    code: int
    """The exit status of a command line; 1 for a failed MCP call."""
    seconds: float

    @property
    def said(self) -> str:
        """Both streams."""
        return self.out + self.err

    @property
    def was_killed(self) -> bool:
        """Whether the process that made the call was."""
        return self.code == -signal.SIGKILL

    def has_code(self, codes: tuple[str, ...]) -> bool:
        """Whether it failed with one of these errors."""
        return any(f"[{code}]" in self.said for code in codes)

    def __str__(self) -> str:
        return f"{' '.join(self.words)} ended with {self.code} after {self.seconds:.2f} s: {self.said.strip()[:500]}"


class McpServer:
    """An MCP server over stdio, and its only client."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._number = 0

    @classmethod
    async def start(cls, *, cwd: Path, environment: dict[str, str]) -> McpServer:
        """Start one and greet it."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "boathook", "mcp", "--tools", "full",
            cwd=cwd, env=environment, limit=LINE_LIMIT,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        server = cls(process)
        hello = {
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "stress", "version": "1"},
        }
        if "result" in await server._ask("initialize", hello):
            server._send({"method": "notifications/initialized"})
        return server

    @property
    def is_running(self) -> bool:
        """Whether it can be called."""
        return self._process.returncode is None

    async def call(self, step: Step) -> Ended:
        """Call one tool."""
        began = time.monotonic()
        answer = await self._ask("tools/call", {"name": step.command, "arguments": dict(step.arguments)})
        result = answer.get("result", {})
        text = "\n".join(part.get("text", "") for part in result.get("content", ()))
        failure = json.dumps(answer["error"]) if "error" in answer else ""
        status = 1 if failure or result.get("isError") else 0
        return Ended(
            words=("mcp", step.command, json.dumps(dict(step.arguments))),
            out=text,
            err=failure,
            code=-signal.SIGKILL if SERVER_GONE in failure else status,
            seconds=time.monotonic() - began,
        )

    async def close(self) -> None:
        """End it by closing its input, as clients do."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": parameters})
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._answer(self._number)
        except TimeoutError:
            return {"error": {"message": "it hung"}}

    def _send(self, message: dict[str, Any]) -> None:
        if self._process.stdin is not None:
            with suppress(OSError, RuntimeError):
                self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def _answer(self, number: int) -> dict[str, Any]:
        if self._process.stdout is None:
            raise AssertionError("unreachable: it has a pipe")
        while (line := await self._process.stdout.readline()).endswith(
            b"\n"
        ):  # a killed server may leave a part of one
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number:
                return message
        await self._process.wait()
        return {"error": {"message": SERVER_GONE}}


class User:
    """Calls of one user, and the processes that they started."""

    def __init__(self, home: Path, site: str) -> None:
        self.home = home
        self.runtime = home / "run" / "boathook"
        self.kept = home / ".local/state/boathook"
        self.temporary = home / "tmp"
        self.site = site
        for folder in (home / "run", home / "work", self.temporary):
            folder.mkdir(mode=0o700)
        settings = home / ".config/boathook"
        settings.mkdir(parents=True)
        (settings / "boathook.toml").write_text("scripts_enabled = true\nevaluate_enabled = true\n")
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("BOATHOOK_", "XDG_"))
        }
        self.environment |= {
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home / "run"),
            "TMPDIR": str(self.temporary),
        }
        self.client: asyncio.subprocess.Process | None = None
        """The running command line."""
        self._commands = catalogue()
        self._server: McpServer | None = None

    async def do(self, step: Step, *, through_mcp: bool = False) -> Ended:
        """Make one call; a server that was killed is started again by the next."""
        if not through_mcp:
            return await self.type(*command_words(self._commands[step.command], step.arguments))
        if self._server is None or not self._server.is_running:
            self._server = await McpServer.start(cwd=self.home / "work", environment=self.environment)
        return await self._server.call(step)

    async def type(self, *argv: str) -> Ended:
        """Run one command line."""
        began = time.monotonic()
        self.client = client = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "boathook", *argv,
            cwd=self.home / "work", env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                out, err = await client.communicate()
        except TimeoutError:
            client.kill()
            out, err = b"", b"it hung"
            await client.wait()
        return Ended(
            words=argv,
            out=out.decode(errors="replace"),
            err=err.decode(errors="replace"),
            code=client.returncode if client.returncode is not None else -1,
            seconds=time.monotonic() - began,
        )

    def find(self, kind: Kind) -> list[int]:
        """Running processes of this kind."""
        if kind == "client":
            return [self.client.pid] if self.client is not None and self.client.returncode is None else []
        return [process.pid for process in processes_of(self.home) if process.kind == kind]

    async def close_server(self) -> None:
        """Close the MCP server, if there is one."""
        server, self._server = self._server, None
        if server is not None:
            await server.close()

    async def close(self) -> None:
        """Kill all processes of this user, and no others."""
        await self.close_server()
        await self.type("daemon", "stop")
        for process in processes_of(self.home):
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
