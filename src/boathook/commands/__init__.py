"""What an agent may ask for: every command is one function, listed in the registry."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from boathook.registry.registry import registered

if TYPE_CHECKING:
    from boathook.registry.registry import Command

FAMILIES = (
    "navigate",
    "tabs",
    "observe",
    "read",
    "reading_addresses",
    "act",
    "keyboard_mouse",
    "wait",
    "dialogs",
    "handoff",
    "watch",
    "debug",
    "early_scripts",
    "frameworks",
    "network",
    "har",
    "capture",
    "diff",
    "files",
    "storage",
    "states",
    "login",
    "emulate",
    "get",
    "wordings",
    "scripts",
    "session",
    "confirming",
    "machine",
    "upkeep",
    "setup",
    "endpoints",
    "views.single",
    "views.direct",
    "views.named",
    "views.scripted",
)
"""Files of commands, in the order in which lists show them; they are loaded when somebody asks for the catalogue."""


def catalogue() -> dict[str, Command]:
    """All commands by name."""
    for family in FAMILIES:
        import_module(f"{__name__}.{family}")
    order = {f"{__name__}.{family}": place for place, family in enumerate(FAMILIES)}
    # Whoever loaded one of the files earlier must not change what lists look like.
    return dict(sorted(registered().items(), key=lambda pair: order.get(pair[1].run.__module__, len(order))))
