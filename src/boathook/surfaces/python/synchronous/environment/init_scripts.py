"""Scripts that run before those of a page.

Generated from commands/environment/init_scripts.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from boathook.engine.tab import READ_SECONDS
from boathook.surfaces.python.sync_base import TabBase


class InitScriptsTab(TabBase):
    """Methods of a tab from commands/environment/init_scripts.py."""

    def add_init_script(self, script: str, *, timeout: float = READ_SECONDS) -> int:
        """Run a script before those of the page in every new document, in all tabs of the session; gives its number.

        Popups and frames of other sites may have begun before it reaches them: there it holds from their next document on.
        """
        return self._portal.call(self._inner.add_init_script(script, timeout=timeout))

    def remove_init_script(self, number: int, *, timeout: float = READ_SECONDS) -> None:
        """Run such a script in no further document; what it has done on the present page stays."""
        self._portal.call(self._inner.remove_init_script(number, timeout=timeout))
