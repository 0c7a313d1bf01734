"""Console messages, page errors, network requests and response bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, get_args

from boathook.clock import READ_SECONDS
from boathook.engine.events.console import ConsoleMessage, Level
from boathook.engine.network.log.network_log import BODY_LIMIT, Body, Request
from boathook.engine.network.log.request_filters import filter_of
from boathook.engine.tab import Tab
from boathook.errors import BadRequest
from boathook.registry.invoke import invoke
from boathook.registry.parameters import Since, Timeout
from boathook.registry.registry import Also, Doc, command
from boathook.registry.script_helper import ScriptHelper

LEVELS: tuple[Level, ...] = get_args(Level)
"""From least to most severe."""
New = Annotated[bool, Doc("only messages since the last read")]
Clear = Annotated[bool, Doc("clear the log afterwards")]


@command(
    group="watch",
    handles_dialog=True,
    doing="reading the console",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("console"),),
    examples=("console", "console --level warning", "console --new"),
)
async def console(
    tab: Tab,
    *,
    since: Since = None,
    level: Annotated[Level, Doc("minimum level to show")] = "debug",
    new: New = False,
    clear: Clear = False,
) -> list[ConsoleMessage]:
    """Show console messages and uncaught errors. On remote pages, logging starts with the first call."""
    if level not in LEVELS:
        raise BadRequest(f"invalid level: {level!r}", hint=f"use {', '.join(LEVELS)}")
    await tab.console.listen()
    least = LEVELS.index(level)
    log = tab.console
    mark, log.told = max(since or 0, log.told if new else 0), log.mark()
    told = [message for message in log.messages.since(mark) if LEVELS.index(message.level) >= least]
    if clear:
        log.messages.clear(lambda message: LEVELS.index(message.level) >= least)
    return await tab.source_maps.map_messages(told)


@command(
    group="watch",
    handles_dialog=True,
    script_helpers=(ScriptHelper("errors"),),
    examples=("errors", "errors --clear"),
)
async def errors(
    tab: Tab, *, since: Since = None, new: New = False, clear: Clear = False, timeout: Timeout = READ_SECONDS
) -> list[ConsoleMessage]:
    """Show uncaught errors of the page and errors that it reported."""
    return await invoke(console, tab, since=since, level="error", new=new, clear=clear, timeout=timeout)


@command(
    group="network",
    handles_dialog=True,
    aliases=("requests", "network requests"),
    category="network",
    script_helpers=(ScriptHelper("requests", ("pattern",)),),
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
        str | None, Doc("substring of the URL, a glob with *, or re:…"), Also("--filter")
    ] = None,
    *,
    since: Since = None,
    type: Annotated[
        Sequence[str], Doc("only these types, comma-separated: document, script, fetch, websocket, …")
    ] = (),
    method: Annotated[str | None, Doc("such as POST")] = None,
    status: Annotated[str | None, Doc("such as 404, 2xx or 400-499")] = None,
    failed: Annotated[bool | None, Doc("only failed requests, or only successful ones")] = None,
    current_page: Annotated[bool, Doc("only requests of the current page")] = False,
    clear: Annotated[bool, Doc("clear the log afterwards")] = False,
) -> list[Request]:
    """List recent network requests, oldest first, optionally only failures.

    Includes WebSockets and event streams. A missing favicon does not count as a failure.
    """
    wanted = filter_of(pattern=pattern, types=type, method=method, status=status, failed=failed)
    mark = max(since or 0, tab.network.page_mark if current_page else 0)
    found = [request for request in tab.network.since(mark) if wanted.wants(request)]
    if clear:
        tab.network.clear()
    return found


@command(
    group="network",
    handles_dialog=True,
    doing="reading a response",
    timeout=READ_SECONDS,
    category="network",
    script_helpers=(ScriptHelper("response_body", ("request",)),),
    examples=("response body 7",),
)
async def response_body(
    tab: Tab,
    request: Annotated[int, Doc("id of a request in the log")],
    *,
    limit: Annotated[int, Doc("maximum size in bytes")] = BODY_LIMIT,
) -> Body:
    """Print the response body of a request in the log."""
    return await tab.network.body(request, limit=limit)
