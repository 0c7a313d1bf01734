"""Tabs: open, find, list and close."""

from __future__ import annotations

import asyncio
from typing import Annotated

from boathook.commands.results import PageInfo
from boathook.effects import Effect
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.browser import Browser
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.errors import BoathookError
from boathook.registry.parameters import LoadState, Timeout
from boathook.registry.registry import Doc, Scope, command
from boathook.registry.script_helper import WAIT_UNTIL, ScriptHelper


@command(
    group="tabs",
    effect=Effect.ACTS,
    scope=Scope.BROWSER,
    may_navigate=True,
    method="open",
    script_helpers=(ScriptHelper("open", ("url",), also=WAIT_UNTIL, gives="tab"),),
    examples=("tab new https://example.org", "tab new https://example.org --label shop --isolated"),
)
async def tab_new(
    browser: Browser,
    url: Annotated[str, Doc("the URL to load")] = "about:blank",
    *,
    label: Annotated[str, Doc("a name for the tab, usable like its id")] = "",
    isolated: Annotated[bool, Doc("use separate cookies and storage")] = False,
    wait_until: LoadState = "load",
    timeout: Timeout = NAVIGATE_SECONDS,
) -> Tab:
    """Open a tab and load a URL; `isolated` uses separate cookies and storage.

    A label names one tab: opening it again loads the URL there.
    """
    return await browser.open_tab(url, isolated=isolated, label=label, wait_until=wait_until, timeout=timeout)


@command(
    group="tabs",
    scope=Scope.BROWSER,
    script_helpers=(ScriptHelper("use", ("name",), gives="tab"),),
    examples=("tab t2", "tab shop"),
)
async def tab(browser: Browser, name: Annotated[str, Doc("id, label or CDP target id")]) -> Tab:
    """Get the tab with this id (`t1`), label or CDP target id."""
    return await browser.use_tab(name)


@command(
    group="tabs",
    scope=Scope.BROWSER,
    aliases=("tab list", "tabs"),
    script_helpers=(ScriptHelper("tabs"),),
    examples=("tab list",),
)
async def tabs(browser: Browser) -> list[Tab]:
    """List attached tabs with title and URL, including popups, oldest first."""
    return await list_tabs(browser)


async def list_tabs(browser: Browser) -> list[Tab]:
    """All attached tabs, each with its current title, and the current one marked; then those of the user that a call can select."""
    found = browser.tabs
    titles = await asyncio.gather(*(_present_title(tab, "") for tab in found))
    for tab, title in zip(found, titles, strict=True):
        tab.listed_title, tab.is_current = title, tab is browser.current_tab
    return [*found, *browser.unused_tabs()]


@command(group="tabs", scope=Scope.BROWSER, script_helpers=(ScriptHelper("pages"),), examples=("pages",))
async def pages(browser: Browser) -> list[PageInfo]:
    """List all open pages in this browser, including those not attached."""
    known = {tab.target_id: tab for tab in browser.tabs}
    return [
        PageInfo(
            target_id=info.id,
            tab=known[info.id].id if info.id in known else "",
            url=info.url,
            title=await _present_title(known.get(info.id), info.title),
        )
        for info in browser.targets.pages()
    ]


async def _present_title(tab: Tab | None, told: str) -> str:
    """The current title of a page, since events arrive late. A page that does not respond keeps the old one."""
    if tab is None or tab.state != "ready" or tab.dialogs.pending is not None:
        return told
    try:
        return await tab.title()
    except BoathookError:
        return told


@command(
    group="tabs",
    effect=Effect.ACTS,
    doing="bringing the tab to the front",
    timeout=ACTION_SECONDS,
    handles_dialog=True,
    examples=("bring to front",),
)
async def bring_to_front(
    tab: Tab,
) -> None:
    """Bring the tab to the front of its window."""
    await tab.session.send("Page.bringToFront")


@command(
    group="tabs",
    effect=Effect.ACTS,
    handles_dialog=True,
    method="close",
    tab_name="id, label or CDP target id (default: the current tab)",
    script_helpers=(ScriptHelper("close"),),
    examples=("tab close", "tab close t2", "tab close shop"),
)
async def tab_close(tab: Tab) -> None:
    """Close a tab."""
    await tab.browser.close_tab(tab)
