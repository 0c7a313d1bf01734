"""Dialogs of pages, and what browsers ask people: names and passwords, permissions.

Generated from commands/input/dialogs.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.commands.input import dialogs
from boathook.engine.tab import READ_SECONDS
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.dialog_answers import AnsweredDialog
    from boathook.engine.page.dialogs import Dialog


class DialogsTab(TabBase):
    """Methods of a tab from commands/input/dialogs.py."""

    async def answer_dialog(self, *, accept: bool, text: str = "") -> AnsweredDialog:
        """Answer the confirm or prompt that waits."""
        return await dialogs.answer_dialog(self._engine, accept=accept, text=text)

    async def accept_dialog(self, text: str = "") -> AnsweredDialog:
        """Say yes to the dialog that waits."""
        return await dialogs.accept_dialog(self._engine, text)

    async def dialog_status(self) -> Dialog | None:
        """The dialog that waits for an answer; nothing when there is none."""
        return await dialogs.dialog_status(self._engine)

    async def dismiss_dialog(self) -> AnsweredDialog:
        """Say no to the dialog that waits."""
        return await dialogs.dismiss_dialog(self._engine)

    async def set_dialog_policy(self, policy: Literal["default", "accept", "dismiss", "hold"]) -> None:
        """`accept`, `dismiss` or `hold` all dialogs; `default` accepts alerts and holds the rest.

        Leaving a page is never held.
        """
        await dialogs.set_dialog_policy(self._engine, policy)

    async def set_credentials(
        self, user: str | None = None, password: str = "", *, timeout: float = READ_SECONDS
    ) -> None:
        """What to answer servers that ask for a user name and a password; no user stops that."""
        await dialogs.set_credentials(self._engine, user, password, timeout=timeout)

    async def grant(
        self, *permissions: str, origin: str | None = None, timeout: float = READ_SECONDS
    ) -> None:
        """Grant permissions such as geolocation, to an origin or to all; everything else is denied."""
        await dialogs.grant(self._engine, *permissions, origin=origin, timeout=timeout)

    async def reset_permissions(self, *, timeout: float = READ_SECONDS) -> None:
        """Take all granted permissions back."""
        await dialogs.reset_permissions(self._engine, timeout=timeout)
