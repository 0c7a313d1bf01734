"""What changed because of an action: address, title, tabs, dialogs, and the lines of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.engine.file_names import safe_name
from boathook.errors import BoathookError
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.engine.dialogs import Dialog
    from boathook.engine.tab import Tab


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything worth telling after an action; empty fields mean that nothing of the kind happened."""

    url: str = ""
    """The new address, when it is another one."""
    title: str = ""
    new_document: bool = False
    opened_tabs: tuple[str, ...] = ()
    closed: bool = False
    dialog: Dialog | None = None
    answered: tuple[Dialog, ...] = ()
    downloads: tuple[str, ...] = ()
    """Names of files that began to be downloaded."""
    errors: tuple[str, ...] = ()
    """What the console complained about."""
    before: str = ""
    after: str = ""
    """The interactive lines before and after, when they differ."""
    texts: tuple[str, ...] = ()
    """Words that came onto the page without being part of those lines."""
    settled: bool = True

    @property
    def anything(self) -> bool:
        """Whether there is anything to tell."""
        events = (
            self.url,
            self.opened_tabs,
            self.closed,
            self.dialog,
            self.answered,
            self.downloads,
            self.errors,
            self.texts,
        )
        return any(events) or self.before != self.after


class Observer:
    """Remembers how a tab was before an action."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.url = tab.url
        self.documents = tab.loads.documents
        self.requests = tab.requests.started
        self._tabs = set(tab.siblings())
        self.mark = tab.happenings.now
        self._title = ""

    async def look_at_new_page(self) -> None:
        """Read the title of the document that the action led to."""
        try:
            reply = await self._tab.frames.run(self._tab.frames.main, "document.title")
            self._title = str(reply["result"].get("value", ""))
        except BoathookError:
            self._title = ""

    def changes(self, reply: dict[str, Any]) -> Changes:
        """Compare with how the tab is now."""
        tab = self._tab
        closed = tab.state == "closed"
        moved = not closed and tab.url != self.url
        fresh = not closed and tab.loads.documents != self.documents
        return Changes(
            url=tab.url if moved else "",
            title=(self._title or str(reply.get("title") or "")) if moved or fresh else "",
            new_document=fresh,
            opened_tabs=tuple(name for name in tab.siblings() if name not in self._tabs),
            closed=closed,
            dialog=None if closed else tab.dialogs.pending,
            answered=tuple(
                dialog for dialog in tab.dialogs.all.since(self.mark) if dialog is not tab.dialogs.pending
            ),
            downloads=tuple(
                safe_name(transfer.suggested_name) for transfer in tab.downloads.since(self.mark)
            ),
            errors=tuple(message.text for message in tab.console.errors_since(self.mark)),
            before=str(reply.get("before") or ""),
            after=str(reply.get("after") or ""),
            texts=tuple(str(text) for text in reply.get("texts", ())),
            settled=bool(reply.get("settled", True)) and not (not closed and tab.loads.navigating),
        )
