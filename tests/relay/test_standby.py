"""Our own commands while the relay lets in one program at a time: they stand by, and say so when it takes too long."""

from __future__ import annotations

import asyncio

import pytest

from boathook.errors import EndpointError
from boathook.service.sessions.providers import relay_browser
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import FakeExtension
from tests.support.waiting import until


@pytest.fixture
async def busy(tmp_path, monkeypatch):
    """A relay for one program at a time, and the program that is in."""
    monkeypatch.setenv("BOATHOOK_RELAY_FOLDER", str(tmp_path / "secrets"))
    relay = await Relay(tmp_path / "secrets").start(single_active=True, wait_seconds=0.2)
    extension = await FakeExtension(relay).connect()
    await relay.has_extension()
    first = await RawClient.connect(relay.url)
    yield relay, first
    await first.close()
    await extension.close()
    await relay.stop()


async def test_a_command_waits_for_its_turn(busy, monkeypatch):
    relay, first = busy
    asked = []
    client_slot = relay.hub.client_profile
    monkeypatch.setattr(relay.hub, "client_profile", lambda: asked.append(1) or client_slot())
    waiting = asyncio.create_task(relay_browser.open_relay(str(relay.port)))
    await until(lambda: len(asked) >= 2, named="it asks again and again whether the place is free")
    assert not waiting.done()
    await first.close()
    browser = await asyncio.wait_for(waiting, 20)
    assert browser.kind == "relay"
    assert len(relay.hub.clients) == 1
    await browser.close()


async def test_a_command_that_waits_too_long_says_why_without_the_token(busy, monkeypatch):
    relay, _ = busy
    monkeypatch.setattr(relay_browser, "STANDBY_SECONDS", 0.7)
    with pytest.raises(EndpointError, match="one at a time") as raised:
        await relay_browser.open_relay(str(relay.port))
    assert relay.files.token() not in f"{raised.value!s} {raised.value.evidence}"


async def test_a_refusal_is_told_without_the_token(busy, monkeypatch):
    """The URL of a relay contains the token; its errors are read by others."""
    relay, first = busy
    await first.close()
    await until(lambda: not relay.hub.is_busy, named="the place is free")

    async def refusing(address, **_):
        assert relay.files.token() in address, "the control"
        raise EndpointError(f"{address} refused the WebSocket connection: 503", url=address)

    monkeypatch.setattr("boathook.engine.launch.open.attach", refusing)
    with pytest.raises(EndpointError, match="refused") as raised:
        await relay_browser.open_relay(str(relay.port))
    assert relay.files.token() not in f"{raised.value!s} {raised.value.evidence}"
