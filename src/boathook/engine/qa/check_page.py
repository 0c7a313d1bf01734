"""Checking one page: load it, wait for what is expected, and look for errors that it caused."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from boathook.clock import Deadline, now
from boathook.engine.capture.images.image_files import save_picture
from boathook.engine.capture.images.screenshot import capture, format_of
from boathook.engine.network.log.request import FAILING_STATUS
from boathook.engine.qa.report import Check, PageReport
from boathook.engine.secrets.page_secrets import note_page_secrets
from boathook.engine.waits.wait_for_element import ElementCondition, wait_for_target, wait_for_text
from boathook.engine.waits.wait_for_event import wait_for_network_idle
from boathook.errors import BadRequest, BoathookError, Denied, PageError, TimedOut
from boathook.values import count_noun, cut_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from boathook.engine.capture.images.screenshot import Picture
    from boathook.engine.events.console import ConsoleMessage
    from boathook.engine.network.log.request import Request
    from boathook.engine.tab import Tab
    from boathook.values import ImageFormat, WaitUntil

T = TypeVar("T")
QA_SECONDS = 60.0
EXPECT_SECONDS = 5.0
"""How long an expected text or element may take to appear."""
SHARE_FOR_EXPECTING = 0.5
SETTLE_SECONDS = 2.0
QUIET_SECONDS = 0.15
"""A page that made no request for this long has probably run what it runs at first."""
SECRETS_SECONDS = 1.0
PICTURE_SECONDS = 10.0
TITLE_SECONDS = 2.0
MOST_LISTED = 5
SHOWN = 300
LONGEST_URL = 2_000
IMAGE_QUALITY = 70
ABORTED = "ERR_ABORTED"
WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChecks:
    """What is checked."""

    url: str | None
    """The page to open; None checks the current one."""
    text: Sequence[str] = ()
    selector: Sequence[str] = ()
    screenshot: Path | None = None
    console: bool = True
    errors: bool = True
    network: bool = True
    wait_until: WaitUntil = "domcontentloaded"


@dataclass(frozen=True, slots=True)
class _Marks:
    """From where on events belong to the page."""

    events: int
    requests: int


async def check_page(tab: Tab, checks: PageChecks, *, deadline: Deadline) -> PageReport:
    """Run all checks; one that fails does not keep the others from running."""
    opened, marks = await _open(tab, checks, deadline)
    found = [opened] if opened is not None else []
    warnings: list[str] = []
    if opened is None or opened.ok:
        found += await asyncio.gather(
            *(_expect_text(tab, text, deadline) for text in checks.text),
            *(_expect_element(tab, target, deadline) for target in checks.selector),
        )
    found += await _look_for_problems(tab, checks, marks, warnings)
    image, shot = await _pictures(tab, checks, deadline)
    found += [shot] if shot is not None else []
    await note_page_secrets(tab, seconds=SECRETS_SECONDS)
    return _without_secrets(
        tab,
        PageReport(
            name=cut_text(checks.url or tab.url, LONGEST_URL),
            url=cut_text(tab.url, LONGEST_URL),
            title=cut_text(await _title(tab, deadline), SHOWN),
            checks=tuple(found),
            warnings=tuple(warnings),
            screenshot=checks.screenshot if shot is not None and shot.ok else None,
            image=image,
        ),
    )


def _without_secrets(tab: Tab, report: PageReport) -> PageReport:
    """Reports are written to files, which no output guard sees."""
    clean = tab.redactor().text
    return replace(
        report,
        name=clean(report.name),
        url=clean(report.url),
        title=clean(report.title),
        checks=tuple(
            replace(check, message=clean(check.message), subject=clean(check.subject))
            for check in report.checks
        ),
        warnings=tuple(map(clean, report.warnings)),
    )


async def _timed(name: str, doing: Awaitable[str], *, subject: str = "") -> Check:
    """A check that passes with what was found, or fails with the error; mistakes of the caller stay errors."""
    began = now()
    try:
        message, ok = await doing, True
    except (BadRequest, Denied):
        raise
    except BoathookError as error:
        message, ok = error.message, False
    seconds = round(now() - began, 3)
    return Check(name=name, ok=ok, message=cut_text(message, SHOWN), subject=subject, seconds=seconds)


async def _open(tab: Tab, checks: PageChecks, deadline: Deadline) -> tuple[Check | None, _Marks]:
    """Load the page. What was logged before is not its fault."""
    if checks.url is None:
        if not tab.url.startswith(WEB):
            raise PageError(
                f"the current page is {tab.url or 'blank'}, not a web page",
                hint="open a URL first|: `open URL`",
            )
        return None, _Marks(tab.network.document_mark, tab.network.page_mark)
    await tab.console.listen()
    before = tab.event_log.now
    check = await _timed("open", _load(tab, checks.url, checks.wait_until, before, deadline))
    return check, _Marks(max(before, tab.network.document_mark), max(before, tab.network.page_mark))


async def _load(tab: Tab, url: str, wait_until: WaitUntil, before: int, deadline: Deadline) -> str:
    await tab.goto(url, wait_until=wait_until, timeout=max(deadline.remaining(), 0.1))
    try:
        patience = deadline.shorten(SETTLE_SECONDS)
        await wait_for_network_idle(tab, idle_seconds=QUIET_SECONDS, deadline=patience)
    except TimedOut:
        pass  # a page that polls is never quiet
    documents = [
        request
        for request in tab.network.since(max(before, tab.network.page_mark))
        if request.type == "Document" and request.status
    ]
    status = documents[0].status if documents else 0
    if status >= FAILING_STATUS:
        raise PageError(f"HTTP status {status}")
    return f"HTTP status {status}" if status else "loaded"


def _patience(deadline: Deadline) -> Deadline:
    """For what is expected: of a short timeout only a part, so that title and image of a failed page can still be read."""
    return deadline.shorten(min(EXPECT_SECONDS, SHARE_FOR_EXPECTING * deadline.remaining()))


async def _expect_text(tab: Tab, text: str, deadline: Deadline) -> Check:
    async def wait() -> str:
        try:
            await wait_for_text(tab, text, exact=False, deadline=_patience(deadline))
        except TimedOut:
            raise PageError("the page does not show it") from None
        return "shown"

    return await _timed("text", wait(), subject=text)


async def _expect_element(tab: Tab, target: str, deadline: Deadline) -> Check:
    async def wait() -> str:
        wish = ElementCondition(state="visible")
        try:
            found = await wait_for_target(tab, target, wish, deadline=_patience(deadline))
        except TimedOut as error:
            raise PageError(f"not visible: {error.seen}") from None
        return count_noun(found.count, "element")

    return await _timed("selector", wait(), subject=target)


async def _look_for_problems(tab: Tab, checks: PageChecks, marks: _Marks, warnings: list[str]) -> list[Check]:
    """Errors of the console, uncaught errors and failed requests since the page began."""
    await tab.console.listen()
    messages = tab.console.messages.since(marks.events)
    errors = await tab.source_maps.map_messages([message for message in messages if message.level == "error"])
    thrown = [error for error in errors if error.source == "exception"]
    reported = [error for error in errors if error.source != "exception"]
    requests = _without_document(tab.network.since(marks.requests))
    problems = [request for request in requests if request.failed and not request.benign]
    failed = [request for request in problems if not _was_aborted(request)]
    minor = [request for request in problems if _was_aborted(request)]
    noted = [message for message in messages if message.level == "warning"]
    warnings += [f"console warning: {_message(message)}" for message in noted[:MOST_LISTED]]
    warnings += [f"aborted request: {_request(request)}" for request in minor[:MOST_LISTED]]
    wanted = ((checks.console, "console", reported), (checks.errors, "errors", thrown))
    found = [_none_of(name, messages, _message, "error") for is_wanted, name, messages in wanted if is_wanted]
    if checks.network:
        found.append(_none_of("network", failed, _request, "failed request"))
    return found


def _without_document(requests: list[Request]) -> list[Request]:
    """The requests that the page made: its own document is what `open` is about."""
    document = next((request for request in requests if request.type == "Document"), None)
    url = document.url if document is not None else ""
    return [request for request in requests if not (request.type == "Document" and request.url == url)]


def _was_aborted(request: Request) -> bool:
    """Whether the page, or a navigation, gave up the request."""
    return ABORTED in request.failure and not request.status


def _none_of(name: str, found: Sequence[T], line: Callable[[T], str], noun: str) -> Check:
    if not found:
        return Check(name=name, ok=True, message=f"no {noun}s")
    listed = "; ".join(line(item) for item in found[:MOST_LISTED])
    return Check(name=name, ok=False, message=f"{count_noun(len(found), noun)}: {listed}")


def _message(message: ConsoleMessage) -> str:
    place = f" ({message.url}:{message.line})" if message.url else ""
    first = message.text.partition("\n")[0]
    return f"{cut_text(first, SHOWN)}{place}"


def _request(request: Request) -> str:
    return f"{request.method} {cut_text(request.url, SHOWN)}: {request.status or request.failure}"


async def _pictures(tab: Tab, checks: PageChecks, deadline: Deadline) -> tuple[bytes, Check | None]:
    """The viewport for reports, and the caller's screenshot."""
    try:
        image = (await _picture(tab, "jpeg", deadline, quality=IMAGE_QUALITY)).data
    except BoathookError:  # a page that cannot be drawn has failed other checks
        image = b""
    return image, await _screenshot(tab, checks.screenshot, deadline)


async def _screenshot(tab: Tab, path: Path | None, deadline: Deadline) -> Check | None:
    if path is None:
        return None

    async def save() -> str:
        return f"saved {save_picture(await _picture(tab, format_of(path), deadline), path)}"

    return await _timed("screenshot", save())


async def _picture(
    tab: Tab, format: ImageFormat, deadline: Deadline, *, quality: int | None = None
) -> Picture:
    """The viewport; a page that shows a dialog is not drawn, so it is not waited for."""
    tab.dialogs.require_none()
    soon = deadline.shorten(PICTURE_SECONDS)
    return await capture(tab, target=None, full_page=False, format=format, quality=quality, deadline=soon)


async def _title(tab: Tab, deadline: Deadline) -> str:
    try:
        async with deadline.shorten(TITLE_SECONDS).stage("reading the title"):
            return await tab.title()
    except BoathookError:
        return ""
