"""Targets of a browser: which of them are tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from boathook.engine.hosts.urls import without_credentials

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boathook.cdp.connection import Connection

PAGE_TYPES = frozenset({"page", "webview"})
NOT_FOR_USERS = ("devtools://", "chrome-extension://", "chrome-untrusted://", "chrome-error://")
"""Internal pages of the browser; `browser_ui`, workers and the like are excluded by their type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetInfo:
    """What the browser reports about one of its pages."""

    id: str
    type: str
    url: str
    title: str
    opener_id: str = ""
    context_id: str = ""

    @classmethod
    def read(cls, raw: dict[str, Any]) -> TargetInfo:
        """From the protocol."""
        return cls(
            id=raw["targetId"],
            type=raw.get("type", ""),
            url=without_credentials(raw.get("url", "")),
            title=raw.get("title", ""),
            opener_id=raw.get("openerId", ""),
            context_id=raw.get("browserContextId", ""),
        )

    @property
    def is_page(self) -> bool:
        """Whether this is a page that can be opened as a tab."""
        return self.type in PAGE_TYPES and not self.url.startswith(NOT_FOR_USERS)


class CdpTargets:
    """The pages of a browser as they open and close."""

    def __init__(self, connection: Connection) -> None:
        self._known: dict[str, TargetInfo] = {}
        self.on_created: Callable[[TargetInfo], None] = lambda _info: None
        self.on_gone: Callable[[str], None] = lambda _target_id: None
        self.on_crashed: Callable[[str], None] = lambda _target_id: None
        connection.on("Target.targetCreated", self._on_created)
        connection.on("Target.targetInfoChanged", self._on_changed)
        connection.on("Target.targetDestroyed", lambda params, _s: self._on_destroyed(params["targetId"]))
        connection.on("Target.targetCrashed", lambda params, _s: self.on_crashed(params["targetId"]))

    def pages(self) -> list[TargetInfo]:
        """Pages that are open now."""
        return [info for info in self._known.values() if info.is_page]

    def get(self, target_id: str) -> TargetInfo | None:
        """What is known about one target."""
        return self._known.get(target_id)

    def _on_created(self, params: dict[str, Any], _session: str) -> None:
        info = TargetInfo.read(params["targetInfo"])
        self._known[info.id] = info
        self.on_created(info)

    def _on_changed(self, params: dict[str, Any], _session: str) -> None:
        info = TargetInfo.read(params["targetInfo"])
        self._known[info.id] = info

    def _on_destroyed(self, target_id: str) -> None:
        self._known.pop(target_id, None)
        self.on_gone(target_id)


class _PageLike(Protocol):
    @property
    def title(self) -> str: ...

    @property
    def url(self) -> str: ...


Page = TypeVar("Page", bound=_PageLike)
_HELPERS = ("request handler", "devtools", "background page", "background host", "service worker")
"""Internal pages of apps, which users do not mean."""


def user_pages_first(pages: Sequence[Page]) -> list[Page]:
    """Pages in order, with internal pages of apps last."""
    return sorted(
        pages, key=lambda one: any(word in f"{one.title} {one.url}".casefold() for word in _HELPERS)
    )
