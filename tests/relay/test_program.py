"""`boathook relay` and `boathook extension` as programs."""

from __future__ import annotations

import asyncio
import os
import re
import stat
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from boathook.relay.main import wait_for_idle
from boathook.relay.server.serve import is_our_relay
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import FakeExtension
from tests.relay.test_guard import request
from tests.support.site import dead_port
from tests.support.waiting import until

if TYPE_CHECKING:
    from boathook.relay.server.hub import Hub


@pytest.fixture
def run(tmp_path):
    """Run the program with separate secrets; (status, out, err)."""
    environment = {**os.environ, "BOATHOOK_RELAY_FOLDER": str(tmp_path / "secrets")}

    def run(*words):
        done = subprocess.run(
            [sys.executable, "-m", "boathook", *words],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        return done.returncode, done.stdout, done.stderr

    run.environment = environment  # type: ignore[attr-defined]
    return run


def test_installing_copies_the_extension_with_its_key(run, tmp_path):
    status, out, _ = run("extension", "install", "--port", "4321")
    assert status == 0
    place = Path(re.search(r"is in (\S+)", out)[1])
    assert (place / "manifest.json").is_file()
    pairing = place / "pairing.json"
    assert stat.S_IMODE(pairing.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert "ws://127.0.0.1:4321/extension" in pairing.read_text()
    assert (tmp_path / "secrets" / "extension-key").read_text() in pairing.read_text()
    assert "Load unpacked" in out


def test_each_client_has_an_address_of_its_own(run):
    first, second, again = (run("relay", "url", *more)[1] for more in ((), ("--client", "other"), ()))
    assert first == again
    assert first != second
    assert re.fullmatch(r"ws://127\.0\.0\.1:19377/cdp/[\w-]{43}\n", first)


def test_the_port_of_the_installed_extension_is_meant_from_then_on(run, tmp_path):
    port = str(dead_port())
    assert run("extension", "install", "--port", port)[0] == 0
    assert f":{port}/cdp/" in run("relay", "url")[1]
    assert f"relay on port {port}" in run("extension", "doctor")[1]
    run("extension", "install")
    assert f":{port}/" in (tmp_path / "secrets/extension/pairing.json").read_text(), "as after an update"
    assert ":4321/cdp/" in run("relay", "url", "--port", "4321")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "0"),
        ("--port", "x"),
        ("--port",),
        ("nothing",),
        ("--bind", "0.0.0.0"),
        ("url", "--client", "../x"),
    ],
)
def test_wrong_words_are_errors(run, words):
    status, out, err = run("relay", *words)
    assert (status, out) == (2, "")
    assert err.startswith("error: ")


async def test_serving_and_the_doctor(run, tmp_path):
    port = dead_port()
    status, out, _ = await asyncio.to_thread(run, "extension", "doctor", "--port", str(port))
    assert status == 1
    assert "run `boathook relay`" in out
    process = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
        [sys.executable, "-m", "boathook", "relay", "--port", str(port)],
        env=run.environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert str(port) in await asyncio.to_thread(process.stdout.readline)
        status, out, _ = await asyncio.to_thread(run, "relay", "--port", str(port))
        assert (status, "already" in out) == (0, True), "a second one leaves it to the first"
        relay = Relay(tmp_path / "secrets")
        relay.port = port
        extension = await FakeExtension(relay).connect()
        client = await RawClient.connect(relay.url)
        assert await client.send("Browser.getVersion")
        status, out, _ = await asyncio.to_thread(run, "relay", "doctor", "--port", str(port))
        assert status == 0
        assert "2 tabs" in out
        assert relay.files.token() not in out
        await client.close()
        await extension.close()
        process.terminate()
        assert await asyncio.to_thread(process.wait, 20) == 0
        await until(
            lambda: not (tmp_path / "secrets" / "address.json").exists(), named="it leaves no address"
        )
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


async def test_a_relay_is_started_when_one_is_needed_and_used_when_it_runs(tmp_path):
    from boathook.relay.server.start_relay import relay_url

    port, folder = dead_port(), tmp_path / "secrets"
    first = await relay_url(port=port, folder=folder, label="me")
    relay = Relay(folder)
    relay.port = port
    try:
        extension = await FakeExtension(relay).connect()
        client = await RawClient.connect(first)
        assert await client.send("Browser.getVersion")
        assert await relay_url(port=port, folder=folder, label="me") == first
        await client.close()
        await extension.close()
    finally:
        known = {"Authorization": f"Bearer {relay.files.token()}"}
        assert (await request(relay, "/stop", method="POST", Content_Type="application/json", **known))[
            0
        ] == 200
    await until(lambda: not is_our_relay(port, relay.files), named="it stops when it is told")


async def test_a_relay_without_clients_ends_after_its_time_and_one_with_a_client_does_not():
    hub = SimpleNamespace(clients=["somebody"])
    ending = asyncio.create_task(wait_for_idle(cast("Hub", hub), 0.05))
    done, _ = await asyncio.wait({ending}, timeout=0.5)
    assert not done, "the control: it waits as long as somebody is there"
    hub.clients.clear()
    async with asyncio.timeout(10):
        await ending


def test_a_relay_that_nobody_uses_is_gone(run):
    status, out, _ = run("relay", "--port", str(dead_port()), "--idle-seconds", "1")
    assert (status, "relay: 127.0.0.1:" in out) == (0, True)
    assert run("relay", "--idle-seconds", "soon")[0] == 2
