"""Which CDP calls does each tool make?  A logging WebSocket relay between the tool and a Chromium of ours.

  python cdp_trace.py --drivers playwright-py,puppeteer --out results/cdp_calls.json
Drivers that honour BENCH_CDP connect to the relay; the methods sent during each step are counted.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import json
import os
import subprocess
import sys
from pathlib import Path

import peers

peers.use()

import cdp as C
import drivers
import orjson
from items import actions as R
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve

HERE = Path(__file__).parent


class Relay:
    def __init__(self, target: str) -> None:
        self.target = target
        self.log: list[tuple[str, int]] = []
        self.bytes = 0

    async def handle(self, ws) -> None:
        async with connect(self.target, max_size=None, compression=None) as up:

            async def a():
                async for m in ws:
                    j = orjson.loads(m)
                    self.log.append((j["method"], len(m)))
                    await up.send(m)

            async def b():
                async for m in up:
                    self.bytes += len(m)
                    await ws.send(m)

            done, pend = await asyncio.wait(
                [asyncio.ensure_future(a()), asyncio.ensure_future(b())], return_when=asyncio.FIRST_COMPLETED
            )
            for p in pend:
                p.cancel()


async def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument(
        "--drivers", default="agent-browser,playwright-py,playwright-mcp,devtools-mcp,puppeteer,browser-use"
    )
    ap.add_argument("--out", required=True)
    ap.add_argument("--port", type=int, default=8796)
    a = ap.parse_args()
    srv = subprocess.Popen([sys.executable, str(HERE / "fixtures.py"), str(a.port)], stdout=subprocess.PIPE)
    srv.stdout.readline()
    res = {}
    for n in a.drivers.split(","):
        ch = await C.Chrome().start()
        rl = Relay(ch.ws_url)
        async with serve(rl.handle, "127.0.0.1", 0, max_size=None, compression=None) as s:
            port = s.sockets[0].getsockname()[1]
            os.environ["BENCH_CDP"] = f"ws://127.0.0.1:{port}" + ch.ws_url[ch.ws_url.index("/devtools") :]
            d = drivers.make(n)
            out = {}

            async def step(name, coro):
                rl.log.clear()
                rl.bytes = 0
                v = await asyncio.wait_for(coro, 60)
                c = collections.Counter(m for m, _ in rl.log)
                out[name] = {"calls": sum(c.values()), "bytes_in": rl.bytes, "methods": dict(c.most_common())}
                return v

            try:
                await step("start", d.start())
                await step("open", d.open(f"http://127.0.0.1:{a.port}/actions"))
                await d.title()
                sn = ""
                if d.SNAPSHOT:
                    sn = await step("snapshot", d.snapshot())
                    sn = await step("snapshot2", d.snapshot())
                r = {k: d.resolve(sn, t) for k, t in (("b", R.BUTTON), ("t", R.LONG_FIELD), ("i", R.FIELD))}
                await step("click", d.click(r["b"]))
                await step("fill1000", d.fill(r["t"], R.LONG))
                await step("title", d.title())
                await step("screenshot", d.screenshot())
                await step("open_frames", d.open(f"http://127.0.0.1:{a.port}/frames"))
                if d.SNAPSHOT:
                    await step("snapshot_frames", d.snapshot())
            except Exception as e:  # noqa: BLE001
                out["error"] = f"{type(e).__name__}: {e}"[:300]
            try:
                await asyncio.wait_for(d.stop(), 15)
            except Exception:  # noqa: BLE001
                pass
            res[n] = out
            print("==", n)
            for k, v in out.items():
                print(
                    "  ",
                    k,
                    v
                    if isinstance(v, str)
                    else f"{v['calls']} calls, {v['bytes_in']} B in: "
                    + ", ".join(f"{m}x{c}" if c > 1 else m for m, c in v["methods"].items()),
                    flush=True,
                )
            Path(a.out).write_text(json.dumps(res, indent=1))
        await ch.stop()
    srv.kill()


if __name__ == "__main__":
    asyncio.run(main())
