"""A renderer with little or no processor time is waited for: it is not hung, and its page is not given up."""

import asyncio
import os
import signal
import threading
from contextlib import contextmanager, suppress

import pytest

from boathook.errors import TimedOut
from tests.support.engine import engine_of
from tests.support.thorough import THOROUGH

CYCLE_SECONDS = 0.2
PAGE = "<button>Go</button><script>window.mark = 1</script>"


async def renderers_of(browser):
    """The renderer processes of one browser; the tests signal no others."""
    info = await engine_of(browser).connection.send("SystemInfo.getProcessInfo")
    return [process["id"] for process in info["processInfo"] if process["type"] == "renderer"]


def signal_all(pids, number):
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


@contextmanager
def held_to(share, pids):
    """Let processes run for a share of the time only."""
    over = threading.Event()

    def hold():
        while not over.wait(CYCLE_SECONDS * share):
            signal_all(pids, signal.SIGSTOP)
            over.wait(CYCLE_SECONDS * (1 - share))
            signal_all(pids, signal.SIGCONT)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        over.set()
        holding.join()
        signal_all(pids, signal.SIGCONT)


async def test_a_page_that_responds_late_after_a_timeout_keeps_its_document(browser_with, site):
    browser = await browser_with()
    tab = await browser.open(site.page(PAGE))
    pids = await renderers_of(browser)
    signal_all(pids, signal.SIGSTOP)
    try:
        with pytest.raises(TimedOut):
            await tab.snapshot(timeout=4.5)
        # Later than a page on an idle machine responds, and within a third of the call's time.
        asyncio.get_running_loop().call_later(1.25, signal_all, pids, signal.SIGCONT)
        text = str(await tab.snapshot())
    finally:
        signal_all(pids, signal.SIGCONT)
    assert 'button "Go"' in text
    assert "interrupted" not in text
    assert "replaced" not in text
    assert await tab.evaluate("window.mark") == 1


@pytest.mark.skipif(not THOROUGH, reason="takes as long as its call; part of make stress")
async def test_a_page_with_little_of_a_core_is_waited_for(browser_with, site):
    browser = await browser_with()
    tab = await browser.open(site.page(PAGE + "<a href=#>x</a>" * 2000))
    with held_to(0.05, await renderers_of(browser)):
        assert 'button "Go"' in str(await tab.snapshot(timeout=60))
        for _ in range(3):
            with suppress(TimedOut):
                await tab.evaluate("Array.from({length: 3e6}, (_, i) => i).length", timeout=3)
    assert await tab.evaluate("window.mark") == 1
    assert engine_of(tab).state == "ready"


async def test_a_dead_tab_is_replaced_although_that_takes_longer_than_on_an_idle_machine(tab, site):
    await tab.goto(site.page(PAGE))
    engine = engine_of(tab)
    engine.state = "dead"
    replace = engine.replace_target

    async def replace_late():
        signalled = asyncio.Event()
        asyncio.get_running_loop().call_later(2.3, signalled.set)
        await signalled.wait()
        await replace()

    engine.replace_target = replace_late
    assert (await tab.goto(site.page("<p>New", title="New"))).title == "New"


HUGE_PAGES = {
    "100,000 nodes": "<p>word <b>x</b></p>" * 33_334,
    "200 frames": "<iframe srcdoc='<button>In</button>'></iframe>" * 200,
}


@pytest.mark.skipif(not THOROUGH, reason="takes as long as its calls; part of make stress")
@pytest.mark.parametrize("body", HUGE_PAGES)
async def test_a_huge_page_with_little_of_a_core_ends_in_time_and_the_next_page_opens(
    browser_with, site, body
):
    browser = await browser_with()
    tab = await browser.open(site.page(HUGE_PAGES[body], title="Huge"))
    with held_to(0.1, await renderers_of(browser)):
        for _ in range(3):
            with suppress(TimedOut):
                await tab.snapshot(timeout=6)
        arrived = await tab.goto(site.page("<button>Next</button>", title="Next"), timeout=60)
    assert arrived.title == "Next"
    assert 'button "Next"' in str(await tab.snapshot())
