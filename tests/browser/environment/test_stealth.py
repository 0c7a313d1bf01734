"""Stealth: pages find the browser that a person would start, and the same one in every place that they look from.

The detectors come from npm by name. Pages tell what they find by their own POST, since asking for it is a trace itself.
"""

import asyncio
import json
import os
import re
import signal
import subprocess
import tempfile
from contextlib import contextmanager

import pytest

import boathook
from boathook.engine.launch.find_chrome import find_browser
from tests.support.chromium import foreign_chromium, port_of
from tests.support.npm import CACHE, npm_packages
from tests.support.report import DOCUMENT_SURFACES, HEADERS, PATIENCE, SURFACES, Listener
from tests.support.waiting import until

PACKAGES = ("@fingerprintjs/botd@2.0.0", "fpscanner@1.0.2")
SCRIPTS = {"botd": "@fingerprintjs/botd/dist/botd.esm.js", "fpscanner": "fpscanner/dist/fpScanner.es.js"}
ELSEWHERE = "--host-resolver-rules=MAP shop.example 127.0.0.1"
"""On loopback the console is listened to from the beginning, which a page can notice; elsewhere it is not."""
DOCUMENTS = {"page", "frame", "elsewhere", "srcdoc", "blank"}
WORKERS = {"worker", "blob", "nested", "shared", "service"}
MADE_UP = {"graphics", "newer graphics", "window", "mouse", "scrollbars"}
"""Surfaces on which `full` says something else than `basic`; the number of processors besides, where there are few."""
LEVELS = ("off", "basic", "full")
ASKED = {
    "/frame.html",
    "/facts.js",
    "/from-worker",
    "/worker.js?shared",
    "/from-worker?shared",
    "/worker.js?service",
}
"""Requests of pages and workers whose headers are looked at."""


@contextmanager
def started_by_hand(*urls):
    """The same browser in the same mode, with no automation at all: it cannot be queried."""
    with tempfile.TemporaryDirectory(prefix="hand-", ignore_cleanup_errors=True) as profile:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        line = [str(find_browser().path), "--headless=new", *sandbox, "--no-first-run"]
        process = subprocess.Popen(
            [*line, ELSEWHERE, "--window-size=1280,720", f"--user-data-dir={profile}", *urls],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def listener():
    made = Listener()
    yield made
    made.close()


class Found:
    """What one browser's pages told."""

    def __init__(self):
        self.places: dict[str, dict[str, object]] = {}
        self.across = ""
        self.headers: dict[str, dict[str, str]] = {}
        self.flagged: dict[str, set[str]] = {}

    async def take(self, told, listener):
        self.across = told.pop("across")
        # Workers ask for theirs beside everything else, so that some may come after the report.
        await until(lambda: listener.headers.keys() >= ASKED, named="every request has come")
        self.places, self.headers = told, dict(listener.headers)


def flags(told):
    """All that was found suspicious, by name."""
    found = {f"botd {name}" for name, item in told["botd"].items() if item.get("bot")}
    return found | {f"scanner {name}" for name, item in told["scanner"].items() if item.get("detected")}


async def visited(listener, level):
    """A browser of ours on both pages; detectors look when it comes, and again after a look and a click."""
    found = Found()
    detectors = f"{listener.origin}/detectors.html".replace("127.0.0.1", "shop.example")
    async with await boathook.launch(switches=[ELSEWHERE], stealth=level) as browser:
        listener.headers.clear()
        await browser.open(f"{listener.origin}/places.html{'?patient' if level == 'basic' else ''}")
        await found.take(await listener.report(), listener)
        tab = await browser.open(detectors)
        found.flagged["first"] = flags(await listener.report())
        await tab.snapshot()
        await tab.click("text=Look again")
        found.flagged["later"] = flags(await listener.report())
    return found


@pytest.fixture(scope="module")
async def found():
    """What the pages of a browser started by hand tell, and those of ours on each level."""
    folder = CACHE / "detectors"
    npm_packages(folder, *PACKAGES, there=[f"node_modules/{path}" for path in SCRIPTS.values()])
    scripts = {name: (folder / "node_modules" / path).read_text() for name, path in SCRIPTS.items()}
    listener = Listener(**scripts)
    by_hand = Found()
    try:
        with started_by_hand(f"{listener.origin}/places.html"):
            await by_hand.take(await listener.report(), listener)
        with started_by_hand(f"{listener.origin}/detectors.html".replace("127.0.0.1", "shop.example")):
            by_hand.flagged["first"] = flags(await listener.report())
        yield {"by hand": by_hand, **{level: await visited(listener, level) for level in LEVELS}}
    finally:
        listener.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", ["basic", "full"])
async def test_detectors_flag_nothing_that_they_do_not_flag_in_a_browser_started_by_hand(found, level):
    by_hand, ours = found["by hand"].flagged["first"], found[level].flagged
    assert ours["first"] - by_hand == set()
    assert ours["later"] - by_hand == set(), "looking and acting leave no trace"
    assert ours["first"] < by_hand, "even fewer: the mode without a window is not named"
    assert found["off"].flagged["first"] - ours["first"], "the control: without it they do flag something"


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_full_is_flagged_no_more_than_basic(found):
    assert found["full"].flagged["first"] <= found["basic"].flagged["first"]
    assert found["full"].flagged["later"] <= found["basic"].flagged["later"]


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", ["by hand", "basic", "full"])
async def test_every_place_tells_the_same_on_every_surface(found, level):
    places = found[level].places
    assert set(places) == DOCUMENTS | WORKERS
    page = places["page"]
    assert set(page) == SURFACES.keys() | DOCUMENT_SURFACES.keys()
    for name in DOCUMENTS:
        assert {name: told for name, told in places[name].items() if told != page[name]} == {}, name
    for name in WORKERS:
        assert set(places[name]) == SURFACES.keys()
        assert {name: told for name, told in places[name].items() if told != page[name]} == {}, name
    off = found["off"].places
    assert off["page"]["webdriver"] != off["worker"]["webdriver"], "the control: a difference is seen"
    assert "[native code]" in page["natives"]
    assert found[level].across.count("[native code]") == 3, "also when one frame asks about the other's"


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("level", ["basic", "full"])
async def test_headers_tell_what_scripts_are_told(found, level):
    page, headers = found[level].places["page"], found[level].headers
    hints = json.loads(page["hints"])
    for path in ASKED:
        assert headers[path]["user-agent"] == page["name"], path
        assert headers[path]["accept-language"].split(",")[0] == page["languages"].split(",")[0], path
    assert set(HEADERS) <= headers["/frame.html"].keys(), "a server that asks for the hints gets all of them"
    for path, sent in headers.items():
        for header in sent.keys() & HEADERS.keys():
            assert _said(sent[header]) == hints[HEADERS[header]], (path, header)


def _said(value):
    """A client hints header in the form that scripts see."""
    listed = re.findall(r'"([^"]*)";v="([^"]*)"', value)
    return [{"brand": brand, "version": version} for brand, version in listed] or value.strip('"')


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_basic_tells_no_lies_about_the_machine(found):
    """Besides the size of the screen and of the page, which the caller chooses, and scrollbars, which are not drawn."""
    by_hand, ours, plain = (found[text].places["page"] for text in ("by hand", "basic", "off"))
    differ = {name for name in ours if ours[name] != by_hand[name]}
    assert differ <= {"name", "version", "window", "screen", "scrollbars"}, (
        "only the name of the mode is left out"
    )
    assert ours["name"] == by_hand["name"].replace("HeadlessChrome", "Chrome")
    assert json.loads(ours["hints"])["fullVersionList"], "the detailed hints are there"
    assert "Headless" not in json.dumps(found["basic"].places)
    assert ours["webdriver"] is False
    assert plain["webdriver"] is True, "the control: without it there is a mark"
    assert "HeadlessChrome" in plain["name"]


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_full_says_something_else_on_the_surfaces_that_are_documented_and_on_no_others(found):
    basic, full = found["basic"].places["page"], found["full"].places["page"]
    differ = {name for name in full if full[name] != basic[name]}
    assert differ <= MADE_UP | {"cores"}
    assert {"window", "mouse", "scrollbars"} <= differ
    assert full["cores"] >= 4
    assert not re.search("SwiftShader|llvmpipe", full["graphics"] + full["newer graphics"])
    width, height = full["window"]
    assert width <= full["screen"][0]
    assert basic["window"][1] < height <= full["screen"][1], (
        "a window is higher than its page, and on the screen"
    )
    assert full["mouse"] == [True] * 4


async def test_a_page_finds_no_names_of_ours(tab, site):
    """Globals of a page after a snapshot and an action are those of an untouched page."""
    names = "() => Object.getOwnPropertyNames(window).sort()"
    await tab.goto(site.page("<button>Press</button>"))
    before = await tab.evaluate(names)
    await tab.snapshot()
    await tab.click("text=Press")
    assert await tab.evaluate(names) == before
    assert await tab.evaluate("typeof __boathook") == "undefined"
    assert await tab.evaluate("typeof __boathook", world="isolated") != "undefined", "it is in its own world"


async def test_a_users_own_agent_is_left_alone(listener):
    async with await boathook.launch(switches=["--user-agent=Mine/1.0"], stealth="full") as browser:
        await browser.open(f"{listener.origin}/frame.html")
        await asyncio.wait_for(until(lambda: "/facts.js" in listener.headers, named="the page"), PATIENCE)
    assert listener.headers["/frame.html"]["user-agent"] == "Mine/1.0"


async def test_a_browser_of_another_program_is_left_unchanged(listener):
    with foreign_chromium() as (_process, profile):
        browser = await boathook.attach(await port_of(profile))
        tab = await browser.open(f"{listener.origin}/frame.html")
        agent = await tab.evaluate("navigator.userAgent")
        await browser.close()
    assert "HeadlessChrome" in agent
    assert listener.headers["/frame.html"]["user-agent"] == agent
