"""Secrets that come up while a call runs: whoever writes down what it says is told of them first."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.engine.tab import Tab


def _nobody(value: str) -> None:
    """Where they go when nobody writes anything down."""


keeper: ContextVar[Callable[[str], None]] = ContextVar("keeper of secrets", default=_nobody)
"""Who has to know them for the call that runs; each call sets its own."""


def confide(tab: Tab, value: str) -> None:
    """Tell of a secret before the tab's page is given it."""
    tab.browser.confided.add(value)
    keeper.get()(value)
