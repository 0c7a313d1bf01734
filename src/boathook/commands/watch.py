"""What pages say and what they ask servers for: console, errors, requests, bodies."""

from __future__ import annotations

from typing import Annotated, get_args

from boathook.commands.parameters import Since, Timeout
from boathook.commands.registry import Doc, command
from boathook.engine.console import ConsoleMessage, Level
from boathook.engine.network.log import BODY_LIMIT, Body, Request
from boathook.engine.network.patterns import url_matcher
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.errors import BadRequest

LEVELS: tuple[Level, ...] = get_args(Level)
"""From the least to the most serious."""


@command(group="watch", handles_dialog=True, examples=("console", "console --level warning"))
async def console(
    tab: Tab,
    *,
    since: Since = None,
    level: Annotated[Level, Doc("the least serious one to show")] = "debug",
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
    messages = tab.console.messages.since(since or 0)
    return [message for message in messages if LEVELS.index(message.level) >= least]


@command(group="watch", handles_dialog=True, examples=("errors",))
async def errors(tab: Tab, *, since: Since = None, timeout: Timeout = READ_SECONDS) -> list[ConsoleMessage]:
    """Uncaught errors of the page, and what it reported as errors."""
    return await console(tab, since=since, level="error", timeout=timeout)


@command(
    group="watch",
    handles_dialog=True,
    words=("requests", "network requests"),
    examples=("requests", "requests /api/ --failed"),
)
async def requests(
    tab: Tab,
    pattern: Annotated[str | None, Doc("a part of the address, a glob with *, or re:…")] = None,
    *,
    since: Since = None,
    method: Annotated[str | None, Doc("such as POST")] = None,
    failed: Annotated[bool | None, Doc("only those that somebody should look at, or only the others")] = None,
) -> list[Request]:
    """The latest requests, oldest first; `failed=True` gives those that somebody should look at."""
    matcher = url_matcher(pattern) if pattern is not None else None
    return [
        request
        for request in tab.network.since(since or 0)
        if (matcher is None or matcher.search(request.url))
        and (method is None or request.method == method.upper())
        and (failed is None or failed == (request.failed and not request.benign))
    ]


@command(group="watch", handles_dialog=True, examples=("response body 7",))
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
