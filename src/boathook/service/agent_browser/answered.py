"""A command that ran for agent-browser's line, and what the shapes of its answer may mention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.presentation.rendering import as_data

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.engine.snapshot.take import Snapshot
    from boathook.engine.tab import Tab
    from boathook.service.agent_browser.read_line import TheirLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A command that ran, and what its data may mention."""

    value: Any
    line: TheirLine
    url: str = ""
    tab: Tab | None = None
    """The tab that is current afterwards."""
    tabs: tuple[Tab, ...] = ()
    closed: Tab | None = None
    """The tab that the call closed."""
    title: str = ""
    marked: Snapshot | None = None
    """The elements that a screenshot marks, with their boxes."""
    session: str = ""
    """As the caller names it."""
    folder: str = ""
    """The caller's working directory."""


def just(**data: Any) -> Callable[[Answered], dict[str, Any]]:
    """Data that is always the same."""
    return lambda _done: data


def valued(key: str) -> Callable[[Answered], dict[str, Any]]:
    """The value alone."""
    return lambda done: {key: as_data(done.value)}
