"""What an action did and what changed, in about a hundred tokens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boathook.presentation.diff import compare
from boathook.presentation.quoting import quoted
from boathook.presentation.tokens import estimate_tokens
from boathook.redaction.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.actions.changes import Changes
    from boathook.engine.actions.perform import Performed

REPORT_TOKENS = 140
MORE_TOKENS = 12
"""What it costs to say that there is more."""
_FOCUS = re.compile(r" \[focused\]| focused(?=[\] ])")
VALUE_SHOWN = 100
DOTS = "••••"
"""What snapshots show for the value of a secret field."""
ERROR_SHOWN = 120


def render_performed(done: Performed, *, budget: int = REPORT_TOKENS) -> str:
    """One line about the action, then what changed."""
    head = f"{done.action}: {done.target}"
    said = f"{done.target.rsplit(' ', 1)[-1]} " if done.value is not None else ""
    if isinstance(done.value, Secret) and done.value:
        head += f" = {quoted(DOTS if done.value.reason == 'field' else str(done.value))}"
    elif isinstance(done.value, str) and done.value:
        head += f" = {quoted(done.value[:VALUE_SHOWN])}"
    elif isinstance(done.value, list):
        head += f" = {quoted(', '.join(str(one) for one in done.value))}"
    elif isinstance(done.value, bool):
        head += " = on" if done.value else " = off"
    lines = [
        head,
        *(f"note: {note}" for note in done.notes),
        *change_lines(done.changes, budget=budget - estimate_tokens(head), said=said),
    ]
    return "\n".join(lines)


def change_lines(changes: Changes, *, budget: int, said: str = "") -> list[str]:
    """What changed, most important first, within a budget."""
    lines = [*_events(changes)]
    if changes.before != changes.after and not changes.new_document:
        room = budget - estimate_tokens("\n".join(lines))
        lines += _page_lines(changes, room, said)
    if not changes.new_document:
        room = budget - estimate_tokens("\n".join(lines))
        lines += _within((f"+ text {quoted(text)}" for text in changes.texts), room)
    if not lines:
        return ["nothing else changed"]
    if not changes.settled:
        lines.append("the page is still changing")
    return lines


def _events(changes: Changes) -> list[str]:
    lines = []
    if changes.closed:
        lines.append("the tab was closed")
    if changes.url or changes.new_document:
        title = f" {quoted(changes.title)}" if changes.title else ""
        where = quoted(changes.url, marks=False) if changes.url else "the same address"
        lines.append(f"{'now at' if changes.url else 'loaded again:'} {where}{title}")
    if changes.dialog is not None:
        lines.append(
            f"a {changes.dialog.kind} dialog waits for an answer: {quoted(changes.dialog.message[:200])}"
        )
    lines += [f"{dialog.kind} answered: {quoted(dialog.message[:100])}" for dialog in changes.answered[:3]]
    lines += [f"download began: {quoted(name)}" for name in changes.downloads[:3]]
    lines += [f"console error: {quoted(text[:ERROR_SHOWN])}" for text in changes.errors[:2]]
    if changes.opened_tabs:
        lines.append(f"opened {', '.join(changes.opened_tabs)}")
    return lines


def _page_lines(changes: Changes, room: int, said: str) -> list[str]:
    # Where the focus went is no news after an action; it would double the report.
    before, after = (_FOCUS.sub("", text).split("\n") for text in (changes.before, changes.after))
    change = compare(before, after)
    # The head line has told already what the element itself shows now.
    lines = [
        line for line in change.lines_by_weight if not (said and line.startswith("~") and f" {said}" in line)
    ]
    kept = _within(lines, room)
    if len(kept) == len(lines):
        return kept
    kept = _within(lines, room - MORE_TOKENS)
    return [*kept, f"… {len(lines) - len(kept)} more lines of change; snapshot shows them"]


def _within(lines: Iterable[str], room: int) -> list[str]:
    """The first lines, as many as there is room for."""
    kept: list[str] = []
    for line in lines:
        room -= estimate_tokens(f"{line}\n")
        if room < 0:
            break
        kept.append(line)
    return kept
