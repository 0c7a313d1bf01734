"""Resources: the present page as a client may read it without a tool, and the text that teaches the command line."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from boathook.surfaces.mcp.tool_catalog import Meant

SCHEME = "boathook://"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One resource, and the command whose text it is."""

    name: str
    title: str
    description: str
    command: str
    media_type: str = "text/plain"
    arguments: dict[str, Any] = field(default_factory=dict)
    needs_page: bool = True

    @property
    def uri(self) -> str:
        """Its address."""
        return SCHEME + self.name

    @property
    def meant(self) -> Meant:
        """What to ask of the daemon."""
        return Meant(command=self.command, arguments=dict(self.arguments))


RESOURCES = {
    one.uri: one
    for one in (
        Resource(
            name="snapshot",
            title="Snapshot",
            description="The present page as text with refs.",
            command="snapshot",
        ),
        Resource(
            name="console",
            title="Console",
            description="What the present page said on its console.",
            command="console",
        ),
        Resource(
            name="network",
            title="Network",
            description="The latest requests of the present page.",
            command="requests",
        ),
        Resource(
            name="skill",
            title="Skill",
            description="How to work with the boathook program in a shell.",
            command="skills_get",
            media_type="text/markdown",
            needs_page=False,
        ),
    )
}
PAGE_OPEN = Meant(command="session_info")
"""Asked before a page is read: reading must not start a browser."""
