"""Frameworks: what React keeps of its components, and the tools that pages offer to agents.

Generated from commands/debugging/frameworks.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.tab import NAVIGATE_SECONDS, READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.debug.react import Boundary, ComponentFacts, ComponentTree, Renders
    from boathook.engine.debug.webmcp import PageTool, ToolAnswer


class FrameworksTab(TabBase):
    """Methods of a tab from commands/debugging/frameworks.py."""

    def react_tree(self, *, depth: int = 0, most: int = 200, timeout: float = READ_SECONDS) -> ComponentTree:
        """The React components of the page with their numbers; nothing has to be switched on for it."""
        return self._portal.call(self._inner.react_tree(depth=depth, most=most, timeout=timeout))

    def react_inspect(self, number: int, *, timeout: float = READ_SECONDS) -> ComponentFacts:
        """One React component: its props, its state, what it stands in and what it draws."""
        return self._portal.call(self._inner.react_inspect(number, timeout=timeout))

    def react_suspense(self, *, only_waiting: bool = False, timeout: float = READ_SECONDS) -> list[Boundary]:
        """The Suspense boundaries of the page, and which of them still wait."""
        return self._portal.call(self._inner.react_suspense(only_waiting=only_waiting, timeout=timeout))

    def react_renders_start(self, *, timeout: float = NAVIGATE_SECONDS) -> str:
        """Count what React renders from now on; the first time the page is loaded again, since React looks for us only then."""
        return self._portal.call(self._inner.react_renders_start(timeout=timeout))

    def react_renders_stop(self, *, timeout: float = READ_SECONDS) -> Renders:
        """What React has rendered since `react renders start`, component by component."""
        return self._portal.call(self._inner.react_renders_stop(timeout=timeout))

    def webmcp_list(self, tool: str | None = None, *, timeout: float = NAVIGATE_SECONDS) -> list[PageTool]:
        """The tools that the page offers to agents (WebMCP); the first time it is loaded again, so that it can offer them."""
        return self._portal.call(self._inner.webmcp_list(tool, timeout=timeout))

    def webmcp_invoke(
        self,
        tool: str,
        *,
        params: Mapping[str, Any] | None = None,
        detach: bool = False,
        timeout: float = NAVIGATE_SECONDS,
    ) -> ToolAnswer:
        """Run a tool of the page; it does what the page wants, and its answer is the page's word."""
        return self._portal.call(
            self._inner.webmcp_invoke(tool, params=params, detach=detach, timeout=timeout)
        )

    def webmcp_result(self, name: str, *, timeout: float = NAVIGATE_SECONDS) -> ToolAnswer:
        """Wait for the answer of a tool that was detached, once; when the time is over it goes on."""
        return self._portal.call(self._inner.webmcp_result(name, timeout=timeout))

    def webmcp_cancel(self, name: str, *, timeout: float = READ_SECONDS) -> str:
        """Wait no longer for a tool that was detached; what it does in the page is the page's own affair."""
        return self._portal.call(self._inner.webmcp_cancel(name, timeout=timeout))
