"""Where does cold start go?  spawn -> endpoint known -> attached -> loaded -> title, for several ways to start Chromium."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics as st
import subprocess
import sys
import time
from pathlib import Path

import peers

peers.use()

import cdp as C

HERE = Path(__file__).parent
MORE = [
    (
        "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions,"
        "CalculateNativeWinOcclusion,AutofillServerCommunication,PaintHolding,HttpsUpgrades"
    ),
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--metrics-recording-only",
    "--no-service-autorun",
    "--disable-search-engine-choice-screen",
    "--no-pings",
    "--disable-domain-reliability",
]


async def one(base: str, pipe: bool, extra: list[str]) -> dict:
    ch = C.Chrome(extra=extra, pipe=pipe)
    try:
        t0 = time.perf_counter()
        await ch.start()
        t1 = time.perf_counter()
        c = ch.cdp
        # A tab of our own, with the address: navigating the first tab races with Chromium's own first navigation of it.
        t = (await c.send("Target.createTarget", {"url": base + "/nav/1"}))["targetId"]
        sid = (await c.send("Target.attachToTarget", {"targetId": t, "flatten": True}))["sessionId"]
        t2 = time.perf_counter()
        while True:
            r = await c.send(
                "Runtime.evaluate",
                {"expression": "document.readyState==='complete'&&document.title", "returnByValue": True},
                sid,
            )
            if r["result"].get("value") == "Nav 1":
                break
            await asyncio.sleep(0.001)
        t3 = time.perf_counter()
        t4 = time.perf_counter()
    finally:
        await ch.stop()
    return {
        "endpoint": (t1 - t0) * 1e3,
        "attached": (t2 - t1) * 1e3,
        "loaded": (t3 - t2) * 1e3,
        "title": (t4 - t3) * 1e3,
        "total": (t4 - t0) * 1e3,
        "stop": (time.perf_counter() - t4) * 1e3,
    }


async def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", required=True)
    ap.add_argument("--reps", type=int, default=5)
    ap.add_argument("--port", type=int, default=8795)
    ap.add_argument(
        "--binary", default="", help="the browser binary behind a wrapper script, if there is one"
    )
    a = ap.parse_args()
    srv = subprocess.Popen([sys.executable, str(HERE / "fixtures.py"), str(a.port)], stdout=subprocess.PIPE)
    srv.stdout.readline()
    base = f"http://127.0.0.1:{a.port}"
    var = {
        "ws": (False, [], None),
        "pipe": (True, [], None),
        "ws+moreflags": (False, MORE, None),
        "pipe+moreflags": (True, MORE, None),
    }
    if a.binary:
        var["ws+binary"] = (False, [], a.binary)
        var["pipe+binary+moreflags"] = (True, MORE, a.binary)
    acc: dict = {k: [] for k in var}
    for rep in range(a.reps):
        order = list(var)
        random.Random(rep).shuffle(order)
        for k in order:
            pipe, extra, b = var[k]
            old = os.environ.get("BENCH_CHROME")
            if b:
                os.environ["BENCH_CHROME"] = b
            try:
                acc[k].append(await asyncio.wait_for(one(base, pipe, extra), 12))
            except Exception as e:  # noqa: BLE001
                print(k, repr(e)[:200])
            finally:
                if b:
                    os.environ.pop("BENCH_CHROME")
                    if old:
                        os.environ["BENCH_CHROME"] = old
    srv.kill()
    out = {
        k: {
            f: {"median": round(st.median(x[f] for x in v), 1), "min": round(min(x[f] for x in v), 1)}
            for f in v[0]
        }
        for k, v in acc.items()
        if v
    }
    Path(a.out).write_text(json.dumps(out, indent=1))
    for k, v in out.items():
        print(f"{k:24s}", {f: (x["median"], x["min"]) for f, x in v.items()})


asyncio.run(main())
