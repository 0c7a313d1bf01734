"""Overlays: an open dialog with a control that closes it, in a snapshot, after an action, or over the target."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from boathook.commands.results import SnapshotResult
from boathook.engine.actions.perform import Performed
from boathook.engine.elements.overlay_controls import OverlayControl, is_on_top, overlay_controls
from boathook.engine.elements.selector import parse_target
from boathook.errors import BoathookError, Covered
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from boathook.engine.tab import Tab
    from boathook.service.diagnostics.diagnostic import Situation

MOST = 3
LOOKING_SECONDS = 1.0
DIALOGS = frozenset({"dialog", "alertdialog"})
_CLOSERS = frozenset({"button", "link", "menuitem"})
_CLOSES = re.compile(
    r"(?:close|dismiss|no,? thanks|not now|maybe later|hide|skip|continue without\b.*|x|×|✕|✖)"
    r"(?:\s+(?:dialog|banner|modal|popup|pop-up|window|message|notice|notification|overlay|this|it|for now|ad|tour|button))*",
    re.IGNORECASE,
)
_LINE = re.compile(r'( *)([^\s"@\x01]+)(?:\x01\d+\x01"(?:[^"\\]|\\.)*")?(?: ~?"((?:[^"\\]|\\.)*)")? @e(\d+)')
"""A line of a snapshot; what a nameless element contains stands between marks."""


@dataclass(frozen=True, slots=True)
class _Line:
    depth: int
    control: OverlayControl


def _lines(body: str) -> Iterator[_Line]:
    """The elements of a snapshot, with their depth."""
    for line in body.split("\n"):
        if found := _LINE.match(line):
            name = (found[3] or "").replace('\\"', '"').replace("\\\\", "\\")
            yield _Line(len(found[1]), OverlayControl(ref=f"@e{found[4]}", role=found[2], name=name))


def _inside(lines: list[_Line], at: int) -> list[OverlayControl]:
    """What is below a line."""
    depth = lines[at].depth
    return [line.control for line in takewhile(lambda line: line.depth > depth, lines[at + 1 :])]


def _closes(control: OverlayControl) -> bool:
    return control.role in _CLOSERS and _CLOSES.fullmatch(control.name) is not None


async def _open_dialog(tab: Tab | None, body: str, *, known: Iterable[str] = ()) -> Diagnostic | None:
    """The first dialog with controls that close it, if it lies over the page; those in `known` were open before."""
    if not any(role in body for role in DIALOGS):  # on most pages no line has to be read
        return None
    old, lines = set(known), list(_lines(body))
    for at, line in enumerate(lines):
        dialog = line.control
        if dialog.role not in DIALOGS or dialog.ref in old:
            continue
        closers = [found for found in _inside(lines, at) if _closes(found)][:MOST]
        if closers and await _is_on_top(tab, dialog.ref):
            listed = " or ".join(control.ref for control in closers)
            said = f"{dialog.role} {dialog.ref} is open and may block the page; {listed} closes it"
            return _diagnostic(dialog.ref, said, closers)
    return None


async def _is_on_top(tab: Tab | None, ref: str) -> bool:
    target = parse_target(ref).ref
    if tab is None or target is None or tab.dialogs.pending is not None:
        return False
    try:
        async with tab.call("looking at a dialog", seconds=LOOKING_SECONDS, read_only=True):
            return await is_on_top(tab, target)
    except BoathookError:
        return False


async def find_overlay(situation: Situation) -> Diagnostic | None:
    """An overlay that the call met, opened or listed."""
    if isinstance(situation.error, Covered):
        return await _over_target(situation)
    value = situation.value
    if isinstance(value, SnapshotResult):
        before = value.before.body if value.before is not None else ""
        return await _open_dialog(situation.context.tab, value.snapshot.body, known=_dialogs(before))
    if isinstance(value, Performed) and not value.changes.new_document and not value.changes.url:
        return await _open_dialog(
            situation.context.tab, value.changes.after, known=_dialogs(value.changes.before)
        )
    return None


def _dialogs(body: str) -> list[str]:
    return [line.control.ref for line in _lines(body) if line.control.role in DIALOGS]


async def _over_target(situation: Situation) -> Diagnostic | None:
    """What covers a target may close: the dialog around it, or the covering element itself."""
    tab = situation.context.tab
    if tab is None or situation.error is None:
        return None
    by = parse_target(str(situation.error.evidence["by"])).ref
    if by is None:
        return None
    try:
        async with tab.call("looking at what covers it", seconds=LOOKING_SECONDS, read_only=True):
            controls = await overlay_controls(tab, by)
    except BoathookError:
        return None
    closers = [control for control in controls if _closes(control)][:MOST]
    return _diagnostic(str(by), "", closers) if closers else None


def _diagnostic(overlay: str, summary: str, closers: Sequence[OverlayControl]) -> Diagnostic:
    return Diagnostic(
        kind="overlay-blockers",
        summary=summary,
        facts={
            "overlay": overlay,
            "candidates": [
                {"ref": control.ref, "role": control.role, "name": control.name} for control in closers
            ],
        },
        next_actions=tuple(
            suggest("try-overlay-blocker-candidate", "click", control.ref, number=number)
            for number, control in enumerate(closers, 1)
        ),
    )
