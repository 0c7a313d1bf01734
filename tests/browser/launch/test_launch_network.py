"""What a launched browser does with certificates, authorities and proxies, against servers on loopback."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
import sys
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING

import pytest

from boathook.engine.launch.options import LaunchOptions, Proxy
from boathook.errors import CertificateProblem
from tests.browser.launch.launch_pipe import launched
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from tests.browser.launch.launch_pipe import Pipe

needs_openssl = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="openssl makes the test's authority"
)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="authorities are supported on Linux only")

PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """A test certificate authority, and a server certificate signed by it."""

    def __init__(self, folder: Path, *, names: str) -> None:
        folder.mkdir()
        self.bundle = folder / "ca.pem"
        self._folder = folder
        (folder / "extensions").write_text(f"subjectAltName={names}\nextendedKeyUsage=serverAuth\n")
        critical = (
            "-addext",
            "basicConstraints=critical,CA:TRUE",
            "-addext",
            "keyUsage=critical,keyCertSign",
        )
        subject = f"/CN=Boathook test {folder.name}"
        self._openssl(
            "req",
            "-x509",
            *CURVE,
            "-keyout",
            "ca.key",
            "-out",
            "ca.pem",
            "-days",
            "9",
            "-subj",
            subject,
            *critical,
        )
        self._openssl("req", *CURVE, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=server")
        signed = (
            "-CA",
            "ca.pem",
            "-CAkey",
            "ca.key",
            "-CAcreateserial",
            "-days",
            "9",
            "-extfile",
            "extensions",
        )
        self._openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", *signed)

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self._folder, check=True, capture_output=True)

    def server_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self._folder / "server.pem", self._folder / "server.key")
        return context


class Server:
    """Answers every request with a small page and remembers the first line of each."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.port = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            self.requests.append(head.split(b"\r\n")[0].decode())
            writer.write(PAGE)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def serving(context: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    server = Server()
    listener = await asyncio.start_server(server.answer, "127.0.0.1", 0, ssl=context)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()


async def visit(pipe: Pipe, url: str, *, isolated: bool = True) -> str:
    session = await pipe.open_page(isolated=isolated)
    reply = await pipe.call("Page.navigate", session=session, url=url)
    return reply["result"].get("errorText", "")


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("certificates") / "ours", names="DNS:localhost,IP:127.0.0.1")


@needs_openssl
@on_linux
async def test_server_of_an_extra_authority_is_trusted_and_without_it_is_not(authority: Authority) -> None:
    async with serving(authority.server_context()) as server:
        async with launched(LaunchOptions(ca_bundle=authority.bundle)) as pipe:
            assert await visit(pipe, f"https://localhost:{server.port}/", isolated=True) == ""
            assert await visit(pipe, f"https://127.0.0.1:{server.port}/", isolated=False) == ""
        async with launched() as pipe:
            assert await visit(pipe, f"https://localhost:{server.port}/") == "net::ERR_CERT_AUTHORITY_INVALID"


@needs_openssl
async def test_an_untrusted_certificate_is_a_typed_error_unless_it_is_allowed(
    authority: Authority, browser_with
) -> None:
    async with serving(authority.server_context()) as server:
        url = f"https://localhost:{server.port}/"
        strict = await browser_with()
        with pytest.raises(CertificateProblem, match="cert authority invalid"):
            await strict.open(url)
        lenient = await browser_with(ignore_certificate_errors=True)
        assert await (await lenient.open(url)).evaluate("document.body.textContent") == "ok"


@needs_openssl
@on_linux
async def test_extra_authority_still_has_to_vouch_for_the_right_name(tmp_path: Path) -> None:
    other = Authority(tmp_path / "other", names="DNS:another.test")
    async with (
        serving(other.server_context()) as server,
        launched(LaunchOptions(ca_bundle=other.bundle)) as pipe,
    ):
        assert await visit(pipe, f"https://localhost:{server.port}/") == "net::ERR_CERT_COMMON_NAME_INVALID"


@needs_openssl
@on_linux
async def test_one_authority_does_not_make_another_trusted(authority: Authority, tmp_path: Path) -> None:
    stranger = Authority(tmp_path / "stranger", names="DNS:localhost")
    async with (
        serving(stranger.server_context()) as server,
        launched(LaunchOptions(ca_bundle=authority.bundle)) as pipe,
    ):
        assert await visit(pipe, f"https://localhost:{server.port}/") == "net::ERR_CERT_AUTHORITY_INVALID"


@needs_openssl
@on_linux
async def test_persistent_profile_forgets_the_authority_of_an_earlier_launch(
    authority: Authority, tmp_path: Path
) -> None:
    profile = tmp_path / "profile"
    async with serving(authority.server_context()) as server:
        url = f"https://localhost:{server.port}/"
        async with launched(LaunchOptions(profile=profile, ca_bundle=authority.bundle)) as pipe:
            assert await visit(pipe, url, isolated=False) == ""
        async with launched(LaunchOptions(profile=profile)) as pipe:
            assert await visit(pipe, url, isolated=False) == "net::ERR_CERT_AUTHORITY_INVALID"


@needs_openssl
async def test_certificate_errors_are_ignored_when_asked(authority: Authority) -> None:
    ignoring = LaunchOptions(ignore_certificate_errors=True)
    async with serving(authority.server_context()) as server, launched(ignoring) as pipe:
        assert await visit(pipe, f"https://localhost:{server.port}/") == ""


async def test_loopback_goes_round_the_proxy_unless_told() -> None:
    async with serving() as site, serving() as proxy:
        address = f"127.0.0.1:{proxy.port}"
        async with launched(LaunchOptions(proxy=Proxy(server=address))) as pipe:
            assert await visit(pipe, f"http://127.0.0.1:{site.port}/direct") == ""
            assert await visit(pipe, "http://somewhere.test/proxied") == ""
        assert [line for line in proxy.requests if "/direct" in line] == []
        assert [line for line in site.requests if "/direct" in line]
        assert "GET http://somewhere.test/proxied HTTP/1.1" in proxy.requests
        async with launched(LaunchOptions(proxy=Proxy(server=address, bypass_loopback=False))) as pipe:
            assert await visit(pipe, f"http://127.0.0.1:{site.port}/through") == ""
        assert [line for line in proxy.requests if "/through" in line]
        assert [line for line in site.requests if "/through" in line] == []


GATHER = """
new Promise(done => {
  const peer = new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%d'}]});
  peer.createDataChannel('x');
  peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done('complete');
  setTimeout(() => done('slow'), 1500);
  peer.createOffer().then(offer => peer.setLocalDescription(offer));
})
"""


@contextmanager
def stun_server() -> Iterator[socket.socket]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.setblocking(False)
        yield listener


def datagrams(listener: socket.socket) -> int:
    """How many have come since the last look."""
    count = 0
    with suppress(BlockingIOError):
        while listener.recv(2048):
            count += 1
    return count


async def gather(pipe: Pipe, listener: socket.socket, *, to_its_end: bool) -> None:
    """Let a page gather its WebRTC candidates."""
    session = await pipe.open_page()
    expression = GATHER % listener.getsockname()[1]
    await pipe.call("Runtime.evaluate", session=session, expression=expression, awaitPromise=to_its_end)


async def test_webrtc_stays_behind_the_proxy() -> None:
    with stun_server() as listener:
        async with launched() as pipe:
            await gather(pipe, listener, to_its_end=False)
            await until(lambda: datagrams(listener), named="the control: without a proxy it is asked")
    async with serving() as proxy:
        behind = LaunchOptions(proxy=Proxy(server=f"127.0.0.1:{proxy.port}"))
        with stun_server() as listener:
            async with launched(behind) as pipe:
                await gather(pipe, listener, to_its_end=True)
            assert datagrams(listener) == 0
