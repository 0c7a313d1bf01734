"""Secrets that are found while a call runs: they are registered before any output or file is written."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Literal

from boathook.redaction.safe_repr import hide_from_reprs
from boathook.redaction.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.engine.tab import Tab

SecretOwner = Literal["user", "page"]
"""The user's own secrets are hidden in every session; those of a page, in the session that the page is open in."""
_MOST_REGISTERED = 2_000


def _ignore_secret(value: str, owner: SecretOwner) -> None:
    """The default, which discards them."""


on_secret: ContextVar[Callable[[str, SecretOwner], None]] = ContextVar(
    "keeper of secrets", default=_ignore_secret
)
"""Receives the secrets of the current call; each call sets its own."""


def register_secret(tab: Tab, value: str) -> None:
    """Register a secret of the user before the tab's page receives it."""
    _note(tab, value, "user")


def note_page_secret(tab: Tab, value: str) -> None:
    """Register a secret that the tab's page contains, such as the value of a password field."""
    _note(tab, value, "page")


def value_from_page(tab: Tab, value: Any) -> Any:
    """A value as pages send it: one that is marked as secret (secrets.js) becomes a Secret, and is registered."""
    if not isinstance(value, dict) or value.keys() != {"secret"}:
        return value
    note_page_secret(tab, str(value["secret"]))
    return Secret(str(value["secret"]), reason="field")


def _note(tab: Tab, value: str, owner: SecretOwner) -> None:
    confided = tab.browser.confided
    if len(confided) < _MOST_REGISTERED:
        confided.add(value)
    hide_from_reprs(value)
    on_secret.get()(value, owner)
