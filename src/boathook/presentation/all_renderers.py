"""Every renderer, loaded: importing this module registers the types of all families."""

from __future__ import annotations

from boathook.presentation import views
from boathook.presentation.families import (
    captures,
    debugging,
    differences,
    files,
    frameworks,
    handoff,
    login,
    network,
    pages,
    program,
    qa,
    reading,
    scripts,
    sources,
    states,
)
from boathook.presentation.rendering import as_data, as_text, has_own_lines
from boathook.presentation.snapshot import action_report

REGISTERED = (
    action_report,
    captures,
    debugging,
    differences,
    files,
    frameworks,
    handoff,
    login,
    network,
    pages,
    program,
    qa,
    reading,
    scripts,
    sources,
    states,
    views,
)
"""The modules that register renderers."""
__all__ = ["as_data", "as_text", "has_own_lines"]
