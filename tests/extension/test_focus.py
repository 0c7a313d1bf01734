"""The user's window and tab stay in front, in a headed browser with a window manager."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from boathook.relay.extension.install_extension import install
from tests.extension.chrome import SWITCHES, UserChrome
from tests.extension.conftest import Relay
from tests.support.waiting import until_asked

MANAGERS = ("openbox", "xfwm4", "metacity", "mutter", "icewm", "fluxbox", "twm")
WATCH = (
    "self.seen = [];"
    "chrome.tabs.onActivated.addListener(({tabId}) => seen.push('tab ' + tabId));"
    "chrome.windows.onFocusChanged.addListener(id => seen.push('window ' + id)); 1"
)

IN_FRONT = (
    "chrome.windows.getLastFocused({populate: true})"
    ".then(one => one.focused && one.tabs.find(tab => tab.active).id)"
)


@pytest.fixture
def display():
    """A screen with a window manager."""
    manager = next(filter(shutil.which, MANAGERS), None)
    if shutil.which("Xvfb") is None or manager is None:
        pytest.skip("needs Xvfb and a window manager, which are not here")
    reading, writing = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        environment = {**os.environ, "DISPLAY": f":{pipe.readline().strip()}"}
    manages = subprocess.Popen(
        [manager], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    yield environment
    for process in (manages, screen):
        process.kill()
        process.wait()


@pytest.mark.timeout(150)
async def test_case_31_focus_never_changes_in_a_headed_browser(display, tmp_path, site, playwright):
    relay = await Relay(tmp_path / "secrets").start()
    extension = install(relay.files, port=relay.port, folder=tmp_path / "extension")
    switches = [switch for switch in SWITCHES if not switch.startswith("--headless")]
    mine = site.page("the user reads this", title="Mine")
    chrome = await UserChrome.start(
        extension=extension, profile=tmp_path / "profile", url=mine, switches=switches, env=display
    )
    try:
        await relay.has_extension()
        await relay.has_tab(mine)
        target = next(page for page in await chrome.targets() if page["url"] == mine)
        other = site.page(
            "<button onclick=\"document.title='clicked'\">Press</button><a target=_blank href='/given/0'>new</a>"
            "<input type=button value=Window onclick=\"open('/given/0', '', 'width=300,height=200')\">"
        )
        await chrome.in_worker(f"chrome.tabs.create({{url: '{other}', active: false}}).then(() => 1)")
        await relay.has_tab(other)
        front = await until_asked(lambda: chrome.in_worker(IN_FRONT), named="the user's window is in front")
        await chrome.in_worker(WATCH)

        async def is_in_front():
            return await chrome.in_worker(IN_FRONT) == front

        before = await chrome.evaluate(
            target, "[document.visibilityState, innerWidth, devicePixelRatio].join()"
        )
        browser = await playwright.chromium.connect_over_cdp(relay.url)
        page = next(page for page in browser.contexts[0].pages if page.url == other)
        page.set_default_timeout(30_000)
        await page.bring_to_front()
        await page.click("button")
        assert await page.title() == "clicked"
        made = await browser.contexts[0].new_page()
        await made.goto(mine)
        await made.close()
        assert await chrome.in_worker("seen") == []
        for opener in ("a", "input"):
            await chrome.in_worker("seen.splice(0)")
            async with page.context.expect_page(timeout=30_000) as coming:
                await page.click(opener)
            popup = await coming.value
            await popup.wait_for_load_state()
            await until_asked(is_in_front, named="the user's window and tab are in front again")
            assert await chrome.in_worker("seen.length"), "the control: Chrome itself puts it in front"
            await popup.close()
            await until_asked(is_in_front, named="they still are")
        assert (
            await chrome.evaluate(target, "[document.visibilityState, innerWidth, devicePixelRatio].join()")
            == before
        )
        assert before.startswith("visible")
        await chrome.in_worker("seen.splice(0)")
        await chrome.activate(next(page for page in await chrome.targets() if page["url"] == other)["id"])
        await until_asked(lambda: chrome.in_worker("seen.length"), named="the control: that is seen")
        await browser.close()
    finally:
        chrome.stop()
        await relay.stop()
