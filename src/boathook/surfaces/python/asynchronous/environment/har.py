"""HAR files: record all requests of a session.

Generated from commands/environment/har.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.commands.environment import har
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.network.har.har_file import HarFile
    from boathook.engine.network.har.traffic_recording import ContentMode


class HarTab(TabBase):
    """Methods of a tab from commands/environment/har.py."""

    async def har_start(self, *, content: ContentMode = "text", filter: str | None = None) -> str:
        """Record the requests of all tabs of the session until `har stop`."""
        return await invoke(har.har_start, self._engine, content=content, filter=filter)

    async def har_stop(self, path: str | Path | None = None, *, timeout: float = READ_SECONDS) -> HarFile:
        """Stop recording and write a HAR 1.2 file. Passwords, cookies and tokens are removed."""
        return await invoke(har.har_stop, self._engine, path, timeout=timeout)
