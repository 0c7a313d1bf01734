"""MCP servers: from the start of the process to the answered list of tools, what the list costs, and what a call adds.

python benchmarks/run.py --items M --tools boathook,boathook-mcp,playwright-mcp,devtools-mcp --rounds 8 --name mcp
"""

from __future__ import annotations

import json
import os
import random
import time

import drivers
import tokens

OURS = "boathook-mcp"
SERVERS = (OURS, "playwright-mcp", "devtools-mcp", "agent-browser-mcp")
CALLS = 40


async def start_and_calls(run) -> None:
    load = os.getloadavg()[0]
    await start_to_list(run)
    await call_overhead(run)
    run.meta["load"]["M"] = [round(load, 1), round(os.getloadavg()[0], 1)]
    run.save()


async def start_to_list(run) -> None:
    """Start a server, greet it, ask for its tools; interleaved. The first round pays disk and is not kept."""
    names = [name for name in SERVERS if name == OURS or name in run.options.tools]
    for turn in range(run.options.rounds + 1):
        random.Random(turn).shuffle(names)
        for name in names:
            driver = drivers.make_or_none(name, run)
            if driver is None:
                continue
            driver.tools = "core"  # of ours; others have one set only
            began = time.perf_counter()
            try:
                await driver.start()
                tools = await driver.tool_list()
                if turn:
                    run.record.add(name, "M.start_to_list", (time.perf_counter() - began) * 1e3)
                seen = [
                    {key: tool.get(key) for key in ("name", "description", "inputSchema")} for tool in tools
                ]
                run.record.fact(
                    name,
                    "M.tools",
                    count=len(tools),
                    tokens=tokens.count(json.dumps(seen, ensure_ascii=False, separators=(",", ":"))),
                )
            except Exception as error:
                run.record.error(name, "M.start_to_list", error)
            finally:
                await driver.stop()
    run.save()


async def call_overhead(run) -> None:
    """The same clicks on the same page, in the library and through the server, one after the other."""
    library, server = drivers.make("boathook"), drivers.make(OURS)
    await library.start()
    await server.start()
    try:
        for driver in (library, server):
            await driver.open(run.url("nav/1"))
        for _ in range(CALLS):
            for driver in random.sample([library, server], 2):
                for item, ask in (("M.title", driver.title), ("M.snapshot", driver.snapshot)):
                    _, ms = await run.timed(driver, ask())
                    run.record.add(driver.name, item, ms)
    finally:
        await library.stop()
        await server.stop()
    run.save()
