"""Answering a dialog: the action that opened it continues, and its changes are reported like those of any action."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from boathook.engine.actions.changes import Changes, Observer
from boathook.engine.actions.settle import settle
from boathook.engine.page.dialogs import Dialog
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredDialog(Dialog):
    """An answered dialog, and what the page did afterwards."""

    changes: Changes


async def answer_dialog(tab: Tab, *, accept: bool, text: str = "", deadline: Deadline) -> AnsweredDialog:
    """Answer the open dialog and wait until the page settles.

    Changes count from before the action that opened the dialog. For a dialog that no action opened, only what the browser
    knows is reported: a page cannot run scripts while its dialog is open.
    """
    interrupted, tab.interrupted = tab.interrupted, None
    observer = interrupted.observer if interrupted is not None else Observer(tab)
    element = interrupted.element if interrupted is not None else None
    dialog = await tab.dialogs.answer(accept=accept, text=text)
    async with deadline.stage("waiting for the page to settle after the dialog"):
        reply = await settle(tab, element, observer, deadline)
    if tab.dialogs.pending is not None:
        tab.interrupted = interrupted
    known = {field.name: getattr(dialog, field.name) for field in fields(dialog)}
    return AnsweredDialog(**known, changes=observer.changes(reply))
