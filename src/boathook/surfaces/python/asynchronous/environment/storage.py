"""Cookies, local and session storage, and state files with both.

Generated from commands/environment/storage.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.clock import READ_SECONDS
from boathook.commands.environment import storage
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boathook.engine.state.cookie_sources import CookiesTaken
    from boathook.engine.state.state_file import SavedState
    from boathook.engine.state.storage import Area, SameSite
    from boathook.redaction.secret import Secret


class StorageTab(TabBase):
    """Methods of a tab from commands/environment/storage.py."""

    async def cookies(self, *urls: str, timeout: float = READ_SECONDS) -> list[dict[str, Any]]:
        """List the cookies of the tab's context, or those sent to these URLs. Values are hidden."""
        return await invoke(storage.cookies, self._engine, *urls, timeout=timeout)

    async def set_cookie(
        self,
        name: str,
        value: str,
        *,
        url: str | None = None,
        domain: str | None = None,
        path: str | None = None,
        expires: float | None = None,
        http_only: bool = False,
        secure: bool = False,
        same_site: SameSite | None = None,
        timeout: float = READ_SECONDS,
    ) -> None:
        """Set one cookie, by default for the current page."""
        await invoke(
            storage.set_cookie,
            self._engine,
            name,
            value,
            url=url,
            domain=domain,
            path=path,
            expires=expires,
            http_only=http_only,
            secure=secure,
            same_site=same_site,
            timeout=timeout,
        )

    async def set_cookies(self, *cookies: Mapping[str, Any], timeout: float = READ_SECONDS) -> None:
        """Set cookies, by default for the current page."""
        await invoke(storage.set_cookies, self._engine, *cookies, timeout=timeout)

    async def import_cookies(
        self, source: str | Path, *, domain: str | None = None, timeout: float = READ_SECONDS
    ) -> CookiesTaken:
        """Import cookies from a browser or another tool. The format is detected."""
        return await invoke(storage.import_cookies, self._engine, source, domain=domain, timeout=timeout)

    async def clear_cookies(self, name: str | None = None, *, timeout: float = READ_SECONDS) -> int:
        """Delete the cookies of the tab's context, or those with one name. Prints how many."""
        return await invoke(storage.clear_cookies, self._engine, name, timeout=timeout)

    async def storage(
        self, area: Area = "local", *, timeout: float = READ_SECONDS
    ) -> dict[str, str | Secret]:
        """List the items of local or session storage. Values that may be secret are hidden."""
        return await invoke(storage.storage, self._engine, area, timeout=timeout)

    async def set_storage(
        self, items: Mapping[str, str], *, area: Area = "local", timeout: float = READ_SECONDS
    ) -> None:
        """Set items of local or session storage."""
        await invoke(storage.set_storage, self._engine, items, area=area, timeout=timeout)

    async def clear_storage(self, *names: str, area: Area = "local", timeout: float = READ_SECONDS) -> None:
        """Remove items of local or session storage, by default all."""
        await invoke(storage.clear_storage, self._engine, *names, area=area, timeout=timeout)

    async def save_state(
        self, path: str | Path, *, encrypt: bool | None = None, timeout: float = WAIT_SECONDS
    ) -> SavedState:
        """Save cookies and storage to a private file, in Playwright's format unless it is encrypted.

        A file that is not a state file, or that cannot be opened, is not overwritten.
        """
        return await invoke(storage.save_state, self._engine, path, encrypt=encrypt, timeout=timeout)

    async def load_state(self, path: str | Path, *, timeout: float = WAIT_SECONDS) -> SavedState:
        """Load cookies and storage from a file. In attached browsers, only for origins that the tab shows."""
        return await invoke(storage.load_state, self._engine, path, timeout=timeout)
