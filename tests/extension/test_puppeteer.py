"""Puppeteer on tabs that were there before it came."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.npm import npm_packages
from tests.support.waiting import until

ROOT = Path(__file__).parents[2]
PLACE = ROOT / ".cache" / "puppeteer"
SCRIPT = Path(__file__).with_name("puppeteer.mjs")
BUTTON = "<button onclick=\"document.title='clicked'\">Press</button><input><p>inner words</p>"
pytestmark = pytest.mark.timeout(240)


@pytest.fixture(scope="session")
def puppeteer():
    """The script, beside an installed puppeteer-core."""
    if shutil.which("node") is None:
        pytest.skip("Puppeteer needs node, which is not here")
    npm_packages(PLACE, "puppeteer-core@24", there=["node_modules/puppeteer-core/package.json"])
    script = PLACE / f"run-{os.getpid()}.mjs"
    shutil.copyfile(SCRIPT, script)
    yield script
    script.unlink()


async def run(script, **wanted):
    process = await asyncio.create_subprocess_exec(
        "node", str(script), json.dumps(wanted), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(), 120)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode == 0, err.decode()[-2000:]
    return json.loads(out)


async def test_case_19_puppeteer_lists_pages_without_attaching(pair, puppeteer, site):
    relay, chrome = pair
    urls = [site.page(f"page {number}") for number in range(4)]
    for url in urls:
        await chrome.open(url)
        await relay.has_tab(url)
    attached = []
    post = relay.profile.link.post

    def noting(method, *rest, **more):
        attached.extend([method] if method == "tab.attach" else [])
        post(method, *rest, **more)

    relay.profile.link.post = noting
    try:
        seen = await run(puppeteer, relay=relay.url)
    finally:
        del relay.profile.link.post
    assert set(urls) <= set(seen["pages"])
    assert attached == []


async def test_case_19_puppeteer_works_on_an_open_tab_and_its_frame(pair, puppeteer, site):
    relay, chrome = pair
    inner = site.page(BUTTON, title="Inner").replace("127.0.0.1", "localhost")
    url = site.page(BUTTON + f"<iframe src='{inner}'></iframe>", title="Outer")
    await chrome.open(url)
    tab = await relay.has_tab(url)
    await until(lambda: tab.status == "complete", named="it is loaded")
    seen = await run(puppeteer, relay=relay.url, page=url, inner=inner)
    pages = seen.pop("pages")
    assert url in pages
    assert seen == {
        "title": "Outer",
        "sum": 42,
        "clicked": "clicked",
        "typed": "Ada",
        "inner": "inner words",
        "innerClicked": "clicked",
        "session": True,
        "sessionSum": 54,
        "reloaded": "Outer",
        "made": "inner words",
        "madeClicked": "clicked",
    }
