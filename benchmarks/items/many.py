"""Many pages: one after the other, and in ten lanes at once."""

from __future__ import annotations

from drivers.base import Unsupported

BLOCK = 20
LANES = 10


async def navigation(run) -> None:
    async def in_sequence(driver, turn):
        # Blocks, interleaved between the tools, so that changes of load hit every tool alike.
        total = 0.0
        for k in range(BLOCK):
            _, ms = await run.timed(driver, driver.open(run.url(f"nav/{turn * BLOCK + k}")))
            total += ms
        run.record.add(driver.name, "W6.seq20", total)

    async def in_lanes(driver, _turn):
        if not driver.MULTI:
            raise Unsupported
        urls = [run.url(f"nav/{k}") for k in range(run.options.navigations // 2)]
        _, ms = await run.timed(driver, driver.many(urls, LANES))
        run.record.add(driver.name, "W6.10lanes", ms)
        run.record.fact(driver.name, "W6.10lanes", pages=len(urls))

    await run.each("W6.seq20", in_sequence, run.options.navigations // BLOCK)
    await run.each("W6.10lanes", in_lanes, 2)
