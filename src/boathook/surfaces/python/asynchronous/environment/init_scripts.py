"""Scripts that run before those of a page.

Generated from commands/environment/init_scripts.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from boathook.commands.environment import init_scripts
from boathook.engine.tab import READ_SECONDS
from boathook.surfaces.python.tab_base import TabBase


class InitScriptsTab(TabBase):
    """Methods of a tab from commands/environment/init_scripts.py."""

    async def add_init_script(self, script: str, *, timeout: float = READ_SECONDS) -> int:
        """Run a script before those of the page in every new document, in all tabs of the session; gives its number.

        Popups and frames of other sites may have begun before it reaches them: there it holds from their next document on.
        """
        return await init_scripts.add_init_script(self._engine, script, timeout=timeout)

    async def remove_init_script(self, number: int, *, timeout: float = READ_SECONDS) -> None:
        """Run such a script in no further document; what it has done on the present page stays."""
        await init_scripts.remove_init_script(self._engine, number, timeout=timeout)
