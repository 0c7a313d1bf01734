"""Commands: each is one function, listed in the registry."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from boathook.registry.registry import registered

if TYPE_CHECKING:
    from boathook.registry.registry import Command

FAMILIES = (
    "pages.navigate",
    "pages.tabs",
    "pages.observe",
    "pages.read",
    "pages.read_url",
    "input.act",
    "input.do",
    "input.keyboard_mouse",
    "pages.wait",
    "input.dialogs",
    "input.handoff",
    "debugging.watch",
    "debugging.debug",
    "debugging.qa",
    "debugging.sources",
    "environment.init_scripts",
    "debugging.frameworks",
    "environment.network",
    "environment.har",
    "debugging.capture",
    "pages.diff",
    "input.files",
    "environment.storage",
    "environment.states",
    "input.login",
    "environment.emulate",
    "pages.get",
    "program.find",
    "program.cli_aliases",
    "program.scripts",
    "program.session",
    "program.job",
    "program.confirmations",
    "program.system",
    "program.logs",
    "program.mcp_tools",
    "views.single",
    "views.direct",
    "views.named",
    "views.scripted",
)
"""Files of commands, in the order in which lists show them; loaded when the catalogue is first requested."""


def load_family(family: str) -> dict[str, Command]:
    """The commands of one family by name."""
    module = f"{__name__}.{family}"
    import_module(module)
    return {name: command for name, command in registered().items() if command.run.__module__ == module}


def catalogue() -> dict[str, Command]:
    """All commands by name."""
    for family in FAMILIES:
        load_family(family)
    order = {f"{__name__}.{family}": place for place, family in enumerate(FAMILIES)}
    # The order of lists must not depend on which file was imported first.
    return dict(sorted(registered().items(), key=lambda pair: order.get(pair[1].run.__module__, len(order))))
