"""The oracle's browser: load a page, ask the walker about it, ask Chromium about it.

Everything the comparison knows of a browser is the class `Browser` below: `load`, `walker_dump`, `walker_probe`,
`ax_trees` and `document`. The walker is asked alone: there is no fallback to Chromium's own tree here, so none has
to be switched off.
"""

import asyncio
import contextlib
import json
import mimetypes
import os
import shutil
import tempfile
from pathlib import Path

import websockets

from boathook.engine.page_scripts import walker_source

FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--mute-audio",
    "--password-store=basic",
    "--disable-dev-shm-usage",
    "--window-size=1280,720",
    "--remote-debugging-port=0",
)
WORLD = "boathook-oracle"


def chromium_path():
    """The Chromium to measure against: BOATHOOK_CHROMIUM, or the first one on PATH."""
    named = os.environ.get("BOATHOOK_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
    if not found:
        raise FileNotFoundError("no Chromium on PATH; set BOATHOOK_CHROMIUM")
    return found


class PageServer:
    """Serves one folder (and pages made up on the way) on loopback."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.made_up: dict[str, str] = {}

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.origin = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_):
        self.server.close()

    async def _answer(self, reader, writer):
        # Chromium opens connections ahead of need and closes some of them unused.
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            writer.write(self._reply(request.split(" ", 2)[1].split("?")[0].lstrip("/")))
            await writer.drain()
        writer.close()

    def _reply(self, path):
        file = self.folder / path
        body = b""
        if path in self.made_up:
            body = self.made_up[path].encode()
        elif file.is_file() and self.folder in file.resolve().parents:
            body = file.read_bytes()
        kind = mimetypes.guess_type(path)[0] or "text/html"
        head = f"HTTP/1.1 {'200 OK' if body else '404 Not Found'}\r\nContent-Type: {kind}; charset=utf-8\r\n"
        return f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


class Browser:
    """One Chromium with one tab, over a plain protocol connection."""

    async def __aenter__(self):
        self.profile = await asyncio.to_thread(tempfile.mkdtemp, prefix="oracle-")
        root = ("--no-sandbox",) if os.geteuid() == 0 else ()
        self.process = await asyncio.create_subprocess_exec(
            chromium_path(),
            *FLAGS,
            *root,
            f"--user-data-dir={self.profile}",
            "about:blank",
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        address = await asyncio.wait_for(self._address(), 30)
        self.errors = asyncio.create_task(self._drain())
        self.socket = await websockets.connect(address, max_size=None, compression=None)
        self.pending: dict[int, asyncio.Future] = {}
        self.loaded = asyncio.Event()
        self.reader = asyncio.create_task(self._read())
        self.session = None
        target = (await self.call("Target.createTarget", url="about:blank"))["targetId"]
        self.session = (await self.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]
        await self.call("Page.enable")
        await self.call("DOM.enable")
        return self

    async def __aexit__(self, *_):
        with contextlib.suppress(ConnectionError, websockets.ConnectionClosed):
            await self.socket.send(json.dumps({"id": 0, "method": "Browser.close"}))
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()
        await self.socket.close()
        await asyncio.gather(self.reader, self.errors, return_exceptions=True)
        await asyncio.to_thread(shutil.rmtree, self.profile, ignore_errors=True)

    async def _address(self):
        while line := await self.process.stderr.readline():
            if b"DevTools listening on " in line:
                return line.split()[-1].decode()
        raise ConnectionError("Chromium ended before it listened")

    async def _drain(self):
        while await self.process.stderr.read(65536):
            pass

    async def _read(self):
        with contextlib.suppress(websockets.ConnectionClosed):
            async for text in self.socket:
                message = json.loads(text)
                waiting = self.pending.pop(message.get("id"), None)
                if waiting is not None and not waiting.done():
                    waiting.set_result(message)
                if message.get("method") == "Page.loadEventFired":
                    self.loaded.set()

    async def call(self, method: str, **params):
        """One protocol command; a protocol error is raised as RuntimeError."""
        number = 1 + getattr(self, "number", 0)
        self.number = number
        message = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        answer = self.pending[number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps(message))
        reply = await asyncio.wait_for(answer, 30)
        if "error" in reply:
            raise RuntimeError(f"{method}: {reply['error']}")
        return reply["result"]

    async def load(self, url: str):
        """Open the page and put the walker into it."""
        self.loaded.clear()
        await self.call("Page.navigate", url=url)
        await asyncio.wait_for(self.loaded.wait(), 30)
        self.frame = (await self.call("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        world = await self.call("Page.createIsolatedWorld", frameId=self.frame, worldName=WORLD)
        self.world = world["executionContextId"]
        await self._evaluate(walker_source())

    async def _evaluate(self, expression: str, *, by_value=False):
        reply = await self.call(
            "Runtime.evaluate", expression=expression, contextId=self.world, returnByValue=by_value
        )
        if "exceptionDetails" in reply:
            details = reply["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return reply["result"]

    async def walker_dump(self):
        """The walker's full tree: rows of (backend node id or None, depth, role, name, description, states)."""
        await self._evaluate("globalThis.__oracle = __boathook.dump(), 0")
        rows = (await self._evaluate("__oracle.rows", by_value=True))["value"]
        ids = await self._backend_ids("__oracle.elements")
        return [(ids.get(i), *row) for i, row in enumerate(rows)]

    async def walker_probe(self, selector: str):
        """The walker's word on every element that matches: its attribute data-fact -> probe()."""
        expression = f"""(() => {{
            const found = {{}}, roots = [document];
            while (roots.length) {{
                const root = roots.pop();
                for (const el of root.querySelectorAll('*')) {{
                    if (el.shadowRoot) roots.push(el.shadowRoot);
                    if (el.matches({json.dumps(selector)})) found[el.dataset.fact] = __boathook.probe(el);
                }}
            }}
            return found;
        }})()"""
        return (await self._evaluate(expression, by_value=True))["value"]

    async def _backend_ids(self, expression: str):
        array = await self._evaluate(expression)
        properties = await self.call("Runtime.getProperties", objectId=array["objectId"], ownProperties=True)
        handles = {
            int(entry["name"]): entry["value"]["objectId"]
            for entry in properties["result"]
            if entry["name"].isdigit() and "objectId" in entry.get("value", {})
        }
        nodes = await asyncio.gather(*(self.call("DOM.describeNode", objectId=h) for h in handles.values()))
        return {i: node["node"]["backendNodeId"] for i, node in zip(handles, nodes, strict=True)}

    async def ax_trees(self):
        """Chromium's own trees, one for each frame: [(backend id of the frame's element or None, nodes)]."""
        tree = (await self.call("Page.getFrameTree"))["frameTree"]
        return [await self._ax_tree(frame, top=frame is tree) for frame in _frames(tree)]

    async def _ax_tree(self, frame, *, top):
        frame_id = frame["frame"]["id"]
        owner = None if top else (await self.call("DOM.getFrameOwner", frameId=frame_id))["backendNodeId"]
        return owner, (await self.call("Accessibility.getFullAXTree", frameId=frame_id))["nodes"]

    async def document(self):
        """The DOM with its shadow roots and frames, as DOM.getDocument gives it."""
        return (await self.call("DOM.getDocument", depth=-1, pierce=True))["root"]


def _frames(tree):
    yield tree
    for child in tree.get("childFrames", ()):
        yield from _frames(child)
