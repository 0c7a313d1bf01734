"""Attacks that are known against programs of this kind, on every route and socket of the relay: nothing is read or changed."""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import socket

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from boathook.errors import EndpointError
from boathook.local_server import guard
from boathook.local_server.guard import AccessRefusal
from boathook.relay.server.access import RelayGuard
from boathook.relay.server.start_relay import relay_url
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import ORIGIN, FakeExtension
from tests.support.attacks import FOREIGN_HOSTS, FORWARDED, UPGRADE, answer_to, reverse_proxy
from tests.support.servers import tcp_server
from tests.support.waiting import until

GETS = ("/", "/json/version", "/json", "/json/list", "/client-slot", "/status", "/log", "/nothing")
POSTS = ("/extension/reload", "/stop")
JSON = "Content-Type: application/json"
AT_LEAVING = ("programs", "tabs.drivers", "tab.detach")
"""What the extension is told when a client of ours, such as a control, comes and goes."""


class Attacked:
    """A relay with an extension, and what must be as it was after every attack."""

    def __init__(self, relay, extension):
        self.relay, self.extension = relay, extension
        self.port, self.token = relay.port, relay.files.token()
        self.own = f"Host: 127.0.0.1:{relay.port}"
        self.known = f"Authorization: Bearer {self.token}"
        self.before = self.state()

    def state(self):
        slots = [
            (name, profile.link, profile.stopped, list(profile.tabs))
            for name, profile in self.relay.hub.slots.items()
        ]
        calls = [call for call in self.extension.calls if call[0] not in AT_LEAVING]
        return slots, list(self.relay.hub.clients), calls

    async def everywhere(self, *headers, sockets=("/cdp", "/extension"), token_in_path=True):
        """The statuses that these headers get on all routes and sockets; no answer has a secret."""
        in_path = f"/cdp/{self.token}" if token_in_path else "/cdp"
        asked = [f"GET {path}" for path in GETS] + [f"POST {path}" for path in POSTS]
        answers = {}
        for request in asked:
            more = (JSON,) if request.startswith("POST") and not _has_type(headers) else ()
            answers[request] = await answer_to(self.port, request, *headers, *more)
        for path in sockets:
            request = f"GET {in_path if path == '/cdp' else path}"
            answers[f"{path} as a socket"] = await answer_to(self.port, request, *headers, *UPGRADE)
        for request, (_, text) in answers.items():
            assert self.relay.files.key not in text, request
            assert self.token not in text, request
            assert "access-control" not in text.lower(), request
        return {request: status for request, (status, _) in answers.items()}

    async def is_as_before(self):
        """Nothing has changed, and the server still works: clients with the token are served."""
        assert self.state() == self.before
        status, _ = await answer_to(self.port, "GET /status", self.own, self.known)
        assert status == 200, "the control: the same route, asked as it must be"
        status, _ = await answer_to(self.port, f"GET /cdp/{self.token}", self.own, *UPGRADE)
        assert status == 101, "the control: the socket opens"
        await until(lambda: not self.relay.hub.clients, named="the control has left")


def _has_type(headers):
    return any(line.lower().startswith("content-type") for line in headers)


@pytest.fixture(scope="module")
async def standing(tmp_path_factory):
    """One relay for all attacks: it must stand them all."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(guard, "MOST_GUESSES", 1_000_000)  # or wrong tokens would end all other attacks
        relay = await Relay(tmp_path_factory.mktemp("attacked") / "secrets").start(wait_seconds=0.2)
        extension = await FakeExtension(relay).connect()
        await relay.has_extension()
        yield relay, extension
        await extension.close()
        await relay.stop()


@pytest.fixture
async def attacked(standing):
    await until(lambda: not standing[0].hub.clients, named="clients of the test before have left")
    return Attacked(*standing)


async def test_case_04_no_foreign_name_is_served_even_with_the_token(attacked):
    assert len(FOREIGN_HOSTS) >= 60
    for host in FOREIGN_HOSTS:
        line = f"Host: {host.format(port=attacked.port)}"
        statuses = await attacked.everywhere(line, attacked.known)
        assert set(statuses.values()) <= {400, 403}, (host, statuses)
        extension = await answer_to(attacked.port, "GET /extension", line, f"Origin: {ORIGIN}", *UPGRADE)
        assert extension[0] in {400, 403}, host
    for hosts in ((), (attacked.own, "Host: evil.example"), (attacked.own, attacked.own)):
        statuses = await attacked.everywhere(*hosts, attacked.known)
        assert set(statuses.values()) <= {400, 403}, (hosts, statuses)
    await attacked.is_as_before()


PAGES = [
    *(
        (f"Origin: {origin}",)
        for origin in (
            "https://evil.example", "null", "http://127.0.0.1", "http://localhost:{port}", "http://127.0.0.1:{port}",
            f"chrome-extension://{'a' * 32}", f"{ORIGIN}.evil.example", f"{ORIGIN}/", "", "file://", "devtools://devtools",
        )
    ),
    ("Origin: null", f"Origin: {ORIGIN}"),
    *((f"Sec-Fetch-Site: {site}",) for site in ("cross-site", "same-site", "same-origin", "none")),
]  # fmt: skip


async def test_nothing_that_a_browser_sends_for_a_page_is_let_in_even_with_the_token(attacked):
    for lines in PAGES:
        told = [line.format(port=attacked.port) for line in lines]
        statuses = await attacked.everywhere(attacked.own, attacked.known, *told)
        assert set(statuses.values()) <= {400, 403}, (lines, statuses)
    await attacked.is_as_before()


STRANGERS = [
    (),
    ("Authorization: Bearer wrong",),
    ("Authorization: Bearer",),
    ("Authorization: Basic {token}",),
    ("Authorization: {token}",),
    ("Authorization: Bearer {token}x",),
    ("Authorization: Bearer {short}",),
    ("Authorization: Bearer {token}", "Authorization: Bearer {token}"),
    ("Authorization: Bearer wrong", "Authorization: Bearer {token}"),
    ("Cookie: token={token}",),
    ("X-Token: {token}",),
    ("Proxy-Authorization: Bearer {token}",),
    ("Sec-WebSocket-Protocol: {token}",),
    ("Authorization: Bearer {key}",),
    FORWARDED,
]


async def test_without_the_token_only_the_greeting_answers(attacked):
    facts = {"token": attacked.token, "short": attacked.token[:-1], "key": attacked.relay.files.key}
    for lines in STRANGERS:
        told = [line.format(**facts) for line in lines]
        statuses = await attacked.everywhere(attacked.own, *told, token_in_path=False)
        assert statuses.pop("GET /") == 200
        assert statuses.pop("/extension as a socket") == 403, "it has no origin"
        assert set(statuses.values()) == {401}, (lines, statuses)
    await attacked.is_as_before()


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
async def test_case_06_no_form_of_a_page_changes_anything(attacked, kind):
    for path, method in itertools.product(POSTS, ("POST", "PUT", "PATCH", "DELETE")):
        request = (f"{method} {path}", attacked.own, attacked.known, f"Content-Type: {kind}")
        status, _ = await answer_to(attacked.port, *request, body=b"{}")
        assert status == 415, request
    await attacked.is_as_before()


async def test_nothing_changes_by_other_methods_or_spellings(attacked):
    for method, path in itertools.product(("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "CONNECT"), POSTS):
        status, text = await answer_to(attacked.port, f"{method} {path}", attacked.own, attacked.known, JSON)
        assert status >= 400, (method, path)
        assert "access-control" not in text.lower()
    for path in (
        "//status", "/./status", "/json/../status", "/cdp/../status", "/%73tatus", "/STATUS", "/status;x", "/extension/../status",
        "/extension/status", "/cdp/", "/cdp//", "http://127.0.0.1/status", "http://evil.example/status", "*", "/?token=wrong/status",
        "/status/?token=", "/json/version?token[]=x",
    ):  # fmt: skip
        status, text = await answer_to(attacked.port, f"GET {path}", attacked.own)
        assert status in {400, 401, 404} or (status == 200 and '"relay"' in text), path
        assert "install-1" not in text, path
    await attacked.is_as_before()


@pytest.mark.parametrize("origin", ["none", "foreign", "ours"])
@pytest.mark.parametrize("token", ["none", "wrong", "right"])
async def test_only_the_exact_pair_of_origin_and_token_opens_a_socket(attacked, origin, token):
    lines = {"none": [], "foreign": ["Origin: https://evil.example"], "ours": [f"Origin: {ORIGIN}"]}[origin]
    given = {"none": "", "wrong": "wrong", "right": attacked.token}[token]
    for request, more in (
        (f"GET /cdp/{given}", []),
        (f"GET /cdp?token={given}", []),
        ("GET /cdp", [f"Authorization: Bearer {given}"] if given else []),
    ):
        status, _ = await answer_to(attacked.port, request, attacked.own, *lines, *more, *UPGRADE)
        wanted = 403 if lines else 101 if token == "right" else 401
        assert status == wanted, request
    for request in ("GET /extension", f"GET /extension?token={given}"):
        status, _ = await answer_to(attacked.port, request, attacked.own, *lines, *UPGRADE)
        assert status == (101 if origin == "ours" else 403), request
    await until(lambda: not attacked.relay.hub.clients, named="all have left")
    await attacked.is_as_before()


@pytest.mark.parametrize(
    "said",
    [
        {"method": "ready", "params": {"tabs": [], "settings": {}, "stopped": ""}},
        {"method": "hello", "params": {}},
        {"method": "hello", "params": {"nonce": "n", "proof": "0" * 64, "installId": "install-1"}},
        {"method": "hello", "params": {"nonce": "n", "proof": None, "installId": "install-1"}},
        {"method": "stopped", "params": {"why": "paused"}},
        {"id": 1, "result": {}},
        [],
    ],
    ids=str,
)
async def test_who_has_our_origin_but_not_the_key_changes_nothing(attacked, said):
    """A program can claim any origin; the place of the real extension is taken only with a proof."""
    url = f"ws://127.0.0.1:{attacked.port}/extension"
    async with connect(url, origin=ORIGIN, proxy=None) as socket_:
        challenge = json.loads(await socket_.recv())
        assert challenge["method"] == "challenge"
        await socket_.send(json.dumps(said))
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket_.recv(), 10)
    await attacked.is_as_before()


async def test_a_proof_cannot_be_used_twice(attacked):
    """Who listened to one greeting has nothing for the next: both sides choose a number."""
    from boathook.relay.server.credentials import proof

    key = attacked.relay.files.key
    url = f"ws://127.0.0.1:{attacked.port}/extension"
    async with connect(url, origin=ORIGIN, proxy=None) as socket_:
        await socket_.recv()
        old = {"nonce": "n", "proof": proof(key, "extension:an-earlier-number:n"), "installId": "install-1"}
        await socket_.send(json.dumps({"method": "hello", "params": old}))
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket_.recv(), 10)
    await attacked.is_as_before()


async def test_a_client_cannot_use_what_belongs_to_another(attacked):
    """Two tokens: ids of sessions and targets that one client has are worth nothing to the other."""
    other = f"ws://127.0.0.1:{attacked.port}/cdp/{attacked.relay.files.token('other')}"
    one, two = await RawClient.connect(attacked.relay.url), await RawClient.connect(other)
    await one.send("Target.setAutoAttach", {"autoAttach": True})
    session = one.seen("Target.attachedToTarget")[0]["sessionId"]
    browser = (await one.send("Target.attachToBrowserTarget"))["sessionId"]
    for stolen in (session, browser):
        assert "not found" in await two.error("DOM.getDocument", session=stolen)
    await two.error("Target.detachFromTarget", {"sessionId": session})
    assert attacked.state()[2] == attacked.before[2]
    assert await one.send("DOM.getDocument", session=session), "the control: its owner"
    assert {client.name for client in attacked.relay.hub.clients} == {"default", "other"}
    await one.close()
    await two.close()
    await until(lambda: not attacked.relay.hub.clients, named="both have left")


async def test_a_token_that_was_taken_away_opens_nothing(attacked):
    token = attacked.relay.files.token("other")
    known = f"Authorization: Bearer {token}"
    assert (await answer_to(attacked.port, "GET /status", attacked.own, known))[0] == 200, "the control"
    (attacked.relay.files.folder / "token-other").unlink()
    assert (await answer_to(attacked.port, "GET /status", attacked.own, known))[0] == 401


async def test_no_other_address_of_this_machine_answers(attacked):
    others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in {"127.0.0.2", "127.255.255.254", "::1", *others} - {"127.0.0.1"}:
        with pytest.raises(OSError):
            await answer_to(attacked.port, "GET /", attacked.own, address=address)
    await attacked.is_as_before()


async def test_behind_a_proxy_on_this_machine_the_token_is_needed_all_the_same(attacked):
    for host in (None, f"127.0.0.1:{attacked.port}"):
        async with reverse_proxy(attacked.port, host=host) as port:
            named = f"Host: tunnel.example:{port}"
            for request in (*(f"GET {path}" for path in GETS[1:]), "GET /cdp"):
                more = UPGRADE if request == "GET /cdp" else ()
                status, text = await answer_to(port, request, named, *more)
                assert status == (403 if host is None else 401), request
                assert attacked.token not in text
            status, _ = await answer_to(port, "GET /status", named, attacked.known)
            assert status == (403 if host is None else 200), (
                "the control: a proxy that says our name, and the token"
            )
    await attacked.is_as_before()


async def test_ten_thousand_guesses_get_ten_answers_whatever_else_they_carry(tmp_path, monkeypatch):
    from boathook.relay.server.credentials import RelayCredentials

    monkeypatch.setattr(guard, "MOST_GUESSES", 10)
    files = RelayCredentials(tmp_path / "secrets")
    files.token()
    deciding = RelayGuard(files, port=1)
    places = [
        lambda guess: (f"/cdp/{guess}", b"", []),
        lambda guess: ("/cdp", f"token={guess}".encode(), []),
        lambda guess: ("/status", b"", [(b"authorization", f"Bearer {guess}".encode())]),
        lambda guess: ("/cdp/x", f"token={guess}".encode(), [(b"authorization", f"Bearer {guess}".encode())]),
    ]
    more = [(b"cookie", b"a=b"), (b"x-forwarded-for", b"10.0.0.1"), (b"user-agent", b"x")]
    extras = [list(some) for count in range(4) for some in itertools.combinations(more, count)]
    statuses = []
    for number in range(10_000):
        path, query, headers = places[number % 4](f"guess-{number}")
        headers = [(b"host", b"127.0.0.1:1"), *headers, *extras[number % len(extras)]]
        scope = {"type": ("http", "websocket")[number % 2], "method": "GET", "path": path}
        decided = deciding.decide({**scope, "query_string": query, "headers": headers})
        assert isinstance(decided, AccessRefusal)
        statuses.append(decided.status)
    assert statuses[:10] == [401] * 10
    assert set(statuses[10:]) == {429}


async def test_one_and_the_same_decision_is_made_for_requests_and_sockets(attacked, monkeypatch):
    decided = []
    decide = RelayGuard.decide

    def noting(self, scope):
        decided.append((scope["type"], scope["path"]))
        return decide(self, scope)

    monkeypatch.setattr(RelayGuard, "decide", noting)
    await answer_to(attacked.port, "GET /status", attacked.own)
    for path in ("/cdp", "/extension", "/made/up"):
        await answer_to(attacked.port, f"GET {path}", attacked.own, *UPGRADE)
    sockets = [("websocket", path) for path in ("/cdp", "/extension", "/made/up")]
    assert decided == [("http", "/status"), *sockets]


class _Lines(logging.Handler):
    def __init__(self):
        super().__init__(logging.INFO)
        self.lines = []

    def emit(self, record):
        self.lines.append(logging.Formatter().format(record))


@pytest.fixture
def logged(attacked):
    """Everything that the server would log if its log were on."""
    loggers = [logging.getLogger(name) for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio")]
    handler = _Lines()
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    yield handler.lines
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
        logger.removeHandler(handler)


async def test_a_token_in_an_address_is_in_no_log(attacked, logged):
    for request in (f"GET /cdp?token={attacked.token}&label=seen-9231", f"GET /cdp/{attacked.token}"):
        assert (await answer_to(attacked.port, request, attacked.own, *UPGRADE))[0] == 101
    assert (await answer_to(attacked.port, f"GET /status?token={attacked.token}", attacked.own))[0] == 200
    refused = f"GET /cdp?token={attacked.token}"
    assert (await answer_to(attacked.port, refused, attacked.own, "Origin: null", *UPGRADE))[0] == 403
    _, kept = await answer_to(attacked.port, "GET /log", attacked.own, attacked.known)
    _, status = await answer_to(attacked.port, "GET /status", attacked.own, attacked.known)
    everything = "\n".join((*logged, kept, status))
    assert "seen-9231" in everything, "the control: addresses are logged"
    assert attacked.token not in everything


async def test_errors_of_our_own_have_no_secrets_of_the_request(attacked, logged, monkeypatch):
    def broken():
        raise RuntimeError("broken-7714")

    monkeypatch.setattr(attacked.relay.hub, "find_profile", lambda _wanted: broken())
    for path in ("/json/version", f"/json/version?token={attacked.token}"):
        lines = (attacked.own, attacked.known, "Cookie: canary-5581")
        status, text = await answer_to(attacked.port, f"GET {path}", *lines)
        assert status == 500
        assert attacked.token not in text
    everything = "\n".join(logged)
    assert "broken-7714" in everything, "the control: the error is logged"
    assert attacked.token not in everything
    assert "canary-5581" not in everything


async def test_who_took_the_port_learns_no_secret_from_us(tmp_path):
    heard = []

    async def squatter(reader, writer):
        heard.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: 39\r\n\r\n{"relay": "boathook", "proof": "guess"}')
        writer.close()

    relay = Relay(tmp_path / "secrets")
    async with tcp_server(squatter) as port:
        with pytest.raises(EndpointError):
            await relay_url(port=port, folder=relay.files.folder)
    assert len(heard) >= 2, "the control: it was asked, by us and by the relay that could not start"
    for text in heard:
        assert relay.files.token().encode() not in text
        assert relay.files.key.encode() not in text
