"""A page or a browser that dies during a wait: the wait fails at once, not at the deadline."""

import asyncio
import os
import signal
import tempfile
from pathlib import Path

import pytest

from boathook.engine.tab import Tab
from boathook.errors import BrowserGone, TabCrashed
from tests.support.engine import engine_of
from tests.support.waiting import until
from tools.stress.processes import processes_of

NEVER_LOADED = "<title>Half</title><p>x</p><img src=/never>"
LONG = 300
"""Seconds that nobody waits: the test would run into its own limit first."""


async def half_loaded(tab, site, work):
    """Begin a call, and wait until the page has its document and the call waits for the rest."""
    page = site.page(NEVER_LOADED)
    call = asyncio.create_task(work(page))
    await until(lambda: engine_of(tab).url == page, named="the document is there")
    assert not call.done()
    return call


async def test_a_load_ends_when_the_page_crashes(tab, site):
    call = await half_loaded(tab, site, lambda page: tab.goto(page, timeout=LONG))
    engine_of(tab)._stop_page()
    with pytest.raises(TabCrashed):
        await call
    await tab.goto(site.page("<p>x</p>", title="Again"))
    assert await tab.title() == "Again"


@pytest.mark.parametrize(
    "work",
    [
        lambda tab, page: tab.goto(page, timeout=LONG),
        lambda tab, page: waited(tab, page, tab.wait_for_load("load", timeout=LONG)),
        lambda tab, page: waited(tab, page, tab.wait_for_url("**/nowhere", timeout=LONG)),
        lambda tab, page: waited(tab, page, tab.wait_for_text("Nowhere", timeout=LONG)),
        lambda tab, page: waited(tab, page, tab.wait_for_download(timeout=LONG)),
        lambda tab, page: waited(tab, page, tab.wait_for_dialog(timeout=LONG)),
    ],
    ids=["goto", "load", "url", "text", "download", "dialog"],
)
async def test_a_wait_ends_when_the_browser_is_killed(browser_with, site, work):
    browser = await browser_with()
    tab = await browser.open()
    call = await half_loaded(tab, site, lambda page: work(tab, page))
    kill_browser(browser)
    with pytest.raises(BrowserGone):
        await call
    with pytest.raises(BrowserGone):
        await tab.title()


async def waited(tab, page, waiting):
    await tab.goto(page, wait_until="commit")
    await waiting


def kill_browser(browser):
    """With -9, from outside: the process that was started on its profile."""
    profile = engine_of(browser).folder._path.parent
    [leader] = [process.pid for process in processes_of(profile) if process.kind == "browser"]
    os.kill(leader, signal.SIGKILL)


async def test_a_tab_whose_page_dies_while_it_is_opened_is_replaced(browser, tab, site, monkeypatch):
    """`tab` is there for its clean-up."""
    deaths = []
    prepare = Tab.prepare

    async def prepare_or_die(fresh, viewport):
        if not deaths:
            deaths.append(fresh)
            fresh._stop_page()
            await until(lambda: fresh.state == "crashed", named="the page has died")
        await prepare(fresh, viewport)

    monkeypatch.setattr(Tab, "prepare", prepare_or_die)
    opened = await browser.open(site.page("<p>x</p>", title="Alive"), timeout=LONG)
    assert await opened.title() == "Alive"
    assert deaths != [engine_of(opened)]
    await until(
        lambda: len(engine_of(browser).targets.pages()) == len(engine_of(browser).tabs),
        named="the dead one is closed",
    )


@pytest.mark.parametrize("lasting", [False, True], ids=["temporary profile", "lasting profile"])
async def test_a_long_path_for_temporary_files_is_no_obstacle(browser_with, tmp_path, monkeypatch, lasting):
    """Chromium itself does not start with it: the path of its socket would be too long."""
    far = tmp_path / ("far" * 30)
    far.mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(far))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(far))
    browser = await browser_with(profile=tmp_path / "profile" if lasting else None)
    tab = await browser.open("data:text/html,<title>Here</title>")
    assert await tab.title() == "Here"


async def test_temporary_files_of_a_browser_lie_in_its_temporary_profile(browser_with, monkeypatch):
    with tempfile.TemporaryDirectory(prefix="bh") as near:
        monkeypatch.setenv("TMPDIR", near)
        monkeypatch.setenv("XDG_RUNTIME_DIR", near)
        browser = await browser_with()
        profile = engine_of(browser).folder._path.parent
        assert [path.name for path in Path(near).iterdir() if path.name.startswith("org.chromium")] == []  # noqa: ASYNC240
        assert (profile / "SingletonSocket").readlink().parent.parent == profile / "t"
        await browser.close()
        assert not profile.exists()
