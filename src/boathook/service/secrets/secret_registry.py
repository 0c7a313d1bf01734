"""Every secret that was found since the daemon started, and the sessions that must not show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_OF_A_SESSION = 300
"""Searching for each costs every result a few hundredths of a millisecond; a site that creates a new one with each response
loses the oldest ones.
"""


class SecretRegistry:
    """Secrets of the user, hidden everywhere; secrets of pages, hidden in the session of those pages.

    A session never hides what only another session's pages contain: it could find out by trying that the value is a secret.
    """

    def __init__(self) -> None:
        self._of_user: dict[str, None] = {}
        self._of_pages: dict[str, dict[str, None]] = {}

    def add_user_secrets(self, values: Iterable[str]) -> None:
        """From the vault, the environment, a keyring: kept until the daemon exits."""
        self._of_user.update(dict.fromkeys(values))

    def add_page_secret(self, session: str, value: str) -> None:
        """From a field, a cookie or storage: kept for this session, also if it is closed and opened again."""
        known = self._of_pages.setdefault(session, {})
        known[value] = known.pop(value, None)  # the latest one last
        if len(known) > MOST_OF_A_SESSION:
            del known[next(iter(known))]

    def secrets_for(self, session: str) -> frozenset[str]:
        """What results of this session must not contain; without a name, of calls that belong to no session."""
        return frozenset((*self._of_user, *self._of_pages.get(session, ())))
