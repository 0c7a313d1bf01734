"""Source lookup: the files and lines that an element, a failed request or an error comes from.

Generated from commands/debugging/sources.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.sources.workspace import DEFAULT_FILES
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.sources.candidates import ErrorSources, RequestSources, SourceLookup


class SourcesTab(TabBase):
    """Methods of a tab from commands/debugging/sources.py."""

    def source_lookup(
        self,
        target: str | None = None,
        *,
        component: str | None = None,
        component_id: int | None = None,
        dom_hints: bool = True,
        max_files: int = DEFAULT_FILES,
        root: str | Path = ".",
        timeout: float = WAIT_SECONDS,
    ) -> SourceLookup:
        """Find the file and line of an element or a component, with confidence and evidence.

        Uses what React, Vue and Svelte note during development, attributes, source maps and the files of the folder.
        """
        return self._portal.call(
            self._inner.source_lookup(
                target,
                component=component,
                component_id=component_id,
                dom_hints=dom_hints,
                max_files=max_files,
                root=root,
                timeout=timeout,
            )
        )

    def source_requests(
        self,
        pattern: str | None = None,
        *,
        request: int | None = None,
        max_files: int = DEFAULT_FILES,
        root: str | Path = ".",
        timeout: float = WAIT_SECONDS,
    ) -> RequestSources:
        """Find the code that sent the requests that failed, by their initiators and by their paths."""
        return self._portal.call(
            self._inner.source_requests(
                pattern, request=request, max_files=max_files, root=root, timeout=timeout
            )
        )

    def source_errors(
        self,
        *,
        since: int | None = None,
        max_files: int = DEFAULT_FILES,
        root: str | Path = ".",
        timeout: float = WAIT_SECONDS,
    ) -> ErrorSources:
        """Find the files and lines of the errors in the console, by their stacks and source maps."""
        return self._portal.call(
            self._inner.source_errors(since=since, max_files=max_files, root=root, timeout=timeout)
        )
