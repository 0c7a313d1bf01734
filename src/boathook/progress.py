"""Progress: messages to the caller of the running call, from any layer."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _ignore_progress(text: str) -> None:
    """Discard progress when no caller is waiting for it."""


listener: ContextVar[Callable[[str], None]] = ContextVar("progress", default=_ignore_progress)
"""The progress receiver of the running call; each call sets its own."""


def report_progress(text: str) -> None:
    """Report progress."""
    listener.get()(text)
