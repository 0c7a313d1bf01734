"""The script runner: one run per tab at a time, stored variables, and helper calls as commands."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import ScriptResult
from boathook.engine.capture.images.image_size import image_size
from boathook.engine.page.page_view import page_view
from boathook.errors import PolicyBlocked
from boathook.presentation.all_renderers import as_data, as_text
from boathook.presentation.snapshot.elements import elements
from boathook.service.endpoint.endpoint_server import CdpEndpoint
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.script_helpers import resolve_helper
from boathook.service.scripts.script_run import ScriptRequest, TakenScreenshot, run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from boathook.commands.program.scripts import Engine
    from boathook.commands.results import ReadText, ScreenshotResult, SnapshotResult
    from boathook.engine.actions.perform import Performed
    from boathook.engine.network.log.network_log import Request
    from boathook.engine.tab import Tab
    from boathook.engine.waits.wait_for_element import WaitResult

    RunCommand = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


ENDPOINT = "cdp_endpoint"
"""The pseudo helper for Playwright."""
_OPTIONS_HERE = frozenset({"silent", "includeAll", "include_all"})
"""Options of helpers that are not parameters of commands."""


class ScriptRunner:
    """Runs scripts that control tabs."""

    def __init__(self) -> None:
        self.fork_server = ForkServer()
        self._states: WeakKeyDictionary[Tab, dict[str, Any]] = WeakKeyDictionary()
        self._preparing: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        """Stop the process that is kept ready."""
        for task in self._preparing:
            task.cancel()
        self.fork_server.close()

    def forget(self, tab: Tab) -> list[str]:
        """Remove the variables that scripts stored for a tab; returns their names."""
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
    ) -> ScriptResult:
        """Run code for a tab; its commands run as the caller, so that the caller's rules apply."""
        if language == "js-page":
            return await _in_page(tab, code, run_command, seconds)
        order = ScriptRequest(
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
        endpoint = CdpEndpoint(tab) if engine == "unsafe" and may_evaluate else None
        try:
            dispatcher = _HelperDispatcher(tab, run_command, endpoint)
            ran = await run(order, await self.fork_server.worker(), dispatcher.serve)
        finally:
            if endpoint is not None:
                await endpoint.close()
        self._states[tab] = ran.state
        self._prepare_next()
        return ran

    def _prepare_next(self) -> None:
        task = asyncio.create_task(self.fork_server.prepare(), name="a child for the next script")
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)


class _HelperDispatcher:
    """Dispatches the helper calls of one run."""

    def __init__(self, tab: Tab, run_command: RunCommand, endpoint: CdpEndpoint | None = None) -> None:
        self._tab = tab
        self._run = run_command
        self._endpoint = endpoint

    async def serve(self, method: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Run a helper; returns plain data for the script."""
        if method == ENDPOINT:
            return await self._where()
        whole = {name: value for name, value in named.items() if name not in _OPTIONS_HERE}
        options = {name: bool(value) for name, value in named.items() if name in _OPTIONS_HERE}
        if options.get("includeAll") or options.get("include_all"):
            options["everything"], whole["mode"] = True, "full"
        command, helper, arguments = resolve_helper(method, given, whole)
        if helper.gives == "response":
            arguments.setdefault("since", self._tab.last_action)
        value = await self._run(command.name, arguments)
        convert = self._CONVERSIONS.get(helper.gives)
        return as_data(value) if convert is None else await convert(self, value, {**options, **arguments})

    async def _text(self, value: Any, _asked: Mapping[str, Any]) -> str:
        return as_text(value)

    async def _picture(self, value: ScreenshotResult, asked: Mapping[str, Any]) -> TakenScreenshot:
        return _shot(value, silent=asked.get("silent", False))

    async def _elements(self, value: SnapshotResult, asked: Mapping[str, Any]) -> dict[str, Any]:
        view = await page_view(self._tab, deadline=Deadline.after(READ_SECONDS))
        return elements(value.snapshot, view, everything=asked.get("everything", False))

    async def _reading(self, value: ReadText, _asked: Mapping[str, Any]) -> str | None:
        return value.page.text or None

    async def _element(self, value: WaitResult, _asked: Mapping[str, Any]) -> str | None:
        return value.ref or None

    async def _selection(self, done: Performed, _asked: Mapping[str, Any]) -> Any:
        """The values of the selected options; in a list of other elements, their labels."""
        return list(done.selected) or as_data(done.value)

    async def _response(self, found: Request, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A response with its headers, and the mark from which another one can be waited for."""
        headers = self._tab.network.response_headers(found.number)
        return {**as_data(found), "headers": headers, "mark": asked["since"]}

    _CONVERSIONS: ClassVar[Mapping[str, Callable[[Any, Any, Mapping[str, Any]], Awaitable[Any]]]] = {
        "text": _text,
        "picture": _picture,
        "elements": _elements,
        "reading": _reading,
        "element": _element,
        "selection": _selection,
        "response": _response,
    }
    """What a script receives of a value, by what its helper gives; other values as data."""

    async def _where(self) -> dict[str, str]:
        """A CDP endpoint for the browser of the tab, for as long as the script runs."""
        if self._endpoint is None:
            raise PolicyBlocked(
                "Playwright is not available: scripts in pages are disabled, or the script runs in a sandbox",
                hint="use the helpers of tab",
            )
        return {"url": await self._endpoint.address(), "target": self._endpoint.target_id}


def _shot(shot: ScreenshotResult, *, silent: bool) -> TakenScreenshot:
    """The saved file, and the copy of it that is displayed."""
    saved = shot.whole or shot.picture
    width, height = image_size(saved.data)
    facts = {
        "path": str(shot.path) if shot.path is not None else None,
        "mimeType": f"image/{saved.format}",
        "width": width,
        "height": height,
        "bytes": len(saved.data),
    }
    if silent or not shot.changed:
        return TakenScreenshot(value=facts)
    data = base64.b64encode(shot.picture.data).decode()
    shown = {"type": "image", "data": data, "mimeType": f"image/{shot.picture.format}", "path": facts["path"]}
    return TakenScreenshot(value=facts, shown=shown)


async def _in_page(tab: Tab, code: str, run_command: RunCommand, seconds: float) -> ScriptResult:
    """In the page itself: inside the browser's own sandbox."""
    body = f"async () => {{\n{code}\n}}"
    value = await run_command("evaluate", {"script": body, "timeout": seconds})
    return ScriptResult(tab=tab.label or tab.id, value=value, gives=value is not None, code=code)
