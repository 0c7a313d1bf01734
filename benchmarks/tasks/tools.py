"""The tools that are compared: each takes a snapshot as text and acts on refs."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from boathook.presentation.tokens import estimate_tokens  # noqa: E402

CHROMIUM = os.environ.get("BENCH_CHROME") or shutil.which("chromium") or ""
MODULES = Path(__file__).parents[2] / ".cache" / "tasks" / "node_modules"
ACTION_SECONDS = 8


class _Program:
    """A program that is started once per call."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="tasks-")

    async def run(self, *line: str) -> str:
        process = await asyncio.create_subprocess_exec(
            *self.program, *line, env={**os.environ, **self.settings}, cwd=self.folder,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, err = await asyncio.wait_for(process.communicate(), 60)
        if process.returncode:
            raise RuntimeError((err or out).decode())
        return out.decode()

    def tokens(self, text: str) -> int:
        return estimate_tokens(text)

    async def act(self, verb: str, *values: str) -> str:
        values = tuple(
            f"@{value}" if self.is_ref(verb, place, value) else value for place, value in enumerate(values)
        )
        return await self.run(verb, *values)

    @staticmethod
    def is_ref(verb: str, place: int, value: str) -> bool:
        return verb != "press" and (place == 0 or verb == "drag")

    async def open(self, url: str) -> None:
        await self.run("open", url)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_error) -> None:
        await self.run(*self.ending)
        shutil.rmtree(self.folder, ignore_errors=True)


class Boathook(_Program):
    """Its command line, default snapshot."""

    name = "boathook"
    ending = ("daemon", "stop")

    def __init__(self) -> None:
        super().__init__()
        self.program = [sys.executable, "-m", "boathook"]
        self.settings = {"HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "BOATHOOK_HOME": self.folder}

    async def snapshot(self) -> str:
        return await self.run("snapshot")

    async def evaluate(self, expression: str) -> str:
        return (await self.run("eval", f"JSON.stringify({expression})")).strip()


class AgentBrowser(_Program):
    """Its command line, `snapshot -i`."""

    name = "agent-browser"
    ending = ("close",)

    def __init__(self) -> None:
        super().__init__()
        self.program = [str(MODULES / "agent-browser/bin/agent-browser-linux-x64")]
        self.settings = {
            "AGENT_BROWSER_EXECUTABLE_PATH": CHROMIUM, "AGENT_BROWSER_ARGS": "--no-sandbox,--disable-gpu",
            "AGENT_BROWSER_SOCKET_DIR": self.folder, "NO_COLOR": "1",
        }  # fmt: skip

    async def snapshot(self) -> str:
        return await self.run("snapshot", "-i")

    async def evaluate(self, expression: str) -> str:
        return (await self.run("eval", f"JSON.stringify({expression})")).strip()


class Playwright:
    """`aria_snapshot(mode="ai")`, whose refs are acted on as `aria-ref=`; an agent gets it again after each action."""

    name = "playwright"

    async def __aenter__(self):
        from playwright.async_api import async_playwright

        self.driver = await async_playwright().start()
        self.browser = await self.driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        self.page = await self.browser.new_page()
        self.page.set_default_timeout(ACTION_SECONDS * 1000)
        self.page.on("dialog", lambda dialog: dialog.accept())
        return self

    async def __aexit__(self, *_error) -> None:
        await self.browser.close()
        await self.driver.stop()

    def tokens(self, text: str) -> int:
        return estimate_tokens(text)

    async def open(self, url: str) -> None:
        await self.page.goto(url)

    async def snapshot(self) -> str:
        return await self.page.aria_snapshot(mode="ai")

    async def evaluate(self, expression: str) -> str:
        return await self.page.evaluate(f"JSON.stringify({expression})")

    async def act(self, verb: str, *values: str) -> str:
        if verb == "press":
            await self.page.keyboard.press(values[0])
        elif verb == "drag":
            await self.at(values[0]).drag_to(self.at(values[1]))
        elif verb == "type":
            await self.at(values[0]).press_sequentially(values[1])
        else:
            call = {"select": "select_option", "rightclick": "click"}.get(verb, verb)
            more = {"button": "right"} if verb == "rightclick" else {}
            await getattr(self.at(values[0]), call)(*values[1:], **more)
        return ""

    def at(self, ref: str):
        return self.page.locator(f"aria-ref={ref}")


TOOLS = {tool.name: tool for tool in (Boathook, Playwright, AgentBrowser)}
