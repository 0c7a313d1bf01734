"""React components, and WebMCP tools of pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.pages.navigate import reload
from boathook.effects import Effect
from boathook.engine.debug import react, webmcp
from boathook.engine.debug.react import MOST_NODES, Boundary, ComponentFacts, ComponentTree, Renders
from boathook.engine.debug.webmcp import PageTool, ToolAnswer
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Also, Between, Doc, command

DETACHED_SECONDS = 600.0
Id = Annotated[str, Doc("id printed by `webmcp invoke --detach`, such as w1")]


@command(
    group="frameworks",
    doing="reading React components",
    timeout=READ_SECONDS,
    examples=("react tree", "react tree --depth 3"),
)
async def react_tree(
    tab: Tab,
    *,
    depth: Annotated[int, Doc("maximum depth (0: unlimited)"), Between(0, 1_000)] = 0,
    most: Annotated[int, Doc("maximum number of components"), Between(1, MOST_NODES)] = 200,
    deadline: Deadline,
) -> ComponentTree:
    """List the React components of the page with their ids."""
    return await react.tree(tab, most=most, depth=depth, deadline=deadline)


@command(
    group="frameworks", doing="reading React components", timeout=READ_SECONDS, examples=("react inspect 3",)
)
async def react_inspect(
    tab: Tab, number: Annotated[int, Doc("id of a component in the tree")], *, deadline: Deadline
) -> ComponentFacts:
    """Show one React component: props, state, parents and rendered elements."""
    return await react.inspect(tab, number, deadline=deadline)


@command(
    group="frameworks",
    doing="reading React components",
    timeout=READ_SECONDS,
    examples=("react suspense", "react suspense --only-waiting"),
)
async def react_suspense(
    tab: Tab,
    *,
    only_waiting: Annotated[
        bool, Doc("only boundaries that show their fallback"), Also("--only-dynamic", value=True)
    ] = False,
    deadline: Deadline,
) -> list[Boundary]:
    """List the Suspense boundaries of the page and which are still pending."""
    found = await react.suspense(tab, deadline=deadline)
    return [match for match in found if match.waiting or not only_waiting]


@command(
    group="frameworks",
    effect=Effect.ACTS,
    may_navigate=True,
    own_text=True,
    examples=("react renders start",),
)
async def react_renders_start(tab: Tab, *, timeout: Timeout = NAVIGATE_SECONDS) -> str:
    """Start counting React renders. The first time, the page is reloaded to install the hook."""
    async with tab.call("reading React components", seconds=timeout) as deadline:
        needs_reload = await react.start_renders(tab, deadline=deadline)
    if needs_reload:
        await reload(tab, timeout=timeout)
        return "counting renders; the page was reloaded"
    return "counting renders"


@command(
    group="frameworks",
    doing="reading React components",
    timeout=READ_SECONDS,
    examples=("react renders stop",),
)
async def react_renders_stop(tab: Tab, *, deadline: Deadline) -> Renders:
    """Stop counting and print the renders of each component since `react renders start`."""
    return await react.renders(tab, deadline=deadline)


@command(group="frameworks", effect=Effect.ACTS, may_navigate=True, examples=("webmcp list",))
async def webmcp_list(
    tab: Tab,
    tool: Annotated[str | None, Doc("the name of one tool (default: all)")] = None,
    *,
    timeout: Timeout = NAVIGATE_SECONDS,
) -> list[PageTool]:
    """List the WebMCP tools of the page. The first time, the page is reloaded so that it can register them."""
    async with tab.call("listing the page's tools", seconds=timeout) as deadline:
        needs_reload = await webmcp.prepare(tab, deadline=deadline)
    if needs_reload:
        await reload(tab, timeout=timeout)
    async with tab.call("listing the page's tools", seconds=timeout, read_only=True) as deadline:
        found = await webmcp.tools(tab, deadline=deadline)
    return [match for match in found if tool in {None, match.name}]


@command(
    group="frameworks",
    effect=Effect.ACTS,
    may_navigate=True,
    doing="running the page's tool {tool}",
    timeout=NAVIGATE_SECONDS,
    examples=('webmcp invoke add_ticket --params \'{"title": "No paper"}\'',),
)
async def webmcp_invoke(
    tab: Tab,
    tool: Annotated[str, Doc("the name of the tool")],
    *,
    params: Annotated[Mapping[str, Any] | None, Doc("parameters of the tool, as JSON")] = None,
    detach: Annotated[bool, Doc("do not wait; prints an id for `webmcp result`")] = False,
    deadline: Deadline,
) -> ToolAnswer:
    """Run a WebMCP tool of the page. The page decides what it does and returns."""
    await webmcp.require(tab, tool, deadline=deadline)
    if not detach:
        return await webmcp.invoke(tab, tool, params or {}, deadline=deadline)
    going = webmcp.invoke(tab, tool, params or {}, deadline=Deadline.after(DETACHED_SECONDS))
    return ToolAnswer(tool=tool, text=f"detached as {tab.detached.start(going)}")


@command(
    group="frameworks",
    doing="waiting for {name}",
    timeout=NAVIGATE_SECONDS,
    handles_dialog=True,
    examples=("webmcp result w1",),
)
async def webmcp_result(tab: Tab, name: Id, *, deadline: Deadline) -> ToolAnswer:
    """Wait for the result of a detached tool. On timeout, the tool keeps running."""
    answer: ToolAnswer = await tab.detached.result(name, deadline)
    return answer


@command(
    group="frameworks",
    effect=Effect.ACTS,
    doing="canceling {name}",
    timeout=READ_SECONDS,
    marks_action=False,
    handles_dialog=True,
    own_text=True,
    examples=("webmcp cancel w1",),
)
async def webmcp_cancel(
    tab: Tab,
    name: Id,
) -> str:
    """Stop waiting for a detached tool. The page may continue to run it."""
    tab.detached.cancel(name)
    return f"no longer waiting for {name}"
