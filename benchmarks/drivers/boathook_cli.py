"""Boathook's command line, one process per command, as an agent's shell tool uses it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import cdp as C
import psutil

from .base import Driver, Target
from .boathook_py import find_line


class BoathookCLI(Driver):
    name = "boathook-cli"
    surface = "cli"
    markdown_ok = True
    snapshot_how = "as boathook, through the daemon"

    def check_installed(self) -> None:
        if not Path(sys.executable).with_name("boathook").exists():
            raise SystemExit("boathook is not installed beside this Python")

    async def start(self) -> None:
        self.bin = str(Path(sys.executable).with_name("boathook"))
        self.dir = tempfile.mkdtemp(prefix="bench-bh-")
        os.chmod(self.dir, 0o700)
        self._env = {
            **os.environ,
            "BOATHOOK_RUNTIME_DIR": f"{self.dir}/daemon",
            "XDG_RUNTIME_DIR": self.dir,
            "XDG_STATE_HOME": f"{self.dir}/state",
            "BOATHOOK_EXECUTABLE": C.chrome_path(),
            "BOATHOOK_BOUNDARIES": "false",
        }

    async def stop(self) -> None:
        try:
            await self.run("daemon", "stop")
        finally:
            shutil.rmtree(self.dir, ignore_errors=True)

    async def run(self, *args: str, given: str | None = None) -> str:
        p = await asyncio.create_subprocess_exec(
            self.bin,
            *args,
            env=self._env,
            stdin=asyncio.subprocess.DEVNULL if given is None else asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await p.communicate(given.encode() if given is not None else None)
        if p.returncode:
            raise RuntimeError(f"{args[:2]}: {err.decode()[:300]} {out.decode()[:200]}")
        return out.decode()

    async def open(self, url: str) -> None:
        await self.run("open", url)

    async def title(self) -> str:
        return (await self.run("get", "title")).strip()

    async def url(self) -> str:
        return (await self.run("get", "url")).strip()

    async def snapshot(self) -> str:
        return await self.run("snapshot", "--mode", "full", "--budget", "1000000", "--no-fold")

    async def snapshot_default(self) -> str:
        return await self.run("snapshot")

    async def evaluate(self, function: str):
        return await self.run("eval", f"({function})()")

    def resolve(self, snap: str, t: Target):
        return find_line(snap, t)

    async def click(self, ref) -> None:
        await self.run("click", ref)

    async def fill(self, ref, text: str) -> None:
        await self.run("fill", ref, text)

    async def type(self, ref, text: str) -> None:
        await self.run("type", ref, text)

    async def select(self, ref, value: str, label: str) -> None:
        await self.run("select", ref, value)

    async def check(self, ref) -> None:
        await self.run("check", ref)

    async def wait_text(self, text: str) -> None:
        await self.run("wait", "--text", text)

    async def read(self, css: str) -> str:
        return (await self.run("get", "text", css)).strip()

    async def screenshot(self, full: bool = False) -> int:
        path = f"{self.dir}/s.png"
        await self.run("screenshot", path, *(["--full"] if full else []))
        return Path(path).stat().st_size

    async def markdown(self) -> str:
        return await self.run("read", "--limit", "1000000")

    async def batch(self, steps: list[list[str]]) -> list[str]:
        """Several commands in one process; the text of each answer."""
        out = await self.run("--json", "batch", "--bail", given=json.dumps(steps))
        return [step["text"] for step in json.loads(out)["data"]]

    def roots(self) -> list[int]:
        found = []
        for p in psutil.process_iter(["pid", "cmdline"]):
            words = " ".join(p.info["cmdline"] or ())
            if "boathook.service.daemon" in words and self.dir in words:
                found.append(p.pid)
        return found
