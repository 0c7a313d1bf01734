"""The part of the public Tab that waits and watches."""

from __future__ import annotations

from boathook.surfaces.python.tab_base import TabBase


class TabWatching(TabBase):
    """Waits, logs, files, storage and emulation."""
