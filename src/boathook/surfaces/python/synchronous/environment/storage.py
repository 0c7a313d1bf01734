"""Cookies, local and session storage, and state files with both.

Generated from commands/environment/storage.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.clock import READ_SECONDS
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boathook.engine.state.cookie_sources import CookiesTaken
    from boathook.engine.state.state_file import SavedState
    from boathook.engine.state.storage import Area, SameSite
    from boathook.redaction.secret import Secret


class StorageTab(TabBase):
    """Methods of a tab from commands/environment/storage.py."""

    def cookies(self, *urls: str, timeout: float = READ_SECONDS) -> list[dict[str, Any]]:
        """List the cookies of the tab's context, or those sent to these URLs. Values are hidden."""
        return self._portal.call(self._inner.cookies(*urls, timeout=timeout))

    def set_cookie(
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
        self._portal.call(
            self._inner.set_cookie(
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
        )

    def set_cookies(self, *cookies: Mapping[str, Any], timeout: float = READ_SECONDS) -> None:
        """Set cookies, by default for the current page."""
        self._portal.call(self._inner.set_cookies(*cookies, timeout=timeout))

    def import_cookies(
        self, source: str | Path, *, domain: str | None = None, timeout: float = READ_SECONDS
    ) -> CookiesTaken:
        """Import cookies from a browser or another tool. The format is detected."""
        return self._portal.call(self._inner.import_cookies(source, domain=domain, timeout=timeout))

    def clear_cookies(self, name: str | None = None, *, timeout: float = READ_SECONDS) -> int:
        """Delete the cookies of the tab's context, or those with one name. Prints how many."""
        return self._portal.call(self._inner.clear_cookies(name, timeout=timeout))

    def storage(self, area: Area = "local", *, timeout: float = READ_SECONDS) -> dict[str, str | Secret]:
        """List the items of local or session storage. Values that may be secret are hidden."""
        return self._portal.call(self._inner.storage(area, timeout=timeout))

    def set_storage(
        self, items: Mapping[str, str], *, area: Area = "local", timeout: float = READ_SECONDS
    ) -> None:
        """Set items of local or session storage."""
        self._portal.call(self._inner.set_storage(items, area=area, timeout=timeout))

    def clear_storage(self, *names: str, area: Area = "local", timeout: float = READ_SECONDS) -> None:
        """Remove items of local or session storage, by default all."""
        self._portal.call(self._inner.clear_storage(*names, area=area, timeout=timeout))

    def save_state(
        self, path: str | Path, *, encrypt: bool | None = None, timeout: float = WAIT_SECONDS
    ) -> SavedState:
        """Save cookies and storage to a private file, in Playwright's format unless it is encrypted.

        A file that is not a state file, or that cannot be opened, is not overwritten.
        """
        return self._portal.call(self._inner.save_state(path, encrypt=encrypt, timeout=timeout))

    def load_state(self, path: str | Path, *, timeout: float = WAIT_SECONDS) -> SavedState:
        """Load cookies and storage from a file. In attached browsers, only for origins that the tab shows."""
        return self._portal.call(self._inner.load_state(path, timeout=timeout))
