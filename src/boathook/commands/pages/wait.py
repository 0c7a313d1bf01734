"""Waiting for elements, text, URLs, load states, requests, dialogs, tabs and scripts.

Waits for requests, downloads, dialogs and tabs include what happened since the last action began, so they can
follow the call that causes it. `since=tab.mark`, read earlier, moves that point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from boathook.clock import Deadline
from boathook.engine.network.log.network_log import Request
from boathook.engine.page.dialogs import Dialog
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.engine.waits import wait_for_element, wait_for_event
from boathook.engine.waits.wait_for_element import ElementCondition, TargetState, WaitResult
from boathook.engine.waits.wait_for_event import LONGEST_WAIT, WAIT_SECONDS
from boathook.errors import BadRequest
from boathook.registry.parameters import LoadState, MaybeTarget, Nth, Since, UrlPattern
from boathook.registry.registry import Between, Doc, Duration, command
from boathook.registry.script_helper import ScriptHelper


@command(
    group="wait",
    doing="waiting for {target}",
    timeout=WAIT_SECONDS,
    waits=True,
    script_helpers=(ScriptHelper("wait_for", ("target",), defaults={"state": "attached"}, gives="element"),),
    examples=("wait for '#done'", "wait for @e3 --state hidden", "wait for .row --state count --count 5"),
)
async def wait_for(
    tab: Tab,
    target: MaybeTarget,
    *,
    state: Annotated[TargetState, Doc("the state to wait for")] = "visible",
    text: Annotated[str | None, Doc("text it must contain")] = None,
    value: Annotated[str | None, Doc("value it must have")] = None,
    count: Annotated[int | None, Doc("number of matching elements")] = None,
    exact: Annotated[bool, Doc("match the whole text, case-sensitive")] = False,
    nth: Nth = None,
    deadline: Deadline,
) -> WaitResult:
    """Wait until an element is visible, hidden, attached, detached or enabled, or has some text, value or count."""
    wish = ElementCondition(state=state, text=text, value=value, count=count, exact=exact, nth=nth).validate()
    return await wait_for_element.wait_for_target(tab, target, wish, deadline=deadline)


@command(
    group="wait",
    doing="waiting for text",
    timeout=WAIT_SECONDS,
    waits=True,
    script_helpers=(ScriptHelper("wait_for_text", ("text",), gives="text"),),
    examples=("wait for text 'Thank you'",),
)
async def wait_for_text(
    tab: Tab,
    text: Annotated[str, Doc("the text to wait for")],
    *,
    exact: Annotated[bool, Doc("case-sensitive")] = False,
    deadline: Deadline,
) -> WaitResult:
    """Wait until the page shows some text. Case-insensitive without `exact`."""
    return await wait_for_element.wait_for_text(tab, text, exact=exact, deadline=deadline)


@command(
    group="wait",
    handles_dialog=True,
    doing="waiting for a URL",
    timeout=WAIT_SECONDS,
    waits=True,
    script_helpers=(ScriptHelper("wait_for_url", ("pattern",)),),
    examples=("wait for url '**/done'",),
)
async def wait_for_url(tab: Tab, pattern: UrlPattern, *, deadline: Deadline) -> str:
    """Wait until the URL matches a substring, a glob with `*`, or `re:…`."""
    return await wait_for_event.wait_for_url(tab, pattern, deadline=deadline)


@command(
    group="wait",
    doing="waiting for a document",
    timeout=NAVIGATE_SECONDS,
    waits=True,
    script_helpers=(ScriptHelper("wait_for_navigation", ("state",), also={"waitUntil": "state"}),),
    examples=("wait for load networkidle",),
)
async def wait_for_load(tab: Tab, state: LoadState = "load", *, deadline: Deadline) -> str:
    """Wait for a load state of the current or pending document and print its URL."""
    return await wait_for_event.wait_for_load(tab, state, deadline=deadline)


@command(
    group="wait",
    doing="waiting for the network",
    timeout=NAVIGATE_SECONDS,
    waits=True,
    examples=("wait for network idle",),
)
async def wait_for_network_idle(
    tab: Tab,
    *,
    idle_seconds: Annotated[
        float, Doc("how long the network must be idle, in seconds"), Duration("s"), Between(0, LONGEST_WAIT)
    ] = 0.5,
    deadline: Deadline,
) -> None:
    """Wait until the network has been idle for a while."""
    await wait_for_event.wait_for_network_idle(tab, idle_seconds=idle_seconds, deadline=deadline)


@command(
    group="wait",
    handles_dialog=True,
    doing="waiting for a request",
    timeout=WAIT_SECONDS,
    waits=True,
    examples=("wait for request /api/orders --method POST",),
)
async def wait_for_request(
    tab: Tab,
    pattern: UrlPattern,
    *,
    method: Annotated[str | None, Doc("such as POST")] = None,
    since: Since = None,
    deadline: Deadline,
) -> Request:
    """Wait for a request made since the last action began, or since a mark."""
    return await wait_for_event.wait_for_request(tab, pattern, method=method, since=since, deadline=deadline)


@command(
    group="wait",
    handles_dialog=True,
    doing="waiting for a response",
    timeout=WAIT_SECONDS,
    waits=True,
    script_helpers=(ScriptHelper("wait_for_response", ("pattern",), gives="response"),),
    examples=("wait for response /api/orders --status 201",),
)
async def wait_for_response(
    tab: Tab,
    pattern: UrlPattern,
    *,
    method: Annotated[str | None, Doc("such as POST")] = None,
    status: Annotated[int | None, Doc("such as 200")] = None,
    since: Since = None,
    skip: Annotated[Sequence[str], Doc("numbers of requests to ignore")] = (),
    deadline: Deadline,
) -> Request:
    """Wait for the whole response to a request made since the last action began, or since a mark."""
    return await wait_for_event.wait_for_response(
        tab,
        pattern,
        method=method,
        status=status,
        since=since,
        skip=frozenset(skip),
        deadline=deadline,
    )


@command(
    group="wait",
    handles_dialog=True,
    doing="waiting for a dialog",
    timeout=WAIT_SECONDS,
    waits=True,
    examples=("wait for dialog",),
)
async def wait_for_dialog(tab: Tab, *, since: Since = None, deadline: Deadline) -> Dialog:
    """Wait for a dialog. Returns the open one, or the first since the last action began."""
    return await wait_for_event.wait_for_dialog(tab, since=since, deadline=deadline)


@command(
    group="wait",
    handles_dialog=True,
    doing="waiting for a new tab",
    timeout=WAIT_SECONDS,
    waits=True,
    examples=("wait for tab",),
)
async def wait_for_tab(tab: Tab, *, since: Since = None, deadline: Deadline) -> Tab:
    """Wait for a tab that this one opens, or opened since the last action began."""
    return await wait_for_event.wait_for_tab(tab, since=since, deadline=deadline)


@command(
    group="wait",
    doing="waiting for a script",
    timeout=WAIT_SECONDS,
    waits=True,
    page_scripts=("script",),
    examples=("wait for function 'window.ready === true'",),
)
async def wait_for_function(
    tab: Tab,
    script: Annotated[str, Doc("an expression, or a function that receives the arguments")],
    *arguments: Annotated[Any, Doc("arguments of the function, as JSON")],
    deadline: Deadline,
) -> Any:
    """Wait until a script returns a truthy value, and print it. Exceptions are retried."""
    return await wait_for_event.wait_for_function(tab, script, arguments, deadline=deadline)


@command(group="wait", handles_dialog=True, own_timeout=True, examples=("wait 1.5",))
async def wait(
    tab: Tab, seconds: Annotated[float, Doc("duration in seconds"), Duration("s"), Between(0, LONGEST_WAIT)]
) -> None:
    """Sleep for some seconds. Waiting for a condition is almost always better."""
    if not 0 <= seconds <= LONGEST_WAIT:
        raise BadRequest(f"invalid duration: {seconds} s", hint="use 0 to 300 seconds")
    async with tab.call("sleeping", seconds=seconds + 1, waits=True, needs_page=False) as deadline:
        await wait_for_event.wait(tab, seconds, deadline=deadline)
