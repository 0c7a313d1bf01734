"""File choosers that pages open: none is ever shown, the latest one is held until files are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.events.event_log import EventLog, RingBuffer

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChooser:
    """A file chooser that a page opened; it is pending until files are set."""

    multiple: bool
    frame_id: str
    session: CdpSession
    node: int
    """The backend node id of the file input behind it; 0 if there is none."""


class FileChoosers:
    """File choosers of a tab: none is ever shown, the latest one is held."""

    def __init__(self, event_log: EventLog) -> None:
        self.all: RingBuffer[FileChooser] = RingBuffer(event_log, limit=20)
        self.pending: FileChooser | None = None

    def watch(self, session: CdpSession, *, intercept: bool) -> None:
        """Listen on a session; in our own tabs, choosers are always intercepted."""
        session.on("Page.fileChooserOpened", lambda params: self._on_opened(session, params))
        session.on("Page.frameNavigated", self._on_navigated)
        if intercept:
            ignore_reply(session.post("Page.setInterceptFileChooserDialog", enabled=True))

    def _on_opened(self, session: CdpSession, params: dict[str, Any]) -> None:
        chooser = FileChooser(
            multiple=params.get("mode") == "selectMultiple",
            frame_id=str(params.get("frameId", "")),
            session=session,
            node=int(params.get("backendNodeId", 0)),
        )
        self.pending = chooser
        self.all.add(self.all.next_number(), chooser)

    def _on_navigated(self, params: dict[str, Any]) -> None:
        if not params["frame"].get("parentId"):
            self.pending = None
