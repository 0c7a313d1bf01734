"""`boathook mcp --http`: works for clients with the token, in both protocol versions; every other request changes nothing."""

import asyncio
import json
import re
import socket
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import httpx2
import pytest

from boathook.errors import BadSetting
from boathook.local_server import timed_protocol
from boathook.local_server.guard import MOST_GUESSES
from boathook.local_server.token_file import http_token
from boathook.surfaces.mcp.handlers import McpHandlers
from boathook.surfaces.mcp.http.http_server import bind_socket, guard_app, serve_http
from boathook.surfaces.mcp.start.sdk_server import server_of
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog
from tests.mcp.clients import ERAS, code_of, http_client, session_of, text_of
from tests.support.attacks import FOREIGN_HOSTS, FORWARDED, UPGRADE, answer_to, reverse_proxy

if TYPE_CHECKING:
    from boathook.surfaces.mcp.daemon_caller import DaemonCaller

TOKEN = "t" * 43
FORM = "<button onclick=\"document.querySelector('p').textContent='Hello'\">Greet</button><p role=status></p>"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "tabs", "arguments": {}, "_meta": META},
}
HEADERS = {
    "Authorization": f"Bearer {TOKEN}",
    "Accept": "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/call",
    "Mcp-Name": "tabs",
}


class Counting:
    """Stands for the daemon and counts what reaches it."""

    def __init__(self):
        self.runs = 0

    async def run(self, meant, **_):
        self.runs += 1
        return {"ok": True, "category": "completed", "text": "ran"}


class Served:
    """A server in this process."""

    def __init__(self, port, daemon):
        self.port = port
        self.daemon = daemon
        self.url = f"http://127.0.0.1:{port}/mcp"


@asynccontextmanager
async def serving(*, token=TOKEN, **more):
    daemon = Counting()
    handlers = McpHandlers(read_tool_catalog(["core"], scripts=False), cast("DaemonCaller", daemon))
    with bind_socket(0) as listening:
        port = listening.getsockname()[1]
        app = guard_app(server_of(handlers, instructions="x"), port=port, token=token, **more)
        task = asyncio.create_task(serve_http(app, listening))
        try:
            yield Served(port, daemon)
        finally:
            task.cancel()
            await asyncio.wait({task})


async def post(url, *, headers=None, content=None, method="POST"):
    body = json.dumps(CALL) if content is None else content
    async with httpx2.AsyncClient() as sender:
        given = {"Content-Type": "application/json", **(HEADERS if headers is None else headers)}
        return await sender.request(method, url, headers=given, content=body)


async def raw(port, head, body=""):
    """Send bytes as they are; the status of the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        (head + f"\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}").encode("latin-1")
    )
    answer = (await reader.read()).decode("latin-1")
    writer.close()
    found = re.match(r"HTTP/1.1 (\d+)", answer)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_with_the_token_works_on_a_page(home, site, era):
    async with (
        home.http_server("--allow-private") as (url, token),
        http_client(url, token, mode=era) as client,
    ):
        opened = await client.call_tool("open", {"url": site.page(FORM)})
        assert not opened.is_error, text_of(opened)
        assert '+ "Hello"' in text_of(
            await client.call_tool("act", {"kind": "click", "target": "text=Greet"})
        )


async def test_pages_of_private_networks_are_denied_unless_the_user_allows_them(home, site):
    async with home.http_server() as (url, token), http_client(url, token) as client:
        denied = await client.call_tool("open", {"url": site.page(FORM)})
        assert code_of(denied) == "policy_blocked", text_of(denied)


async def test_clients_of_one_server_have_sessions_of_their_own(home, site):
    async with (
        home.http_server("--allow-private") as (url, token),
        http_client(url, token, mode="legacy") as one,
        http_client(url, token, mode="legacy") as other,
    ):
        mine = session_of(await one.call_tool("open", {"url": site.page(FORM)}))
        theirs = session_of(await other.call_tool("open", {"url": site.page(FORM)}))
        assert mine != theirs


async def test_the_right_request_reaches_the_daemon():
    async with serving() as served:
        answer = await post(served.url)
        assert answer.status_code == 200, answer.text
        assert "ran" in answer.text
        assert served.daemon.runs == 1


async def test_sixty_foreign_host_names_are_refused_before_anything_is_looked_at():
    assert len(FOREIGN_HOSTS) >= 60
    async with serving() as served:
        body = json.dumps(CALL)
        rest = (
            "".join(f"\r\n{name}: {value}" for name, value in HEADERS.items())
            + "\r\nContent-Type: application/json"
        )
        for host in FOREIGN_HOSTS:
            head = f"POST /mcp HTTP/1.1\r\nHost: {host.format(port=served.port)}{rest}"
            assert await raw(served.port, head, body) in {400, 403}, host
        own = f"localhost:{served.port}"
        assert await raw(served.port, f"POST /mcp HTTP/1.1{rest}", body) in {400, 403}
        assert await raw(served.port, f"POST /mcp HTTP/1.1\r\nHost: {own}\r\nHost: {own}{rest}", body) in {
            400,
            403,
        }
        assert await raw(served.port, f"POST /mcp HTTP/1.1\r\nHost: x\r\nHost: {own}{rest}", body) in {
            400,
            403,
        }
        assert await raw(
            served.port, f"POST http://evil.example/mcp HTTP/1.1\r\nHost: evil.example{rest}", body
        ) in {400, 403}
        assert served.daemon.runs == 0
        for good in (own, f"127.0.0.1:{served.port}", f"[::1]:{served.port}", f"LocalHost:{served.port}"):
            assert await raw(served.port, f"POST /mcp HTTP/1.1\r\nHost: {good}{rest}", body) in {
                200,
                403,
                421,
            }
        assert served.daemon.runs >= 3, "the control: our own names are served"


def without(*names, **changes):
    kept = {name: value for name, value in HEADERS.items() if name not in names}
    return {**kept, **{name.replace("_", "-"): value for name, value in changes.items()}}


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (without(Origin="https://evil.example"), 403),
        (without(Origin="null"), 403),
        (without(Origin="http://127.0.0.1"), 403),
        (without(Origin="http://localhost:3000"), 403),
        (without(Origin="chrome-extension://abcdefghijklmnop"), 403),
        (without(Sec_Fetch_Site="cross-site"), 403),
        (without(Sec_Fetch_Site="same-site"), 403),
        (without(Sec_Fetch_Site="same-origin"), 403),
        (without(Sec_Fetch_Site="none"), 403),
        (without("Authorization"), 401),
        (without(Authorization="Bearer wrong"), 401),
        (without(Authorization=f"Basic {TOKEN}"), 401),
        (without(Authorization=TOKEN), 401),
        (without(Authorization="Bearer"), 401),
        (without(Authorization=f"Bearer {TOKEN}x"), 401),
        (without(Authorization=f"Bearer {TOKEN[:-1]}"), 401),
        (without("Authorization", Cookie=f"token={TOKEN}"), 401),
        (without("Authorization", X_Forwarded_For="127.0.0.1"), 401),
        (without(Content_Type="text/plain"), 415),
        (without(Content_Type="application/x-www-form-urlencoded"), 415),
        (without(Content_Type="multipart/form-data; boundary=x"), 415),
        (without(Content_Type="application/json-seq"), 415),
        (without(Content_Type=""), 415),
    ],
    ids=lambda value: str(value)[-60:] if isinstance(value, dict) else value,
)
async def test_a_request_that_is_not_as_it_must_be_changes_nothing(headers, status):
    async with serving() as served:
        assert (await post(served.url, headers=headers)).status_code == status
        assert served.daemon.runs == 0
        assert (await post(served.url)).status_code == 200
        assert served.daemon.runs == 1, "the control: the same request as it must be"


@pytest.mark.parametrize(
    "path",
    ["/", "/mcp/", "/mcp/x", "/MCP", "//mcp", "/mcp%2f", f"/mcp?token={TOKEN}", "/.well-known/x", "/run"],
)
async def test_only_one_path_is_served_and_a_token_in_the_address_is_none(path):
    async with serving() as served:
        headers = without("Authorization") if "token=" in path else HEADERS
        answer = await post(f"http://127.0.0.1:{served.port}{path}", headers=headers)
        assert answer.status_code in {401, 404}
        assert served.daemon.runs == 0


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "OPTIONS", "PATCH", "HEAD", "TRACE"])
async def test_nothing_is_changed_by_other_methods(method):
    async with serving() as served:
        answer = await post(served.url, method=method)
        assert answer.status_code >= 400
        assert "access-control-allow-origin" not in answer.headers
        assert served.daemon.runs == 0


async def test_wrong_tokens_are_not_looked_at_after_ten():
    async with serving() as served:
        answers = [
            (await post(served.url, headers=without(Authorization=f"Bearer guess-{number}"))).status_code
            for number in range(MOST_GUESSES + 5)
        ]
        assert answers == [401] * MOST_GUESSES + [429] * 5
        assert served.daemon.runs == 0
        assert (await post(served.url)).status_code < 400, "the right one is not locked out"


async def test_a_chunked_body_that_is_too_large_is_refused():
    async def chunks():
        for _ in range(80):
            yield b"x" * 65_536

    async with serving() as served:
        answer = await post(served.url, content=chunks())
        assert (answer.status_code, served.daemon.runs) == (413, 0)
        assert (await post(served.url)).status_code < 400


async def test_connections_without_a_request_are_closed(monkeypatch):
    monkeypatch.setattr(timed_protocol, "REQUEST_SECONDS", 0.3)
    async with serving() as served:
        held = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(40)]
        held[0][1].write(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        async with asyncio.timeout(20):
            assert [await reader.read() for reader, _writer in held] == [b""] * 40
        for _reader, writer in held:
            writer.close()
        assert (await post(served.url)).status_code < 400


@pytest.mark.parametrize("origin", ["none", "foreign", "named"])
@pytest.mark.parametrize("token", ["none", "wrong", "right"])
async def test_only_the_exact_pair_of_origin_and_token_passes(origin, token):
    headers = without("Authorization")
    headers |= {
        "none": {},
        "foreign": {"Origin": "https://evil.example"},
        "named": {"Origin": "https://desk.example"},
    }[origin]
    headers |= {
        "none": {},
        "wrong": {"Authorization": "Bearer no"},
        "right": {"Authorization": f"Bearer {TOKEN}"},
    }[token]
    async with serving(origins=["https://desk.example"]) as served:
        passes = (await post(served.url, headers=headers)).status_code == 200
        assert passes is (token == "right" and origin != "foreign")
        assert served.daemon.runs == int(passes)
        upgrade = {
            **headers,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Key": "x" * 22 + "==",
            "Sec-WebSocket-Version": "13",
        }
        assert (await post(served.url, headers=upgrade, method="GET", content="")).status_code != 101


async def test_a_body_that_is_too_large_or_no_message_is_refused():
    async with serving() as served:
        assert (await post(served.url, content="x" * (5 << 20))).status_code == 413
        assert (await post(served.url, content="{")).status_code in {400, 200}
        assert (await post(served.url, content="[]")).status_code in {400, 200}
        assert served.daemon.runs == 0
        assert (await post(served.url)).status_code == 200


ATTACKS = """
<script>
const url = 'http://127.0.0.1:%(port)d/mcp', body = %(call)s, token = '%(token)s';
const tries = [];
const types = [undefined, 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/json', 'application/json; charset=utf-8'];
for (const mode of ['cors', 'no-cors', 'same-origin'])
  for (const type of types) {
    tries.push(() => fetch(url, { method: 'POST', mode, body, headers: type ? { 'Content-Type': type } : {} }));
    tries.push(() => fetch(url, { method: 'POST', mode, body, credentials: 'include', headers: { ...(type ? { 'Content-Type': type } : {}), Authorization: 'Bearer ' + token } }));
  }
for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) tries.push(() => fetch(url, { method, mode: 'cors' }));
tries.push(() => fetch(url + '?token=' + token, { mode: 'no-cors' }));
tries.push(() => navigator.sendBeacon(url, body));
tries.push(() => navigator.sendBeacon(url, new Blob([body], { type: 'application/json' })));
const loaded = (tag, attribute) => () => new Promise(done => { const one = document.createElement(tag); one.onload = one.onerror = done; one[attribute] = url + '?x'; document.body.append(one); setTimeout(done, 500); });
for (const [tag, attribute] of [['img', 'src'], ['script', 'src'], ['iframe', 'src'], ['embed', 'src'], ['video', 'src']]) tries.push(loaded(tag, attribute));
tries.push(() => new Promise(done => { const one = new WebSocket(url.replace('http', 'ws')); one.onopen = () => { one.send(body); done('open'); }; one.onerror = done; }));
tries.push(() => new Promise(done => { const one = new EventSource(url); one.onmessage = one.onerror = () => { one.close(); done(); }; }));
for (const enctype of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
  tries.push(() => new Promise(done => { const frame = document.createElement('iframe'); frame.name = 'f' + tries.length; document.body.append(frame);
    const form = document.createElement('form'); form.method = 'POST'; form.action = url; form.enctype = enctype; form.target = frame.name;
    const field = document.createElement('input'); field.name = body.slice(0, -1) + ',"x":"'; field.value = '"}'; form.append(field); document.body.append(form);
    frame.onload = done; form.submit(); setTimeout(done, 500); }));
async function attack() {
  for (const one of tries) { try { await one(); } catch (error) { /* blocked is what we hope for */ } }
  document.title = 'done ' + tries.length;
}
</script><button onclick="attack()">Attack</button>
"""


@pytest.mark.slow
async def test_a_page_in_a_real_browser_reaches_nothing_however_it_asks(tab, site):
    async with serving() as served:
        before = await post(served.url)
        assert before.status_code == 200
        page = ATTACKS % {"port": served.port, "call": json.dumps(json.dumps(CALL)), "token": TOKEN}
        await tab.goto(site.page(page))
        await tab.click("text=Attack")
        await tab.wait_for_function("document.title.startsWith('done')")
        assert int((await tab.title()).split()[1]) >= 40
        requests = [request for request in await tab.requests() if f":{served.port}/" in request.url]
        assert len(requests) >= 20, "the control: the page did send them"
        assert served.daemon.runs == 1, "only the one that was ours"


async def test_it_listens_on_this_machine_only():
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    async with serving() as served:
        for address in {"127.0.0.2", "127.255.255.254", "::1", *others} - {"127.0.0.1"}:
            with pytest.raises(OSError):
                await answer_to(served.port, "POST /mcp", f"Host: 127.0.0.1:{served.port}", address=address)
        with pytest.raises(BadSetting, match=r"cannot listen on .*port"), bind_socket(served.port):
            pass
        assert (await post(served.url)).status_code == 200, "the control: the one address that it has"


async def test_behind_a_proxy_on_this_machine_the_token_is_needed_all_the_same():
    lines = [f"{name}: {value}" for name, value in HEADERS.items()]
    without_token = [line for line in lines if not line.startswith("Authorization")]
    body = json.dumps(CALL).encode()
    async with serving() as served:
        for host, statuses in ((None, (403, 403)), (f"127.0.0.1:{served.port}", (401, 200))):
            async with reverse_proxy(served.port, host=host) as port:
                for told, status in zip((without_token, lines), statuses, strict=True):
                    asked = ("POST /mcp", "Host: tunnel.example", "Content-Type: application/json", *told)
                    assert (await answer_to(port, *asked, body=body))[0] == status
        assert served.daemon.runs == 1, "the control: a proxy that says our name, and the token"


async def test_a_session_of_one_server_is_worth_nothing_with_the_token_of_another():
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "0"},
        },
    }
    old = {**CALL, "params": {"name": "tabs", "arguments": {}}}
    plain = {"Accept": HEADERS["Accept"], "MCP-Protocol-Version": "2025-06-18"}
    other_token = "o" * 43
    async with serving() as one, serving(token=other_token) as other:
        mine = {**plain, "Authorization": f"Bearer {TOKEN}"}
        theirs = {**plain, "Authorization": f"Bearer {other_token}"}
        opened = await post(one.url, headers=mine, content=json.dumps(hello))
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"]}
        told = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert (await post(one.url, headers={**mine, **session}, content=told)).status_code == 202
        content = json.dumps(old)
        for url, headers, status in (
            (one.url, {**theirs, **session}, 401),
            (one.url, {**plain, **session}, 401),
            (other.url, {**mine, **session}, 401),
            (other.url, {**theirs, **session}, 404),
            (one.url, {**mine, "Mcp-Session-Id": "0" * 32}, 404),
        ):
            for method in ("POST", "DELETE", "GET"):
                answer = await post(url, headers=headers, content=content, method=method)
                assert answer.status_code == status, (url, headers, method)
        assert (one.daemon.runs, other.daemon.runs) == (0, 0)
        answer = await post(one.url, headers={**mine, **session}, content=content)
        assert answer.status_code == 200
        assert one.daemon.runs == 1, "the control: the session goes on for its owner"


async def test_no_upgrade_is_served_and_no_header_of_a_proxy_stands_for_the_token():
    async with serving() as served:
        own = f"Host: 127.0.0.1:{served.port}"
        known = f"Authorization: Bearer {TOKEN}"
        for request in ("GET /mcp", f"GET /mcp?token={TOKEN}", "GET /"):
            status, _ = await answer_to(served.port, request, own, known, *UPGRADE)
            assert 400 <= status < 600, request
        body = json.dumps(CALL).encode()
        asked = ("POST /mcp", own, "Content-Type: application/json", *FORWARDED)
        assert (await answer_to(served.port, *asked, body=body))[0] == 401
        assert served.daemon.runs == 0
        assert (await post(served.url)).status_code == 200, "the control"


async def test_the_token_goes_with_its_server(own_home):
    def kept():
        return [path.name for path in own_home.folder.glob(".cache/boathook/run/**/mcp-token-*")]

    async with own_home.http_server():
        assert len(kept()) == 1
    assert kept() == []


def test_the_token_is_new_each_time_and_only_its_owner_can_read_it(tmp_path):
    folder = tmp_path / "private"
    first, where = http_token(str(folder), port=1, environ={})
    second, again = http_token(str(folder), port=1, environ={})
    assert where == again
    assert first != second == Path(where).read_text()
    assert len(second) >= 43
    assert stat.S_IMODE(Path(where).stat().st_mode) == 0o600
    assert http_token(str(folder), port=1, environ={"BOATHOOK_MCP_TOKEN": TOKEN})[0] == TOKEN
    with pytest.raises(BadSetting, match="too short"):
        http_token(str(folder), port=1, environ={"BOATHOOK_MCP_TOKEN": "short"})


def test_a_link_in_place_of_the_token_file_is_not_followed(tmp_path):
    folder = tmp_path / "private"
    http_token(str(folder), port=7, environ={})
    target = tmp_path / "target"
    target.write_text("mine")
    (folder / "mcp-token-7").unlink()
    (folder / "mcp-token-7").symlink_to(target)
    token, where = http_token(str(folder), port=7, environ={})
    assert target.read_text() == "mine"
    assert Path(where).read_text() == token
    assert not Path(where).is_symlink()


def test_a_server_in_another_thread_than_the_main_one_ends_with_its_block():
    async def tasks_after():
        async with serving() as served:
            assert (await post(served.url)).status_code == 200
        return [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]

    with ThreadPoolExecutor(1) as threads:
        assert threads.submit(asyncio.run, tasks_after()).result() == []


async def test_a_host_that_the_user_has_named_is_accepted_and_no_other():
    async with serving(hosts=["agent.test", "other.test:9000"]) as served:
        for host, wanted in (
            (f"agent.test:{served.port}", 200),
            ("other.test:9000", 200),
            (f"other.test:{served.port}", 403),
            ("agent.test", 403),
            (f"evil.test:{served.port}", 403),
        ):
            answer = await post(served.url, headers={**HEADERS, "Host": host})
            assert answer.status_code == wanted, (host, answer.text)
        assert served.daemon.runs == 2


async def test_another_address_than_loopback_requires_a_token_of_the_user(monkeypatch):
    monkeypatch.delenv("BOATHOOK_MCP_TOKEN", raising=False)
    with (
        pytest.raises(BadSetting, match=r"listening on 0\.0\.0\.0 requires a token"),
        bind_socket(0, "0.0.0.0"),
    ):
        pass
    monkeypatch.setenv("BOATHOOK_MCP_TOKEN", TOKEN)
    with bind_socket(0, "0.0.0.0") as listening:
        assert listening.getsockname()[0] == "0.0.0.0"


async def test_in_a_container_it_serves_on_all_addresses_behind_the_token(home, monkeypatch):
    async with home.http_server("--host", "0.0.0.0", BOATHOOK_MCP_TOKEN=TOKEN) as (url, _):
        assert url.startswith("http://0.0.0.0:")
        local = url.replace("0.0.0.0", "127.0.0.1")
        assert (await post(local, headers={**HEADERS, "Authorization": "Bearer x"})).status_code == 401
        assert (await post(local)).status_code == 200, "the control"


def test_an_sdk_that_cannot_limit_its_sessions_serves_nothing_over_http():
    """As mcp 2.1 is, which browser-use pins."""

    class Older:
        def streamable_http_app(self, *, streamable_http_path="/mcp", host=""):
            raise AssertionError("it must not be asked")

    with pytest.raises(BadSetting, match=r"requires mcp 2\.2 or later; version \d+"):
        guard_app(cast("Any", Older()), port=1, token=TOKEN)
