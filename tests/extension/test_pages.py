"""The popup and the options page, as the user sees and uses them; `--write-docs` saves screenshots of them in docs/images."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest

from boathook.relay.server.access import EXTENSION_ID
from tests.extension.chrome import RawClient
from tests.support.waiting import until

IMAGES = Path(__file__).parents[2] / "docs" / "images"
BASE = f"chrome-extension://{EXTENSION_ID}"


@pytest.fixture
def pictured(request, tmp_path):
    """Take a screenshot of a page of the extension; returns its path."""
    folder = IMAGES if request.config.getoption("--write-docs") else tmp_path

    async def take(chrome, target, name, *, width, height):
        box = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        shot = await chrome.command(
            target["webSocketDebuggerUrl"], "Page.captureScreenshot", clip=box, captureBeyondViewport=True
        )
        path = folder / f"{name}.png"
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    return take


async def test_the_popup_shows_who_drives_which_tab(own_pair, site, pictured):
    relay, chrome = own_pair
    urls = {title: site.page("words", title=title) for title in ("Orders of today", "Inbox", "Tide table")}
    for url in urls.values():
        await chrome.open(url)
        await relay.has_tab(url)
    client = await RawClient.connect(f"{relay.url}?label=report-agent")
    await client.send("Target.setAutoAttach", {"autoAttach": True, "flatten": True})
    session = next(
        event["sessionId"]
        for event in client.seen("Target.attachedToTarget")
        if event["targetInfo"]["url"] == urls["Orders of today"]
    )
    await client.send("DOM.getDocument", session=session)
    popup = await chrome.open(f"{BASE}/popup.html")
    for words in ("controlled by report-agent", "Connected to the relay", *urls):
        await chrome.settled(popup, f"document.body.innerText.includes({words!r})")
    path = await pictured(chrome, popup, "relay-popup", width=380, height=420)
    assert path.stat().st_size > 5_000
    # The button of a driven tab takes it back, and the next command of the program attaches it again.
    await chrome.evaluate(popup, "document.querySelector('li.attached button').click()")
    await chrome.settled(popup, "!document.querySelector('li.attached')")
    tab = await relay.has_tab(urls["Orders of today"])
    await until(lambda: not tab.is_live, named="the relay knows that it was taken back")
    assert await client.send("DOM.getDocument", session=session)
    await client.close()


async def test_the_options_are_kept_and_reach_the_relay(own_pair, pictured):
    relay, chrome = own_pair
    options = await chrome.open(f"{BASE}/options.html")
    await chrome.settled(options, "document.forms[0].elements.relay.value")
    for name, value in (
        ("readOnly", "checked = true"),
        ("deny", "value = 'bank.example\\nmail.example'"),
        ("detachMinutes", "value = 15"),
    ):
        script = f"f = document.forms[0].elements.{name}; f.{value}; f.dispatchEvent(new Event('change', {{bubbles: true}}))"
        await chrome.evaluate(options, script)
    await until(
        lambda: (
            relay.profile
            and (
                relay.profile.settings["readOnly"],
                relay.profile.settings["deny"],
                relay.profile.settings["detachMinutes"],
            )
            == (True, ["bank.example", "mail.example"], 15)
        ),
        named="the relay knows",
    )
    assert "key" not in relay.profile.settings
    path = await pictured(chrome, options, "relay-options", width=720, height=900)
    assert path.stat().st_size > 5_000
    refused = "f = document.forms[0].elements.relay; f.value = 'ws://evil.test/extension'; f.dispatchEvent(new Event('change', {bubbles: true})); document.getElementById('saved').textContent"
    assert "on this machine" in await chrome.evaluate(options, refused)
    again = await chrome.open(f"{BASE}/options.html")
    await chrome.settled(again, "document.forms[0].elements.readOnly.checked")
    assert (await chrome.evaluate(again, "document.forms[0].elements.relay.value")).startswith(
        "ws://127.0.0.1:"
    )
