"""Init scripts: they run in every new document before the page's own scripts.

Generated from commands/environment/init_scripts.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from boathook.clock import READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase


class InitScriptsTab(TabBase):
    """Methods of a tab from commands/environment/init_scripts.py."""

    def add_init_script(self, script: str, *, timeout: float = READ_SECONDS) -> int:
        """Run a script in every new document before the page's own scripts, in all tabs. Prints its id.

        Popups and cross-site frames may start before the script reaches them; there it runs from their next document on.
        """
        return self._portal.call(self._inner.add_init_script(script, timeout=timeout))

    def remove_init_script(self, number: int, *, timeout: float = READ_SECONDS) -> None:
        """Remove an init script. Its effects on the current page stay."""
        self._portal.call(self._inner.remove_init_script(number, timeout=timeout))
