"""React components, and WebMCP tools of pages.

Generated from commands/debugging/frameworks.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.clock import READ_SECONDS
from boathook.commands.debugging import frameworks
from boathook.engine.tab import NAVIGATE_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.debug.react import Boundary, ComponentFacts, ComponentTree, Renders
    from boathook.engine.debug.webmcp import PageTool, ToolAnswer


class FrameworksTab(TabBase):
    """Methods of a tab from commands/debugging/frameworks.py."""

    async def react_tree(
        self, *, depth: int = 0, most: int = 200, timeout: float = READ_SECONDS
    ) -> ComponentTree:
        """List the React components of the page with their ids."""
        return await invoke(frameworks.react_tree, self._engine, depth=depth, most=most, timeout=timeout)

    async def react_inspect(self, number: int, *, timeout: float = READ_SECONDS) -> ComponentFacts:
        """Show one React component: props, state, parents and rendered elements."""
        return await invoke(frameworks.react_inspect, self._engine, number, timeout=timeout)

    async def react_suspense(
        self, *, only_waiting: bool = False, timeout: float = READ_SECONDS
    ) -> list[Boundary]:
        """List the Suspense boundaries of the page and which are still pending."""
        return await invoke(
            frameworks.react_suspense, self._engine, only_waiting=only_waiting, timeout=timeout
        )

    async def react_renders_start(self, *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Start counting React renders. The first time, the page is reloaded to install the hook."""
        return await invoke(frameworks.react_renders_start, self._engine, timeout=timeout)

    async def react_renders_stop(self, *, timeout: float = READ_SECONDS) -> Renders:
        """Stop counting and print the renders of each component since `react renders start`."""
        return await invoke(frameworks.react_renders_stop, self._engine, timeout=timeout)

    async def webmcp_list(
        self, tool: str | None = None, *, timeout: float = NAVIGATE_SECONDS
    ) -> list[PageTool]:
        """List the WebMCP tools of the page. The first time, the page is reloaded so that it can register them."""
        return await invoke(frameworks.webmcp_list, self._engine, tool, timeout=timeout)

    async def webmcp_invoke(
        self,
        tool: str,
        *,
        params: Mapping[str, Any] | None = None,
        detach: bool = False,
        timeout: float = NAVIGATE_SECONDS,
    ) -> ToolAnswer:
        """Run a WebMCP tool of the page. The page decides what it does and returns."""
        return await invoke(
            frameworks.webmcp_invoke, self._engine, tool, params=params, detach=detach, timeout=timeout
        )

    async def webmcp_result(self, name: str, *, timeout: float = NAVIGATE_SECONDS) -> ToolAnswer:
        """Wait for the result of a detached tool. On timeout, the tool keeps running."""
        return await invoke(frameworks.webmcp_result, self._engine, name, timeout=timeout)

    async def webmcp_cancel(self, name: str, *, timeout: float = READ_SECONDS) -> str:
        """Stop waiting for a detached tool. The page may continue to run it."""
        return await invoke(frameworks.webmcp_cancel, self._engine, name, timeout=timeout)
