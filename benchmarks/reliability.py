"""The same faults for Boathook and the peers that are installed: `python -m benchmarks.reliability [--rounds N] [--calls N]`.

* orphans: kill -9 of the process that owns the browser, while calls run. Which browser processes are left 2 and 10 seconds later?
* stopped: SIGSTOP of the browser. Does a pending call end within a minute, and does a later one work?
* pages: hostile pages. Does opening and reading them end within a minute, and does the next page open?
* calls: MCP calls with odd arguments. Does each end within a minute, and is the server still there?

Each program has an empty home, the Chromium of the machine, headless and without sandbox, and its default settings otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import peers

from boathook.engine.launch import posix
from boathook.engine.launch.find_chrome import find_browser
from tests.support.site import Site
from tools.stress.processes import processes_of

HANGS_SECONDS = 60.0
LINE_LIMIT = 1 << 27
BROWSER = str(find_browser().path)
HOSTILE = {
    "endless loop": "<script>for(;;){}</script>",
    "loop after load": "<p>x</p><script>onload=()=>setTimeout(()=>{for(;;){}},50)</script>",
    "microtasks without end": "<script>(function f(){Promise.resolve().then(f)})()</script>",
    "alerts without end": "<script>setInterval(()=>alert(1),0)</script>",
    "confirm while loading": "<script>confirm('leave?')</script><p>x</p>",
    "prompt after load": "<script>onload=()=>setTimeout(()=>prompt('name?'),20)</script><p>x</p>",
    "print without end": "<script>onload=()=>setInterval(()=>print(),10)</script>",
    "100,000 elements": "<script>for(let i=0;i<1e5;i++)document.write('<button>b'+i+'</button>')</script>",
    "nested 3,000 deep": "<script>document.write('<div>'.repeat(3000)+'deep')</script>",
    "title of 5 MB": "<script>document.title='x'.repeat(5e6)</script><p>x</p>",
    "history flood": "<script>setInterval(()=>{for(let i=0;i<50;i++)try{history.pushState(0,'','#'+Math.random())}catch{}},5)</script>",
    "reloads without end": "<script>onload=()=>setTimeout(()=>location.reload(),5)</script>",
    "console flood": "<script>setInterval(()=>{for(let i=0;i<2000;i++)console.log('x'.repeat(500))},1)</script>",
    "broken prototypes": "<script>Array.prototype.map=JSON.stringify=Element.prototype.getAttribute=()=>{throw 1}</script><p>x</p>",
    "memory until it crashes": "<script>let a=[];setInterval(()=>a.push(new Uint8Array(5e7).fill(1)),1)</script>",
}
ODD = ["", "\x00", "@e1", "x" * 5_000, -1, 1e308, True, None, [], ["a"], {}, {"a": 1}, "about:blank", "../../etc/passwd", "e1", "\u202e"]  # fmt: skip


class Program:
    """One program with an empty home."""

    name = ""

    def __init__(self):
        self.home = Path(tempfile.mkdtemp(prefix="bh"))
        (self.home / "run").mkdir(mode=0o700)
        (self.home / "tmp").mkdir()
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("BOATHOOK_", "XDG_"))
        }
        self.environment |= {
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.home / "run"),
            "TMPDIR": str(self.home / "tmp"),
        }

    async def start(self):
        """Ready for calls."""

    def browser_processes(self):
        kinds = {"browser", "renderer", "network", "gpu", "helper"}
        found = [process for process in processes_of(self.home) if process.kind in kinds]
        return [process for process in found if b"chrom" in process.line.split(b"\0")[0]]

    async def close(self):
        for process in processes_of(self.home):
            try:
                os.kill(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        await asyncio.sleep(0.2)
        shutil.rmtree(self.home, ignore_errors=True)


class CommandLines(Program):
    """A program with a daemon that is called by command lines."""

    words: tuple[str, ...] = ()

    async def call(self, *argv):
        """Both streams; None if it did not end."""
        process = await asyncio.create_subprocess_exec(
            *self.words, *argv, env=self.environment, cwd=self.home,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            async with asyncio.timeout(HANGS_SECONDS):
                out, _ = await process.communicate()
        except TimeoutError:
            process.kill()
            return None
        return out.decode(errors="replace")

    async def open(self, url):
        return await self.call("open", url)

    async def read(self):
        return await self.call("snapshot")

    async def title(self):
        return await self.call("get", "title")


class Boathook(CommandLines):
    name = "Boathook"
    words = (sys.executable, "-m", "boathook")

    def owner(self):
        return next((process.pid for process in processes_of(self.home) if process.kind == "daemon"), None)


class AgentBrowser(CommandLines):
    name = "agent-browser"

    def __init__(self):
        super().__init__()
        self.words = (str(peers.folder() / "npm/node_modules/agent-browser/bin/agent-browser-linux-x64"),)
        self.environment |= {
            "AGENT_BROWSER_EXECUTABLE_PATH": BROWSER,
            "AGENT_BROWSER_ARGS": "--no-sandbox",
            "AGENT_BROWSER_SOCKET_DIR": str(self.home / "run"),
        }

    def owner(self):
        """Its daemon: the process that started the browser."""
        browser = next((process for process in processes_of(self.home) if process.kind == "browser"), None)
        if browser is None:
            return None
        return browser.parent if browser.parent > 1 else None


class Mcp(Program):
    """A program that is an MCP server over stdio."""

    words: tuple[str, ...] = ()
    opening = reading = titling = ("", {})

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.words, env=self.environment, cwd=self.home, limit=LINE_LIMIT,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.number = 0
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "faults", "version": "1"},
        }
        await self.ask("initialize", hello)
        self._send({"method": "notifications/initialized"})

    def owner(self):
        return self.process.pid

    async def call(self, name, arguments):
        answer = await self.ask("tools/call", {"name": name, "arguments": arguments})
        if answer is None:
            return None
        parts = answer.get("result", {}).get("content", [])
        return "\n".join(part.get("text", "") for part in parts) or json.dumps(answer)

    async def open(self, url):
        name, arguments = self.opening
        return await self.call(name, {**arguments, "url": url})

    async def read(self):
        return await self.call(*self.reading)

    async def title(self):
        return await self.call(*self.titling)

    def _send(self, message):
        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        except (OSError, RuntimeError):
            return

    async def ask(self, method, parameters):
        """The whole answer; None if it did not come."""
        self.number += 1
        self._send({"id": self.number, "method": method, "params": parameters})
        try:
            async with asyncio.timeout(HANGS_SECONDS):
                while line := await self.process.stdout.readline():
                    message = json.loads(line)
                    if message.get("id") == self.number and "method" not in message:
                        return message
        except TimeoutError:
            return None
        return {"error": {"message": "the server exited"}}

    async def close(self):
        if self.process.returncode is None:
            self.process.kill()
        await self.process.wait()
        await super().close()


class BoathookMcp(Mcp):
    name = "Boathook MCP"
    words = (sys.executable, "-m", "boathook", "mcp", "--tools", "full")
    opening, reading, titling = ("goto", {}), ("snapshot", {}), ("title", {})


class PlaywrightMcp(Mcp):
    name = "Playwright MCP"
    opening, reading = ("browser_navigate", {}), ("browser_snapshot", {})
    titling = ("browser_evaluate", {"function": "() => document.title"})

    def __init__(self):
        super().__init__()
        program = peers.folder() / "npm/node_modules/@playwright/mcp/cli.js"
        self.words = (
            "node",
            str(program),
            "--headless",
            "--isolated",
            "--no-sandbox",
            "--executable-path",
            BROWSER,
        )


async def orphans(kind, rounds, site, chance):
    """Rounds in which browser processes are left, 2 and 10 seconds after their owner was killed."""
    two = ten = killed = 0
    page = site.page("<button>Go</button>", title="Page")
    for _ in range(rounds):
        program = kind()
        await program.start()
        try:
            await program.open(page)

            async def work(program=program):
                while True:
                    await program.read()
                    await program.open(page)

            working = asyncio.create_task(work())
            await asyncio.sleep(chance.uniform(0, 1))
            pids = [process.pid for process in program.browser_processes()]
            owner = program.owner()
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)
            if owner is None or not pids:
                continue
            killed += 1
            os.kill(owner, signal.SIGKILL)
            began = time.monotonic()
            while time.monotonic() - began < 2 and any(map(posix.is_alive, pids)):
                await asyncio.sleep(0.05)
            two += any(map(posix.is_alive, pids))
            while time.monotonic() - began < 10 and any(map(posix.is_alive, pids)):
                await asyncio.sleep(0.1)
            ten += any(map(posix.is_alive, pids))
        finally:
            await program.close()
    return f"{killed} owners killed; browser processes left after 2 s in {two}, after 10 s in {ten}"


async def stopped(kind, rounds, site):
    """Rounds in which a call on a stopped browser ends, and in which a later one works."""
    ended = works = 0
    longest = 0.0
    for _ in range(rounds):
        program = kind()
        await program.start()
        try:
            await program.open(site.page("<button>Go</button>", title="Before"))
            [browser] = [process.pid for process in program.browser_processes() if process.kind == "browser"]
            os.kill(browser, signal.SIGSTOP)
            began = time.monotonic()
            answer = await program.read()
            ended += answer is not None
            longest = max(longest, time.monotonic() - began)
            await program.open(site.page("<p>x</p>", title="After"))
            works += "After" in (await program.title() or "")
        finally:
            await program.close()
    return f"{rounds} browsers stopped: {ended} calls ended within {HANGS_SECONDS:g} s (the longest after {longest:.0f} s), {works} times the next page opened"


async def pages(kind, site):
    """Hostile pages that hung a call, and those after which the next page did not open."""
    hung, stuck = [], []
    program = kind()
    await program.start()
    try:
        for name, body in HOSTILE.items():
            opened = await program.open(site.page(body, title="Hostile"))
            read = await program.read()
            if opened is None or read is None:
                hung.append(name)
            await program.open(site.page("<p>x</p>", title="Harmless"))
            if "Harmless" not in (await program.title() or ""):
                stuck.append(name)
                await program.close()
                program = kind()
                await program.start()
    finally:
        await program.close()
    return f"{len(HOSTILE)} hostile pages: {len(hung)} with a call over {HANGS_SECONDS:g} s {hung}, {len(stuck)} after which the next page did not open {stuck}"


async def calls(kind, count, site, chance):
    """MCP calls with odd arguments."""
    hung, exits = [], 0
    program = kind()
    await program.start()
    try:
        await program.open(site.page("<button>Go</button><input>", title="Page"))
        tools = (await program.ask("tools/list", {}))["result"]["tools"]
        left_out = ("install", "close", "wait", "handoff", "doctor", "connect", "setup", "smoke")
        tools = [tool for tool in tools if not any(word in tool["name"] for word in left_out)]
        for _ in range(count):
            tool = chance.choice(tools)
            fields = tool["inputSchema"].get("properties", {})
            arguments = {
                name: chance.choice(ODD) for name in fields if name != "timeout" and chance.random() < 0.5
            }
            if await program.call(tool["name"], arguments) is None:
                hung.append(f"{tool['name']} {json.dumps(arguments)[:80]}")
            if program.process.returncode is not None or hung and len(hung) % 5 == 0:
                exits += program.process.returncode is not None
                await program.close()
                program = kind()
                await program.start()
                await program.open(site.page("<button>Go</button>", title="Page"))
    finally:
        await program.close()
    return f"{count} calls of {len(tools)} tools with odd arguments: {len(hung)} over {HANGS_SECONDS:g} s {hung[:5]}, {exits} exits of the server"


async def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--only", choices=["orphans", "stopped", "pages", "calls"], action="append")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance, site = random.Random(given.seed), Site()
    wanted = given.only or ["orphans", "stopped", "pages", "calls"]
    try:
        for kind in (Boathook, AgentBrowser, PlaywrightMcp):
            if "orphans" in wanted:
                print(f"{kind.name}: {await orphans(kind, given.rounds, site, chance)}", flush=True)
            if "stopped" in wanted:
                print(f"{kind.name}: {await stopped(kind, max(1, given.rounds // 6), site)}", flush=True)
            if "pages" in wanted:
                print(f"{kind.name}: {await pages(kind, site)}", flush=True)
        for kind in (BoathookMcp, PlaywrightMcp):
            if "calls" in wanted:
                print(f"{kind.name}: {await calls(kind, given.calls, site, chance)}", flush=True)
    finally:
        site.close()


if __name__ == "__main__":
    asyncio.run(main())
