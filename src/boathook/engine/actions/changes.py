"""What changed because of an action: URL, title, tabs, dialogs, and the lines of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.engine.files.file_names import safe_name
from boathook.errors import BoathookError
from boathook.redaction.safe_repr import safe_repr
from boathook.values import OwnLines

if TYPE_CHECKING:
    from boathook.engine.elements.locate import Element
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.page.frames import World
    from boathook.engine.tab import Tab


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class TextChange:
    """A line of visible text that appeared or moved."""

    now: str
    was: str = ""
    """The line that it replaced; for a moved line, the line that it now follows."""
    place: str = ""
    """The role of the live region that contains it."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Everything to report after an action; an empty field means that nothing happened."""

    url: str = ""
    """The new URL, if it changed."""
    title: str = ""
    """The new title, if it or the document changed."""
    new_document: bool = False
    opened_tabs: tuple[str, ...] = ()
    closed: bool = False
    dialog: Dialog | None = None
    answered: tuple[Dialog, ...] = ()
    downloads: tuple[str, ...] = ()
    """Names of files whose download started."""
    errors: tuple[str, ...] = ()
    """Errors and warnings from the console."""
    before: str = ""
    after: str = ""
    """The lines of elements before and after, when they differ."""
    texts: tuple[TextChange, ...] = ()
    """Lines of visible text that appeared or replaced others."""
    gone_texts: tuple[str, ...] = ()
    moved_texts: tuple[TextChange, ...] = ()
    unseen_texts: tuple[TextChange, ...] = ()
    unseen_gone: tuple[str, ...] = ()
    """Text for screen readers only, and text that is not visible, that appeared or disappeared."""
    more_texts: int = 0
    """How many more lines of text changed than are listed."""
    facts: tuple[str, ...] = ()
    """Attributes and values that differ, one line each; lines of elements may show them too."""
    invalid: tuple[str, ...] = ()
    """Fields whose validation blocked a form submission, each with the browser's message."""
    pending: tuple[str, ...] = ()
    """Requests of the action that have no response yet."""
    navigating: bool = False
    """Whether a navigation to another document is pending."""
    shift: tuple[int, int] = (0, 0)
    """How far the element itself moved, in pixels."""
    value_changed: bool = False
    """Whether the value of the element changed."""
    settled: bool = True

    @property
    def anything(self) -> bool:
        """Whether there is anything to report."""
        events = (
            self.url,
            self.title,
            self.new_document,
            self.opened_tabs,
            self.closed,
            self.dialog,
            self.answered,
            self.downloads,
            self.errors,
            self.texts,
            self.gone_texts,
            self.moved_texts,
            self.unseen_texts,
            self.unseen_gone,
            self.facts,
            self.invalid,
            self.pending,
            self.navigating,
        )
        return any(events) or self.before != self.after


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """An action that opened a dialog, and continues when the dialog is answered."""

    element: Element
    observer: Observer


class Observer:
    """Remembers the state of a tab before an action."""

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self.url = tab.url
        self.documents = tab.loads.documents
        self.requests = tab.requests.started
        self.begun = tab.requests.begun
        self._tabs = set(tab.siblings())
        self.mark = tab.event_log.now
        self.others: list[World] = []
        """Other documents, which remember what they showed before the action."""
        self._title = ""

    async def look_at_new_page(self) -> None:
        """Read the title of the document that the action led to."""
        try:
            reply = await self._tab.frames.run(self._tab.frames.main, "document.title")
            self._title = str(reply["result"].get("value", ""))
        except BoathookError:
            self._title = ""

    def changes(self, reply: dict[str, Any]) -> Changes:
        """Compare with the current state of the tab."""
        tab = self._tab
        closed = tab.state == "closed"
        moved = not closed and tab.url != self.url
        fresh = not closed and tab.loads.documents != self.documents
        retitled = bool(reply.get("retitled"))
        texts = reply.get("texts") or {}
        unseen = texts.get("unseen") or {}
        return Changes(
            url=tab.url if moved else "",
            title=(self._title or str(reply.get("title") or "")) if moved or fresh or retitled else "",
            new_document=fresh,
            opened_tabs=tuple(name for name in tab.siblings() if name not in self._tabs),
            closed=closed,
            dialog=None if closed else tab.dialogs.pending,
            answered=tuple(dialog for dialog in tab.dialogs.all.since(self.mark) if dialog.answer),
            downloads=tuple(
                safe_name(transfer.suggested_name) for transfer in tab.downloads.since(self.mark)
            ),
            errors=tuple(message.text for message in tab.console.errors_since(self.mark)),
            before=OwnLines(reply.get("before") or ""),
            after=OwnLines(reply.get("after") or ""),
            texts=tuple(TextChange(**change) for change in texts.get("came", ())),
            gone_texts=tuple(texts.get("gone", ())),
            moved_texts=tuple(TextChange(**change) for change in texts.get("moved", ())),
            unseen_texts=tuple(TextChange(**change) for change in unseen.get("came", ())),
            unseen_gone=tuple(unseen.get("gone", ())),
            more_texts=int(texts.get("more", 0)),
            facts=tuple(filter(None, str(reply.get("facts") or "").split("\n"))),
            invalid=tuple(filter(None, str(reply.get("invalid") or "").split("\n"))),
            pending=()
            if closed
            else tuple(request.summary for request in tab.requests.pending_since(self.requests)),
            navigating=not closed and tab.loads.navigating,
            shift=tuple(reply.get("shift") or (0, 0)),
            value_changed=bool(reply.get("valueChanged")),
            settled=bool(reply.get("settled", True)) and not (not closed and tab.loads.navigating),
        )
