"""One thing of the extension's is under way when another comes: what holds in the end is what came last."""

from __future__ import annotations

import pytest

from boathook.relay.server.hub import Hub
from tests.extension.chrome import RawClient
from tests.extension.test_worker_restart import attached_are, session_at, title
from tests.support.waiting import until, until_asked

pytestmark = pytest.mark.timeout(150)


async def test_what_happens_while_the_extension_says_what_there_is_is_told_afterwards(
    own_pair, site, monkeypatch
):
    """The relay takes for ours only who begins with that; anything before it would end the connection."""
    relay, chrome = own_pair
    greetings, greet = [], Hub.greet
    monkeypatch.setattr(Hub, "greet", lambda *given: greetings.append(given) or greet(*given))
    monkeypatch.setattr("boathook.relay.server.hub.HELLO_SECONDS", 60)
    await relay.stop()
    await chrome.in_worker(held("tabs.query"))
    await relay.start()
    await until_asked(lambda: chrome.in_worker("begun"), named="it asks for all tabs")
    url = site.page("early")
    target = await chrome.open(url)
    await chrome.settled(target)
    told = f"chrome.tabs.quick({{url: {url!r}}}).then(all => all[0]?.status === 'complete')"
    await until_asked(lambda: chrome.in_worker(told), named="Chrome has told of the tab")
    await chrome.in_worker("goOn(); 1")
    await relay.has_tab(url)
    assert len(greetings) == 1


async def test_a_tab_that_is_let_go_while_it_is_put_into_the_group_does_not_stay_there(own_pair, site):
    relay, chrome = own_pair
    url = site.page("brief", title="Brief")
    client = await RawClient.connect(relay.url)
    await client.send("Target.createTarget", {"url": url})
    await chrome.in_worker(held("tabs.group"))
    await relay.has_tab(url)
    assert await title(client, await session_at(client, url)) == "Brief"
    await until_asked(lambda: chrome.in_worker("begun"), named="it is put into the group")
    await client.close()
    await attached_are(chrome, [])
    await chrome.in_worker("goOn(); 1")
    await until_asked(lambda: chrome.in_worker("ended"), named="the control: it was put there")
    inside = "chrome.tabs.query({}).then(all => all.every(one => one.groupId === -1))"
    await until_asked(lambda: chrome.in_worker(inside), named="no tab is in a group")


async def test_settings_that_were_read_before_a_change_do_not_take_its_place(pair, monkeypatch):
    relay, chrome = pair
    told, listener = [], relay.profile.on_message
    monkeypatch.setattr(relay.profile, "on_message", lambda *event: (told.append(event[0]), listener(*event)))
    slow = "self.usual = fetch; self.goOn = null; self.fetch = (...all) => { self.fetch = usual; return new Promise(go => { self.goOn = go }).then(() => usual(...all)) }; 1"
    await chrome.in_worker(slow)
    await chrome.change_settings(detachMinutes=5)
    await until_asked(lambda: chrome.in_worker("Boolean(goOn)"), named="the settings are being read")
    await chrome.change_settings(readOnly=True)
    await until(lambda: told.count("settings") == 1, named="the later change is told")
    assert relay.profile.settings["readOnly"]
    await chrome.in_worker("goOn(); 1")
    await until(lambda: told.count("settings") == 2, named="the earlier one is told")
    assert relay.profile.settings["readOnly"], "as it is by now"
    assert (await relay.profile.link.call("settings.get"))["readOnly"]


def held(name):
    """A script after which the first call of one of Chrome's functions waits for `goOn()`."""
    thing = name.partition(".")[0]
    return (
        f"self.begun = self.ended = 0; chrome.{thing}.quick = chrome.{name}; chrome.{name} = async (...all) => {{"
        f" chrome.{name} = chrome.{thing}.quick; begun = 1; await new Promise(go => {{ self.goOn = go }});"
        f" const given = await chrome.{thing}.quick(...all); ended = 1; return given }}; 1"
    )
