"""Reading in other ways: pictures, Markdown; and what a tool weighs: memory, the list of its MCP tools."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import tokens
from drivers.base import Unsupported


async def screenshots(run) -> None:
    async def sample(driver, turn):
        for full, item in ((False, "W7.viewport"), (True, "W7.full")):
            size, ms = await run.timed(driver, driver.screenshot(full))
            run.record.add(driver.name, item, ms)
            if turn == 0:
                run.record.fact(driver.name, item, bytes=size)

    await run.each("W7.prep", lambda driver, _turn: driver.open(run.url("tall")), 1)
    await run.each("W7", sample)


async def markdown(run) -> None:
    async def sample(driver, turn):
        if not driver.markdown_ok:
            raise Unsupported
        await driver.open(run.url("article"))
        text, ms = await run.timed(driver, driver.markdown())
        run.record.add(driver.name, "W8.markdown", ms)
        if turn == 0:
            run.record.fact(
                driver.name,
                "W8.markdown",
                chars=len(text),
                tokens=tokens.count(text),
                has_heading="## Part 1" in text,
                has_table="|" in text,
                has_nav="Menu 3" in text,
                has_sidebar="Promo 3" in text,
            )

    await run.each("W8.markdown", sample)


async def tool_lists(run) -> None:
    for name, driver in run.live.items():
        if driver.surface == "mcp":
            tools = await driver.tool_list()
            run.record.fact(name, "MCP.tools", count=len(tools), tokens=tokens.count(json.dumps(tools)))


def memory(run, script: str) -> None:
    """Libraries of this process: the form alone in a fresh process each, and the size of that."""
    for name in run.options.tools:
        if "W9.memory" in run.record.facts.get(name, {}):
            continue
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            argv = [
                sys.executable,
                script,
                "--tools",
                name,
                "--items",
                "W5",
                "--rounds",
                "1",
                "--name",
                "memory",
            ]
            argv += ["--port", str(run.options.port + 1), "--out", file.name]
            subprocess.run(argv, stdout=subprocess.DEVNULL, timeout=120, check=False)
            try:
                kept = json.loads(Path(file.name).read_text())["facts"][name]["W9.memory"]
                run.record.fact(name, "W9.memory", **kept)
            except Exception as error:
                run.record.error(name, "W9.memory", error)
