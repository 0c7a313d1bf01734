"""Smallest CDP client that is still usable: own RFC 6455 framing on an asyncio.Protocol, or --remote-debugging-pipe.

It records, for every response, when its first byte arrived, when it was complete, its size and the parse
time, so that "time inside Chromium", "transfer" and "parse" can be told apart.
"""

from __future__ import annotations

import asyncio
import base64
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from urllib.parse import urlparse

try:
    from orjson import dumps, loads
except ImportError:  # peers are not installed: our own JSON reader will do
    from msgspec.json import decode as loads
    from msgspec.json import encode as dumps

CHROME_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--mute-audio",
    "--hide-scrollbars",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-dev-shm-usage",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-ipc-flooding-protection",
    "--window-size=1280,720",
]


def chrome_path() -> str:
    p = os.environ.get("BENCH_CHROME")
    if p:
        return p
    for n in ("chromium", "google-chrome", "chrome", "chromium-browser"):
        p = shutil.which(n)
        if p:
            return p
    raise SystemExit("no Chromium on PATH; set BENCH_CHROME")


class CDPError(Exception):
    pass


class _Base(asyncio.Protocol):
    def __init__(self) -> None:
        self.buf = bytearray()
        self.t_first = 0.0
        self.pending: dict[int, asyncio.Future] = {}
        self.handlers: dict[tuple[str | None, str], list] = {}
        self.n = 0
        self.last = {}
        self.loads = loads
        self.keep_timing = False
        self.closed = asyncio.get_running_loop().create_future()

    def connection_lost(self, exc) -> None:
        for f in self.pending.values():
            if not f.done():
                f.set_exception(CDPError("connection lost"))
        if not self.closed.done():
            self.closed.set_result(None)

    def _message(self, raw) -> None:
        if self.keep_timing:
            t1 = time.perf_counter()
            m = self.loads(raw)
            t2 = time.perf_counter()
            self.last = {"t_first": self.t_first, "t_recv": t1, "t_parsed": t2, "bytes": len(raw)}
        else:
            m = self.loads(raw)
        i = m.get("id")
        if i is not None:
            f = self.pending.pop(i, None)
            if f is None or f.done():
                return
            if "error" in m:
                f.set_exception(
                    CDPError(m["error"].get("message", "") + " " + str(m["error"].get("data", "")))
                )
            else:
                f.set_result(m["result"])
            return
        meth = m["method"]
        sid = m.get("sessionId")
        for key in ((sid, meth), ("*", meth)):
            for h in self.handlers.get(key, ()):
                h(m["params"], sid)

    def on(self, method: str, fn, session: str | None = None) -> None:
        self.handlers.setdefault((session, method), []).append(fn)

    def off(self, method: str, fn, session: str | None = None) -> None:
        self.handlers[(session, method)].remove(fn)

    def send(self, method: str, params: dict | None = None, session: str | None = None) -> asyncio.Future:
        self.n += 1
        msg = {"id": self.n, "method": method, "params": params or {}}
        if session:
            msg["sessionId"] = session
        f = asyncio.get_running_loop().create_future()
        self.pending[self.n] = f
        self._write(dumps(msg))
        return f


class WSClient(_Base):
    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = urlparse(url)
        self.hs = asyncio.get_running_loop().create_future()
        self.frag = bytearray()

    def connection_made(self, tr) -> None:
        self.tr = tr
        key = base64.b64encode(os.urandom(16)).decode()
        tr.write(
            (
                f"GET {self.url.path} HTTP/1.1\r\nHost: {self.url.netloc}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )

    def _write(self, data: bytes) -> None:
        n = len(data)
        if n < 126:
            h = struct.pack("!BB", 0x81, 0x80 | n)
        elif n < 65536:
            h = struct.pack("!BBH", 0x81, 0x80 | 126, n)
        else:
            h = struct.pack("!BBQ", 0x81, 0x80 | 127, n)
        self.tr.write(h + b"\0\0\0\0" + data)  # mask key 0: payload is sent as it is

    def data_received(self, data: bytes) -> None:
        buf = self.buf
        if not buf:
            self.t_first = time.perf_counter()
        buf += data
        if not self.hs.done():
            j = buf.find(b"\r\n\r\n")
            if j < 0:
                return
            ok = buf.startswith(b"HTTP/1.1 101")
            del buf[: j + 4]
            self.hs.set_result(ok)
        while len(buf) >= 2:
            n = buf[1] & 127
            o = 2
            if n == 126:
                if len(buf) < 4:
                    return
                n = (buf[2] << 8) | buf[3]
                o = 4
            elif n == 127:
                if len(buf) < 10:
                    return
                n = int.from_bytes(buf[2:10], "big")
                o = 10
            if len(buf) < o + n:
                return
            op = buf[0] & 15
            fin = buf[0] & 128
            payload = bytes(memoryview(buf)[o : o + n])
            del buf[: o + n]
            if op in (0, 1, 2):
                if fin and not self.frag:
                    self._message(payload)
                else:
                    self.frag += payload
                    if fin:
                        p, self.frag = bytes(self.frag), bytearray()
                        self._message(p)
            elif op == 8:
                self.tr.close()
                return
            elif op == 9:
                self.tr.write(b"\x8a\x80\0\0\0\0")

    async def close(self) -> None:
        self.tr.close()


class PipeClient(_Base):
    """CDP over fds 3 and 4 of Chromium; messages end with a NUL."""

    def connection_made(self, tr) -> None:
        self.rd = tr

    def _write(self, data: bytes) -> None:
        self.wr.write(data + b"\0")

    def data_received(self, data: bytes) -> None:
        if not self.buf:
            self.t_first = time.perf_counter()
        self.buf += data
        if 0 not in data:
            return
        parts = bytes(self.buf).split(b"\0")
        self.buf = bytearray(parts.pop())
        for p in parts:
            self._message(p)

    async def close(self) -> None:
        self.rd.close()
        self.wr.close()


async def ws_connect(url: str) -> WSClient:
    u = urlparse(url)
    _, c = await asyncio.get_running_loop().create_connection(lambda: WSClient(url), u.hostname, u.port)
    if not await c.hs:
        raise CDPError("handshake refused")
    return c


class Chrome:
    """A Chromium started by us, with one CDP connection."""

    def __init__(self, extra: list[str] | None = None, pipe: bool = False) -> None:
        self.extra = extra or []
        self.pipe = pipe

    async def start(self) -> "Chrome":
        self.dir = tempfile.mkdtemp(prefix="bench-prof-")
        args = [chrome_path(), *CHROME_FLAGS, *self.extra, f"--user-data-dir={self.dir}"]
        loop = asyncio.get_running_loop()
        if self.pipe:
            r3, w3 = os.pipe()
            r4, w4 = os.pipe()
            os.set_inheritable(r3, True)
            os.set_inheritable(w4, True)

            def pre() -> None:
                a = os.dup(r3)
                b = os.dup(w4)
                a2, b2 = os.dup(a), os.dup(b)
                os.dup2(a2, 3)
                os.dup2(b2, 4)

            self.proc = subprocess.Popen(
                [*args, "--remote-debugging-pipe", "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                close_fds=False,
                preexec_fn=pre,
                start_new_session=True,
            )
            os.close(r3)
            os.close(w4)
            _, c = await loop.connect_read_pipe(PipeClient, os.fdopen(r4, "rb", 0))
            wr, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(w3, "wb", 0))
            c.wr = wr
            self.cdp = c
        else:
            self.proc = subprocess.Popen(
                [*args, "--remote-debugging-port=0", "about:blank"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
            rd = asyncio.StreamReader()
            self._errtr, _ = await loop.connect_read_pipe(
                lambda: asyncio.StreamReaderProtocol(rd), self.proc.stderr
            )
            self.ws_url = ""
            while True:
                line = (await rd.readline()).decode(errors="replace")
                if not line:
                    raise CDPError("Chromium ended")
                m = re.search(r"DevTools listening on (ws://\S+)", line)
                if m:
                    self.ws_url = m.group(1)
                    break

            async def drain() -> None:
                while await rd.read(65536):
                    pass

            self._drain = asyncio.ensure_future(drain())
            self.cdp = await ws_connect(self.ws_url)
        return self

    async def first_page(self) -> str:
        """Session id of the first page, in one round trip."""
        got = asyncio.get_running_loop().create_future()

        def h(p, sid):
            if p["targetInfo"]["type"] == "page" and not got.done():
                got.set_result(p["sessionId"])

        self.cdp.on("Target.attachedToTarget", h)
        self.cdp.send(
            "Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True}
        )
        sid = await asyncio.wait_for(got, 10)
        self.cdp.off("Target.attachedToTarget", h)
        return sid

    async def stop(self) -> None:
        try:
            self.cdp.send("Browser.close")
            await asyncio.sleep(0)
        except Exception:
            pass
        for _ in range(100):
            if self.proc.poll() is not None:
                break
            await asyncio.sleep(0.02)
        else:
            os.killpg(self.proc.pid, signal.SIGKILL)
            self.proc.wait()
        if not self.pipe:
            self._drain.cancel()
            self._errtr.close()
        try:
            await self.cdp.close()
        except Exception:
            pass
        for _ in range(5):
            shutil.rmtree(self.dir, ignore_errors=True)
            if not os.path.exists(self.dir):
                break
            await asyncio.sleep(0.05)
