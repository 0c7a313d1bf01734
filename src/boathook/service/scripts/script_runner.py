"""The script runner: one run per tab at a time, stored variables, and helper calls as commands."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from boathook.commands.results import ReadText, ScreenshotResult, ScriptResult, SnapshotResult
from boathook.engine.actions.perform import Performed
from boathook.engine.capture.images.image_size import image_size
from boathook.errors import PolicyBlocked
from boathook.presentation.all_renderers import as_data, as_text
from boathook.presentation.snapshot.elements import elements
from boathook.service.endpoint.endpoint_server import CdpEndpoint
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.script_helpers import resolve_helper
from boathook.service.scripts.script_run import DisplayedValue, ScriptRequest, run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from pathlib import Path

    from boathook.commands.program.scripts import Engine
    from boathook.engine.tab import Tab

    RunCommand = Callable[[str, Mapping[str, Any]], Awaitable[Any]]


ENDPOINT = "cdp_endpoint"
"""The pseudo helper for Playwright."""


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
            ran = await run(
                order, await self.fork_server.worker(), _HelperDispatcher(run_command, endpoint).serve
            )
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

    def __init__(self, run_command: RunCommand, endpoint: CdpEndpoint | None = None) -> None:
        self._run = run_command
        self._endpoint = endpoint

    async def serve(self, method: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Run a helper; returns plain data for the script."""
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
        command, helper, arguments = resolve_helper(method, given, whole)
        value = await self._run(command.name, arguments)
        if isinstance(value, ScreenshotResult):
            return _shot(value, silent=silent)
        if helper.gives == "elements" and isinstance(value, SnapshotResult):
            return elements(value.snapshot)
        if helper.gives == "reading" and isinstance(value, ReadText):
            return value.page.text or None
        if helper.gives == "selected" and isinstance(value, Performed):
            return list(value.selected) or as_data(value.value)
        return as_text(value) if helper.gives == "text" else as_data(value)

    async def _where(self) -> dict[str, str]:
        """A CDP endpoint for the browser of the tab, for as long as the script runs."""
        if self._endpoint is None:
            raise PolicyBlocked(
                "Playwright is not available: scripts in pages are disabled, or the script runs in a sandbox",
                hint="use the helpers of tab",
            )
        return {"url": await self._endpoint.address(), "target": self._endpoint.target_id}


def _shot(shot: ScreenshotResult, *, silent: bool) -> dict[str, Any] | DisplayedValue:
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
    return DisplayedValue(facts, shown)


async def _in_page(tab: Tab, code: str, run_command: RunCommand, seconds: float) -> ScriptResult:
    """In the page itself: inside the browser's own sandbox."""
    body = f"async () => {{\n{code}\n}}"
    value = await run_command("evaluate", {"script": body, "timeout": seconds})
    return ScriptResult(tab=tab.label or tab.id, value=value, gives=value is not None, code=code)
