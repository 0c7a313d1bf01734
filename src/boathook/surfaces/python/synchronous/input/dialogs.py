"""Dialogs of pages, and what browsers ask people: names and passwords, permissions.

Generated from commands/input/dialogs.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.engine.tab import READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.dialog_answers import AnsweredDialog
    from boathook.engine.page.dialogs import Dialog


class DialogsTab(TabBase):
    """Methods of a tab from commands/input/dialogs.py."""

    def answer_dialog(self, *, accept: bool, text: str = "") -> AnsweredDialog:
        """Answer the confirm or prompt that waits."""
        return self._portal.call(self._inner.answer_dialog(accept=accept, text=text))

    def accept_dialog(self, text: str = "") -> AnsweredDialog:
        """Say yes to the dialog that waits."""
        return self._portal.call(self._inner.accept_dialog(text))

    def dialog_status(self) -> Dialog | None:
        """The dialog that waits for an answer; nothing when there is none."""
        return self._portal.call(self._inner.dialog_status())

    def dismiss_dialog(self) -> AnsweredDialog:
        """Say no to the dialog that waits."""
        return self._portal.call(self._inner.dismiss_dialog())

    def set_dialog_policy(self, policy: Literal["default", "accept", "dismiss", "hold"]) -> None:
        """`accept`, `dismiss` or `hold` all dialogs; `default` accepts alerts and holds the rest.

        Leaving a page is never held.
        """
        self._portal.call(self._inner.set_dialog_policy(policy))

    def set_credentials(
        self, user: str | None = None, password: str = "", *, timeout: float = READ_SECONDS
    ) -> None:
        """What to answer servers that ask for a user name and a password; no user stops that."""
        self._portal.call(self._inner.set_credentials(user, password, timeout=timeout))

    def grant(self, *permissions: str, origin: str | None = None, timeout: float = READ_SECONDS) -> None:
        """Grant permissions such as geolocation, to an origin or to all; everything else is denied."""
        self._portal.call(self._inner.grant(*permissions, origin=origin, timeout=timeout))

    def reset_permissions(self, *, timeout: float = READ_SECONDS) -> None:
        """Take all granted permissions back."""
        self._portal.call(self._inner.reset_permissions(timeout=timeout))
