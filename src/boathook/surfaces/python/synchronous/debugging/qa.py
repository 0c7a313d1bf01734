"""QA: check pages as a test does, and write reports for people and CI.

Generated from commands/debugging/qa.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.qa.check_page import QA_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from boathook.engine.qa.report import QaReport
    from boathook.values import WaitUntil


class QaTab(TabBase):
    """Methods of a tab from commands/debugging/qa.py."""

    def qa(
        self,
        url: str | None = None,
        *,
        attached: bool = False,
        text: Sequence[str] = (),
        selector: Sequence[str] = (),
        screenshot: str | Path | None = None,
        check_console: bool | None = None,
        check_errors: bool | None = None,
        check_network: bool | None = None,
        wait_until: WaitUntil = "domcontentloaded",
        junit: str | Path | None = None,
        html: str | Path | None = None,
        timeout: float = QA_SECONDS,
    ) -> QaReport:
        """Check a page: it loads, shows what is expected, and causes no errors. Fails if a check does.

        Only errors and requests of the page itself count, not what was logged before it was opened.
        """
        return self._portal.call(
            self._inner.qa(
                url,
                attached=attached,
                text=text,
                selector=selector,
                screenshot=screenshot,
                check_console=check_console,
                check_errors=check_errors,
                check_network=check_network,
                wait_until=wait_until,
                junit=junit,
                html=html,
                timeout=timeout,
            )
        )
