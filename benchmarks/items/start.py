"""Starting: cold start to the first page, a further tab, and the round trip of the smallest command."""

from __future__ import annotations

import asyncio
import os
import random
import time

import drivers

COLD_SECONDS = 30


async def cold(run) -> None:
    """Start a browser, open a page and read its title. The first round is not kept: it pays imports and disk."""
    tools = [name for name in run.options.tools if name != "boathook-default"]
    dead: set[str] = set()
    began, load = time.perf_counter(), os.getloadavg()[0]
    for turn in range(run.options.rounds + 1):
        order = [name for name in tools if name not in dead]
        random.Random(turn).shuffle(order)
        for name in order:
            driver = drivers.make_or_none(name, run)
            if driver is None:
                dead.add(name)
                continue
            try:
                ms = await _one_start(run, driver)
                if turn:
                    run.record.add(name, "W1.cold", ms)
            except Exception as error:
                run.record.error(name, "W1.cold", error)
            finally:
                try:
                    await asyncio.wait_for(driver.stop(), 30)
                except Exception as error:
                    run.record.error(name, "W1.stop", error)
    run.meta["load"]["W1.cold"] = [round(load, 1), round(os.getloadavg()[0], 1)]
    run.save()
    run.print(f"W1.cold done in {time.perf_counter() - began:.0f} s")


async def _one_start(run, driver) -> float:
    began = time.perf_counter()
    async with asyncio.timeout(COLD_SECONDS):
        await driver.start()
        await driver.open(run.url("nav/1"))
        title = await driver.title()
    ms = (time.perf_counter() - began) * 1e3
    if "Nav 1" not in str(title):
        raise RuntimeError(f"title {title!r}")
    return ms


async def warm_tab(run) -> None:
    async def sample(driver, _turn):
        _, ms = await run.timed(driver, driver.new_session(run.url("nav/2")))
        run.record.add(driver.name, "W1.warm_tab", ms)

    await run.each("W1.warm_tab", sample)


async def round_trip(run) -> None:
    async def sample(driver, _turn):
        for item, ask in (("W2.title", driver.title), ("W2.url", driver.url)):
            _, ms = await run.timed(driver, ask())
            run.record.add(driver.name, item, ms)

    await run.each("W2.prep", lambda driver, _turn: driver.open(run.url("nav/3")), 1)
    await run.each("W2", sample, run.options.rounds * 4)
