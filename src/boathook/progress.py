"""Progress: a line for whoever waits for the call that runs, from wherever the work is done."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _nobody(text: str) -> None:
    """Where progress goes when nobody waits for it."""


listener: ContextVar[Callable[[str], None]] = ContextVar("progress", default=_nobody)
"""Whom the call that runs tells how far it is; each call sets its own."""


def tell(text: str) -> None:
    """Say how far it is."""
    listener.get()(text)
