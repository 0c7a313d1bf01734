"""The options of a snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import msgspec

from boathook.errors import BadSetting
from boathook.values import SnapshotMode

if TYPE_CHECKING:
    from boathook.engine.elements.locate import Element

LINE_LIMIT = 200_000
"""A safety cap inside the page; budgets for readers are far below it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Which nodes to list, and their details."""

    mode: SnapshotMode = "interactive"
    root: Element | None = None
    depth: int = 0
    viewport_only: bool = False
    urls: bool = False
    boxes: bool = False
    graphics: bool = False
    """List the shapes of SVG images."""
    content_refs: bool = False
    """Refs for cells, headers and list items with a name; such snapshots can be compared with others."""
    search: str = ""
    role: str = ""
    compare_texts: bool = False
    """Also compare the texts that are not listed with those at the time of the last snapshot."""

    def __post_init__(self) -> None:
        if self.mode not in get_args(SnapshotMode):
            raise BadSetting(
                f"unknown snapshot mode: {self.mode!r}",
                hint=f"use one of {', '.join(get_args(SnapshotMode))}",
            )
        if self.depth < 0:
            raise BadSetting("depth must not be negative", hint="0 means no limit")

    @property
    def key(self) -> str:
        """Equal for snapshots that can be compared with each other."""
        root = self.root.key if self.root is not None else ""
        return f"{self.mode}/{root}/{self.depth}/{self.viewport_only}/{self.urls}/{self.boxes}/{self.graphics}/{self.search}/{self.role}"

    def for_page(self, *, base: int, root: int, failed_sheets: list[str] | None = None) -> str:
        """The walker's options, as JavaScript; without `failed_sheets` it asks for no texts of stylesheets."""
        options = {
            "mode": self.mode,
            "base": base,
            "root": root,
            "depth": self.depth,
            "viewport": self.viewport_only,
            "urls": self.urls,
            "boxes": self.boxes,
            "graphics": self.graphics,
            "contentRefs": self.content_refs,
            "search": self.search,
            "role": self.role,
            "maxLines": LINE_LIMIT,
            "compareTexts": self.compare_texts,
            "failedSheets": failed_sheets,
        }
        return msgspec.json.encode(options).decode()
