"""Waiting: for elements, texts, addresses, documents, requests, dialogs, tabs, and for a script's word.

Waits for requests, downloads, dialogs and tabs count what happened since the last action began, so that they may
stand behind the call that causes it. `since=tab.mark`, read earlier, moves that point.
"""

from __future__ import annotations

from typing import Annotated, Any

from boathook.engine.network.log.network_log import Request
from boathook.engine.page.dialogs import Dialog
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.engine.waits import wait_for_element, wait_for_event
from boathook.engine.waits.wait_for_element import Sightings, TargetState, Wish
from boathook.engine.waits.wait_for_event import LONGEST_WAIT, WAIT_SECONDS
from boathook.errors import BadRequest
from boathook.registry.parameters import LoadState, Nth, Since, Target, Timeout, UrlPattern
from boathook.registry.registry import Between, Doc, command


@command(
    group="wait",
    checks_refs=True,
    examples=("wait for '#done'", "wait for @e3 --state hidden", "wait for .row --state count --count 5"),
)
async def wait_for(
    tab: Tab,
    target: Target,
    *,
    state: Annotated[TargetState, Doc("what it shall be")] = "visible",
    text: Annotated[str | None, Doc("the text that it shall have")] = None,
    value: Annotated[str | None, Doc("the value that it shall have")] = None,
    count: Annotated[int | None, Doc("how many there shall be")] = None,
    exact: Annotated[bool, Doc("the whole text, in upper and lower case")] = False,
    nth: Nth = None,
    timeout: Timeout = WAIT_SECONDS,
) -> Sightings:
    """Wait until an element is visible, hidden, attached, detached or enabled, or has a text, value or count."""
    wish = Wish(state=state, text=text, value=value, count=count, exact=exact, nth=nth).checked()
    async with tab.call(f"waiting for {target}", seconds=timeout, waits=True) as deadline:
        return await wait_for_element.wait_for_target(tab, target, wish, deadline=deadline)


@command(group="wait", examples=("wait for text 'Thank you'",))
async def wait_for_text(
    tab: Tab,
    text: Annotated[str, Doc("what shall be shown")],
    *,
    exact: Annotated[bool, Doc("upper and lower case count")] = False,
    timeout: Timeout = WAIT_SECONDS,
) -> Sightings:
    """Wait until a text is shown on the page; without `exact`, upper and lower case are the same."""
    async with tab.call("waiting for a text", seconds=timeout, waits=True) as deadline:
        return await wait_for_element.wait_for_text(tab, text, exact=exact, deadline=deadline)


@command(group="wait", handles_dialog=True, examples=("wait for url '**/done'",))
async def wait_for_url(tab: Tab, pattern: UrlPattern, *, timeout: Timeout = WAIT_SECONDS) -> str:
    """Wait for an address: a part of it, a glob with `*`, or `re:…`."""
    async with tab.call("waiting for an address", seconds=timeout, waits=True, needs_page=False) as deadline:
        return await wait_for_event.wait_for_url(tab, pattern, deadline=deadline)


@command(group="wait", examples=("wait for load networkidle",))
async def wait_for_load(tab: Tab, state: LoadState = "load", *, timeout: Timeout = NAVIGATE_SECONDS) -> str:
    """Wait until the document, or the one that is on its way, has come this far; gives its address."""
    async with tab.call("waiting for a document", seconds=timeout, waits=True) as deadline:
        return await wait_for_event.wait_for_load(tab, state, deadline=deadline)


@command(group="wait", examples=("wait for network idle",))
async def wait_for_network_idle(
    tab: Tab,
    *,
    idle_seconds: Annotated[float, Doc("how long nothing may be on its way"), Between(0, LONGEST_WAIT)] = 0.5,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> None:
    """Wait until no request has been on its way for a while."""
    async with tab.call("waiting for the network", seconds=timeout, waits=True) as deadline:
        await wait_for_event.wait_for_network_idle(tab, idle_seconds=idle_seconds, deadline=deadline)


@command(group="wait", handles_dialog=True, examples=("wait for request /api/orders --method POST",))
async def wait_for_request(
    tab: Tab,
    pattern: UrlPattern,
    *,
    method: Annotated[str | None, Doc("such as POST")] = None,
    since: Since = None,
    timeout: Timeout = WAIT_SECONDS,
) -> Request:
    """Wait for a request made since the last action began, or since a mark."""
    async with tab.call("waiting for a request", seconds=timeout, waits=True, needs_page=False) as deadline:
        return await wait_for_event.wait_for_request(
            tab, pattern, method=method, since=since, deadline=deadline
        )


@command(group="wait", handles_dialog=True, examples=("wait for response /api/orders --status 201",))
async def wait_for_response(
    tab: Tab,
    pattern: UrlPattern,
    *,
    method: Annotated[str | None, Doc("such as POST")] = None,
    status: Annotated[int | None, Doc("such as 200")] = None,
    since: Since = None,
    timeout: Timeout = WAIT_SECONDS,
) -> Request:
    """Wait for the whole response to a request made since the last action began, or since a mark."""
    async with tab.call("waiting for a response", seconds=timeout, waits=True, needs_page=False) as deadline:
        return await wait_for_event.wait_for_response(
            tab, pattern, method=method, status=status, since=since, deadline=deadline
        )


@command(group="wait", handles_dialog=True, examples=("wait for dialog",))
async def wait_for_dialog(tab: Tab, *, since: Since = None, timeout: Timeout = WAIT_SECONDS) -> Dialog:
    """The dialog that waits for an answer, or the first one since the last action began."""
    async with tab.call("waiting for a dialog", seconds=timeout, waits=True, needs_page=False) as deadline:
        return await wait_for_event.wait_for_dialog(tab, since=since, deadline=deadline)


@command(group="wait", handles_dialog=True, examples=("wait for tab",))
async def wait_for_tab(tab: Tab, *, since: Since = None, timeout: Timeout = WAIT_SECONDS) -> Tab:
    """The tab that a page of this one opened since the last action began."""
    async with tab.call("waiting for a new tab", seconds=timeout, waits=True, needs_page=False) as deadline:
        return await wait_for_event.wait_for_tab(tab, since=since, deadline=deadline)


@command(group="wait", examples=("wait for function 'window.ready === true'",))
async def wait_for_function(
    tab: Tab,
    script: Annotated[str, Doc("an expression, or a function that gets the arguments")],
    *arguments: Annotated[Any, Doc("arguments of the function, as JSON")],
    timeout: Timeout = WAIT_SECONDS,
) -> Any:
    """Wait until a script's value is true, and give that value; what it throws until then is not an error."""
    async with tab.call("waiting for a script", seconds=timeout, waits=True) as deadline:
        return await wait_for_event.wait_for_function(tab, script, arguments, deadline=deadline)


@command(group="wait", handles_dialog=True, lasts_as_told=True, examples=("wait 1.5",))
async def wait(tab: Tab, seconds: Annotated[float, Doc("how long"), Between(0, LONGEST_WAIT)]) -> None:
    """Let time pass. Waiting for something by its name is nearly always better."""
    if not 0 <= seconds <= LONGEST_WAIT:
        raise BadRequest(f"{seconds} s are out of range", hint="wait up to 300 s")
    async with tab.call("letting time pass", seconds=seconds + 1, waits=True, needs_page=False) as deadline:
        await wait_for_event.wait(tab, seconds, deadline=deadline)
