"""Scripts: from handing over the code to its answer, in a worker that is kept ready, beside an interpreter that only starts.

python benchmarks/run.py --items R --tools boathook --rounds 8 --name scripts
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time

TURNS = 6
"""Samples of each kind per round."""
CODE = "return 1"
FLOOR = (sys.executable, "-c", "pass")


async def warm_worker(run) -> None:
    """Three kinds, in a shuffled order each time: kept ready, forked when it is asked for, and the bare interpreter."""
    from boathook.service.scripts.fork_server import ForkServer  # noqa: PLC0415 - only this item needs it

    fork_server, load = ForkServer(), os.getloadavg()[0]
    kinds = {
        ("boathook", "R.ready"): lambda: _script(fork_server, ready=True),
        ("boathook", "R.forked"): lambda: _script(fork_server, ready=False),
        ("python", "R.ready"): _interpreter,
    }
    try:
        await _script(fork_server, ready=False)  # the mother is started for the first one
        for _ in range(run.options.rounds * TURNS):
            for kind in random.sample(list(kinds), len(kinds)):
                run.record.add(*kind, await kinds[kind]() * 1e3)
    except Exception as error:
        run.record.error("boathook", "R", error)
    finally:
        fork_server.close()
    run.meta["load"]["R"] = [round(load, 1), round(os.getloadavg()[0], 1)]
    run.save()


async def _script(fork_server, *, ready: bool) -> float:
    """Seconds from asking for a worker to the value of the script, jail and all."""
    from boathook.service.scripts.script_run import ScriptRequest, run  # noqa: PLC0415 - as above

    if ready:
        await fork_server.prepare()
    began = time.perf_counter()
    ran = await run(ScriptRequest(code=CODE, tab="t1", seconds=30), await fork_server.worker(), _nothing)
    took = time.perf_counter() - began
    if ran.value != 1:
        raise RuntimeError(f"the script gave {ran.value!r}")
    return took


async def _interpreter() -> float:
    began = time.perf_counter()
    process = await asyncio.create_subprocess_exec(*FLOOR)
    if await process.wait():
        raise RuntimeError("the interpreter did not start")
    return time.perf_counter() - began


async def _nothing(*_given) -> None:
    """No helper is called."""
