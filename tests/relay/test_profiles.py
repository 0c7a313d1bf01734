"""Several browser profiles at one relay: each has a name, and programs choose by it."""

from __future__ import annotations

import asyncio
import json
from urllib.parse import quote

import pytest
from websockets.exceptions import InvalidStatus

from boathook.errors import EndpointError, TakenOver
from boathook.relay.relay_doctor import diagnose
from boathook.service.sessions.providers import relay_browser
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import SETTINGS, FakeExtension
from tests.support.waiting import until


@pytest.fixture
async def two(relay):
    """Two profiles of one browser; the user has named neither."""
    both = [await FakeExtension(relay, install_id=name, tabs=tabs).connect() for name, tabs in TABS.items()]
    yield both
    for extension in both:
        await extension.close()


TABS = {"3f0c-first": (1,), "9d2e-second": (2, 3)}


async def urls_of(relay, profile):
    client = await RawClient.connect(f"{relay.url}?profile={quote(profile)}")
    found = (await client.send("Target.getTargets"))["targetInfos"]
    await client.close()
    return sorted(info["url"] for info in found)


async def refusal(url):
    with pytest.raises(InvalidStatus) as refused:
        await RawClient.connect(url)
    response = refused.value.response
    return response.status_code, json.loads(response.body)["error"]


async def test_profiles_are_chosen_by_name_and_the_default_names_are_numbered(relay, two):
    assert [extension.welcome["profile"] for extension in two] == ["Chrome", "Chrome 2"]
    assert await urls_of(relay, "Chrome") == ["https://site-1.test/"]
    assert await urls_of(relay, "chrome 2") == ["https://site-2.test/", "https://site-3.test/"]
    assert await urls_of(relay, "9d2e-second") == await urls_of(relay, "Chrome 2"), "ids work too"


async def test_a_refusal_says_which_names_there_are_and_how_to_choose(relay, two):
    status, why = await refusal(relay.url)
    assert (status, "Chrome, Chrome 2" in why, "?profile=NAME" in why, "relay:NAME" in why) == (
        409,
        *[True] * 3,
    )
    assert not any(name in why for name in TABS), "names, not ids"
    status, why = await refusal(f"{relay.url}?profile=Work")
    assert (status, "'Work'" in why, "Chrome, Chrome 2" in why) == (404, True, True)


async def test_a_name_that_the_user_sets_holds_at_once_and_a_doubtful_one_is_refused(relay, two):
    first, second = two
    await second.tell("settings", **SETTINGS, profileName=" Work\n")
    await until(lambda: "Work" in [relay.hub.name_of(one) for one in relay.hub.slots.values()], named="known")
    assert await urls_of(relay, "work") == ["https://site-2.test/", "https://site-3.test/"]
    await first.tell("settings", **SETTINGS, profileName="Work")
    await until(
        lambda: [relay.hub.name_of(one) for one in relay.hub.slots.values()] == ["Work"] * 2, named="both"
    )
    status, why = await refusal(f"{relay.url}?profile=Work")
    assert (status, "rename" in why) == (409, True)


async def test_a_default_name_stands_for_the_same_profile_after_a_restart_of_the_relay(relay, two):
    for extension in two:
        await extension.close()
    await relay.stop()
    await relay.start(wait_seconds=0.2)
    again = [
        await FakeExtension(relay, install_id=name, tabs=TABS[name]).connect() for name in reversed(TABS)
    ]
    assert [extension.welcome["profile"] for extension in again] == ["Chrome 2", "Chrome"], "in another order"
    assert await urls_of(relay, "Chrome") == ["https://site-1.test/"]
    for extension in again:
        await extension.close()


async def test_the_doctor_lists_names(relay, two):
    await two[0].tell("stopped", why="paused")
    await until(lambda: any(one.stopped for one in relay.hub.slots.values()), named="the relay knows")
    report, is_connected = await asyncio.to_thread(diagnose, relay.files, port=relay.port, is_running=True)
    assert is_connected
    assert "2 browser profiles connected" in report
    assert "Chrome 2: Chrome/156.0.0.0, 2 tabs, 0 attached" in report
    assert "Chrome: Chrome/156.0.0.0, 1 tab, 0 attached, taken over by the user" in report
    assert not any(name in report for name in TABS)


@pytest.fixture
def ours(relay, monkeypatch):
    """Our own browsers at this relay."""
    monkeypatch.setenv("BOATHOOK_RELAY_FOLDER", str(relay.files.folder))
    for name in ("CONNECT_SECONDS", "OTHERS_SECONDS"):
        monkeypatch.setattr(relay_browser, name, 0.3)

    def attach(profile=""):
        return relay_browser.open_relay(f"{relay.port}:{profile}" if profile else str(relay.port))

    return attach


async def test_our_own_commands_choose_a_profile_and_say_what_is_wrong(relay, two, ours):
    browser = await ours("Chrome 2")
    assert sorted(info.url for info in browser.targets.pages()) == [
        "https://site-2.test/",
        "https://site-3.test/",
    ]
    await browser.close()
    with pytest.raises(
        EndpointError, match="several browser profiles are connected to the relay: Chrome, Chrome 2"
    ):
        await ours()
    with pytest.raises(EndpointError, match=r"no browser profile 'Work' is connected .* Chrome, Chrome 2"):
        await ours("Work")


async def test_a_relay_without_a_browser_and_one_that_refuses_are_told_apart(relay, ours, monkeypatch):
    with pytest.raises(EndpointError, match="no Chrome is connected"):
        await ours()
    monkeypatch.setattr(relay.files.__class__, "token", lambda *_: "wrong")
    with pytest.raises(EndpointError, match="refused the connection") as refused:
        await ours()
    assert "no Chrome" not in str(refused.value)


async def test_while_the_user_has_taken_over_our_commands_say_so(relay, ours):
    extension = await FakeExtension(
        relay, settings={"instructions": "Only read.\nAsk before buying."}
    ).connect()
    await relay.has_extension()
    browser = await ours()
    assert "the user's instructions: Only read. Ask before buying." in browser.notes
    await extension.tell("stopped", why="cancelled")
    await until(lambda: relay.profile.stopped, named="the relay knows")
    with pytest.raises(TakenOver, match="the user cancelled debugging") as stopped:
        await browser.open_blank(None)
    assert "Hand back" in stopped.value.hint
    await extension.close()
    await until(lambda: relay.profile is None, named="the extension is gone")
    with pytest.raises(EndpointError, match="not connected to the relay at the moment"):
        await browser.open_blank(None)
    await browser.close()


async def test_a_name_of_the_user_is_one_short_line(tmp_path):
    relay = await Relay(tmp_path / "secrets").start(wait_seconds=0.2)
    extension = await FakeExtension(relay, browser="Ed\x1b[31mge\n" * 40).connect()
    assert len(extension.welcome["profile"]) <= 40
    assert extension.welcome["profile"].isprintable()
    await extension.close()
    await relay.stop()
