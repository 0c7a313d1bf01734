"""Going somewhere: to an address, and back and forward in history."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from boathook.commands.results import Arrived
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.errors import BoathookError
from boathook.registry.parameters import LoadState, Timeout
from boathook.registry.registry import Doc, Effect, command


@command(
    group="navigate",
    effect=Effect.ACTS,
    may_navigate=True,
    words=("open", "goto", "navigate"),
    secrets=("headers",),
    examples=(
        "open https://example.org",
        "open localhost:8000 --wait-until networkidle",
        'open localhost:8000 --headers \'{"X-Test": "1"}\'',
    ),
)
async def goto(
    tab: Tab,
    url: Annotated[str, Doc("the address to load")] = "about:blank",
    *,
    wait_until: LoadState = "load",
    headers: Annotated[
        Mapping[str, str] | None,
        Doc("headers for all requests to the address's origin from now on, as JSON; {} for none"),
    ] = None,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> Arrived:
    """Load an address and wait for it; says where that led, with the title and the server's status."""
    if headers is not None:
        async with tab.call("setting headers", seconds=timeout, looks=True, needs_page=False):
            await tab.interception.traffic.set_headers(url, headers)
    before = tab.network.mark()
    await tab.goto(url, wait_until=wait_until, timeout=timeout)
    return await _arrived(tab, before)


async def _arrived(tab: Tab, before: int) -> Arrived:
    """Where a navigation led; a page that cannot be asked any more has no title."""
    documents = [one for one in tab.network.since(before) if one.type == "Document" and one.status]
    status = next((one.status for one in reversed(documents) if one.url == tab.url.partition("#")[0]), 0)
    try:
        title = await tab.title()
    except BoathookError:
        title = ""
    return Arrived(url=tab.url, title=title, status=status)


@command(group="navigate", effect=Effect.ACTS, may_navigate=True, examples=("reload",))
async def reload(tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS) -> Arrived:
    """Load the present address again."""
    before = tab.network.mark()
    await tab.reload(wait_until=wait_until, timeout=timeout)
    return await _arrived(tab, before)


@command(group="navigate", effect=Effect.ACTS, may_navigate=True, examples=("back",))
async def back(tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS) -> Arrived:
    """Go one page back."""
    before = tab.network.mark()
    await tab.step(-1, wait_until=wait_until, timeout=timeout)
    return await _arrived(tab, before)


@command(group="navigate", effect=Effect.ACTS, may_navigate=True, examples=("forward",))
async def forward(
    tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS
) -> Arrived:
    """Go one page forward."""
    before = tab.network.mark()
    await tab.step(1, wait_until=wait_until, timeout=timeout)
    return await _arrived(tab, before)
