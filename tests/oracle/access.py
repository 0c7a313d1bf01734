"""The oracle's page: load a URL, ask the walker about it, ask Chromium about it.

Everything the comparison knows of a browser is the class `OraclePage` below. The walker is asked alone, in an
isolated world, with the facts that snapshots ask of Chromium too (CSS counters, ElementInternals).
"""

import asyncio
import contextlib
import json
import mimetypes
from pathlib import Path

import boathook
from boathook.engine.page_scripts import walker_source
from boathook.engine.snapshot.ask_chromium import learn_from_chromium
from tests.support.engine import engine_of

WORLD = "boathook-oracle"


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


@contextlib.asynccontextmanager
async def opened():
    """A page in a separate browser."""
    async with await boathook.launch() as browser:
        page = OraclePage(await browser.open())
        await page.send("DOM.enable")
        yield page


class OraclePage:
    """One tab, and the two trees of whatever it shows."""

    def __init__(self, tab: boathook.Tab):
        self.tab = tab
        self.send = engine_of(tab).session.send

    async def load(self, url: str):
        """Open the page and put the walker into it."""
        await self.tab.goto(url)
        self.frame = (await self.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
        world = await self.send("Page.createIsolatedWorld", frameId=self.frame, worldName=WORLD)
        self.world = world["executionContextId"]
        await self._evaluate(walker_source())
        await self._learn()

    async def _learn(self):
        """What a snapshot asks of Chromium before its lines are final."""
        while True:
            walk = (await self._evaluate("__boathook.walk({mode: 'full'})", by_value=True))["value"]
            questions = json.loads(walk.partition("\n")[0])["questions"]
            session = engine_of(self.tab).session
            if not questions or not await learn_from_chromium(session, self.world, questions):
                return

    async def _evaluate(self, expression: str, *, by_value=False):
        reply = await self.send(
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
        properties = await self.send("Runtime.getProperties", objectId=array["objectId"], ownProperties=True)
        handles = {
            int(entry["name"]): entry["value"]["objectId"]
            for entry in properties["result"]
            if entry["name"].isdigit() and "objectId" in entry.get("value", {})
        }
        nodes = await asyncio.gather(*(self.send("DOM.describeNode", objectId=h) for h in handles.values()))
        return {i: node["node"]["backendNodeId"] for i, node in zip(handles, nodes, strict=True)}

    async def ax_trees(self):
        """Chromium's own trees, one for each frame: [(backend id of the frame's element or None, nodes)]."""
        tree = (await self.send("Page.getFrameTree"))["frameTree"]
        return [await self._ax_tree(frame, top=frame is tree) for frame in _frames(tree)]

    async def _ax_tree(self, frame, *, top):
        frame_id = frame["frame"]["id"]
        owner = None if top else (await self.send("DOM.getFrameOwner", frameId=frame_id))["backendNodeId"]
        return owner, (await self.send("Accessibility.getFullAXTree", frameId=frame_id))["nodes"]

    async def document(self):
        """The DOM with its shadow roots and frames, as DOM.getDocument gives it."""
        return (await self.send("DOM.getDocument", depth=-1, pierce=True))["root"]


def _frames(tree):
    yield tree
    for child in tree.get("childFrames", ()):
        yield from _frames(child)
