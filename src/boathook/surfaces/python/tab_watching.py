"""The part of the public Tab that waits and watches: waits, logs, files, storage, emulation.

Waits for requests, downloads, dialogs and tabs count what happened since the last action began, so that they may
stand behind the call that causes it. `since=tab.mark`, read earlier, moves that point.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine import storage
from boathook.engine.capture.pdf import Paper, Pdf, print_pdf
from boathook.engine.downloads import Download, cancel_all
from boathook.engine.emulation import NOT_GIVEN, ColorScheme, Motion, NotGiven, Place, Settings
from boathook.engine.network.log import BODY_LIMIT, Body, Request
from boathook.engine.network.patterns import UrlPattern, url_matcher
from boathook.engine.prompts import set_permissions
from boathook.engine.state_file import SavedState, load_state, save_state
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.engine.uploads import Uploaded, give_to_chooser, upload
from boathook.engine.visiting import visiting
from boathook.engine.waits import events
from boathook.engine.waits.events import WAIT_SECONDS
from boathook.engine.waits.targets import Sightings, TargetState, Wish, wait_for_target, wait_for_text
from boathook.errors import BadRequest
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.console import ConsoleMessage, Level
    from boathook.engine.dialogs import Dialog, DialogPolicy
    from boathook.engine.storage import Area
    from boathook.surfaces.python.async_api import Tab
    from boathook.values import Viewport, WaitUntil

LEVELS: tuple[Level, ...] = ("debug", "log", "info", "warning", "error")


class TabWatching(TabBase):
    """Waits, logs, files, storage and emulation."""

    @property
    def mark(self) -> int:
        """The present moment, for the `since` of waits and logs."""
        return self._engine.happenings.now

    async def wait_for(
        self,
        target: str,
        *,
        state: TargetState = "visible",
        text: str | None = None,
        value: str | None = None,
        count: int | None = None,
        exact: bool = False,
        nth: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Sightings:
        """Wait until an element is visible, hidden, attached, detached or enabled, or has a text, value or count."""
        wish = Wish(state=state, text=text, value=value, count=count, exact=exact, nth=nth).checked()
        async with self._engine.call(f"waiting for {target}", seconds=timeout, waits=True) as deadline:
            return await wait_for_target(self._engine, target, wish, deadline=deadline)

    async def wait_for_text(
        self, text: str, *, exact: bool = False, timeout: float = WAIT_SECONDS
    ) -> Sightings:
        """Wait until a text is shown on the page; without `exact`, upper and lower case are the same."""
        async with self._engine.call("waiting for a text", seconds=timeout, waits=True) as deadline:
            return await wait_for_text(self._engine, text, exact=exact, deadline=deadline)

    async def wait_for_url(self, pattern: UrlPattern, *, timeout: float = WAIT_SECONDS) -> str:
        """Wait for an address: a part of it, a glob with `*`, `re:…` or a compiled expression."""
        async with self._engine.call(
            "waiting for an address", seconds=timeout, waits=True, needs_page=False
        ) as deadline:
            return await events.wait_for_url(self._engine, pattern, deadline=deadline)

    async def wait_for_load(self, state: WaitUntil = "load", *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Wait until the document, or the one that is on its way, has come this far; gives its address."""
        async with self._engine.call("waiting for a document", seconds=timeout, waits=True) as deadline:
            return await events.wait_for_load(self._engine, state, deadline=deadline)

    async def wait_for_network_idle(
        self, *, idle_seconds: float = 0.5, timeout: float = NAVIGATE_SECONDS
    ) -> None:
        """Wait until no request has been on its way for a while."""
        async with self._engine.call("waiting for the network", seconds=timeout, waits=True) as deadline:
            await events.wait_for_network_idle(self._engine, idle_seconds=idle_seconds, deadline=deadline)

    async def wait_for_request(
        self,
        pattern: UrlPattern,
        *,
        method: str | None = None,
        since: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for a request made since the last action began, or since a mark."""
        async with self._engine.call(
            "waiting for a request", seconds=timeout, waits=True, needs_page=False
        ) as deadline:
            return await events.wait_for_request(
                self._engine, pattern, method=method, since=since, deadline=deadline
            )

    async def wait_for_response(
        self,
        pattern: UrlPattern,
        *,
        method: str | None = None,
        status: int | None = None,
        since: int | None = None,
        timeout: float = WAIT_SECONDS,
    ) -> Request:
        """Wait for the whole response to a request made since the last action began, or since a mark."""
        async with self._engine.call(
            "waiting for a response", seconds=timeout, waits=True, needs_page=False
        ) as deadline:
            return await events.wait_for_response(
                self._engine, pattern, method=method, status=status, since=since, deadline=deadline
            )

    async def wait_for_download(
        self, folder: str | Path | None = None, *, since: int | None = None, timeout: float = 60.0
    ) -> Download:
        """The first download that nobody took yet, also one that is over; without a folder it goes with the browser."""
        async with self._engine.call(
            "waiting for a download", seconds=timeout, waits=True, needs_page=False
        ) as deadline:
            self._browser.downloads.begin(self._browser.context_of(self._engine))
            return await events.wait_for_download(
                self._engine, folder=_path(folder), since=since, deadline=deadline
            )

    async def cancel_downloads(self, *, timeout: float = READ_SECONDS) -> int:
        """Stop the downloads that are on their way; gives their number."""
        async with (
            self._engine.call(
                "stopping downloads", seconds=timeout, looks=True, needs_page=False
            ) as deadline,
            deadline.stage("stopping downloads"),
        ):
            return await cancel_all(self._browser.downloads, self._engine.downloads)

    async def wait_for_dialog(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Dialog:
        """The dialog that waits for an answer, or the first one since the last action began."""
        async with self._engine.call(
            "waiting for a dialog", seconds=timeout, waits=True, needs_page=False
        ) as deadline:
            return await events.wait_for_dialog(self._engine, since=since, deadline=deadline)

    async def wait_for_tab(self, *, since: int | None = None, timeout: float = WAIT_SECONDS) -> Tab:
        """The tab that a page of this one opened since the last action began."""
        async with self._engine.call(
            "waiting for a new tab", seconds=timeout, waits=True, needs_page=False
        ) as deadline:
            found = await events.wait_for_tab(self._engine, since=since, deadline=deadline)
        opened: Any = type(self)(self._browser, found)
        return opened  # type: ignore[no-any-return]  # the public Tab is made of this class and others

    async def wait_for_function(self, script: str, *arguments: Any, timeout: float = WAIT_SECONDS) -> Any:
        """Wait until a script's value is true, and give that value; what it throws until then is not an error."""
        async with self._engine.call("waiting for a script", seconds=timeout, waits=True) as deadline:
            return await events.wait_for_function(self._engine, script, arguments, deadline=deadline)

    async def wait(self, seconds: float) -> None:
        """Let time pass. Waiting for something by its name is nearly always better."""
        if not 0 <= seconds <= events.LONGEST_WAIT:
            raise BadRequest(f"{seconds} s are out of range", hint="wait up to 300 s")
        async with self._engine.call(
            "letting time pass", seconds=seconds + 1, waits=True, needs_page=False
        ) as deadline:
            await events.wait(self._engine, seconds, deadline=deadline)

    async def set_dialog_policy(self, policy: DialogPolicy | None) -> None:
        """`accept`, `dismiss` or `hold` all dialogs; None accepts alerts and holds the rest. Leaving a page is never held."""
        async with self._engine.call(
            "setting the dialog policy", seconds=READ_SECONDS, looks=True, needs_page=False
        ):
            await self._engine.dialogs.set_policy(policy)

    async def set_credentials(
        self, user: str | None, password: str = "", *, timeout: float = READ_SECONDS
    ) -> None:
        """What to answer servers that ask for a user name and a password; None stops that."""
        async with self._engine.call("setting credentials", seconds=timeout, looks=True, needs_page=False):
            await self._engine.credentials.set(user, password)

    async def grant(
        self, *permissions: str, origin: str | None = None, timeout: float = READ_SECONDS
    ) -> None:
        """Grant permissions such as geolocation, to an origin or to all; everything else is denied."""
        async with self._engine.call("granting permissions", seconds=timeout, looks=True, needs_page=False):
            context = self._browser.context_of(self._engine)
            await set_permissions(self._engine, permissions, origin=origin, context=context)

    async def reset_permissions(self, *, timeout: float = READ_SECONDS) -> None:
        """Take all granted permissions back."""
        async with self._engine.call(
            "taking back permissions", seconds=timeout, looks=True, needs_page=False
        ):
            context = self._browser.context_of(self._engine)
            await set_permissions(self._engine, None, origin=None, context=context)

    async def console(
        self, *, since: int | None = None, level: Level = "debug", timeout: float = READ_SECONDS
    ) -> list[ConsoleMessage]:
        """Messages of at least a level, with uncaught errors. On pages of other machines, asking turns it on."""
        if level not in LEVELS:
            raise BadRequest(f"{level!r} is not a level", hint=f"use {', '.join(LEVELS)}")
        async with (
            self._engine.call(
                "reading the console", seconds=timeout, looks=True, needs_page=False
            ) as deadline,
            deadline.stage("listening to the console"),
        ):
            await self._engine.console.listen()
        least = LEVELS.index(level)
        messages = self._engine.console.messages.since(since or 0)
        return [message for message in messages if LEVELS.index(message.level) >= least]

    async def errors(
        self, *, since: int | None = None, timeout: float = READ_SECONDS
    ) -> list[ConsoleMessage]:
        """Uncaught errors of the page, and what it reported as errors."""
        return await self.console(since=since, level="error", timeout=timeout)

    async def requests(
        self,
        pattern: UrlPattern | None = None,
        *,
        since: int | None = None,
        method: str | None = None,
        failed: bool | None = None,
    ) -> list[Request]:
        """The latest requests, oldest first; `failed=True` gives those that somebody should look at."""
        matcher = url_matcher(pattern) if pattern is not None else None
        return [
            request
            for request in self._engine.network.since(since or 0)
            if (matcher is None or matcher.search(request.url))
            and (method is None or request.method == method.upper())
            and (failed is None or failed == (request.failed and not request.benign))
        ]

    async def response_body(
        self, request: Request | int, *, limit: int = BODY_LIMIT, timeout: float = READ_SECONDS
    ) -> Body:
        """The body of a response from the log."""
        number = request if isinstance(request, int) else request.number
        async with (
            self._engine.call(
                "reading a response", seconds=timeout, looks=True, needs_page=False
            ) as deadline,
            deadline.stage("reading the response's body"),
        ):
            return await self._engine.network.body(number, limit=limit)

    async def upload(
        self, target: str, *paths: str | Path, nth: int | None = None, timeout: float = WAIT_SECONDS
    ) -> Uploaded:
        """Give files to a file input, to what opens a file chooser, or to a place that takes dropped files."""
        async with self._engine.call(f"uploading to {target}", seconds=timeout) as deadline:
            return await upload(
                self._engine,
                target,
                paths,
                roots=self._browser.upload_roots,
                folder=self._browser.folder.fresh("uploads"),
                nth=nth,
                deadline=deadline,
            )

    async def answer_file_chooser(self, *paths: str | Path, timeout: float = WAIT_SECONDS) -> Uploaded:
        """Give files to the chooser that the page has opened."""
        async with self._engine.call("answering the file chooser", seconds=timeout) as deadline:
            return await give_to_chooser(
                self._engine,
                paths,
                roots=self._browser.upload_roots,
                folder=self._browser.folder.fresh("uploads"),
                deadline=deadline,
            )

    async def cookies(self, *urls: str, timeout: float = READ_SECONDS) -> list[dict[str, Any]]:
        """Cookies of the tab's context, or those that would be sent to these addresses."""
        async with self._engine.call(
            "reading cookies", seconds=timeout, looks=True, needs_page=False
        ) as deadline:
            return await storage.cookies(self._engine, urls or None, deadline=deadline)

    async def set_cookies(self, *cookies: Mapping[str, Any], timeout: float = READ_SECONDS) -> None:
        """Set cookies; without a domain or an address they belong to the present page."""
        async with self._engine.call(
            "setting cookies", seconds=timeout, looks=True, needs_page=False
        ) as deadline:
            await storage.set_cookies(self._engine, cookies, deadline=deadline)

    async def clear_cookies(self, name: str | None = None, *, timeout: float = READ_SECONDS) -> int:
        """Delete the cookies of the tab's context, or those of one name; gives their number."""
        async with self._engine.call(
            "deleting cookies", seconds=timeout, looks=True, needs_page=False
        ) as deadline:
            return await storage.clear_cookies(self._engine, name, deadline=deadline)

    async def storage(self, area: Area = "local", *, timeout: float = READ_SECONDS) -> dict[str, str]:
        """The items of the page's local or session storage."""
        async with self._engine.call("reading storage", seconds=timeout, looks=True) as deadline:
            return await storage.read_area(self._engine, area, deadline=deadline)

    async def set_storage(
        self, items: Mapping[str, str], *, area: Area = "local", timeout: float = READ_SECONDS
    ) -> None:
        """Set items of the page's local or session storage."""
        async with self._engine.call("writing storage", seconds=timeout, looks=True) as deadline:
            await storage.write_area(self._engine, area, items, deadline=deadline)

    async def clear_storage(self, *names: str, area: Area = "local", timeout: float = READ_SECONDS) -> None:
        """Remove items of the page's local or session storage; all when none is named."""
        async with self._engine.call("clearing storage", seconds=timeout, looks=True) as deadline:
            await storage.remove_items(self._engine, area, names, deadline=deadline)

    async def save_state(self, path: str | Path, *, timeout: float = WAIT_SECONDS) -> SavedState:
        """Write cookies and storage to a file that only its owner can read; Playwright understands it."""
        async with self._engine.call("saving state", seconds=timeout, looks=True) as deadline:
            return await save_state(self._engine, Path(path), deadline=deadline)

    async def load_state(self, path: str | Path, *, timeout: float = WAIT_SECONDS) -> SavedState:
        """Set cookies and storage from a file; in browsers of others, only origins that the tab shows."""
        async with AsyncExitStack() as opened:
            visit = None
            if self._browser.managed:
                visit = await opened.enter_async_context(visiting(self._browser, self._engine))
            async with self._engine.call("loading state", seconds=timeout, looks=True) as deadline:
                return await load_state(self._engine, Path(path), visit=visit, deadline=deadline)

    async def emulate(
        self,
        *,
        device: str | NotGiven | None = NOT_GIVEN,
        viewport: Viewport | NotGiven | None = NOT_GIVEN,
        user_agent: str | NotGiven | None = NOT_GIVEN,
        geolocation: Place | NotGiven | None = NOT_GIVEN,
        locale: str | NotGiven | None = NOT_GIVEN,
        timezone: str | NotGiven | None = NOT_GIVEN,
        color_scheme: ColorScheme | NotGiven | None = NOT_GIVEN,
        reduced_motion: Motion | NotGiven | None = NOT_GIVEN,
        offline: bool | NotGiven | None = NOT_GIVEN,
        headers: Mapping[str, str] | NotGiven | None = NOT_GIVEN,
        timeout: float = READ_SECONDS,
    ) -> Settings:
        """Change what pages find: screen, place, language, taste, network. None puts the real thing back."""
        async with self._engine.call("changing emulation", seconds=timeout, looks=True, needs_page=False):
            return await self._engine.emulation.change(
                device=device,
                viewport=viewport,
                user_agent=user_agent,
                geolocation=geolocation,
                locale=locale,
                timezone=timezone,
                color_scheme=color_scheme,
                reduced_motion=reduced_motion,
                offline=offline,
                headers=headers,
            )

    async def pdf(
        self,
        path: str | Path | None = None,
        *,
        format: str = "a4",
        landscape: bool = False,
        background: bool = True,
        scale: float = 1.0,
        margin_mm: float = 10.0,
        pages: str = "",
        timeout: float = WAIT_SECONDS,
    ) -> Pdf:
        """Print the page; a tab that shows a PDF gives that file instead."""
        paper = Paper(
            format=format,
            landscape=landscape,
            background=background,
            scale=scale,
            margin_mm=margin_mm,
            pages=pages,
        )
        async with self._engine.call("printing", seconds=timeout, looks=True) as deadline:
            return await print_pdf(self._engine, _path(path), paper, deadline=deadline)


def _path(given: str | Path | None) -> Path | None:
    return None if given is None else Path(given)
