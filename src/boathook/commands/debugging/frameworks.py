"""Frameworks: what React keeps of its components, and the tools that pages offer to agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from boathook.clock import Deadline
from boathook.commands.pages.navigate import reload
from boathook.engine.debug import react, webmcp
from boathook.engine.debug.react import MOST_NODES, Boundary, ComponentFacts, ComponentTree, Renders
from boathook.engine.debug.webmcp import PageTool, ToolAnswer
from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS, Tab
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Also, Between, Doc, Effect, command

DETACHED_SECONDS = 600.0
Id = Annotated[str, Doc("as `webmcp invoke --detach` told it, such as w1")]


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
    only_waiting: Annotated[
        bool, Doc("only those that show their fallback"), Also("--only-dynamic", value=True)
    ] = False,
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


@command(group="frameworks", effect=Effect.ACTS, may_navigate=True, examples=("webmcp list",))
async def webmcp_list(
    tab: Tab,
    tool: Annotated[str | None, Doc("the name of one of them; else all")] = None,
    *,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> list[PageTool]:
    """The tools that the page offers to agents (WebMCP); the first time it is loaded again, so that it can offer them."""
    async with tab.call("asking for tools of the page", seconds=timeout) as deadline:
        anew = await webmcp.prepare(tab, deadline=deadline)
    if anew:
        await reload(tab, timeout=timeout)
    async with tab.call("asking for tools of the page", seconds=timeout, looks=True) as deadline:
        found = await webmcp.tools(tab, deadline=deadline)
    return [one for one in found if tool in {None, one.name}]


@command(
    group="frameworks",
    effect=Effect.ACTS,
    may_navigate=True,
    examples=('webmcp invoke add_ticket --params \'{"title": "No paper"}\'',),
)
async def webmcp_invoke(
    tab: Tab,
    tool: Annotated[str, Doc("its name")],
    *,
    params: Annotated[Mapping[str, Any] | None, Doc("what it is given, as JSON")] = None,
    detach: Annotated[
        bool, Doc("do not wait: `webmcp result` asks for the answer by the id that is told")
    ] = False,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> ToolAnswer:
    """Run a tool of the page; it does what the page wants, and its answer is the page's word."""
    async with tab.call(f"running the page's tool {tool}", seconds=timeout) as deadline:
        await webmcp.require(tab, tool, deadline=deadline)
        if not detach:
            return await webmcp.invoke(tab, tool, params or {}, deadline=deadline)
    going = webmcp.invoke(tab, tool, params or {}, deadline=Deadline.after(DETACHED_SECONDS))
    return ToolAnswer(tool=tool, text=f"detached as {tab.detached.start(going)}")


@command(group="frameworks", examples=("webmcp result w1",))
async def webmcp_result(tab: Tab, name: Id, *, timeout: Timeout = NAVIGATE_SECONDS) -> ToolAnswer:
    """Wait for the answer of a tool that was detached, once; when the time is over it goes on."""
    async with tab.call(f"waiting for {name}", seconds=timeout, looks=True, needs_page=False) as deadline:
        answer: ToolAnswer = await tab.detached.result(name, deadline)
        return answer


@command(group="frameworks", effect=Effect.ACTS, examples=("webmcp cancel w1",))
async def webmcp_cancel(tab: Tab, name: Id, *, timeout: Timeout = READ_SECONDS) -> str:
    """Wait no longer for a tool that was detached; what it does in the page is the page's own affair."""
    async with tab.call(f"cancelling {name}", seconds=timeout, looks=True, needs_page=False):
        tab.detached.cancel(name)
    return f"nobody waits for {name} any more"
