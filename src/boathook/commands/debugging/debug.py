"""Debugging: performance, accessibility, styles, coverage and DevTools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.pages.navigate import goto
from boathook.effects import Effect, SideEffect
from boathook.engine.debug import audit
from boathook.engine.debug import coverage as counting
from boathook.engine.debug import vitals as measuring
from boathook.engine.debug.audit import Audit
from boathook.engine.debug.coverage import Coverage
from boathook.engine.debug.devtools import open_inspector, stop_inspecting
from boathook.engine.debug.highlight import Highlighted, highlight_element, stop_highlighting
from boathook.engine.debug.style_rules import Styling, styling_of
from boathook.engine.debug.vitals import Vitals
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.errors import BadRequest
from boathook.registry.parameters import Address, Target, Timeout
from boathook.registry.registry import Doc, ElementTarget, Short, command


@command(
    group="debug",
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("vitals", "vitals http://localhost:3000"),
)
async def vitals(tab: Tab, url: Address = None, *, timeout: Timeout = NAVIGATE_SECONDS) -> Vitals:
    """Show Core Web Vitals so far (LCP, FCP, TTFB, CLS, INP), with ratings."""
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("measuring the page", seconds=timeout, read_only=True) as deadline:
        return await measuring.measure(tab, deadline=deadline)


@command(
    group="debug",
    effect=Effect.ACTS,
    may_navigate=True,
    reads_files=("axe",),
    page_scripts=("axe",),
    examples=("a11y", "a11y --tags wcag2a,wcag2aa --selector form"),
)
async def a11y(
    tab: Tab,
    url: Address = None,
    *,
    tags: Annotated[Sequence[str], Doc("only rules with these tags, such as wcag2aa")] = (),
    selector: Annotated[str | None, Doc("only inside the element with this CSS selector"), Short("s")] = None,
    axe: Annotated[
        str | Path | None, Doc("path to an axe.min.js to use instead of the one in boathook[a11y]")
    ] = None,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> Audit:
    """Audit the page for accessibility with axe-core. Prints each violation with its impact and elements."""
    source = await asyncio.to_thread(audit.axe_source, Path(axe) if axe is not None else None)
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("auditing the page", seconds=timeout, read_only=True) as deadline:
        return await audit.audit(tab, source, scope=selector, tags=tags, deadline=deadline)


@command(group="debug", doing="reading styles", timeout=READ_SECONDS, examples=("styles @e3",))
async def styles(
    tab: Tab,
    target: Target,
    *,
    deadline: Deadline,
) -> Styling:
    """List the CSS rules that match an element, strongest first, with their source and the winning declarations."""
    return await styling_of(tab, target, deadline=deadline)


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    doing="starting coverage",
    timeout=READ_SECONDS,
    own_text=True,
    examples=("coverage start",),
)
async def coverage_start(tab: Tab, *, deadline: Deadline) -> str:
    """Start recording JavaScript and CSS coverage."""
    await counting.start(tab, deadline=deadline)
    return "recording coverage: load and use the page, then run `coverage stop`"


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    doing="stopping coverage",
    timeout=READ_SECONDS,
    examples=("coverage stop",),
)
async def coverage_stop(tab: Tab, *, deadline: Deadline) -> Coverage:
    """Stop recording and print the coverage of each file, most unused bytes first."""
    return await counting.stop(tab, deadline=deadline)


@command(
    group="debug",
    doing="highlighting",
    timeout=NAVIGATE_SECONDS,
    examples=("highlight @e3", "highlight --clear"),
)
async def highlight(
    tab: Tab,
    target: Annotated[str | None, Doc("the element to highlight"), ElementTarget()] = None,
    *,
    clear: Annotated[bool, Doc("remove the highlight")] = False,
    deadline: Deadline,
) -> Highlighted | None:
    """Highlight an element in the browser window, as DevTools does. The page cannot detect it."""
    if clear == (target is not None):
        raise BadRequest("highlight takes either a target or --clear", hint="for example `highlight @e3`")
    if target is not None:
        return await highlight_element(tab, target, deadline=deadline)
    await stop_highlighting(tab)
    return None


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    human_only=True,
    doing="opening DevTools",
    timeout=NAVIGATE_SECONDS,
    side_effects=(SideEffect.RUNS_PAGE_SCRIPT,),
    own_text=True,
    examples=("inspect", "inspect --stop"),
)
async def inspect(
    tab: Tab,
    *,
    stop: Annotated[bool, Doc("close the DevTools connection")] = False,
) -> str | None:
    """Open DevTools on the tab. Prints a URL for any Chrome or Chromium on this machine.

    Anyone with the URL has full control of the tab until `inspect --stop` or until the tab is closed. A headed browser
    also opens DevTools in a window.
    """
    if not stop:
        return await open_inspector(tab)
    await stop_inspecting(tab)
    return None
