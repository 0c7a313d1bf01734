"""The desk for scripts: one run per tab at a time, what scripts keep, and their calls as commands of ours."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from boathook.commands.results import Look, Ran, ReadText, Shot
from boathook.engine.capture.images.image_size import image_size
from boathook.errors import PolicyBlocked
from boathook.presentation.snapshot.elements import elements
from boathook.presentation.values import as_data, as_text
from boathook.service.endpoint.endpoint_server import Endpoint
from boathook.service.scripts.fork_server import Nursery
from boathook.service.scripts.script_helpers import meant
from boathook.service.scripts.script_run import Order, Showing, run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from boathook.commands.program.scripts import Engine
    from boathook.engine.tab import Tab

    RunCommand = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


ENDPOINT = "cdp_endpoint"
"""What a script asks for that brings Playwright along; no helper."""


class ScriptDesk:
    """Runs scripts beside tabs."""

    def __init__(self) -> None:
        self.nursery = Nursery()
        self._states: WeakKeyDictionary[Tab, dict[str, Any]] = WeakKeyDictionary()
        self._preparing: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """End what is kept ready."""
        for task in self._preparing:
            task.cancel()
        self.nursery.close()

    def forget(self, tab: Tab) -> list[str]:
        """Forget what scripts have kept for a tab; the names of it."""
        return sorted(self._states.pop(tab, {}))

    async def run(
        self,
        tab: Tab,
        code: str,
        *,
        language: str,
        engine: Engine,
        seconds: float,
        roots: tuple[Path, ...],
        run_command: RunCommand,
        folder: str = "",
        may_evaluate: bool = True,
    ) -> Ran:
        """Run code beside a tab; commands are run by whoever asks, so that his rules hold for them."""
        if language == "js-page":
            return await _in_page(tab, code, run_command, seconds)
        order = Order(
            code=code,
            tab=tab.label or tab.id,
            seconds=seconds,
            jail=engine != "unsafe",
            safe=engine == "safe",
            roots=roots,
            state=self._states.get(tab, {}),
            js=language == "js",
            folder=folder,
        )
        endpoint = Endpoint(tab) if engine == "unsafe" and may_evaluate else None
        try:
            ran = await run(order, await self.nursery.child(), _Counter(run_command, endpoint).serve)
        finally:
            if endpoint is not None:
                await endpoint.close()
        self._states[tab] = ran.state
        self._prepare_next()
        return ran

    def _prepare_next(self) -> None:
        task = asyncio.create_task(self.nursery.prepare(), name="a child for the next script")
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)


class _Counter:
    """Serves the helpers of one run."""

    def __init__(self, run_command: RunCommand, endpoint: Endpoint | None = None) -> None:
        self._run = run_command
        self._endpoint = endpoint

    async def serve(self, method: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Do what a helper asks for; plain data for the script."""
        if method == ENDPOINT:
            return await self._where()
        silent = bool(named.get("silent"))
        whole = {
            name: value
            for name, value in named.items()
            if name not in {"silent", "includeAll", "include_all"}
        }
        if named.get("includeAll") or named.get("include_all"):
            whole["mode"] = "full"
        helper, arguments = meant(method, given, whole)
        value = await self._run(helper.command, arguments)
        if isinstance(value, Shot):
            return _shot(value, silent=silent)
        if helper.gives == "elements" and isinstance(value, Look):
            return elements(value.snapshot)
        if helper.gives == "reading" and isinstance(value, ReadText):
            return value.page.text or None
        return as_text(value) if helper.gives == "text" else as_data(value)

    async def _where(self) -> dict[str, str]:
        """Where another program can speak to the browser of the tab, for as long as the script runs."""
        if self._endpoint is None:
            raise PolicyBlocked(
                "Playwright may do anything in pages, and scripts in pages are switched off or the script is in a jail",
                hint="use the helpers of tab",
            )
        return {"url": await self._endpoint.address(), "target": self._endpoint.target_id}


def _shot(shot: Shot, *, silent: bool) -> dict[str, Any] | Showing:
    width, height = image_size(shot.picture.data)
    facts = {
        "path": str(shot.path) if shot.path is not None else None,
        "width": width,
        "height": height,
        "bytes": len(shot.picture.data),
    }
    if silent or not shot.changed:
        return facts
    data = base64.b64encode(shot.picture.data).decode()
    shown = {"type": "image", "data": data, "mimeType": f"image/{shot.picture.format}", "path": facts["path"]}
    return Showing(facts, shown)


async def _in_page(tab: Tab, code: str, run_command: RunCommand, seconds: float) -> Ran:
    """In the page itself: the browser's own sandbox around it."""
    body = f"async () => {{\n{code}\n}}"
    value = await run_command("evaluate", {"script": body, "timeout": seconds})
    return Ran(tab=tab.label or tab.id, value=value, gives=value is not None, code=code)
