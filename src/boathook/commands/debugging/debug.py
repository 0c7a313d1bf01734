"""Looking into pages: how fast they are, what is wrong with them, where an element is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from boathook.commands.pages.navigate import goto
from boathook.engine.debug import audit
from boathook.engine.debug import coverage as counting
from boathook.engine.debug import vitals as measuring
from boathook.engine.debug.audit import Audit
from boathook.engine.debug.coverage import Coverage
from boathook.engine.debug.devtools import inspected, stop_inspecting
from boathook.engine.debug.highlight import Highlighted, highlighted, stop_highlighting
from boathook.engine.debug.style_rules import Styling, styling_of
from boathook.engine.debug.vitals import Vitals
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS, Tab
from boathook.errors import BadRequest
from boathook.registry.parameters import Address, Target, Timeout
from boathook.registry.registry import Doc, Effect, Short, command


@command(
    group="debug",
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("vitals", "vitals http://localhost:3000"),
)
async def vitals(tab: Tab, url: Address = None, *, timeout: Timeout = NAVIGATE_SECONDS) -> Vitals:
    """How the page felt so far: largest and first paint, first byte, shifts of the layout, slowest answer; with ratings."""
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("measuring the page", seconds=timeout, looks=True) as deadline:
        return await measuring.measure(tab, deadline=deadline)


@command(
    group="debug",
    effect=Effect.ACTS,
    may_navigate=True,
    reads_files=("axe",),
    examples=("a11y", "a11y --tags wcag2a,wcag2aa --selector form"),
)
async def a11y(
    tab: Tab,
    url: Address = None,
    *,
    tags: Annotated[Sequence[str], Doc("only rules with one of these tags, such as wcag2aa")] = (),
    selector: Annotated[
        str | None, Doc("only inside of the element of this CSS selector"), Short("s")
    ] = None,
    axe: Annotated[str | Path | None, Doc("another axe.min.js than that of boathook[a11y]")] = None,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> Audit:
    """Audit the page for accessibility with axe-core: what is wrong, how badly, and where."""
    source = audit.axe_source(Path(axe) if axe is not None else None)
    if url is not None:
        await goto(tab, url, timeout=timeout)
    async with tab.call("auditing the page", seconds=timeout, looks=True) as deadline:
        return await audit.audit(tab, source, scope=selector, tags=tags, deadline=deadline)


@command(group="debug", checks_refs=True, examples=("styles @e3",))
async def styles(
    tab: Tab,
    target: Target,
    *,
    timeout: Timeout = READ_SECONDS,
) -> Styling:
    """The page's rules that match an element, the strongest first: where each stands, and which declarations win."""
    async with tab.call("asking for styles", seconds=timeout, looks=True) as deadline:
        return await styling_of(tab, target, deadline=deadline)


@command(group="debug", effect=Effect.CHANGES_BROWSER, examples=("coverage start",))
async def coverage_start(tab: Tab, *, timeout: Timeout = READ_SECONDS) -> str:
    """Count from now on what pages use of the scripts and style sheets that they load."""
    async with tab.call("starting coverage", seconds=timeout, looks=True) as deadline:
        await counting.start(tab, deadline=deadline)
    return "counting: load the page, use it, then coverage stop"


@command(group="debug", effect=Effect.CHANGES_BROWSER, examples=("coverage stop",))
async def coverage_stop(tab: Tab, *, timeout: Timeout = READ_SECONDS) -> Coverage:
    """What was used since `coverage start`, file by file, those with most that is unused first."""
    async with tab.call("ending coverage", seconds=timeout, looks=True) as deadline:
        return await counting.stop(tab, deadline=deadline)


@command(group="debug", checks_refs=True, examples=("highlight @e3", "highlight --clear"))
async def highlight(
    tab: Tab,
    target: Annotated[str | None, Doc("the element to point out")] = None,
    *,
    clear: Annotated[bool, Doc("point out nothing any more")] = False,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> Highlighted | None:
    """Point an element out for whoever looks at the window, as developer tools do; the page does not notice."""
    if clear == (target is not None):
        raise BadRequest("highlight takes either a target or --clear", hint="such as `highlight @e3`")
    async with tab.call("highlighting", seconds=timeout, looks=True) as deadline:
        if target is not None:
            return await highlighted(tab, target, deadline=deadline)
        await stop_highlighting(tab)
    return None


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    for_people=True,
    examples=("inspect", "inspect --stop"),
)
async def inspect(
    tab: Tab,
    *,
    stop: Annotated[bool, Doc("let nobody look into the tab any more")] = False,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> str | None:
    """Let a person look into the tab with developer tools: an address for any Chrome or Chromium on this machine.

    Whoever knows the address can do anything in the tab, until `inspect --stop` or until the tab is closed. A browser that has
    windows shows the tools in one of them as well.
    """
    async with tab.call("letting developer tools in", seconds=timeout, needs_page=False, looks=True):
        if not stop:
            return await inspected(tab)
        await stop_inspecting(tab)
    return None
