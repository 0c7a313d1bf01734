"""Navigation: start it, match it by loader id, and wait for a load state of the new document."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.urls import without_credentials
from boathook.errors import (
    BadRequest,
    CertificateProblem,
    ConnectionFailed,
    NameNotResolved,
    NavigationFailed,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frames
    from boathook.errors import BoathookError
    from boathook.values import WaitUntil

REMEMBERED_DOCUMENTS = 50
REQUEST_SECONDS = 0.5
ERROR_PAGE_SECONDS = 1.0
ABORTED = "net::ERR_ABORTED"

COMMITTED = "committed"
"""Recorded by us; Chromium's own lifecycle events arrive partly before the frame has really changed its document."""

LIFECYCLE_NAME = {
    "commit": COMMITTED,
    "domcontentloaded": "DOMContentLoaded",
    "load": "load",
    "networkidle": "networkIdle",
}
"""Load states in their order, by the events that report them."""
_ALMOST_IDLE = "networkAlmostIdle"
"""At most two requests are pending. It has no place in the order: a page with a slow image is almost idle before `load`."""

_NET_ERRORS: tuple[tuple[str, type[NavigationFailed]], ...] = (
    ("net::ERR_NAME_", NameNotResolved),
    ("net::ERR_DNS_", NameNotResolved),
    ("net::ERR_ICANN_NAME_COLLISION", NameNotResolved),
    ("net::ERR_CERT_", CertificateProblem),
    ("net::ERR_SSL_", CertificateProblem),
    ("net::ERR_BAD_SSL_", CertificateProblem),
    ("net::ERR_CONNECTION_", ConnectionFailed),
    ("net::ERR_ADDRESS_", ConnectionFailed),
    ("net::ERR_PROXY_", ConnectionFailed),
    ("net::ERR_TUNNEL_", ConnectionFailed),
    ("net::ERR_SOCKS_", ConnectionFailed),
    ("net::ERR_NETWORK_", ConnectionFailed),
    ("net::ERR_EMPTY_RESPONSE", ConnectionFailed),
    ("net::ERR_TIMED_OUT", ConnectionFailed),
)


def navigation_error(url: str, text: str) -> NavigationFailed:
    """The typed error for Chromium's network error text."""
    if text == ABORTED:
        return NavigationFailed(
            f"{url} did not load a page",
            hint="the server sent a download or no content, or another navigation replaced this one",
            network_error=text,
        )
    if text == "net::ERR_INVALID_AUTH_CREDENTIALS":
        return NavigationFailed(
            f"{url} requires HTTP authentication (status 401)",
            hint="set the credentials first|: `set credentials USER PASSWORD`",
            network_error=text,
            status=401,
        )
    if text == "net::ERR_INTERNET_DISCONNECTED":
        return ConnectionFailed(
            f"{url} could not be loaded: no network connection",
            hint="check the network|; if offline mode is on, `set offline off` turns it off",
            network_error=text,
        )
    kind = next((kind for beginning, kind in _NET_ERRORS if text.startswith(beginning)), NavigationFailed)
    return kind(
        f"{url} could not be loaded: {text.removeprefix('net::ERR_').lower().replace('_', ' ')}",
        network_error=text,
    )


def _events_of(wait_until: WaitUntil) -> set[str]:
    """The events that report a load state."""
    idle = LIFECYCLE_NAME["networkidle"]
    return {"networkidle0": {idle}, "networkidle2": {idle, _ALMOST_IDLE}}.get(wait_until) or {
        LIFECYCLE_NAME[wait_until]
    }


class Loads:
    """The load states of each document of the top frame."""

    def __init__(self, session: CdpSession, frames: Frames) -> None:
        self._frames = frames
        self._reached: OrderedDict[str, set[str]] = OrderedDict()
        self._changed = asyncio.Event()
        self._failure: BoathookError | None = None
        self.commits = 0
        self.documents = 0
        self.navigating = False
        """Whether a navigation of the top frame is pending."""
        self._requested = False
        self.require_no_dialog: Callable[[], None] = lambda: None
        """Raises while a dialog is held: a document that waits for its answer does not load further."""
        session.on("Page.frameRequestedNavigation", self._on_requested)
        session.on("Page.frameStartedNavigating", self._on_started)
        session.on("Page.frameStoppedLoading", self._on_stopped)
        session.on("Page.lifecycleEvent", self._on_lifecycle)
        session.on("Page.navigatedWithinDocument", self._on_same_document)
        frames.on_main_navigated = self._on_committed

    def state(self) -> str:
        """The last load state that the current document has reached."""
        reached = self._reached.get(self._frames.main.loader_id, set())
        for name, event in reversed(LIFECYCLE_NAME.items()):
            if event in reached:
                return name
        return "nothing loaded"

    async def until(self, wait_until: WaitUntil, *, loader_id: str, ends_with_dialog: bool = False) -> None:
        """Wait until a document, or its replacement, has reached a load state; or fail when it opens a dialog that is held."""
        events = _events_of(wait_until)
        while True:
            present = self._frames.main.loader_id
            reached = self._reached.get(loader_id, set())
            replaced = present != loader_id and COMMITTED in reached
            if events & reached or (replaced and events & self._reached.get(present, set())):
                return
            if ends_with_dialog and COMMITTED in reached:
                self.require_no_dialog()
            await self._next_change()

    async def wait_for_arrival(self) -> None:
        """Wait until a pending navigation has loaded its document, or was cancelled."""
        while self.navigating:
            await self._next_change()
        await self.until("load", loader_id=self._frames.main.loader_id)

    async def wait_for_requested_start(self) -> None:
        """Wait until the browser has received what the page has just requested, a moment at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(REQUEST_SECONDS):
                while self._requested:
                    await self._next_change()

    async def present(self, wait_until: WaitUntil) -> None:
        """Wait until the current document, or the pending one, has reached a load state."""
        while self.navigating or not self._has_reached(wait_until):
            await self._next_change()

    def _has_reached(self, wait_until: WaitUntil) -> bool:
        """Whether the current document has reached a load state, or a later one."""
        if _events_of(wait_until) & self._reached.get(self._frames.main.loader_id, set()):
            return True
        order = list(LIFECYCLE_NAME)
        wanted = order.index(wait_until) if wait_until in order else len(order) - 1
        return self.state() in order and order.index(self.state()) >= wanted

    async def next_commit(self, after: int) -> None:
        """Wait for a committed or same-document navigation after the given count."""
        while self.commits <= after:
            await self._next_change()

    def begin(self) -> int:
        """A navigation is about to start; returns how many there were. It may recover a crashed page."""
        self._failure = None
        return self.commits

    def fail(self, error: BoathookError) -> None:
        """No document will load further: the page crashed, or the tab or the browser is closed."""
        self._failure = error
        self._changed.set()

    def note_dialog(self) -> None:
        """A dialog is held now: those who wait check again."""
        self._changed.set()

    async def _next_change(self) -> None:
        if self._failure is None:
            self._changed.clear()
            await self._changed.wait()
        if self._failure is not None:
            raise self._failure

    def _on_lifecycle(self, params: dict[str, Any]) -> None:
        # Earlier lifecycle events of a page are sent before the frame tree, so its top frame has no id yet.
        if params["frameId"] == self._frames.main_id or not self._frames.main_id:
            self._note(params["loaderId"], params["name"])

    def _on_requested(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self._frames.main_id and params.get("disposition") == "currentTab":
            self._requested = True

    def _on_started(self, params: dict[str, Any]) -> None:
        if params["frameId"] != self._frames.main_id:
            return
        self._requested = False
        self._changed.set()
        if params.get("navigationType") != "sameDocument":
            self.navigating = True
            self._changed.set()

    def _on_stopped(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self._frames.main_id:
            self.navigating = False
            self._changed.set()

    def _on_committed(self, info: dict[str, Any]) -> None:
        self.commits += 1
        self.documents += 1
        self.navigating = self._requested = False
        self._note(info.get("loaderId", ""), COMMITTED)

    def _on_same_document(self, params: dict[str, Any]) -> None:
        if params["frameId"] == self._frames.main_id:
            self.commits += 1
            self._changed.set()

    def _note(self, loader_id: str, name: str) -> None:
        self._reached.setdefault(loader_id, set()).add(name)
        while len(self._reached) > REMEMBERED_DOCUMENTS:
            self._reached.popitem(last=False)
        self._changed.set()


async def navigate(
    session: CdpSession, loads: Loads, url: str, *, wait_until: WaitUntil, deadline: Deadline
) -> None:
    """Load a URL in the top frame."""
    before = loads.begin()
    shown = without_credentials(url)
    async with deadline.stage(f"waiting for {shown[:200]} to respond"):
        reply = await session.send("Page.navigate", url=url)
    if reply.get("errorText"):
        if reply["errorText"] != ABORTED:
            await _wait_for_error_page(loads, before)
        raise navigation_error(shown, str(reply["errorText"]))
    loader_id = reply.get("loaderId")
    if not loader_id:
        async with deadline.stage("navigating within the page"):
            await loads.next_commit(before)
        return
    async with deadline.stage(
        f"waiting for {wait_until} of {shown[:200]}", seen=lambda: f"document state: {loads.state()}"
    ):
        await loads.until(wait_until, loader_id=str(loader_id), ends_with_dialog=True)


async def _wait_for_error_page(loads: Loads, before: int) -> None:
    """The browser's error page replaces the document a moment later; until then the tab would report the old URL."""
    with suppress(TimeoutError):
        async with asyncio.timeout(ERROR_PAGE_SECONDS):
            await loads.next_commit(before)


async def reload(
    session: CdpSession,
    frames: Frames,
    loads: Loads,
    *,
    wait_until: WaitUntil,
    deadline: Deadline,
    bypass_cache: bool = False,
) -> None:
    """Reload the current URL."""
    before = loads.begin()
    async with deadline.stage("reloading the page", seen=lambda: f"document state: {loads.state()}"):
        await session.send("Page.reload", ignoreCache=bypass_cache)
        await loads.next_commit(before)
        await loads.until(wait_until, loader_id=frames.main.loader_id, ends_with_dialog=True)


async def step_in_history(
    session: CdpSession,
    frames: Frames,
    loads: Loads,
    steps: int,
    *,
    wait_until: WaitUntil,
    deadline: Deadline,
) -> None:
    """Go back (negative) or forward."""
    history = await session.send("Page.getNavigationHistory")
    index = history["currentIndex"] + steps
    if not 0 <= index < len(history["entries"]):
        raise BadRequest(
            "there is no page to go back to" if steps < 0 else "there is no page to go forward to",
            hint="open a URL instead",
        )
    before = loads.begin()
    entry = history["entries"][index]
    async with deadline.stage(
        f"going to {without_credentials(entry['url'])[:200]} in history",
        seen=lambda: f"document state: {loads.state()}",
    ):
        await session.send("Page.navigateToHistoryEntry", entryId=entry["id"])
        await loads.next_commit(before)
        await loads.until(wait_until, loader_id=frames.main.loader_id, ends_with_dialog=True)
