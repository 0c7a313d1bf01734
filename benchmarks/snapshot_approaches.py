"""Which CDP route gives a page's structure fastest?  Times, per page: inside Chromium (send -> first byte),
transfer (first byte -> whole message), parse (orjson, and the standard json), format (to agent text, in Python).
"""

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
import tokens

HERE = Path(__file__).parent
WALKER = (HERE / "walker.js").read_text()

SKIP_ROLES = {"none", "generic", "InlineTextBox", "LineBreak"}
REF_ROLES = {
    "button",
    "link",
    "textbox",
    "searchbox",
    "combobox",
    "listbox",
    "checkbox",
    "radio",
    "slider",
    "spinbutton",
    "option",
    "tab",
    "menuitem",
    "switch",
    "treeitem",
    "Iframe",
}


def format_ax(res: dict) -> str:
    nodes = res["nodes"]
    by = {n["nodeId"]: n for n in nodes}
    out: list[str] = []
    ref = 0
    stack = [(nodes[0]["nodeId"], 0, "")]
    while stack:
        nid, d, pname = stack.pop()
        n = by.get(nid)
        if n is None:
            continue
        nd = d
        name = ""
        if not n["ignored"]:
            role = n["role"]["value"]
            if role == "InlineTextBox":
                continue
            name = n.get("name", {}).get("value", "")
            if role == "StaticText":
                if name != pname:
                    out.append("  " * d + "- text " + name)
                continue
            if role not in SKIP_ROLES:
                s = "  " * d + "- " + role
                if name:
                    s += ' "' + name + '"'
                for p in n.get("properties", ()):
                    if p["name"] in ("checked", "disabled", "expanded", "level"):
                        s += f" [{p['name']}={p['value'].get('value')}]"
                if role in REF_ROLES:
                    ref += 1
                    s += f" [ref=e{ref}]"
                if "value" in n:
                    s += ": " + str(n["value"].get("value"))
                out.append(s)
                nd = d + 1
        for c in reversed(n.get("childIds", ())):
            stack.append((c, nd, name))
    return "\n".join(out)


def format_domsnapshot(res: dict) -> str:
    """Lower bound of the work: join layout text and tags of interesting elements, no names or ARIA."""
    S = res["strings"]
    out = []
    want = {
        "A": "link",
        "BUTTON": "button",
        "INPUT": "textbox",
        "SELECT": "combobox",
        "TEXTAREA": "textbox",
        "H1": "heading",
        "H2": "heading",
        "H3": "heading",
        "IMG": "img",
        "LI": "listitem",
    }
    ref = 0
    for doc in res["documents"]:
        nn = doc["nodes"]["nodeName"]
        lay = doc["layout"]
        for ni, ti in zip(lay["nodeIndex"], lay["text"]):
            if ti >= 0:
                out.append("- text " + S[ti])
            else:
                r = want.get(S[nn[ni]])
                if r:
                    ref += 1
                    out.append(f"- {r} [ref=e{ref}]")
    return "\n".join(out)


COMPUTED_JS = """() => { const out=[]; const t0=performance.now();
 const walk=(n,d)=>{for(let c=n.firstElementChild;c;c=c.nextElementSibling){const r=c.computedRole; let nd=d;
  if(r&&r!=='generic'&&r!=='none'){out.push(' '.repeat(d*2)+'- '+r+' "'+c.computedName+'"');nd=d+1}
  walk(c.shadowRoot||c,nd)}}; walk(document.body,0); return {ms:performance.now()-t0,text:out.join('\\n')} }"""


async def one(c: C.WSClient, sid: str, method: str, params: dict, fmt=None) -> dict:
    c.keep_timing = True
    t0 = time.perf_counter()
    r = await c.send(method, params, sid)
    L = dict(c.last)
    c.keep_timing = False
    d = {
        "chromium_ms": (L["t_first"] - t0) * 1e3,
        "transfer_ms": (L["t_recv"] - L["t_first"]) * 1e3,
        "parse_ms": (L["t_parsed"] - L["t_recv"]) * 1e3,
        "bytes": L["bytes"],
    }
    if fmt:
        t = time.perf_counter()
        txt = fmt(r)
        d["format_ms"] = (time.perf_counter() - t) * 1e3
        d["chars"] = len(txt)
        d["_text"] = txt
    v = r.get("result", {}).get("value") if isinstance(r.get("result"), dict) else None
    if isinstance(v, dict) and "ms" in v:
        d["js_ms"] = v["ms"]
        if "text" in v:
            d["chars"] = len(v["text"])
            d["_text"] = v["text"]
    d["total_ms"] = d["chromium_ms"] + d["transfer_ms"] + d["parse_ms"] + d.get("format_ms", 0.0)
    d["_raw"] = r
    return d


def ev(expr: str) -> dict:
    return {"expression": expr, "returnByValue": True}


APPROACHES = {
    "ax_full": ("Accessibility.getFullAXTree", {}, format_ax),
    "domsnapshot_bare": ("DOMSnapshot.captureSnapshot", {"computedStyles": []}, format_domsnapshot),
    "domsnapshot_styles_rects": (
        "DOMSnapshot.captureSnapshot",
        {
            "computedStyles": ["display", "visibility", "opacity", "cursor"],
            "includePaintOrder": True,
            "includeDOMRects": True,
        },
        format_domsnapshot,
    ),
    "dom_getdocument": ("DOM.getDocument", {"depth": -1, "pierce": True}, None),
    "js_walker_text": ("Runtime.evaluate", ev(f"({WALKER})('text')"), None),
    "js_walker_rows": ("Runtime.evaluate", ev(f"({WALKER})('rows')"), None),
    "js_computed_role": ("Runtime.evaluate", ev(f"({COMPUTED_JS})()"), None),
    "js_outerhtml": ("Runtime.evaluate", ev("document.documentElement.outerHTML"), None),
}


async def load(c, sid, url):
    f = asyncio.get_running_loop().create_future()
    h = lambda p, s: f.done() or f.set_result(1)
    c.on("Page.loadEventFired", h, sid)
    await c.send("Page.navigate", {"url": url}, sid)
    await f
    c.off("Page.loadEventFired", h, sid)


async def main() -> None:
    ap = argparse.ArgumentParser()
    ap.add_argument("--out", required=True)
    ap.add_argument("--reps", type=int, default=9)
    ap.add_argument(
        "--pages",
        default="flat/100,deep/100,flat/1000,deep/1000,flat/5000,deep/5000,flat/20000,deep/20000,article",
    )
    ap.add_argument("--port", type=int, default=int(os.environ.get("BENCH_PORT", "8799")))
    a = ap.parse_args()
    srv = subprocess.Popen([sys.executable, str(HERE / "fixtures.py"), str(a.port)], stdout=subprocess.PIPE)
    srv.stdout.readline()
    out = {"pages": {}, "tokens": tokens.load(), "reps": a.reps}
    chromes = {}
    try:
        chromes["ws"] = await C.Chrome(["--enable-blink-features=ComputedAccessibilityInfo"]).start()
        chromes["pipe"] = await C.Chrome(
            ["--enable-blink-features=ComputedAccessibilityInfo"], pipe=True
        ).start()
        sids = {k: await v.first_page() for k, v in chromes.items()}
        for k, v in chromes.items():
            await v.cdp.send("Page.enable", {}, sids[k])
        # round-trip floors
        rt = {}
        for k, v in chromes.items():
            for label, m, p, s in (
                ("browser", "Browser.getVersion", {}, None),
                ("renderer", "Runtime.evaluate", ev("1"), sids[k]),
            ):
                ts = []
                for _ in range(300):
                    t = time.perf_counter()
                    await v.cdp.send(m, p, s)
                    ts.append((time.perf_counter() - t) * 1e3)
                rt[f"{k}_{label}"] = {"median_ms": st.median(ts), "p95_ms": sorted(ts)[int(0.95 * len(ts))]}
        out["roundtrip"] = rt
        for page in a.pages.split(","):
            url = f"http://127.0.0.1:{a.port}/{page}"
            acc: dict[str, list] = {}
            for rep in range(a.reps):
                jobs = [
                    (t, ap_)
                    for t in chromes
                    for ap_ in APPROACHES
                    if (t == "ws" or ap_ in ("ax_full", "js_walker_text", "domsnapshot_bare"))
                    and (ap_ != "js_computed_role" or page == "flat/100")
                ]  # quadratic: rebuilds AX per read
                random.Random(rep).shuffle(jobs)
                for t, name in jobs:
                    c, sid = chromes[t].cdp, sids[t]
                    m, p, fmt = APPROACHES[name]
                    await load(c, sid, url)  # a fresh document each time: no cached AX tree
                    await c.send("Runtime.evaluate", ev("document.body.offsetHeight"), sid)
                    if m.startswith("DOMSnapshot"):
                        await c.send("DOMSnapshot.enable", {}, sid)
                    d = await one(c, sid, m, p, fmt)
                    acc.setdefault(f"{name}@{t}/fresh", []).append(d)
                    d = await one(c, sid, m, p, fmt)
                    acc.setdefault(f"{name}@{t}/again", []).append(d)
                    if m.startswith("DOMSnapshot"):
                        await c.send("DOMSnapshot.disable", {}, sid)
                # AX with the domain enabled: tree kept by Chromium between calls
                c, sid = chromes["ws"].cdp, sids["ws"]
                await load(c, sid, url)
                await c.send("Accessibility.enable", {}, sid)
                acc.setdefault("ax_full_enabled@ws/fresh", []).append(
                    await one(c, sid, "Accessibility.getFullAXTree", {}, format_ax)
                )
                acc.setdefault("ax_full_enabled@ws/again", []).append(
                    await one(c, sid, "Accessibility.getFullAXTree", {}, format_ax)
                )
                await c.send(
                    "Runtime.evaluate",
                    ev("document.body.appendChild(document.createElement('button')).textContent='new'"),
                    sid,
                )
                acc.setdefault("ax_full_enabled@ws/mutated", []).append(
                    await one(c, sid, "Accessibility.getFullAXTree", {}, format_ax)
                )
                await c.send("Accessibility.disable", {}, sid)
                # browser-use's recipe: three calls at once
                await load(c, sid, url)
                await c.send("DOMSnapshot.enable", {}, sid)
                t0 = time.perf_counter()
                await asyncio.gather(
                    c.send("DOMSnapshot.captureSnapshot", APPROACHES["domsnapshot_styles_rects"][1], sid),
                    c.send("DOM.getDocument", {"depth": -1, "pierce": True}, sid),
                    c.send("Accessibility.getFullAXTree", {}, sid),
                )
                acc.setdefault("all_three@ws/fresh", []).append(
                    {"total_ms": (time.perf_counter() - t0) * 1e3}
                )
                await c.send("DOMSnapshot.disable", {}, sid)
            res = {}
            for k, ds in acc.items():
                r = {}
                for f in (
                    "total_ms",
                    "chromium_ms",
                    "transfer_ms",
                    "parse_ms",
                    "format_ms",
                    "js_ms",
                    "bytes",
                    "chars",
                ):
                    v = [d[f] for d in ds if f in d]
                    if v:
                        r[f] = round(st.median(v), 3)
                v = sorted(d["total_ms"] for d in ds)
                r["min_ms"], r["max_ms"] = round(v[0], 3), round(v[-1], 3)
                if "_text" in ds[-1]:
                    r["tokens"] = tokens.count(ds[-1]["_text"])
                if "_raw" in ds[-1] and k.endswith("@ws/fresh"):
                    raw = json.dumps(ds[-1]["_raw"])
                    t = time.perf_counter()
                    json.loads(raw)
                    r["stdlib_parse_ms"] = round((time.perf_counter() - t) * 1e3, 3)
                res[k] = r
            out["pages"][page] = res
            print("==", page)
            for k in sorted(res, key=lambda k: res[k]["total_ms"]):
                print(f"  {k:38s}", res[k], flush=True)
            Path(a.out).write_text(json.dumps(out, indent=1))
    finally:
        for v in chromes.values():
            await v.stop()
        srv.kill()


asyncio.run(main())
