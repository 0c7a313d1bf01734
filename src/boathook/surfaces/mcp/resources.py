"""Resources: the current page, readable without a tool, and the guide to the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boathook.surfaces.mcp.tool_catalog import ToolCall

SCHEME = "boathook://"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource, and the command that provides its text."""

    name: str
    title: str
    description: str
    command: str
    media_type: str = "text/plain"
    arguments: dict[str, Any] = field(default_factory=dict)
    needs_page: bool = True

    @property
    def uri(self) -> str:
        """Its URI."""
        return SCHEME + self.name

    @property
    def tool_call(self) -> ToolCall:
        """The command to run in the daemon."""
        return ToolCall(command=self.command, arguments=dict(self.arguments))


RESOURCES = {
    resource.uri: resource
    for resource in (
        Resource(
            name="snapshot",
            title="Snapshot",
            description="The current page as text with refs.",
            command="snapshot",
        ),
        Resource(
            name="console",
            title="Console",
            description="Console messages of the current page.",
            command="console",
        ),
        Resource(
            name="network",
            title="Network",
            description="Recent network requests of the current page.",
            command="requests",
        ),
        Resource(
            name="skill",
            title="Skill",
            description="How to use the boathook program in a shell.",
            command="skills_get",
            media_type="text/markdown",
            needs_page=False,
        ),
    )
}
PAGE_OPEN = ToolCall(command="session_info")
"""Run before a page is read: reading must not start a browser."""
