"""Init scripts: they run in every new document before the page's own scripts.

Generated from commands/environment/init_scripts.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from boathook.clock import READ_SECONDS
from boathook.commands.environment import init_scripts
from boathook.registry.invoke import invoke
from boathook.surfaces.python.tab_base import TabBase


class InitScriptsTab(TabBase):
    """Methods of a tab from commands/environment/init_scripts.py."""

    async def add_init_script(self, script: str, *, timeout: float = READ_SECONDS) -> int:
        """Run a script in every new document before the page's own scripts, in all tabs. Prints its id.

        Popups and cross-site frames may start before the script reaches them; there it runs from their next document on.
        """
        return await invoke(init_scripts.add_init_script, self._engine, script, timeout=timeout)

    async def remove_init_script(self, number: int, *, timeout: float = READ_SECONDS) -> None:
        """Remove an init script. Its effects on the current page stay."""
        await invoke(init_scripts.remove_init_script, self._engine, number, timeout=timeout)
