"""`boathook relay` and `boathook extension` as programs."""

from __future__ import annotations

import asyncio
import json
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
        status, out, _ = await asyncio.to_thread(run, "relay", "log", "--lines", "2", "--port", str(port))
        assert (status, out.count("\n"), "Browser.getVersion" in out) == (0, 2, True)
        status, out, _ = await asyncio.to_thread(run, "relay", "doctor", "--port", str(port))
        assert status == 0
        assert "2 tabs" in out
        assert relay.files.token() not in out
        await client.close()
        await extension.close()
        status, out, _ = await asyncio.to_thread(run, "relay", "stop", "--port", str(port))
        assert (status, "stops" in out) == (0, True)
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


async def test_a_revoked_token_ends_its_connections_and_no_others(relay, extension):
    url, files = relay.url, relay.files
    other = await RawClient.connect(url.replace(files.token(), files.token("other")))
    client = await RawClient.connect(url)
    assert await client.send("Browser.getVersion")
    files.replace_token("default")
    await until(client._reader.done, named="the connection of the old token has ended")
    assert await other.send("Browser.getVersion"), "the control: another client is still connected"
    again = await RawClient.connect(relay.url)
    assert await again.send("Browser.getVersion")
    assert files.remove_token("other")
    await until(other._reader.done, named="the connection of the removed token has ended")
    await again.close()


async def test_the_log_has_both_directions_and_the_newest_messages(relay, client):
    for _ in range(400):
        await client.send("Browser.getVersion")
    entries = relay.hub.log.after(0)
    assert {entry["direction"] for entry in entries} == {"in", "out"}
    assert len(entries) == 300
    assert entries[-1]["number"] > 700


@pytest.fixture
def at_home(run, tmp_path):
    """The program of a user who has set nothing; (home, run)."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("BOATHOOK_RELAY_FOLDER", "XDG_STATE_HOME"):
        run.environment.pop(name, None)
    run.environment["HOME"] = str(home)
    return home, run


def test_the_extension_is_installed_where_file_dialogs_show_it(at_home):
    home, run = at_home
    status, out, _ = run("extension", "install")
    place = home / "Boathook extension"
    assert status == 0
    assert f"the extension is in {place}\n" in out
    assert (place / "manifest.json").is_file()
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    for page in ("chrome://extensions", "edge://extensions", "brave://extensions"):
        assert page in out
    assert f"ok   extension copied to {place}" in run("extension", "doctor")[1]


def test_an_extension_that_the_browser_has_loaded_from_another_folder_is_updated_there(at_home):
    home, run = at_home
    old = home / ".local/state/boathook/relay/extension"
    assert run("extension", "install", "--folder", str(old))[0] == 0
    (old / "popup.js").write_text("old")
    (home / ".local/state/boathook/relay/extension-folder").unlink()  # as earlier versions left it
    assert f"is in {old}\n" in run("extension", "install")[1]
    assert (old / "popup.js").read_text() != "old"
    assert not (home / "Boathook extension").exists()


def test_the_words_of_another_program_mean_the_same_here(run):
    port = str(dead_port())
    status, out, _ = run("status", "--port", port)
    assert (status, f"no relay of yours is running on port {port}" in out) == (1, True)
    assert run("serve", "--help") == run("relay", "--help")
    assert "is in" in run("install-extension", "--port", port)[1]
    updated = run("update", "--port", port)
    assert updated[0] == 0
    assert "to update it: " in updated[1]
    assert "is in" in updated[1]
    for later in ("plugin", "agent"):
        assert run(later, "list")[::2] == (2, f"error: {later} is not available yet [unsupported]\n")
    assert "run" in run("-e")[2]


async def test_status_routes_have_the_shapes_that_other_programs_read(relay, extension):
    async def get(path):
        _, answer = await request(relay, path, Authorization=f"Bearer {relay.files.token()}")
        return json.loads(answer.partition("\r\n\r\n")[2] or answer[answer.index("{") :])

    assert (await request(relay, "/extension/status"))[0] == 401, "only with the token"
    status = await get("/extension/status")
    assert status["connected"] is True
    assert status["attachedTabs"] == (await get("/attached-tabs"))["tabs"] == []
    assert set(await get("/restrictions")) == {"mode", "lockUrl", "noNewTabs", "readOnly", "instructions"}
    preferences = await get("/agent-preferences")
    assert preferences["executionMode"] == "parallel"
    assert preferences["dedicatedWindow"] is False
    client = await RawClient.connect(relay.url)
    await client.send("Browser.getVersion")
    await client.close()
    latest = (await get("/logs/status"))["latestSeq"]
    entries = (await get("/logs/cdp?after=0"))["entries"]
    assert [entry["number"] for entry in entries] == list(range(1, latest + 1))
    assert entries[0]["method"] == "Browser.getVersion"
    assert (await get(f"/logs/cdp?after={latest + 9}"))["resetRequired"]
