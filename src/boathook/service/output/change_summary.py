"""The change of a page in one line: where a call led, what it changed, which file it created."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.commands.results import NavigationResult
from boathook.engine.actions.dialog_answers import AnsweredDialog
from boathook.engine.actions.perform import Performed
from boathook.engine.actions.scroll_page import Scrolled
from boathook.presentation.snapshot.action_report import NOTHING, change_lines
from boathook.service.records.artifacts import State

if TYPE_CHECKING:
    from boathook.engine.actions.changes import Changes
    from boathook.service.output.outcome import PageState
    from boathook.service.records.artifacts import Artifact

ChangeKind = Literal["navigation", "mutation", "artifact", "dialog", "confirmation", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChange:
    """What happened to the page."""

    kind: ChangeKind
    summary: str
    url: str = ""
    title: str = ""
    artifact_count: int = 0
    saved_file_path: str = ""
    next_action_ids: tuple[str, ...] = ()


def page_change(value: Any, *, artifacts: tuple[Artifact, ...], page: PageState | None) -> PageChange | None:
    """What a successful call did to its page; None for one that only read."""
    if isinstance(value, NavigationResult):
        return PageChange(kind="navigation", summary=f"now at {value.url}", url=value.url, title=value.title)
    if isinstance(value, Performed):
        return _of_changes(value.changes, f"{value.action}: {value.target}", page)
    if isinstance(value, AnsweredDialog):
        return _of_changes(value.changes, f"{value.kind} {value.answer}", page)
    if isinstance(value, Scrolled):
        moved = "moved" if value.moved else "did not move"
        return PageChange(kind="mutation" if value.moved else "none", summary=f"the page {moved}")
    saved = [str(artifact.path) for artifact in artifacts if artifact.state is not State.PENDING]
    if saved:
        return PageChange(
            kind="artifact",
            summary=f"saved {', '.join(saved)}",
            artifact_count=len(artifacts),
            saved_file_path=saved[0],
        )
    return None


def _of_changes(changes: Changes, did: str, page: PageState | None) -> PageChange:
    if changes.dialog is not None:
        return PageChange(kind="dialog", summary=f"{did}; a {changes.dialog.kind} dialog waits for an answer")
    if changes.url or changes.new_document:
        where = changes.url or (page.url if page is not None else "")
        return PageChange(kind="navigation", summary=f"{did}; now at {where}", url=where, title=changes.title)
    if changes.value_changed or any(changes.shift) or change_lines(changes) != [NOTHING]:
        return PageChange(kind="mutation", summary=did, title=changes.title)
    return PageChange(kind="none", summary=f"{did}; nothing else changed")
