"""Who gets into the relay, and who does not."""

from __future__ import annotations

import asyncio
import json
import os
import stat

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from boathook import private_files
from boathook.errors import BadSetting
from boathook.relay.server.access import EXTENSION_ID
from boathook.relay.server.credentials import RelayCredentials
from boathook.relay.server.serve import bind_socket
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import ORIGIN, FakeExtension
from tests.support.servers import answers_http, tcp_server
from tests.support.waiting import until

GETS = (
    "/", "/json/version", "/json", "/json/list", "/client-slot", "/status", "/log", "/extension/status", "/attached-tabs",
    "/restrictions", "/agent-preferences", "/logs/status", "/logs/cdp",
)  # fmt: skip
POSTS = ("/extension/reload", "/stop")


async def request(relay, path, *, method="GET", host=None, body=b"", **headers):
    """(status, body) of one raw request."""
    reader, writer = await asyncio.open_connection("127.0.0.1", relay.port)
    hosts = [f"127.0.0.1:{relay.port}"] if host is None else host if isinstance(host, list) else [host]
    lines = [f"{method} {path} HTTP/1.1", *(f"Host: {host}" for host in hosts)]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += [f"Content-Length: {len(body)}", "Connection: close", "", ""]
    writer.write("\r\n".join(lines).encode("latin-1") + body)
    answer = await reader.read()
    writer.close()
    head, _, text = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), head.decode("latin-1").lower() + text.decode()


async def socket_status(url, **options):
    try:
        async with connect(url, proxy=None, **options):
            return 101
    except InvalidStatus as error:
        return error.response.status_code


def test_the_pinned_extension_id_follows_from_the_manifests_key():
    import base64
    import hashlib

    from boathook.relay.extension.install_extension import extension_source

    manifest = json.loads((extension_source() / "manifest.json").read_text())
    digest = hashlib.sha256(base64.b64decode(manifest["key"])).hexdigest()[:32]
    assert "".join(chr(ord("a") + int(letter, 16)) for letter in digest) == EXTENSION_ID
    assert "externally_connectable" not in manifest
    assert "web_accessible_resources" not in manifest
    assert "content_scripts" not in manifest


@pytest.mark.parametrize(
    "origin", [None, "http://127.0.0.1", "https://evil.test", f"chrome-extension://{'a' * 32}", "null"]
)
async def test_case_01_only_our_extensions_origin_reaches_its_socket(relay, origin):
    url = f"ws://127.0.0.1:{relay.port}/extension"
    assert await socket_status(url, origin=origin) == 403
    assert await socket_status(url, origin=ORIGIN) == 101, "the control"


async def test_case_01_an_extension_without_the_key_learns_nothing(relay):
    impostor = FakeExtension(relay)
    with pytest.raises((ConnectionClosed, AssertionError)):
        await impostor.connect(key="guessed")
    assert relay.profile is None
    await impostor.close()


async def test_case_02_a_second_connection_of_one_installation_takes_over_cleanly(relay, extension, client):
    second = await FakeExtension(relay, tabs=(7,)).connect()
    await until(lambda: list(relay.profile.tabs) == [7], named="the second one is in its place")
    await client.send("Target.setAutoAttach", {"autoAttach": True})
    session = client.seen("Target.attachedToTarget")[-1]["sessionId"]
    before = len(extension.calls)
    assert await client.send("DOM.getDocument", session=session) == {"echo": "DOM.getDocument"}
    assert second.called("tab.attach")
    assert len(extension.calls) == before, "nothing goes to the first any more"
    await extension.socket.wait_closed()
    assert extension.socket.close_code == 4001
    await second.close()


async def test_case_02_another_profile_has_a_slot_of_its_own_and_clients_must_say_which(relay, extension):
    second = await FakeExtension(relay, install_id="install-2", tabs=(9,)).connect()
    await until(
        lambda: len([s for s in relay.hub.slots.values() if s.is_connected]) == 2, named="both are there"
    )
    assert await socket_status(relay.url) == 409
    client = await RawClient.connect(f"{relay.url}?profile=install-2")
    targets = await client.send("Target.getTargets")
    assert [targetinfo["targetId"] for targetinfo in targets["targetInfos"]] == ["TARGET9"]
    await client.close()
    await second.close()


async def test_case_03_clients_need_the_token_and_no_origin(relay, extension):
    base, token = f"ws://127.0.0.1:{relay.port}/cdp", relay.files.token()
    assert await socket_status(base) == 401
    assert await socket_status(f"{base}/wrong") == 401
    assert await socket_status(f"{base}?token=wrong") == 401
    assert await socket_status(base, additional_headers={"Authorization": "Bearer wrong"}) == 401
    for origin in ("http://127.0.0.1", "https://evil.test", "null", ORIGIN):
        for url in (f"{base}/{token}", f"{base}?token={token}"):
            assert await socket_status(url, origin=origin) == 403
    assert await socket_status(f"{base}/{token}") == 101
    assert await socket_status(f"{base}?token={token}") == 101
    assert await socket_status(base, additional_headers={"Authorization": f"Bearer {token}"}) == 101


async def test_case_03_wrong_tokens_are_counted_and_never_lock_out_the_right_one(relay, extension):
    base = f"ws://127.0.0.1:{relay.port}/cdp"
    tries = [await socket_status(f"{base}/guess-{number}") for number in range(12)]
    assert tries == [401] * 10 + [429] * 2
    assert await socket_status(relay.url) == 101, "the right one is not locked out"


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
async def test_case_04_the_machines_own_names_are_served(relay, name):
    token = relay.files.token()
    status, _ = await request(
        relay, "/client-slot", host=f"{name}:{relay.port}", Authorization=f"Bearer {token}"
    )
    assert status == 200


async def test_case_05_no_answer_without_the_token_has_a_secret(relay, extension):
    secrets = (relay.files.token(), relay.files.key)
    for path in (*GETS, "/?challenge=abc", "/nothing", "/cdp", "/extension"):
        status, text = await request(relay, path)
        assert not any(secret in text for secret in secrets), path
        assert "access-control" not in text, path
        assert status in ({200} if path.startswith("/?") or path == "/" else {401}), path
    status, text = await request(relay, "/json/version", Authorization=f"Bearer {secrets[0]}")
    assert status == 200
    assert f"/cdp/{secrets[0]}" in text, "the control: who has the token gets the address"
    assert secrets[1] not in text


@pytest.mark.parametrize("path", POSTS)
async def test_case_06_state_changes_only_by_json_from_programs(relay, path):
    known = {"Authorization": f"Bearer {relay.files.token()}"}
    for kind in (
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "application/jsonp",
    ):
        assert (await request(relay, path, method="POST", Content_Type=kind, **known))[0] == 415
    assert (await request(relay, path, method="POST", **known))[0] == 415
    for site in ("cross-site", "same-site", "same-origin", "none"):
        status, _ = await request(
            relay, path, method="POST", Content_Type="application/json", Sec_Fetch_Site=site, **known
        )
        assert status == 403
    assert (await request(relay, path, method="POST", Content_Type="application/json"))[0] == 401
    assert (await request(relay, path, **known))[0] == 404, "no state changes by GET"
    assert (await request(relay, path, method="POST", Content_Type="application/json", **known))[0] == 200


async def test_case_07_secrets_are_private_and_stay_the_same(tmp_path):
    folder = tmp_path / "deep" / "secrets"
    files = RelayCredentials(folder)
    first = files.token(), files.key, files.token("other")
    again = RelayCredentials(folder)
    assert (again.token(), again.key, again.token("other")) == first
    assert len(set(first)) == 3
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert again.whose(first[2]) == "other"


async def test_case_07_a_secret_that_is_being_written_is_known_once_it_is_whole(tmp_path, monkeypatch):
    files, other = RelayCredentials(tmp_path / "secrets"), RelayCredentials(tmp_path / "secrets")

    def in_two_steps(folder, path, data, *, durable=False):
        path.touch(mode=0o600)
        assert other.whose(data.decode()) is None, "it looks while there is nothing in it"
        path.write_bytes(data)

    monkeypatch.setattr(private_files, "write_new", in_two_steps)
    assert other.whose(files.token()) == "default"


async def test_case_07_tokens_that_change_within_one_tick_of_the_clock_are_noticed(tmp_path):
    files = RelayCredentials(tmp_path / "secrets")
    token = files.token()
    facts = files.folder.stat()
    assert files.whose(token) == "default"
    (files.folder / "token-default").unlink()
    os.utime(files.folder, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert files.whose(token) is None


async def test_case_07_a_link_or_an_open_file_is_no_secret(tmp_path):
    folder = tmp_path / "secrets"
    files = RelayCredentials(folder)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("x" * 43)
    (folder / "token-default").symlink_to(elsewhere)
    with pytest.raises(BadSetting):
        files.token()
    (folder / "token-default").unlink()
    (folder / "token-default").write_text("y" * 43)
    (folder / "token-default").chmod(0o644)
    with pytest.raises(BadSetting):
        files.token()
    folder.chmod(0o755)
    with pytest.raises(BadSetting):
        RelayCredentials(folder)


async def test_a_greeting_is_not_broken_into(relay, monkeypatch):
    """An extension that starts slowly would take anything else for a foreign message."""
    monkeypatch.setattr("boathook.relay.server.app.PING_SECONDS", 0.01)
    url = f"ws://127.0.0.1:{relay.port}/extension"
    async with connect(url, origin=ORIGIN, proxy=None) as socket_:
        assert json.loads(await socket_.recv())["method"] == "challenge"
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(socket_.recv(), 0.3)
    extension = await FakeExtension(relay).connect()
    await until(lambda: extension.pings, named="the control: afterwards it is kept awake")
    await extension.close()


async def test_case_08_single_active_has_one_client_at_a_time(tmp_path):
    relay = await Relay(tmp_path / "secrets").start(single_active=True, wait_seconds=0.2)
    extension = await FakeExtension(relay).connect()
    await relay.has_extension()
    known = {"Authorization": f"Bearer {relay.files.token()}"}

    first = await RawClient.connect(relay.url)
    assert await socket_status(relay.url) == 409
    status, text = await request(relay, "/client-slot", **known)
    assert status == 200
    told = json.loads(text[text.index("{") :])
    assert (told["mode"], told["busy"], told["activeClientId"]) == (
        "single-active",
        True,
        relay.hub.clients[0].id,
    )
    await first.close()
    await until(lambda: not relay.hub.is_busy, named="the slot is free", seconds=5)
    second = await RawClient.connect(relay.url)
    await second.close()
    await extension.close()
    await relay.stop()


async def test_a_port_of_our_own_relay_is_reused_and_one_of_others_is_an_error(relay, tmp_path):
    ours = await asyncio.to_thread(bind_socket, relay.port, relay.files)
    assert ours is None
    stranger = RelayCredentials(tmp_path / "stranger")
    with pytest.raises(BadSetting, match="another program"):
        await asyncio.to_thread(bind_socket, relay.port, stranger)
    heard = []

    async def squatter(reader, writer):
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        await answers_http(b'{"relay": "boathook", "proof": "guess"}')(_Over(), writer)

    async with tcp_server(squatter) as port:
        with pytest.raises(BadSetting, match="another program"):
            await asyncio.to_thread(bind_socket, port, relay.files)
    assert heard
    assert relay.files.token().encode() not in heard[0]
    assert relay.files.key.encode() not in heard[0]


class _Over:
    async def readline(self):
        return b""


async def test_no_client_without_an_extension(relay):
    assert await socket_status(relay.url) == 503


async def test_a_client_waits_for_an_extension_that_is_on_its_way(tmp_path):
    relay = await Relay(tmp_path / "secrets").start(wait_seconds=20)
    coming = asyncio.create_task(RawClient.connect(relay.url))
    extension = await FakeExtension(relay).connect()
    client = await coming
    assert len((await client.send("Target.getTargets"))["targetInfos"]) == 2
    await client.close()
    await extension.close()
    await relay.stop()


async def test_the_log_has_no_secrets(relay, extension, client):
    await client.send("Target.setAutoAttach", {"autoAttach": True})
    session = client.seen("Target.attachedToTarget")[0]["sessionId"]
    await client.send("Runtime.evaluate", {"expression": "canary-9231"}, session=session)
    _, text = await request(relay, "/log", Authorization=f"Bearer {relay.files.token()}")
    assert "Runtime.evaluate" in text
    assert "canary-9231" not in text
    assert relay.files.token() not in text


async def test_every_route_but_the_greeting_needs_the_token(relay):
    from boathook.relay.server.app import RelayApp

    routes = RelayApp(relay.hub, port=relay.port)._routes
    assert {path for _, path in routes} == {*GETS, *POSTS}
    for method, path in routes:
        status, _ = await request(relay, path, method=method, Content_Type="application/json")
        assert status == (200 if path == "/" else 401), path


async def test_the_relay_listens_on_this_machine_only(relay):
    listening = [line.split()[1] for line in _tcp_lines() if line.split()[3] == "0A"]
    assert [item for item in listening if item.endswith(f":{relay.port:04X}")] == [
        f"0100007F:{relay.port:04X}"
    ]


def _tcp_lines():
    from pathlib import Path

    lines = [
        line for name in ("tcp", "tcp6") for line in Path("/proc/net", name).read_text().splitlines()[1:]
    ]
    if not lines:
        pytest.skip("this system has no /proc/net")
    return lines
