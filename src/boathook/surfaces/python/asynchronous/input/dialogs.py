"""JavaScript dialogs, HTTP authentication and permissions.

Generated from commands/input/dialogs.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from boathook.clock import READ_SECONDS
from boathook.commands.input import dialogs
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from boathook.engine.actions.dialog_answers import AnsweredDialog
    from boathook.engine.page.dialogs import Dialog


class DialogsTab(TabBase):
    """Methods of a tab from commands/input/dialogs.py."""

    async def answer_dialog(self, *, accept: bool, text: str = "") -> AnsweredDialog:
        """Answer the open confirm or prompt dialog."""
        return await invoke(dialogs.answer_dialog, self._engine, accept=accept, text=text)

    async def accept_dialog(self, text: str = "") -> AnsweredDialog:
        """Accept the open dialog."""
        return await invoke(dialogs.accept_dialog, self._engine, text)

    async def dialog_status(self) -> Dialog | None:
        """Show the open dialog, if there is one."""
        return await invoke(dialogs.dialog_status, self._engine)

    async def dismiss_dialog(self) -> AnsweredDialog:
        """Dismiss the open dialog."""
        return await invoke(dialogs.dismiss_dialog, self._engine)

    async def set_dialog_policy(self, policy: Literal["default", "accept", "dismiss", "hold"]) -> None:
        """Set how dialogs are handled: `accept`, `dismiss`, `hold`, or `default` (accept alerts, hold the rest).

        beforeunload dialogs are never held.
        """
        await invoke(dialogs.set_dialog_policy, self._engine, policy)

    async def set_credentials(
        self, user: str | None = None, password: str = "", *, timeout: float = READ_SECONDS
    ) -> None:
        """Set HTTP authentication credentials; omit the user to clear them."""
        await invoke(dialogs.set_credentials, self._engine, user, password, timeout=timeout)

    async def grant(
        self, *permissions: str, origin: str | None = None, timeout: float = READ_SECONDS
    ) -> None:
        """Grant permissions such as geolocation to one origin or to all. All others are denied."""
        await invoke(dialogs.grant, self._engine, *permissions, origin=origin, timeout=timeout)

    async def reset_permissions(self, *, timeout: float = READ_SECONDS) -> None:
        """Revoke all granted permissions."""
        await invoke(dialogs.reset_permissions, self._engine, timeout=timeout)
