"""The extension's pages as the user sees and uses them; `--write-docs` saves screenshots of them in docs/images."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from boathook.relay.server.access import EXTENSION_ID
from tests.extension.chrome import RawClient
from tests.extension.conftest import paired
from tests.extension.page_pictures import screenshot
from tests.extension.test_worker_restart import session_at
from tests.support.waiting import until, until_asked

IMAGES = Path(__file__).parents[2] / "docs" / "images"
BASE = f"chrome-extension://{EXTENSION_ID}"
WIDTH = 380
"""Of the popup."""
HOSTILE = "<img src=x onerror=document.title='run'> & <b>bold</b>"


@pytest.fixture
def pictured(request):
    """Look at a page of the extension, which must not be wider than its window; `--write-docs` takes a screenshot."""
    is_writing = request.config.getoption("--write-docs")

    async def take(target, name, *, width=WIDTH, **more):
        path = IMAGES / f"{name}.png" if is_writing and name else None
        assert await screenshot(target, path, width=width, **more) <= width, f"{name} at {width} pixels"

    return take


async def shows(chrome, page, *texts):
    for text in texts:
        await chrome.settled(page, f"document.body.innerText.includes({json.dumps(text)})")


async def click(chrome, page, selector):
    await chrome.evaluate(page, f"document.querySelector({selector!r}).click()")


async def driving(relay, url, label="report-agent"):
    """A program that uses a tab; and its session there."""
    client = await RawClient.connect(f"{relay.url}?label={label}")
    session = await session_at(client, url)
    await client.send("DOM.getDocument", session=session)
    return client, session


async def test_the_popup_shows_who_drives_which_tab_and_stops_it(pair, site, pictured):
    relay, chrome = pair
    titles = ("Orders of today", "Inbox", "Tide table", HOSTILE)
    urls = {title: site.page("words", title=title.replace("<", "&lt;")) for title in titles}
    opened = {}
    for title, url in urls.items():
        opened[title] = await chrome.open(url)
        await relay.has_tab(url)
    client, session = await driving(relay, urls["Orders of today"])
    await chrome.change_settings(detachMinutes=5, lockUrl=True)
    popup = await chrome.open(f"{BASE}/popup.html")
    await chrome.activate(opened["Inbox"]["id"])
    await shows(
        chrome, popup, "controlled by report-agent", "Connected to the relay", "Orders of today", "Inbox"
    )
    await shows(chrome, popup, "Profile: Chromium", "detached in 4:5", "Attach this tab")
    await chrome.settled(popup, "document.getElementById('programs').textContent === 'report-agent'")
    await click(chrome, popup, "#others summary")
    await shows(chrome, popup, HOSTILE)
    assert await chrome.evaluate(popup, "document.querySelectorAll('li img, li b b').length") == 0, (
        "only text"
    )
    assert "run" not in await chrome.evaluate(popup, "document.title")
    await click(chrome, popup, "#others summary")
    await pictured(popup, "relay-popup")
    await pictured(popup, "relay-popup-dark", dark=True)
    # Stopped in this tab, the program does not get it back by its next command.
    await click(chrome, popup, "#driven li.attached button")
    await shows(chrome, popup, "stopped by you; programs cannot use it")
    assert "not found" in await client.error("DOM.getDocument", session=session)
    known = {tab.url for tab in relay.profile.tabs.values()}
    assert urls["Orders of today"] not in known
    assert urls["Inbox"] in known, "the control: other tabs are available"
    await click(chrome, popup, "#driven li button")
    await relay.has_tab(urls["Orders of today"])
    assert await client.send("DOM.getDocument", session=await session_at(client, urls["Orders of today"]))
    await click(chrome, popup, "#stop")
    await shows(chrome, popup, "You have taken over", "Hand back")
    await pictured(popup, "relay-popup-stopped")
    await client.close()


async def test_limits_are_switched_in_the_popup_and_a_tab_is_attached_there(pair, site):
    relay, chrome = pair
    url, other = site.page("mine", title="Mine"), site.page("other", title="Other")
    mine = await chrome.open(url)
    await chrome.open(other)
    for wanted in (url, other):
        await relay.has_tab(wanted)
    popup = await chrome.open(f"{BASE}/popup.html")
    await chrome.activate(mine["id"])
    await shows(chrome, popup, "Attach this tab")
    await click(chrome, popup, "#this button")
    await shows(chrome, popup, "attached by you")
    assert url in await chrome.attached()
    for name in ("readOnly", "lockUrl", "noNewTabs"):
        await click(chrome, popup, f"[name={name}]")
        await until(lambda wanted=name: relay.profile.settings[wanted] is True, named=f"{name} is on")
    await click(chrome, popup, "[name=attach]")
    await until(
        lambda: other not in {tab.url for tab in relay.profile.tabs.values()}, named="it is not shared"
    )
    assert url in {tab.url for tab in relay.profile.tabs.values()}
    assert relay.profile.settings["attach"] == "manual"
    await click(chrome, popup, "#this button")
    await until(lambda: url not in {tab.url for tab in relay.profile.tabs.values()}, named="it is taken back")


async def test_the_focus_stays_in_the_popup_while_it_is_updated_and_every_control_has_a_name(pair, site):
    relay, chrome = pair
    url = site.page("mine", title="Mine")
    await chrome.open(url)
    await relay.has_tab(url)
    popup = await chrome.open(f"{BASE}/popup.html")
    await chrome.settled(popup, "document.querySelector('li button')")
    await chrome.evaluate(popup, "document.querySelector('#others').open = true")
    await chrome.evaluate(popup, "window.kept = document.querySelector('#tabs button'); kept.focus()")
    await chrome.change_settings(readOnly=True)
    await chrome.settled(popup, "document.querySelector('[name=readOnly]').checked")
    assert await chrome.evaluate(popup, "document.activeElement === kept && kept.isConnected")
    for name in ("popup", "options", "welcome"):
        page = await chrome.open(f"{BASE}/{name}.html")
        await chrome.settled(page, "document.querySelector('.state, #connection').textContent.length > 2")
        tree = await chrome.command(page["webSocketDebuggerUrl"], "Accessibility.getFullAXTree")
        controls = [
            node["name"]["value"]
            for node in tree["nodes"]
            if node.get("role", {}).get("value") in {"button", "switch", "checkbox", "textbox", "combobox"}
        ]
        assert len(controls) >= 2, name
        assert all(controls), f"{name}: {controls}"
        assert await chrome.evaluate(page, "Boolean(document.title && document.querySelector('h1'))")


async def test_the_options_are_kept_and_reach_the_relay(pair, site, pictured):
    relay, chrome = pair
    url = site.page("words", title="Orders of today")
    await chrome.open(url)
    await relay.has_tab(url)
    client, session = await driving(relay, url)
    await client.send("Page.reload", session=session)
    await client.close()
    options = await chrome.open(f"{BASE}/options.html")
    await chrome.settled(options, "document.forms[0].elements.relay.value")
    wanted = {
        "readOnly": (True, "checked = true"),
        "deny": (["bank.example", "mail.example"], "value = 'bank.example\\nmail.example'"),
        "detachMinutes": (15, "value = 15"),
        "profileName": ("Work", "value = ' Work '"),
        "instructions": ("Never send messages.", "value = 'Never send messages.'"),
    }
    for name, (_, change) in wanted.items():
        script = f"f = document.forms[0].elements.{name}; f.{change}; f.dispatchEvent(new Event('change', {{bubbles: true}}))"
        await chrome.evaluate(options, script)
    expected = {name: value for name, (value, _) in wanted.items()}
    await until(
        lambda: relay.profile and {name: relay.profile.settings[name] for name in wanted} == expected,
        named="the relay knows",
    )
    assert relay.hub.name_of(relay.profile) == "Work"
    assert "key" not in relay.profile.settings
    await shows(chrome, options, "attached the tab", "navigated", "Orders of today", "Saved.")
    await pictured(options, "relay-options", width=760)
    await pictured(options, "", width=320, dark=True)
    refused = "f = document.forms[0].elements.relay; f.value = 'ws://evil.test/extension'; f.dispatchEvent(new Event('change', {bubbles: true})); document.getElementById('saved').textContent"
    assert "on this machine" in await chrome.evaluate(options, refused)
    again = await chrome.open(f"{BASE}/options.html")
    await chrome.settled(again, "document.forms[0].elements.readOnly.checked")
    assert (await chrome.evaluate(again, "document.forms[0].elements.relay.value")).startswith(
        "ws://127.0.0.1:"
    )


@pytest.fixture
async def new_pair(tmp_path):
    """Relay and browser of a user who has just loaded the extension."""
    async with paired(tmp_path, first_run=True) as pair:
        yield pair


async def test_the_first_run_page_opens_on_install_and_leads_from_pairing_to_the_first_command(
    new_pair, pictured
):
    relay, chrome = new_pair

    async def opened():
        return next((page for page in await chrome.targets() if page["url"] == f"{BASE}/welcome.html"), None)

    welcome = await until_asked(opened, named="the page is open")
    await shows(
        chrome,
        welcome,
        "Boathook is ready",
        "connected as “Chromium”",
        "boathook --session mine --browser relay",
    )
    await pictured(welcome, "relay-welcome-connected", width=760)
    key = relay.files.key
    await chrome.change_settings(key="")
    await shows(chrome, welcome, "Not paired", "boathook extension install", "chrome://extensions")
    await until(lambda: relay.profile is None, named="it is disconnected")
    await pictured(welcome, "relay-welcome-unpaired", width=760)
    await relay.stop()
    paste = f"document.getElementById('key').value = {key!r}; document.querySelector('#paste button').click()"
    await chrome.evaluate(welcome, paste)
    await shows(chrome, welcome, "Not connected", "No relay responds", "boathook relay")
    await pictured(welcome, "relay-welcome-offline", width=760)
    popup = await chrome.open(f"{BASE}/popup.html")
    await shows(chrome, popup, "Not connected", "Connect now")
    await pictured(popup, "relay-popup-offline")
    await relay.start()
    await shows(chrome, welcome, "Boathook is ready")
