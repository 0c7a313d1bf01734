"""What pages say and what they ask servers for: console, errors, requests, bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, get_args

from boathook.engine.events.console import ConsoleMessage, Level
from boathook.engine.network.log.network_log import BODY_LIMIT, Body, Request
from boathook.engine.network.log.request_filters import filter_of
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.errors import BadRequest
from boathook.registry.parameters import Since, Timeout
from boathook.registry.registry import Also, Doc, command

LEVELS: tuple[Level, ...] = get_args(Level)
"""From the least to the most serious."""
New = Annotated[bool, Doc("only what was said since the last time that somebody read")]
Clear = Annotated[bool, Doc("forget what is shown")]


@command(group="watch", handles_dialog=True, examples=("console", "console --level warning", "console --new"))
async def console(
    tab: Tab,
    *,
    since: Since = None,
    level: Annotated[Level, Doc("the least serious one to show")] = "debug",
    new: New = False,
    clear: Clear = False,
    timeout: Timeout = READ_SECONDS,
) -> list[ConsoleMessage]:
    """Messages of at least a level, with uncaught errors. On pages of other machines, asking turns it on."""
    if level not in LEVELS:
        raise BadRequest(f"{level!r} is not a level", hint=f"use {', '.join(LEVELS)}")
    async with (
        tab.call("reading the console", seconds=timeout, looks=True, needs_page=False) as deadline,
        deadline.stage("listening to the console"),
    ):
        await tab.console.listen()
    least = LEVELS.index(level)
    log = tab.console
    mark, log.told = max(since or 0, log.told if new else 0), log.mark()
    told = [message for message in log.messages.since(mark) if LEVELS.index(message.level) >= least]
    if clear:
        log.messages.clear(lambda message: LEVELS.index(message.level) >= least)
    return await tab.source_maps.mapped(told)


@command(group="watch", handles_dialog=True, examples=("errors", "errors --clear"))
async def errors(
    tab: Tab, *, since: Since = None, new: New = False, clear: Clear = False, timeout: Timeout = READ_SECONDS
) -> list[ConsoleMessage]:
    """Uncaught errors of the page, and what it reported as errors."""
    return await console(tab, since=since, level="error", new=new, clear=clear, timeout=timeout)


@command(
    group="network",
    handles_dialog=True,
    words=("requests", "network requests"),
    examples=(
        "requests",
        "requests /api/ --failed",
        "requests --type fetch,xhr --status 4xx",
        "requests --current-page --method POST",
    ),
)
async def requests(
    tab: Tab,
    pattern: Annotated[
        str | None, Doc("a part of the address, a glob with *, or re:…"), Also("--filter")
    ] = None,
    *,
    since: Since = None,
    type: Annotated[
        Sequence[str], Doc("only these, with commas: document, script, fetch, websocket, …")
    ] = (),
    method: Annotated[str | None, Doc("such as POST")] = None,
    status: Annotated[str | None, Doc("such as 404, 2xx or 400-499")] = None,
    failed: Annotated[bool | None, Doc("only those that somebody should look at, or only the others")] = None,
    current_page: Annotated[bool, Doc("only those of the page that is shown")] = False,
    clear: Annotated[bool, Doc("forget all requests afterwards")] = False,
) -> list[Request]:
    """The latest requests, oldest first; `failed=True` gives those that somebody should look at.

    WebSockets and event streams are among them. An icon that is missing is no failure that anybody should look at.
    """
    wanted = filter_of(pattern=pattern, types=type, method=method, status=status, failed=failed)
    mark = max(since or 0, tab.network.page_mark if current_page else 0)
    found = [request for request in tab.network.since(mark) if wanted.wants(request)]
    if clear:
        tab.network.clear()
    return found


@command(group="network", handles_dialog=True, examples=("response body 7",))
async def response_body(
    tab: Tab,
    request: Annotated[int, Doc("the number of a request in the log")],
    *,
    limit: Annotated[int, Doc("bytes to give at most")] = BODY_LIMIT,
    timeout: Timeout = READ_SECONDS,
) -> Body:
    """The body of a response from the log, by the number of its request."""
    async with (
        tab.call("reading a response", seconds=timeout, looks=True, needs_page=False) as deadline,
        deadline.stage("reading the response's body"),
    ):
        return await tab.network.body(request, limit=limit)
