"""Tools driven over MCP stdio with one persistent, minimal JSON-RPC client (newline-delimited)."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import cdp as C
import orjson

from .agent_browser import binary as ab_binary
from .base import Driver, Target, find_ref


def npm_bin(name: str) -> list[str]:
    p = os.environ.get("BENCH_PEERS")
    if p:
        b = Path(p) / "npm/node_modules/.bin" / name
        if b.exists():
            return [shutil.which("node") or "node", str(b.resolve())]
    b = shutil.which(name)
    if not b:
        raise SystemExit(f"{name} not found")
    return [b]


class MCPDriver(Driver):
    surface = "mcp"

    def argv(self) -> list[str]:
        raise NotImplementedError

    def extra_env(self) -> dict:
        return {}

    def check_installed(self) -> None:
        self.dir = ""
        self.argv()

    async def start(self) -> None:
        self.dir = tempfile.mkdtemp(prefix="bench-mcp-")
        self.p = await asyncio.create_subprocess_exec(
            *self.argv(),
            env={**os.environ, **self.extra_env()},
            cwd=self.dir,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=1 << 28,
        )
        self.n = 0
        await self.rpc(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "0"},
            },
        )
        self.p.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    async def rpc(self, method: str, params: dict) -> dict:
        self.n += 1
        self.p.stdin.write(
            orjson.dumps({"jsonrpc": "2.0", "id": self.n, "method": method, "params": params}) + b"\n"
        )
        while True:
            line = await self.p.stdout.readline()
            if not line:
                raise RuntimeError("server ended")
            m = orjson.loads(line)
            if m.get("id") == self.n and "method" not in m:
                if "error" in m:
                    raise RuntimeError(str(m["error"])[:400])
                return m["result"]
            if "method" in m and "id" in m:  # request from the server: answer emptily
                self.p.stdin.write(
                    orjson.dumps({"jsonrpc": "2.0", "id": m["id"], "result": {"roots": []}}) + b"\n"
                )

    async def call(self, tool: str, **args) -> str:
        r = await self.rpc("tools/call", {"name": tool, "arguments": args})
        self.images = [c for c in r["content"] if c["type"] == "image"]
        t = "\n".join(c["text"] for c in r["content"] if c["type"] == "text")
        if r.get("isError"):
            raise RuntimeError(f"{tool}: {t[:400]}")
        return t

    async def tool_list(self) -> list:
        out, cur = [], None
        while True:
            r = await self.rpc("tools/list", {"cursor": cur} if cur else {})
            out += r["tools"]
            cur = r.get("nextCursor")
            if not cur:
                return out

    async def stop(self) -> None:
        try:
            self.p.stdin.close()
            await asyncio.wait_for(self.p.wait(), 5)
        except asyncio.TimeoutError:
            self.p.kill()
            await self.p.wait()
        shutil.rmtree(self.dir, ignore_errors=True)

    def roots(self) -> list[int]:
        return [self.p.pid]


class PlaywrightMCP(MCPDriver):
    name = "playwright-mcp"
    snapshot_how = "injected in-page JS aria walker per frame, via Runtime.callFunctionOn"

    def argv(self):
        if os.environ.get("BENCH_CDP"):
            return [
                *npm_bin("playwright-mcp"),
                "--cdp-endpoint",
                os.environ["BENCH_CDP"],
                "--output-dir",
                self.dir,
            ]
        return [
            *npm_bin("playwright-mcp"),
            "--headless",
            "--isolated",
            "--no-sandbox",
            "--executable-path",
            C.chrome_path(),
            "--output-dir",
            self.dir,
        ]

    async def open(self, url):
        await self.call("browser_navigate", url=url)

    async def _ev(self, fn: str) -> str:
        t = await self.call("browser_evaluate", function=fn)
        m = re.search(r"### Result\n(.*?)(?:\n###|\Z)", t, re.S)
        return json.loads(m.group(1).strip()) if m else t

    async def evaluate(self, function):
        return await self._ev(function)

    async def title(self):
        return await self._ev("() => document.title")

    async def url(self):
        return await self._ev("() => location.href")

    async def snapshot(self):
        return await self.call("browser_snapshot")

    async def click(self, ref):
        await self.call("browser_click", element="x", target=ref)

    async def fill(self, ref, text):
        await self.call("browser_type", element="x", target=ref, text=text)

    async def type(self, ref, text):
        await self.call("browser_type", element="x", target=ref, text=text, slowly=True)

    async def select(self, ref, value, label):
        await self.call("browser_select_option", element="x", target=ref, values=[value])

    async def check(self, ref):
        await self.call("browser_click", element="x", target=ref)

    async def wait_text(self, text):
        await self.call("browser_wait_for", text=text)

    async def read(self, css):
        return await self._ev(f"() => document.querySelector({css!r}).innerText")

    async def screenshot(self, full=False):
        await self.call(
            "browser_take_screenshot", type="png", scale="css", **({"fullPage": True} if full else {})
        )
        return len(base64.b64decode(self.images[0]["data"])) if self.images else 0

    async def new_session(self, url):
        await self.call("browser_tabs", action="new", url=url)
        await self._ev("() => document.title")
        await self.call("browser_tabs", action="close")


class DevToolsMCP(MCPDriver):
    name = "devtools-mcp"
    snapshot_how = "Puppeteer accessibility.snapshot: Accessibility.getFullAXTree (+ iframes)"

    def argv(self):
        if os.environ.get("BENCH_CDP"):
            return [
                *npm_bin("chrome-devtools-mcp"),
                "--wsEndpoint",
                os.environ["BENCH_CDP"],
                "--no-usage-statistics",
                "--no-performance-crux",
                "--no-page-id-routing",
                "--filesystemRoot",
                self.dir,
            ]
        return [
            *npm_bin("chrome-devtools-mcp"),
            "--headless",
            "--isolated",
            "--executablePath",
            C.chrome_path(),
            "--chromeArg=--no-sandbox",
            "--no-usage-statistics",
            "--no-performance-crux",
            "--viewport",
            "1280x720",
            "--no-page-id-routing",
            "--filesystemRoot",
            self.dir,
        ]

    async def open(self, url):
        await self.call("navigate_page", type="url", url=url)

    async def _ev(self, fn: str):
        t = await self.call("evaluate_script", function=fn)
        m = re.search(r"```json\n(.*?)\n```", t, re.S)
        return json.loads(m.group(1)) if m else t

    async def evaluate(self, function):
        return await self._ev(function)

    async def title(self):
        return await self._ev("() => document.title")

    async def url(self):
        return await self._ev("() => location.href")

    async def snapshot(self):
        return await self.call("take_snapshot")

    def resolve(self, snap, t: Target):
        for line in snap.splitlines():
            m = re.match(r"\s*uid=(\S+) (\S+) \"(.*?)\"", line)
            if m and m.group(2) == t.role and m.group(3) == t.name:
                return m.group(1)
        raise KeyError(t.name)

    async def click(self, ref):
        await self.call("click", uid=ref)

    async def fill(self, ref, text):
        await self.call("fill", uid=ref, value=text)

    async def type(self, ref, text):
        await self.call("click", uid=ref)
        await self.call("type_text", text=text)

    async def select(self, ref, value, label):
        await self.call("fill", uid=ref, value=label)

    async def check(self, ref):
        await self.call("click", uid=ref)

    async def wait_text(self, text):
        await self.call("wait_for", text=[text])

    async def read(self, css):
        return await self._ev(f"() => document.querySelector({css!r}).innerText")

    async def screenshot(self, full=False):
        await self.call("take_screenshot", format="png", **({"fullPage": True} if full else {}))
        return len(base64.b64decode(self.images[0]["data"])) if self.images else 0

    async def new_session(self, url):
        t = await self.call("new_page", url=url)
        await self._ev("() => document.title")
        ids = [int(x) for x in re.findall(r"^(\d+): ", t, re.M)]
        if ids:
            await self.call("close_page", pageId=ids[-1])


class AgentBrowserMCP(MCPDriver):
    name = "agent-browser-mcp"
    markdown_ok = True
    snapshot_how = "as agent-browser"
    seq = 0

    def argv(self):
        AgentBrowserMCP.seq += 1
        self.session = f"m{os.getpid()}x{AgentBrowserMCP.seq}"
        return [ab_binary(), "mcp"]

    def extra_env(self):
        return {
            "AGENT_BROWSER_EXECUTABLE_PATH": C.chrome_path(),
            "AGENT_BROWSER_ARGS": "--no-sandbox,--disable-gpu",
            "AGENT_BROWSER_SOCKET_DIR": self.dir,
            "AGENT_BROWSER_SESSION": self.session,
        }

    async def stop(self):
        try:
            await self.call("agent_browser_close")
        except Exception:
            pass
        await super().stop()

    async def c(self, tool, **a):
        return await self.call("agent_browser_" + tool, session=self.session, **a)

    async def open(self, url):
        await self.c("open", url=url)

    async def title(self):
        return (await self.c("get_title")).strip()

    async def url(self):
        return (await self.c("get_url")).strip()

    async def snapshot(self):
        return await self.c("snapshot")

    def resolve(self, snap, t):
        return "@" + find_ref(snap.replace("\\n", "\n").replace('\\"', '"'), t)

    async def click(self, ref):
        await self.c("click", selector=ref)

    async def fill(self, ref, text):
        await self.c("fill", selector=ref, text=text)

    async def type(self, ref, text):
        await self.c("type", selector=ref, text=text)

    async def select(self, ref, value, label):
        await self.c("select", selector=ref, values=[value])

    async def check(self, ref):
        await self.c("check", selector=ref)

    async def wait_text(self, text):
        await self.c("wait_for_text", text=text)

    async def read(self, css):
        return await self.c("get_text", selector=css)

    async def screenshot(self, full=False):
        p = os.path.join(self.dir, "s.png")
        await self.c("screenshot", path=p, **({"fullPage": True} if full else {}))
        return os.path.getsize(p) if os.path.exists(p) else 0

    async def markdown(self):
        return await self.c("read")

    def roots(self):
        import psutil

        out = [self.p.pid]
        for p in psutil.process_iter(["pid", "name", "environ"]):
            try:
                if (
                    "agent-browser" in p.info["name"]
                    and (p.info["environ"] or {}).get("AGENT_BROWSER_SOCKET_DIR") == self.dir
                ):
                    out.append(p.pid)
            except psutil.Error:
                pass
        return out
