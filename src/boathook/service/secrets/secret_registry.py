"""Every secret that came up since the daemon started, and who may not be shown it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_OF_A_SESSION = 300
"""Looking for each costs every answer a few hundredths of a millisecond; a site that makes a new one with each response loses
the oldest ones."""


class SecretRegistry:
    """Secrets of the user, hidden everywhere; secrets of pages, hidden in the session whose pages hold them.

    A session never hides what only another session's pages hold: it would learn by trying that the value is a secret.
    """

    def __init__(self) -> None:
        self._of_user: dict[str, None] = {}
        self._of_pages: dict[str, dict[str, None]] = {}

    def add_user_secrets(self, values: Iterable[str]) -> None:
        """From the vault, the environment, a keyring: known until the daemon ends."""
        self._of_user.update(dict.fromkeys(values))

    def add_page_secret(self, session: str, value: str) -> None:
        """From a field, a cookie or storage: known to this session, also when it is closed and opened again."""
        known = self._of_pages.setdefault(session, {})
        known[value] = known.pop(value, None)  # the latest one last
        if len(known) > MOST_OF_A_SESSION:
            del known[next(iter(known))]

    def known_to(self, session: str) -> frozenset[str]:
        """What answers of this session must not contain; without a name, of calls that belong to no session."""
        return frozenset((*self._of_user, *self._of_pages.get(session, ())))
