"""Snapshots: the first one after a load, the next one after 1 % of the page changed, size, and growth with the page."""

from __future__ import annotations

import asyncio
import os
import random
import re
import statistics
import time
from pathlib import Path

import real_pages
import tokens
from drivers.base import Unsupported
from node_count import chromium_elements, our_elements

SIZES = (1000, 5000, 20000)
PAGES = [f"{kind}/{size}" for size in SIZES for kind in ("flat", "deep", "css")] + ["busy", "frames"]
LARGE = 20000
SMALL_TIMES = 3
FRAME_MARKS = ("SAMEFRAME_", "CROSSFRAME_", "SHADOW_", "NESTEDSHADOW_", "CLOSEDSHADOW_")
GROWTH = (1000, 5000, 20000, 50000, 100000)
GROWTH_ROUNDS, GROWTH_CALLS = 3, 3

# Changes 1 % of the elements, the same ones for every tool: of five changes three are texts, one an attribute, and one
# an element put in or taken out. Then it waits for two frames, so that no tool is charged for the page's own layout
# merely because its script call returns sooner than another tool's.
CHANGE = """async () => {
  const nodes = [...document.body.querySelectorAll('*')].filter(e => !/^(SCRIPT|STYLE|TEMPLATE)$/.test(e.tagName));
  const texts = [], leaves = nodes.filter(e => /^(A|BUTTON|LI|P|H2|H3|SPAN)$/.test(e.tagName));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (walk.currentNode.data.trim()) texts.push(walk.currentNode);
  const count = Math.max(5, Math.round(nodes.length / 100));
  const spread = (list, k, many) => list[Math.floor((k + 0.5) * list.length / many)];
  for (let k = 0; k < count; k++) {
    const kind = k % 5, leaf = spread(leaves, k, count);
    if (kind < 3) spread(texts, k, count).data = 'Changed text ' + k;
    else if (kind === 3) leaf.toggleAttribute('title');
    else if (k % 2) leaf.remove();
    else { const b = document.createElement('button'); b.textContent = 'Changed button ' + k; leaf.after(b); }
  }
  const frame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 300); });
  await frame(); await frame();
  return count;
}"""


# On real pages: texts, classes and inline styles of 1 % of the elements; not the text of scripts and stylesheets.
CHANGE_REAL = """async () => {
  const ignored = /^(SCRIPT|STYLE|TEMPLATE|NOSCRIPT)$/;
  const nodes = [...document.body.querySelectorAll('*')].filter(e => !ignored.test(e.tagName));
  const texts = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, holder = text.parentElement;
    if (text.data.trim() && !ignored.test(holder.tagName) && holder.checkVisibility()) texts.push(text);
  }
  if (!texts.length) return 0;
  const count = Math.max(3, Math.round(nodes.length / 100));
  const spread = (list, k) => list[Math.floor((k + 0.5) * list.length / count)];
  for (let k = 0; k < count; k++) {
    if (k % 3 === 0) spread(texts, k).data = 'Changed text ' + k;
    else if (k % 3 === 1) spread(nodes, k).classList.toggle('changed-class');
    else spread(nodes, k).style.setProperty('padding-left', '3px');
  }
  const frame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 300); });
  await frame(); await frame();
  return count;
}"""
REAL_ROUNDS = 3


async def real_pages_again(run) -> None:
    """The first and the second snapshot of real pages: `P.first` and `P.again` have one median per page."""
    tools = [name for name in run.live if name != "boathook-cli"]
    for page in real_pages.names():
        item = f"P.{page}"
        await run.each(
            item,
            lambda driver, turn, page=page: _real_pair(run, driver, page),
            min(REAL_ROUNDS, run.options.rounds),
            tools,
        )
        for tool in tools:
            for which in ("first", "again"):
                samples = run.record.samples.get(tool, {}).pop(f"{item}.{which}", [])
                if samples:
                    run.record.add(tool, f"P.{which}", statistics.median(samples))


async def _real_pair(run, driver, page) -> None:
    if not driver.SNAPSHOT or driver.SLOW:
        raise Unsupported
    await driver.open(run.url(f"real/{page}"))
    _text, first = await run.timed(driver, driver.snapshot())
    if not await driver.evaluate(CHANGE_REAL):
        raise Unsupported  # a page without visible text
    later, again = await run.timed(driver, driver.snapshot())
    if driver.name != "boathook-default" and "changed text" not in later.lower():
        raise RuntimeError("the second snapshot does not show the change")
    run.record.add(driver.name, f"P.{page}.first", first)
    run.record.add(driver.name, f"P.{page}.again", again)


async def first_and_again(run) -> None:
    for page in run.options.pages:
        # The command line's snapshots are the library's, with the same process around them as every other call.
        tools = [name for name in run.live if name != "boathook-cli"]
        # What takes a few milliseconds needs more samples for a median that stays the same from run to run.
        rounds = run.options.rounds * (SMALL_TIMES if page.endswith("/1000") else 1)
        await run.each(
            f"S.{page}", lambda driver, turn, page=page: _pair(run, driver, turn, page), rounds, tools
        )


async def _pair(run, driver, turn, page) -> None:
    if not driver.SNAPSHOT or driver.SLOW:
        raise Unsupported
    await driver.open(run.url(page))
    if page == "frames":
        await asyncio.sleep(0.3)  # frames of other sites settle after the load; no tool is timed on that
    text, first = await run.timed(driver, driver.snapshot())
    if page != "frames":
        await driver.evaluate(CHANGE)
    later, again = await run.timed(driver, driver.snapshot())
    if page != "frames" and driver.name != "boathook-default" and "changed text" not in later.lower():
        raise RuntimeError("the second snapshot does not show the change")
    run.record.add(driver.name, f"S.first.{page}", first)
    run.record.add(driver.name, f"S.again.{page}", again)
    if turn == 0:
        _keep_facts(run, driver, page, text)


def _keep_facts(run, driver, page, text) -> None:
    facts = {"chars": len(text), "tokens": tokens.count(text), "lines": text.count("\n") + 1}
    if page == "frames":
        for mark in FRAME_MARKS:
            facts[mark] = len(set(re.findall(rf"(?<![A-Z]){mark}\d+", text)))
    run.record.fact(driver.name, f"S.{page}", **facts)
    _dump(run, driver, page, text)


def _dump(run, driver, page, text) -> None:
    if run.options.dump:
        folder = Path(run.options.dump)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{driver.name}-{page.replace('/', '_')}.txt").write_text(text)


async def linearity(run) -> None:
    """Second calls on growing pages, the sizes shuffled in every round."""
    tools = [name for name in ("boathook", "rawcdp") if name in run.live]
    pages = [f"{kind}/{size}" for kind in ("flat", "deep") for size in GROWTH]
    began, load = time.perf_counter(), os.getloadavg()[0]
    for turn in range(GROWTH_ROUNDS):
        work = [(name, page) for name in tools for page in pages]
        random.Random(turn).shuffle(work)
        for name, page in work:
            try:
                await asyncio.wait_for(_grow(run, run.live[name], page), run.options.limit)
            except Exception as error:
                run.record.error(name, f"L.{page}", error)
    run.meta["load"]["L"] = [round(load, 1), round(os.getloadavg()[0], 1)]
    run.save()
    run.print(f"L done in {time.perf_counter() - began:.0f} s")


async def _grow(run, driver, page) -> None:
    await driver.open(run.url(page))
    nodes = int(await driver.evaluate("() => document.querySelectorAll('*').length"))
    text = await driver.snapshot()
    for _ in range(GROWTH_CALLS):
        text, ms = await run.timed(driver, driver.snapshot())
        run.record.add(driver.name, f"L.{page}", ms)
    run.record.fact(driver.name, f"L.{page}", nodes=nodes, bytes=len(text.encode()))


async def node_counts(run) -> None:
    """Element lines of Boathook's whole snapshot beside the elements that Chromium's own tree exposes."""

    async def sample(driver, _turn):
        for page in (*(page for page in PAGES if page != "frames"), "desk"):
            await driver.open(run.url(page))
            lines = (await driver.t.snapshot(mode="full", budget=None, fold=False)).lines
            elements = our_elements(lines)
            chromium = await chromium_elements(driver.send)
            run.record.fact(
                driver.name, f"N.{page}", elements=elements, other=len(lines) - elements, chromium=chromium
            )

    await run.each("N", sample, 1, ["boathook"])


async def desk_tokens(run) -> None:
    """What each tool's default snapshot of a busy desk costs a model; times beside it."""

    async def sample(driver, turn):
        if not driver.SNAPSHOT:
            raise Unsupported
        await driver.open(run.url("desk"))
        text, ms = await run.timed(driver, driver.snapshot_default())
        run.record.add(driver.name, "T.desk", ms)
        if turn == 0:
            run.record.fact(driver.name, "T.desk", chars=len(text), tokens=tokens.count(text))
            if driver.name == "boathook":
                whole = (await driver.t.snapshot(budget=None, fold=False)).text
                run.record.fact(driver.name, "T.desk", tokens_unfolded=tokens.count(whole))
            _dump(run, driver, "desk", text)

    await run.each("T.desk", sample)
