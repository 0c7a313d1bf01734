"""Going somewhere: to an address, and back and forward in history."""

from __future__ import annotations

from typing import Annotated

from boathook.commands.parameters import LoadState, Timeout
from boathook.commands.registry import Doc, Effect, command
from boathook.engine.tab import NAVIGATE_SECONDS, Tab


@command(
    group="navigate",
    effect=Effect.ACTS,
    may_navigate=True,
    words=("open", "goto", "navigate"),
    examples=("open https://example.org", "open localhost:8000 --wait-until networkidle"),
)
async def goto(
    tab: Tab,
    url: Annotated[str, Doc("the address to load")],
    *,
    wait_until: LoadState = "load",
    timeout: Timeout = NAVIGATE_SECONDS,
) -> None:
    """Load an address and wait for it."""
    await tab.goto(url, wait_until=wait_until, timeout=timeout)


@command(group="navigate", effect=Effect.ACTS, may_navigate=True, examples=("reload",))
async def reload(tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS) -> None:
    """Load the present address again."""
    await tab.reload(wait_until=wait_until, timeout=timeout)


@command(group="navigate", effect=Effect.ACTS, may_navigate=True, examples=("back",))
async def back(tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS) -> None:
    """Go one page back."""
    await tab.step(-1, wait_until=wait_until, timeout=timeout)


@command(group="navigate", effect=Effect.ACTS, may_navigate=True, examples=("forward",))
async def forward(tab: Tab, *, wait_until: LoadState = "load", timeout: Timeout = NAVIGATE_SECONDS) -> None:
    """Go one page forward."""
    await tab.step(1, wait_until=wait_until, timeout=timeout)
