"""Waiting for events of the tab: URLs, documents, requests, downloads, dialogs, tabs; and for a script's value."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, get_args

from boathook.cdp.errors_map import ContextGone
from boathook.engine.elements.evaluate import evaluate
from boathook.engine.files.downloads import keep
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.engine.waits.until import poll_page, wait_until_event
from boathook.errors import BadRequest, EvaluationFailed, PageError, ResultTooLarge
from boathook.values import WaitUntil, count_noun

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Sequence
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.files.downloads import Download
    from boathook.engine.network.log.network_log import Request
    from boathook.engine.network.routing.url_patterns import UrlPattern
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.tab import Tab

WAIT_SECONDS = 30.0
DOWNLOAD_SECONDS = 60.0
FIRST_DOCUMENT_SECONDS = 3.0
BLANK = frozenset({"", "about:blank"})
LISTED = 5
START_SECONDS = 3.0
"""How long a page that a click has opened may take to start the download."""
LONGEST_WAIT = 300.0


async def wait_for_url(tab: Tab, pattern: UrlPattern, *, deadline: Deadline) -> str:
    """Wait until the URL of the top frame matches, with or without a new document."""
    matcher = url_matcher(pattern)
    async with deadline.stage(
        f"waiting for a URL like {_format_pattern(pattern)}", seen=lambda: f"the URL is {tab.url[:300]}"
    ):
        return await wait_until_event(tab, lambda: tab.url if matcher.search(tab.url) else None)


async def wait_for_load(tab: Tab, state: WaitUntil, *, deadline: Deadline) -> str:
    """Wait for a load state of the current or pending document."""
    if state not in get_args(WaitUntil):
        raise BadRequest(f"unknown load state: {state!r}", hint=f"use {', '.join(get_args(WaitUntil))}")

    async with deadline.stage(
        f"waiting for {state}", seen=lambda: f"document state: {tab.loads.state()} of {tab.url[:200]}"
    ):
        await _wait_while_open(tab, tab.loads.present(state))
    return tab.url


async def wait_for_network_idle(tab: Tab, *, idle_seconds: float, deadline: Deadline) -> None:
    """Wait until no request has been pending for a while; endless streams do not count."""
    if not 0 < idle_seconds <= LONGEST_WAIT:
        raise BadRequest(f"idle time is out of range: {idle_seconds} s", hint="use seconds above 0")
    async with deadline.stage("waiting for the network to be idle", seen=lambda: _describe_inflight(tab)):
        while True:
            await wait_until_event(tab, lambda: None if tab.network.open() else True)
            try:
                async with asyncio.timeout(min(idle_seconds, deadline.remaining())):
                    await wait_until_event(tab, lambda: True if tab.network.open() else None)
            except TimeoutError:
                return


async def wait_for_request(
    tab: Tab, pattern: UrlPattern, *, method: str | None, since: int | None, deadline: Deadline
) -> Request:
    """Wait for a request that was sent after the mark."""
    async with deadline.stage(
        f"waiting for a request to {_format_pattern(pattern)}", seen=lambda: _describe_requests(tab, since)
    ):
        return await wait_until_event(tab, _finder(tab, pattern, method, since, lambda _request: True))


async def wait_for_response(
    tab: Tab,
    pattern: UrlPattern,
    *,
    method: str | None,
    status: int | None,
    since: int | None,
    skip: Collection[str] = (),
    deadline: Deadline,
) -> Request:
    """Wait for the complete response to a request that was sent after the mark, except for those with these numbers."""

    def has_response(request: Request) -> bool:
        over = request.finished and bool(request.status) and str(request.number) not in skip
        return over and (status is None or request.status == status)

    async with deadline.stage(
        f"waiting for a response from {_format_pattern(pattern)}", seen=lambda: _describe_requests(tab, since)
    ):
        return await wait_until_event(tab, _finder(tab, pattern, method, since, has_response))


async def wait_for_download(
    tab: Tab, *, place: Path | None, since: int | None, deadline: Deadline
) -> Download:
    """The first download after the mark that was not returned yet, also if it has already ended."""
    mark = tab.last_action if since is None else since
    async with deadline.stage("waiting for a download", seen=lambda: _describe_downloads(tab, mark)):
        return await keep(await wait_until_event(tab, lambda: tab.downloads.find_unclaimed(mark)), place)


async def require_download_start(tab: Tab, *, since: int, deadline: Deadline) -> None:
    """After a click that opened a page: PageError if that page starts no download either."""
    patience = min(START_SECONDS, deadline.remaining() / 2)
    try:
        async with asyncio.timeout(patience):
            await wait_until_event(tab, lambda: tab.downloads.since(since) or None)
    except TimeoutError:
        raise PageError(
            f"a page was opened instead of a download: {tab.url[:300]}",
            hint="use a link or button that downloads a file|; `pdf FILE` saves a page",
            url=tab.url,
        ) from None


async def wait_for_dialog(tab: Tab, *, since: int | None, deadline: Deadline) -> Dialog:
    """The pending dialog, or the first one after the mark, answered or not."""
    mark = tab.last_action if since is None else since

    def look() -> Dialog | None:
        return tab.dialogs.pending or next(iter(tab.dialogs.all.since(mark)), None)

    async with deadline.stage("waiting for a dialog", seen=lambda: "no dialog opened"):
        return await wait_until_event(tab, look)


async def wait_for_tab(tab: Tab, *, since: int | None, deadline: Deadline) -> Tab:
    """The first tab that a page of this one opened after the mark, with its document pending."""
    mark = tab.last_action if since is None else since

    def look() -> Tab | None:
        return next((opened for opened in tab.opened.since(mark) if opened.state != "closed"), None)

    async with deadline.stage("waiting for a new tab", seen=lambda: "no tab was opened"):
        found = await wait_until_event(tab, look)
    async with deadline.stage(f"waiting for the document of tab {found.id}"):
        if any(url not in BLANK for url in tab.opening.since(mark)):
            await _first_document(found, seconds=min(FIRST_DOCUMENT_SECONDS, deadline.remaining()))
        await _wait_while_open(found, found.loads.present("load"))
    return found


async def _first_document(tab: Tab, *, seconds: float) -> None:
    """A new tab is blank for a moment; one whose URL returns a download or no content stays blank."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await wait_until_event(tab, lambda: tab.url not in BLANK or None)


async def wait_for_function(tab: Tab, script: str, arguments: Sequence[object], *, deadline: Deadline) -> Any:
    """Wait until a script's value is true; a script that throws is evaluated again, one with a syntax error is not."""
    last = "it was not evaluated yet"

    async def ask() -> tuple[Any] | None:
        nonlocal last
        try:
            value = await evaluate(tab, script, arguments, deadline=deadline)
        except ResultTooLarge:
            return (True,)
        except EvaluationFailed as error:
            if error.evidence.get("is_object"):
                return (True,)  # an element, say: it cannot be returned, but it is a truthy value
            last = error.message[:300]
            if "SyntaxError" in last:
                raise
            return None
        except ContextGone:
            return None
        last = f"its value was {value!r}"[:300]
        return (value,) if value else None

    async with deadline.stage("waiting for a script's value to be true", seen=lambda: last):
        return (await poll_page(tab, ask))[0]


async def wait(tab: Tab, seconds: float, *, deadline: Deadline) -> None:
    """Sleep; a tab that closes meanwhile raises an error."""
    async with deadline.stage("sleeping"):
        try:
            async with asyncio.timeout(seconds):
                await wait_until_event(tab, lambda: None)
        except TimeoutError:
            return


async def _wait_while_open(tab: Tab, work: Awaitable[None]) -> None:
    """The result, or the error that says why the tab can no longer be waited on."""
    doing = asyncio.ensure_future(work)
    gone: asyncio.Future[None] = asyncio.ensure_future(wait_until_event(tab, lambda: None, needs_page=True))
    try:
        await asyncio.wait({doing, gone}, return_when=asyncio.FIRST_COMPLETED)
        (doing if doing.done() else gone).result()
    finally:
        for task in (doing, gone):
            task.cancel()
        await asyncio.gather(doing, gone, return_exceptions=True)


def _finder(
    tab: Tab,
    pattern: UrlPattern,
    method: str | None,
    since: int | None,
    fits: Callable[[Request], bool],
) -> Callable[[], Request | None]:
    matcher = url_matcher(pattern)
    mark = tab.last_action if since is None else since
    wanted = method.upper() if method is not None else None

    def look() -> Request | None:
        return next(
            (
                request
                for request in tab.network.since(mark)
                if matcher.search(request.url) and wanted in {None, request.method} and fits(request)
            ),
            None,
        )

    return look


def _format_pattern(pattern: UrlPattern) -> str:
    return repr(pattern if isinstance(pattern, str) else getattr(pattern, "pattern", pattern))[:200]


def _describe_requests(tab: Tab, since: int | None) -> str:
    made = tab.network.since(tab.last_action if since is None else since)
    listed = ", ".join(
        f"{method.method} {method.url[:120]} {method.status or method.failure or 'open'}"
        for method in made[-LISTED:]
    )
    return f"{count_noun(len(made), 'request')}: {listed}" if made else "no request was made"


def _describe_inflight(tab: Tab) -> str:
    open_now = tab.network.open()
    listed = ", ".join(f"{request.method} {request.url[:120]}" for request in open_now[:LISTED])
    return f"{len(open_now)} pending: {listed}" if open_now else "no pending requests"


def _describe_downloads(tab: Tab, mark: int) -> str:
    begun = tab.downloads.since(mark)
    return "; ".join(str(transfer) for transfer in begun[-LISTED:]) if begun else "no download started"
