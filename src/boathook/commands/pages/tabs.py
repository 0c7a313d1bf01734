"""Tabs: opening, finding, listing and closing them."""

from __future__ import annotations

from typing import Annotated

from boathook.commands.results import PageInfo
from boathook.engine.actions.perform import ACTION_SECONDS
from boathook.engine.browser import Browser
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.errors import BoathookError
from boathook.registry.context import HostScope
from boathook.registry.parameters import LoadState, Timeout
from boathook.registry.registry import Doc, Effect, Scope, command


@command(
    group="tabs",
    effect=Effect.ACTS,
    scope=Scope.BROWSER,
    may_navigate=True,
    method="open",
    examples=("tab new https://example.org", "tab new https://example.org --label shop --isolated"),
)
async def tab_new(
    browser: Browser,
    url: Annotated[str, Doc("the address to load")] = "about:blank",
    *,
    label: Annotated[str, Doc("a name for the tab, to be used like its id")] = "",
    isolated: Annotated[bool, Doc("with cookies and storage of its own")] = False,
    wait_until: LoadState = "load",
    timeout: Timeout = NAVIGATE_SECONDS,
) -> Tab:
    """Open a tab and load an address; `isolated` gives it cookies and storage of its own.

    A label stands for one tab: opening it again loads the address there.
    """
    return await browser.open_tab(url, isolated=isolated, label=label, wait_until=wait_until, timeout=timeout)


@command(group="tabs", scope=Scope.BROWSER, examples=("tab t2", "tab shop"))
async def tab(browser: Browser, name: Annotated[str, Doc("its id, its label or its CDP target id")]) -> Tab:
    """The tab with this id (`t1`), label or CDP target id."""
    return await browser.use_tab(name)


@command(group="tabs", scope=Scope.BROWSER, words=("tab list", "tabs"), examples=("tab list",))
async def tabs(browser: Browser) -> list[Tab]:
    """The tabs that we work with, popups included, oldest first."""
    return browser.tabs


@command(group="tabs", scope=Scope.BROWSER, examples=("pages",))
async def pages(browser: Browser) -> list[PageInfo]:
    """Every page that is open in this browser, also those that we do not work with."""
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
    """The title that a page has now: what browsers tell of their own accord comes late. One that is stuck keeps the old."""
    if tab is None or tab.state != "ready" or tab.dialogs.pending is not None:
        return told
    try:
        return await tab.title()
    except BoathookError:
        return told


@command(group="tabs", effect=Effect.ACTS, examples=("bring to front",))
async def bring_to_front(tab: Tab, *, timeout: Timeout = ACTION_SECONDS) -> None:
    """Show this tab before the others of its window; no other call does that by itself."""
    async with tab.call("bringing the tab to the front", seconds=timeout, needs_page=False):
        await tab.session.send("Page.bringToFront")


@command(group="tabs", effect=Effect.ACTS, handles_dialog=True, method="close", examples=("tab close",))
async def tab_close(tab: Tab) -> None:
    """Close the tab."""
    await tab.browser.close_tab(tab)


@command(
    group="tabs",
    spoken_only=True,
    scope=Scope.HOST,
    effect=Effect.ACTS,
    words=("tab close",),
    examples=("tab close", "tab close t2", "tab close shop"),
)
async def tab_close_named(
    host: HostScope,
    name: Annotated[str | None, Doc("an id, a label or a CDP target id; the present tab without one")] = None,
) -> None:
    """Close a tab."""
    await host.run("tab_close", {}, settings={} if name is None else {"tab": name})
