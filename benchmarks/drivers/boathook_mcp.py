"""Boathook's MCP server with its default tools, over stdio, as an agent's program uses it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import cdp as C

from .boathook_py import find_line
from .mcp_tools import MCPDriver


class BoathookMCP(MCPDriver):
    name = "boathook-mcp"
    markdown_ok = True
    tools = "core,facts,evaluate"
    snapshot_how = "as boathook, through the daemon"

    def argv(self):
        program = Path(sys.executable).with_name("boathook")
        if not program.exists():
            raise SystemExit("boathook is not installed beside this Python")
        return [str(program), "mcp", "--tools", self.tools, "--evaluate-enabled"]

    def extra_env(self):
        os.chmod(self.dir, 0o700)
        return {
            "BOATHOOK_RUNTIME_DIR": f"{self.dir}/daemon",
            "XDG_RUNTIME_DIR": self.dir,
            "XDG_STATE_HOME": f"{self.dir}/state",
            "BOATHOOK_EXECUTABLE": C.chrome_path(),
            "BOATHOOK_BOUNDARIES": "false",
        }

    async def stop(self):
        program = Path(sys.executable).with_name("boathook")
        subprocess.run(
            [program, "daemon", "stop"], env={**os.environ, **self.extra_env()}, capture_output=True
        )
        await super().stop()
        shutil.rmtree(self.dir, ignore_errors=True)

    async def open(self, url):
        await self.call("goto", url=url)

    async def evaluate(self, function):
        return await self.call("evaluate", script=function)

    async def title(self):
        return await self.evaluate("document.title")

    async def url(self):
        return (await self.call("tabs")).split()[-1]

    async def snapshot(self):
        return await self.call("snapshot")

    def resolve(self, snap, t):
        return find_line(snap, t)

    async def click(self, ref):
        return await self.call("act", kind="click", target=ref)

    async def fill(self, ref, text):
        await self.call("act", kind="fill", target=ref, value=text)

    async def type(self, ref, text):
        await self.call("act", kind="type", target=ref, text=text)

    async def select(self, ref, value, label):
        await self.call("act", kind="select", target=ref, wanted=[value])

    async def check(self, ref):
        await self.call("act", kind="check", target=ref)

    async def read(self, css):
        return await self.evaluate(f"document.querySelector({css!r}).innerText")

    async def wait_text(self, text):
        await self.call("wait", text=text)

    async def markdown(self):
        return await self.call("read")
