"""Navigation: open a URL, reload, back and forward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from boathook.commands.results import NavigationResult
from boathook.effects import Effect
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.errors import BoathookError
from boathook.registry.parameters import LoadState, Timeout, sets_headers
from boathook.registry.registry import Doc, command
from boathook.registry.script_helper import WAIT_UNTIL, ScriptHelper


@command(
    group="navigate",
    effect=Effect.ACTS,
    may_navigate=True,
    aliases=("open", "goto", "navigate"),
    bare_aliases=("open",),
    secrets=("headers",),
    side_effects_when=sets_headers,
    script_helpers=(ScriptHelper("goto", ("url",), also=WAIT_UNTIL),),
    core=True,
    examples=(
        "open https://example.org",
        "open localhost:8000 --wait-until networkidle",
        'open localhost:8000 --headers \'{"X-Test": "1"}\'',
    ),
)
async def goto(
    tab: Tab,
    url: Annotated[str, Doc("the URL to load")] = "about:blank",
    *,
    wait_until: LoadState = "load",
    headers: Annotated[
        Mapping[str, str] | None,
        Doc("extra headers for requests to the URL's origin, as JSON; {} removes them"),
    ] = None,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> NavigationResult:
    """Open a URL and wait for it to load. Prints the final URL, title and HTTP status."""
    if headers is not None:
        async with tab.call("setting headers", seconds=timeout, read_only=True, needs_page=False):
            await tab.interception.traffic.set_headers(url, headers)
    before = _Before.of(tab)
    await tab.goto(url, wait_until=wait_until, timeout=timeout)
    return await _navigation_result(tab, before)


@dataclass(frozen=True, slots=True)
class _Before:
    """Where the logs of a tab stood before a navigation."""

    requests: int
    events: int

    @classmethod
    def of(cls, tab: Tab) -> _Before:
        return cls(tab.network.mark(), tab.event_log.now)


async def _navigation_result(tab: Tab, before: _Before) -> NavigationResult:
    """The final URL of a navigation; a page that no longer responds has no title."""
    documents = [
        request
        for request in tab.network.since(before.requests)
        if request.type == "Document" and request.status
    ]
    status = next(
        (request.status for request in reversed(documents) if request.url == tab.url.partition("#")[0]), 0
    )
    try:
        title = await tab.title()
    except BoathookError:
        title = ""
    # Leaving a page may open beforeunload dialogs; those belong to the old page.
    opened = tab.dialogs.all.since(before.events)
    dialogs = tuple(dialog for dialog in opened if dialog.answer and dialog.kind != "beforeunload")
    return NavigationResult(url=tab.url, title=title, status=status, dialogs=dialogs)


@command(
    group="navigate",
    effect=Effect.ACTS,
    may_navigate=True,
    script_helpers=(ScriptHelper("reload", also=WAIT_UNTIL),),
    examples=("reload",),
)
async def reload(
    tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS
) -> NavigationResult:
    """Reload the current page."""
    before = _Before.of(tab)
    await tab.reload(wait_until=wait_until, timeout=timeout)
    return await _navigation_result(tab, before)


@command(
    group="navigate",
    effect=Effect.ACTS,
    may_navigate=True,
    script_helpers=(ScriptHelper("back", also=WAIT_UNTIL),),
    core=True,
    examples=("back",),
)
async def back(
    tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS
) -> NavigationResult:
    """Go back one page in history."""
    before = _Before.of(tab)
    await tab.step(-1, wait_until=wait_until, timeout=timeout)
    return await _navigation_result(tab, before)


@command(
    group="navigate",
    effect=Effect.ACTS,
    may_navigate=True,
    script_helpers=(ScriptHelper("forward", also=WAIT_UNTIL),),
    examples=("forward",),
)
async def forward(
    tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS
) -> NavigationResult:
    """Go forward one page in history."""
    before = _Before.of(tab)
    await tab.step(1, wait_until=wait_until, timeout=timeout)
    return await _navigation_result(tab, before)
