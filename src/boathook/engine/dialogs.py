"""Dialogs: notice them, answer the harmless ones, hold the others until somebody answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest, DialogOpen

if TYPE_CHECKING:
    from boathook.cdp.session import Session

AUTO_ACCEPTED = frozenset({"alert", "beforeunload"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog:
    """A JavaScript dialog as the page opened it."""

    kind: str
    message: str
    default_text: str = ""
    url: str = ""


class Dialogs:
    """The dialogs of one tab."""

    def __init__(self) -> None:
        self.pending: Dialog | None = None
        self.answered: list[Dialog] = []
        self._session: Session | None = None
        self._opening = asyncio.Event()

    def watch(self, session: Session) -> None:
        """Listen on a session; the one that opened the dialog is the one to answer on."""
        session.on("Page.javascriptDialogOpening", lambda params: self._opened(session, params))
        session.on("Page.javascriptDialogClosed", lambda _params: self._closed())

    def require_none(self) -> None:
        """Raise when a dialog waits, because nothing else can run in the page then."""
        if self.pending is not None:
            raise DialogOpen(
                f"a {self.pending.kind} dialog is open: {self.pending.message[:200]!r}",
                kind=self.pending.kind,
                text=self.pending.message,
            )

    async def answer(self, *, accept: bool, text: str = "") -> Dialog:
        """Answer the dialog that waits."""
        dialog, session = self.pending, self._session
        if dialog is None or session is None:
            raise BadRequest("no dialog is open", hint="dialogs of kind alert are answered by themselves")
        await session.send("Page.handleJavaScriptDialog", accept=accept, promptText=text)
        self._closed()
        return dialog

    def _opened(self, session: Session, params: dict[str, Any]) -> None:
        dialog = Dialog(
            kind=str(params.get("type", "")),
            message=str(params.get("message", "")),
            default_text=str(params.get("defaultPrompt", "")),
            url=str(params.get("url", "")),
        )
        if dialog.kind in AUTO_ACCEPTED:
            self.answered = [*self.answered[-19:], dialog]
            reply = session.post("Page.handleJavaScriptDialog", accept=True)
            reply.add_done_callback(lambda done: done.cancelled() or done.exception())
            return
        self.pending, self._session = dialog, session
        self._opening.set()

    def _closed(self) -> None:
        self.pending, self._session = None, None
        self._opening.clear()

    async def opened(self) -> None:
        """Wait until a dialog is held."""
        await self._opening.wait()
