"""The extension after its service worker was killed, or after it was reloaded: connected again, with the same tabs."""

from __future__ import annotations

import json
import time

import pytest

from tests.extension.chrome import RawClient
from tests.extension.test_worker_restart import POPUP, attached_are, by_hand, open_tab, session_at, title
from tests.support.waiting import until, until_asked

pytestmark = pytest.mark.timeout(150)
BACK_SECONDS = 2.0
GROUPED = (
    "chrome.tabs.query({}).then(all => all.filter(one => one.groupId !== -1).map(one => one.url).sort())"
)


async def from_popup(chrome, **message):
    popup = await chrome.open(POPUP)
    await chrome.settled(popup)
    reply = await chrome.evaluate(popup, f"chrome.runtime.sendMessage({json.dumps(message)})")
    assert reply["ok"], reply
    await chrome.close(popup["id"])


async def killed(relay, chrome):
    """Kill the worker; the seconds until the extension is connected again."""
    link = relay.profile.link
    await chrome.kill_worker()
    await until(lambda: link.is_lost, named="the worker is gone")
    began = time.monotonic()
    await relay.has_extension(seconds=60)
    return time.monotonic() - began


async def test_a_killed_worker_is_back_within_two_seconds_though_nothing_happens_in_the_browser(pair, site):
    relay, chrome = pair
    url = site.page("quiet", title="Quiet")
    await open_tab(pair, url)
    assert await chrome.attached() == [], "the control: no debugger event can wake it"
    times = [await killed(relay, chrome) for _ in range(3)]
    # On a busy machine one may be late; waiting for an alarm would take half a minute each time.
    assert sorted(times)[1] < BACK_SECONDS, times
    client = await RawClient.connect(relay.url)
    assert await title(client, await session_at(client, url)) == "Quiet"
    await client.close()


async def reloaded(relay, chrome):
    """Reload the extension as the user does on the browser's page of extensions."""
    link = relay.profile.link
    await chrome.in_worker("setTimeout(() => chrome.runtime.reload(), 100); 1")
    await until(lambda: link.is_lost, named="the old one is gone")
    await relay.has_extension(seconds=60)


async def test_a_reload_of_the_extension_keeps_tabs_attached_by_hand_and_leaves_no_other_in_a_group(
    pair, site
):
    relay, chrome = pair
    mine, driven = site.page("mine", title="Mine"), site.page("driven", title="Driven")
    await by_hand(chrome, await open_tab(pair, mine))
    await open_tab(pair, driven)
    client = await RawClient.connect(relay.url)
    await title(client, await session_at(client, driven))
    own = site.page("made")
    made = await client.send("Target.createTarget", {"url": own})
    await title(client, await session_at(client, own))

    async def own_is_grouped():
        return await chrome.in_worker(GROUPED) == [own]

    await until_asked(own_is_grouped, named="the control: a program's tab is in a group while it is used")
    await reloaded(relay, chrome)
    await client.close()
    await attached_are(chrome, [mine])
    origins = {tab.url: tab.origin for tab in relay.profile.tabs.values()}
    assert origins[mine] == "manual"
    assert origins[driven] == "user"
    assert {tab.origin for tab in relay.profile.tabs.values() if tab.target_id == made["targetId"]} == {
        "agent"
    }

    async def none_is_grouped():
        return await chrome.in_worker(GROUPED) == []

    await until_asked(none_is_grouped, named="the program's tab has left the group")
    tab = await relay.has_tab(mine)
    await from_popup(chrome, ask="unshare", tabId=tab.tab_id)
    await attached_are(chrome, [])


async def test_a_reload_of_the_extension_does_not_hand_back_what_the_user_has_taken_over(pair, site):
    relay, chrome = pair
    popup = await by_hand(chrome, await open_tab(pair, site.page("mine")))
    await chrome.evaluate(popup, "chrome.runtime.sendMessage({ask: 'stop', why: 'paused'})")
    await until(lambda: relay.profile.stopped == "paused", named="the relay knows")
    await reloaded(relay, chrome)
    assert relay.profile.stopped == "paused"
    assert await chrome.attached() == []
    await from_popup(chrome, ask="stop", why="")
    await until(lambda: relay.profile.stopped == "", named="the control: the user hands back")


async def test_a_page_that_loads_after_the_worker_is_back_is_not_held_up_before_a_program_uses_it(pair, site):
    """Documents of attached tabs are paused for the limits, and the relay has not attached this one again yet."""
    relay, chrome = pair
    url, other = site.page("kept", title="Kept"), site.page("next", title="Next")
    target = await chrome.open(url)
    await relay.has_tab(url)
    await chrome.change_settings(lockUrl=True)
    client = await RawClient.connect(relay.url)
    await title(client, await session_at(client, url))
    await killed(relay, chrome)
    await chrome.change_settings(lockUrl=False)
    await chrome.evaluate(target, f"location = {other!r}")
    await chrome.settled(target, "document.title === 'Next'")
    await client.close()
