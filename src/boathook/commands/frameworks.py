"""Frameworks: what React keeps of its components."""

from __future__ import annotations

from typing import Annotated

from boathook.commands.navigate import reload
from boathook.commands.parameters import Timeout
from boathook.commands.registry import Between, Doc, Effect, command
from boathook.engine.debug import react
from boathook.engine.debug.react import MOST_NODES, Boundary, ComponentFacts, ComponentTree, Renders
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS, Tab


@command(group="frameworks", examples=("react tree", "react tree --depth 3"))
async def react_tree(
    tab: Tab,
    *,
    depth: Annotated[int, Doc("levels; 0 is all"), Between(0, 1_000)] = 0,
    most: Annotated[int, Doc("components to list at most"), Between(1, MOST_NODES)] = 200,
    timeout: Timeout = READ_SECONDS,
) -> ComponentTree:
    """The React components of the page with their numbers; nothing has to be switched on for it."""
    async with tab.call("asking React", seconds=timeout, looks=True) as deadline:
        return await react.tree(tab, most=most, depth=depth, deadline=deadline)


@command(group="frameworks", examples=("react inspect 3",))
async def react_inspect(
    tab: Tab, number: Annotated[int, Doc("of a component in the tree")], *, timeout: Timeout = READ_SECONDS
) -> ComponentFacts:
    """One React component: its props, its state, what it stands in and what it draws."""
    async with tab.call("asking React", seconds=timeout, looks=True) as deadline:
        return await react.inspect(tab, number, deadline=deadline)


@command(group="frameworks", examples=("react suspense", "react suspense --only-waiting"))
async def react_suspense(
    tab: Tab,
    *,
    only_waiting: Annotated[bool, Doc("only those that show their fallback")] = False,
    timeout: Timeout = READ_SECONDS,
) -> list[Boundary]:
    """The Suspense boundaries of the page, and which of them still wait."""
    async with tab.call("asking React", seconds=timeout, looks=True) as deadline:
        found = await react.suspense(tab, deadline=deadline)
    return [one for one in found if one.waiting or not only_waiting]


@command(group="frameworks", effect=Effect.ACTS, may_navigate=True, examples=("react renders start",))
async def react_renders_start(tab: Tab, *, timeout: Timeout = NAVIGATE_SECONDS) -> str:
    """Count what React renders from now on; the first time the page is loaded again, since React looks for us only then."""
    async with tab.call("asking React", seconds=timeout) as deadline:
        anew = await react.start_renders(tab, deadline=deadline)
    if anew:
        await reload(tab, timeout=timeout)
        return "counting; the page was loaded again"
    return "counting from now on"


@command(group="frameworks", examples=("react renders stop",))
async def react_renders_stop(tab: Tab, *, timeout: Timeout = READ_SECONDS) -> Renders:
    """What React has rendered since `react renders start`, component by component."""
    async with tab.call("asking React", seconds=timeout, looks=True) as deadline:
        return await react.renders(tab, deadline=deadline)
