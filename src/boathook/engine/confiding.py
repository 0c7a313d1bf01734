"""Secrets that come up while a call runs: whoever writes down what it says is told of them first."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _nobody(value: str) -> None:
    """Where they go when nobody writes anything down."""


keeper: ContextVar[Callable[[str], None]] = ContextVar("keeper of secrets", default=_nobody)
"""Who has to know them for the call that runs; each call sets its own."""


def confide(value: str) -> None:
    """Tell of a secret before it is used."""
    keeper.get()(value)
