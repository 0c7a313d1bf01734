"""The script runner: one run per tab at a time, stored variables, and helper calls as commands."""

from __future__ import annotations

import asyncio
import base64
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import ScriptResult
from boathook.engine.capture.images.image_size import image_size
from boathook.engine.page.page_view import page_view
from boathook.errors import BoathookError, PolicyBlocked
from boathook.presentation.rendering import as_data, as_text
from boathook.presentation.snapshot.elements import elements
from boathook.service.endpoint.endpoint_server import CdpEndpoint
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.playwright_access import FULL_ACCESS, EndpointLine, find_package
from boathook.service.scripts.scratch_folder import remove_abandoned
from boathook.service.scripts.script_channel import TakenScreenshot
from boathook.service.scripts.script_files import ScriptFiles
from boathook.service.scripts.script_helpers import resolve_helper
from boathook.service.scripts.script_run import ScriptRequest, run

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from boathook.commands.program.scripts import Engine
    from boathook.commands.results import ReadText, ScreenshotResult, SnapshotResult
    from boathook.engine.actions.perform import Performed
    from boathook.engine.network.log.network_log import Request
    from boathook.engine.tab import Tab
    from boathook.engine.waits.wait_for_element import WaitResult
    from boathook.service.scripts.playwright_access import CdpAccess
    from boathook.service.scripts.script_files import FileRules

    RunCommand = Callable[[str, Mapping[str, Any], ScriptFiles | None, Tab], Awaitable[Any]]
    FindTab = Callable[[str], Awaitable[Tab]]


ENDPOINT = "cdp_endpoint"
"""The pseudo helper for Playwright."""
IN_TAB = "in_tab"
"""The tab that a helper is called on, if it is not the script's own."""
_OPTIONS_HERE = frozenset({"silent", "includeAll", "include_all"})
"""Options of helpers that are not parameters of commands."""


class ScriptRunner:
    """Runs scripts that control tabs."""

    def __init__(self) -> None:
        self.fork_server = ForkServer()
        self._states: WeakKeyDictionary[Tab, dict[str, Any]] = WeakKeyDictionary()
        self._preparing: set[asyncio.Task[None]] = set()
        self._has_swept = False

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
        files: FileRules,
        run_command: RunCommand,
        find_tab: FindTab,
        folder: str = "",
        access: CdpAccess = FULL_ACCESS,
    ) -> ScriptResult:
        """Run code for a tab; its commands run as the caller, so that the caller's rules apply, and with few files."""
        if language == "js-page":
            return await _in_page(tab, code, run_command, seconds)
        if not self._has_swept:
            self._has_swept = True
            await asyncio.to_thread(remove_abandoned)
        jailed_js = language == "js" and engine != "unsafe"
        refused = access.why_not_in_jail(folder) if jailed_js else ""
        order = ScriptRequest(
            code=code,
            tab=tab.label or tab.id,
            seconds=seconds,
            jail=engine != "unsafe",
            safe=engine == "safe",
            state=self._states.get(tab, {}),
            js=language == "js",
            folder=folder,
            package=find_package(folder) if jailed_js and not refused else "",
            no_package=refused,
        )
        limited = files if order.jail else None  # other code has all files already
        worker = await self.fork_server.worker()
        dispatcher = _HelperDispatcher(tab, run_command, find_tab, files=limited)
        if order.package:
            # Its files are those of the scratch folder: CDP messages name them without our checks.
            endpoint = CdpEndpoint(tab, upload_roots=(), schemes=access.schemes)
            dispatcher.line = EndpointLine(worker.line, endpoint)
        elif not order.jail and access.evaluate:
            dispatcher.endpoint = CdpEndpoint(tab, upload_roots=files.upload_roots)
        try:
            ran = await run(order, worker, dispatcher.serve)
        finally:
            await dispatcher.close()
        self._states[tab] = ran.state
        self._prepare_next()
        return ran

    def _prepare_next(self) -> None:
        task = asyncio.create_task(self.fork_server.prepare(), name="a child for the next script")
        self._preparing.add(task)
        task.add_done_callback(self._preparing.discard)


class _HelperDispatcher:
    """Dispatches the helper calls of one run."""

    def __init__(
        self,
        tab: Tab,
        run_command: RunCommand,
        find_tab: FindTab,
        *,
        files: FileRules | None = None,
    ) -> None:
        self.endpoint: CdpEndpoint | None = None
        """For the CDP client of a script without a jail."""
        self.line: EndpointLine | None = None
        """For that of a script in a jail."""
        self._tab = tab
        self._run = run_command
        self._find_tab = find_tab
        self._files = files

    async def close(self) -> None:
        """Disconnect the script's CDP client."""
        for used in (self.endpoint, self.line):
            if used is not None:
                await used.close()

    async def serve(self, scratch: str, method: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Run a helper; returns plain data for the script."""
        if method == ENDPOINT:
            return await self._where()
        other = named.get(IN_TAB)
        tab = await self._find_tab(str(other)) if other else self._tab
        whole = {name: value for name, value in named.items() if name not in {IN_TAB, *_OPTIONS_HERE}}
        options = {name: bool(value) for name, value in named.items() if name in _OPTIONS_HERE}
        if options.get("includeAll") or options.get("include_all"):
            options["everything"], whole["mode"] = True, "full"
        command, helper, arguments = resolve_helper(method, given, whole)
        if helper.gives == "response":
            arguments.setdefault("since", tab.last_action)
        files = None
        if self._files is not None and (command.reads_files or command.writes_files):
            files = ScriptFiles(rules=self._files, scratch=Path(scratch))
            arguments = await asyncio.to_thread(files.check, command, arguments)
        value = await self._run(command.name, arguments, files, tab)
        convert = _CONVERSIONS.get(helper.gives)
        return as_data(value) if convert is None else await convert(value, {**options, **arguments}, tab)

    async def _where(self) -> dict[str, str]:
        """A CDP endpoint for the browser of the tab, for as long as the script runs."""
        if self.line is not None:
            return {"url": await self.line.open(), "target": self._tab.target_id}
        if self.endpoint is None:
            raise PolicyBlocked(
                "Playwright is not available: scripts in pages are disabled, or the script runs in a sandbox",
                hint="use the helpers of tab",
            )
        return {"url": await self.endpoint.address(), "target": self.endpoint.target_id}


async def _text(value: Any, _asked: Mapping[str, Any], _tab: Tab) -> str:
    return as_text(value)


async def _picture(value: ScreenshotResult, asked: Mapping[str, Any], _tab: Tab) -> TakenScreenshot:
    return _shot(value, silent=asked.get("silent", False))


async def _elements(value: SnapshotResult, asked: Mapping[str, Any], tab: Tab) -> dict[str, Any]:
    view = await page_view(tab, deadline=Deadline.after(READ_SECONDS))
    return elements(value.snapshot, view, everything=asked.get("everything", False))


async def _reading(value: ReadText, _asked: Mapping[str, Any], _tab: Tab) -> str | None:
    return value.page.text or None


async def _element(value: WaitResult, _asked: Mapping[str, Any], _tab: Tab) -> str | None:
    return value.ref or None


async def _selection(done: Performed, _asked: Mapping[str, Any], _tab: Tab) -> Any:
    """The values of the selected options; in a list of other elements, their labels."""
    return list(done.selected) or as_data(done.value)


async def _response(found: Request, asked: Mapping[str, Any], tab: Tab) -> dict[str, Any]:
    """A response with its headers, and the mark from which another one can be waited for."""
    headers = tab.network.response_headers(found.number)
    return {**as_data(found), "headers": headers, "mark": asked["since"]}


async def _opened(value: Tab, _asked: Mapping[str, Any], _tab: Tab) -> dict[str, Any]:
    """Another tab, which the script can use by its id."""
    facts: dict[str, Any] = as_data(value)
    with suppress(BoathookError):  # a page that does not respond has the title that is known
        facts["title"] = await value.title()
    return {**facts, "id": value.id}


_CONVERSIONS: Mapping[str, Callable[[Any, Mapping[str, Any], Tab], Awaitable[Any]]] = {
    "text": _text,
    "tab": _opened,
    "picture": _picture,
    "elements": _elements,
    "reading": _reading,
    "element": _element,
    "selection": _selection,
    "response": _response,
}
"""What a script receives of a value, by what its helper gives; other values as data."""


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
    value = await run_command("evaluate", {"script": body, "timeout": seconds}, None, tab)
    return ScriptResult(tab=tab.label or tab.id, value=value, gives=value is not None, code=code)
