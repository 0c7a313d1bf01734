"""File choosers that pages open: none is ever shown, the latest one is held until files are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import forgotten
from boathook.engine.events.event_log import Happenings, Ring

if TYPE_CHECKING:
    from boathook.cdp.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Chooser:
    """A file chooser that a page opened; it waits until files are given."""

    multiple: bool
    frame_id: str
    session: Session
    node: int
    """Chromium's number of the file input behind it; 0 when there is none."""


class Choosers:
    """File choosers of a tab: none is ever shown, the latest one is held."""

    def __init__(self, happenings: Happenings) -> None:
        self.all: Ring[Chooser] = Ring(happenings, limit=20)
        self.pending: Chooser | None = None

    def watch(self, session: Session, *, intercept: bool) -> None:
        """Listen on a session; in tabs of our own choosers are always kept from opening."""
        session.on("Page.fileChooserOpened", lambda params: self._opened(session, params))
        session.on("Page.frameNavigated", self._on_navigated)
        if intercept:
            forgotten(session.post("Page.setInterceptFileChooserDialog", enabled=True))

    def _opened(self, session: Session, params: dict[str, Any]) -> None:
        chooser = Chooser(
            multiple=params.get("mode") == "selectMultiple",
            frame_id=str(params.get("frameId", "")),
            session=session,
            node=int(params.get("backendNodeId", 0)),
        )
        self.pending = chooser
        self.all.add(self.all.tick(), chooser)

    def _on_navigated(self, params: dict[str, Any]) -> None:
        if not params["frame"].get("parentId"):
            self.pending = None
