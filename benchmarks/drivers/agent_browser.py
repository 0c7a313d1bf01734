"""agent-browser's native binary, one process per command (its normal use by an agent's shell tool)."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import tempfile
from pathlib import Path

import cdp as C
import psutil

from .base import Driver, Target, find_ref


def binary() -> str:
    p = os.environ.get("BENCH_PEERS")
    if p:
        arch = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "x64")
        b = Path(p) / f"npm/node_modules/agent-browser/bin/agent-browser-linux-{arch}"
        if b.exists():
            return str(b)
    b = shutil.which("agent-browser")
    if not b:
        raise SystemExit("agent-browser not found")
    return b


class AgentBrowserCLI(Driver):
    name = "agent-browser"
    surface = "cli"
    MULTI = True
    markdown_ok = True
    snapshot_how = "Accessibility.getFullAXTree per frame + DOM/JS extras, in a Rust daemon"
    seq = 0

    def env(self) -> dict:
        return {
            **os.environ,
            "AGENT_BROWSER_EXECUTABLE_PATH": C.chrome_path(),
            "AGENT_BROWSER_ARGS": "--no-sandbox,--disable-gpu",
            "AGENT_BROWSER_SESSION": self.session,
            "AGENT_BROWSER_SOCKET_DIR": self.dir,
            "NO_COLOR": "1",
        }

    @property
    def cdp_args(self) -> list[str]:
        return ["--cdp", os.environ["BENCH_CDP"]] if os.environ.get("BENCH_CDP") else []

    async def run(self, *args: str, session: str | None = None) -> str:
        e = self._env if session is None else {**self._env, "AGENT_BROWSER_SESSION": session}
        p = await asyncio.create_subprocess_exec(
            self.bin,
            *self.cdp_args,
            *args,
            env=e,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        o, er = await p.communicate()
        if p.returncode:
            raise RuntimeError(f"{args[:2]}: {er.decode()[:300]} {o.decode()[:200]}")
        return o.decode()

    def check_installed(self) -> None:
        binary()

    async def start(self) -> None:
        AgentBrowserCLI.seq += 1
        self.bin = binary()
        self.session = f"b{os.getpid()}x{AgentBrowserCLI.seq}"
        self.dir = tempfile.mkdtemp(prefix="bench-ab-")
        self._env = self.env()

    async def stop(self) -> None:
        try:
            await self.run("close")
        finally:
            shutil.rmtree(self.dir, ignore_errors=True)

    async def open(self, url: str) -> None:
        await self.run("open", url)

    async def title(self) -> str:
        return (await self.run("get", "title")).strip()

    async def url(self) -> str:
        return (await self.run("get", "url")).strip()

    async def snapshot(self) -> str:
        return await self.run("snapshot")

    async def snapshot_default(self) -> str:
        return await self.run("snapshot", "-i")

    async def evaluate(self, function: str):
        return await self.run("eval", f"({function})()")

    def resolve(self, snap: str, t: Target):
        return "@" + find_ref(snap, t)

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
        p = os.path.join(self.dir, "s.png")
        await self.run("screenshot", p, *(["--full"] if full else []))
        return os.path.getsize(p)

    async def markdown(self) -> str:
        return await self.run("read")

    async def new_session(self, url: str) -> None:
        await self.run("tab", "new", url)
        await self.run("get", "title")
        await self.run("tab", "close")

    async def many(self, urls: list[str], lanes: int) -> None:
        async def lane(k: int) -> None:
            s = f"{self.session}m{k}"
            for u in urls[k::lanes]:
                await self.run("open", u, session=s)
                await self.run("get", "title", session=s)
            await self.run("close", session=s)

        await asyncio.gather(*(lane(k) for k in range(lanes)))

    def roots(self) -> list[int]:
        out = []
        for p in psutil.process_iter(["pid", "cmdline", "environ", "name"]):
            try:
                if (
                    "agent-browser" in p.info["name"]
                    and (p.info["environ"] or {}).get("AGENT_BROWSER_SOCKET_DIR") == self.dir
                ):
                    out.append(p.pid)
            except psutil.Error:
                pass
        return out
