"""Visits to origins without requests to their servers: a hidden tab whose requests are all answered with a blank page."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from boathook.engine.browser import Browser
    from boathook.engine.tab import Tab

_BLANK = base64.b64encode(b"<!doctype html><title>blank</title>").decode()


@asynccontextmanager
async def visit_origins(browser: Browser, tab: Tab) -> AsyncIterator[Callable[[str], Awaitable[Tab]]]:
    """Provides `visit(origin)`, which returns a tab on that origin; it is closed at the end."""
    visitors: list[Tab] = []

    async def visit(origin: str) -> Tab:
        if not visitors:
            visitors.append(await browser.open_blank(browser.context_of(tab)))
            await _answer_everything(visitors[0])
        await visitors[0].goto(f"{origin}/")
        return visitors[0]

    try:
        yield visit
    finally:
        for visitor in visitors:
            await browser.close_tab(visitor)


async def _answer_everything(visitor: Tab) -> None:
    def on_paused(params: dict[str, Any]) -> None:
        reply = visitor.session.post(
            "Fetch.fulfillRequest",
            requestId=params["requestId"],
            responseCode=200,
            responseHeaders=[{"name": "Content-Type", "value": "text/html"}],
            body=_BLANK,
        )
        ignore_reply(reply)

    visitor.interception.hand_over()
    visitor.session.on("Fetch.requestPaused", on_paused)
    await visitor.session.send("Fetch.enable", patterns=[{"urlPattern": "*"}])
