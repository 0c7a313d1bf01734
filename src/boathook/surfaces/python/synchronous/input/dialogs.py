"""JavaScript dialogs, HTTP authentication and permissions.

Generated from commands/input/dialogs.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.clock import READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.dialog_answers import AnsweredDialog
    from boathook.engine.page.dialogs import Dialog


class DialogsTab(TabBase):
    """Methods of a tab from commands/input/dialogs.py."""

    def answer_dialog(self, *, accept: bool, text: str = "") -> AnsweredDialog:
        """Answer the open confirm or prompt dialog."""
        return self._portal.call(self._inner.answer_dialog(accept=accept, text=text))

    def accept_dialog(self, text: str = "") -> AnsweredDialog:
        """Accept the open dialog."""
        return self._portal.call(self._inner.accept_dialog(text))

    def dialog_status(self) -> Dialog | None:
        """Show the open dialog, if there is one."""
        return self._portal.call(self._inner.dialog_status())

    def dismiss_dialog(self) -> AnsweredDialog:
        """Dismiss the open dialog."""
        return self._portal.call(self._inner.dismiss_dialog())

    def set_dialog_policy(self, policy: Literal["default", "accept", "dismiss", "hold"]) -> None:
        """Set how dialogs are handled: `accept`, `dismiss`, `hold`, or `default` (accept alerts, hold the rest).

        beforeunload dialogs are never held.
        """
        self._portal.call(self._inner.set_dialog_policy(policy))

    def set_credentials(
        self, user: str | None = None, password: str = "", *, timeout: float = READ_SECONDS
    ) -> None:
        """Set HTTP authentication credentials; omit the user to clear them."""
        self._portal.call(self._inner.set_credentials(user, password, timeout=timeout))

    def grant(self, *permissions: str, origin: str | None = None, timeout: float = READ_SECONDS) -> None:
        """Grant permissions such as geolocation to one origin or to all. All others are denied."""
        self._portal.call(self._inner.grant(*permissions, origin=origin, timeout=timeout))

    def reset_permissions(self, *, timeout: float = READ_SECONDS) -> None:
        """Revoke all granted permissions."""
        self._portal.call(self._inner.reset_permissions(timeout=timeout))
