"""Text for what an action did and what changed: a few lines, 400 tokens at most."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from boathook.engine.actions.changes import Changes
from boathook.engine.actions.perform import Performed
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_data, own_lines
from boathook.presentation.snapshot.page_changes import page_lines
from boathook.presentation.tokens import estimate_tokens
from boathook.redaction.secret import Secret

REPORT_TOKENS = 400
MORE_TOKENS = 16
"""Tokens reserved for the line about omitted changes."""
SHORT_REST = 3
"""This many lines are always shown."""
NOTHING = "nothing else changed"
VALUE_SHOWN = 100
DOTS = "••••"
"""What snapshots show as the value of a secret field."""
ERROR_SHOWN = 120
PENDING_SHOWN = 80
MOST_LINES = 100
"""Changed lines in data."""
_RAW = frozenset(
    [
        "before",
        "after",
        "texts",
        "gone_texts",
        "moved_texts",
        "unseen_texts",
        "unseen_gone",
        "more_texts",
        "facts",
    ]
)
"""Fields that changed lines are made from."""


@own_lines
def render_performed(done: Performed, *, budget: int = REPORT_TOKENS) -> str:
    """One line about the action, then what changed."""
    head = f"{done.action}: {done.target}"
    said = done.target.rsplit(" ", 1)[-1] if done.value is not None else ""
    if isinstance(done.value, Secret) and done.value:
        head += f" = {quote(DOTS if done.value.reason == 'field' else str(done.value))}"
    elif isinstance(done.value, str) and done.value:
        head += f" = {quote(done.value[:VALUE_SHOWN])}"
    elif isinstance(done.value, list):
        head += f" = {quote(', '.join(str(value) for value in done.value))}"
    elif isinstance(done.value, bool):
        head += " = on" if done.value else " = off"
    lines = [
        head,
        *(f"note: {note}" for note in done.notes),
        *_effects(done, budget=budget - estimate_tokens(head), said=said),
    ]
    return "\n".join(lines)


def _effects(done: Performed, *, budget: int, said: str) -> list[str]:
    """What changed; for a drag also whether the element moved, which is often its only effect."""
    lines = change_lines(done.changes, budget=budget, said=said)
    if done.action != "drag" or done.changes.new_document:
        return lines
    if any(done.changes.shift):
        moved = "moved by {},{}".format(*done.changes.shift)
        return [moved] if lines == [NOTHING] else [moved, *lines]
    return ["no effect: the element did not move and nothing else changed"] if lines == [NOTHING] else lines


def change_lines(changes: Changes, *, budget: int = REPORT_TOKENS, said: str = "") -> list[str]:
    """What changed, most important first, within a budget."""
    lines = [*_events(changes)]
    if not changes.new_document:
        room = budget - estimate_tokens("\n".join(lines))
        lines += _within(page_lines(changes, said=said), room, more=changes.more_texts)
    waiting = _pending(changes)
    if not lines:
        return [*waiting, f"{NOTHING} so far" if waiting else NOTHING]
    if not changes.settled and not waiting:
        waiting = ["the page is still changing"]
    return [*lines, *waiting]


def _pending(changes: Changes) -> list[str]:
    """Requests without a response: their effects are not in this report."""
    if not changes.pending:
        return ["pending: a navigation"] if changes.navigating else []
    shown = ", ".join(quote(request)[1:-1][:PENDING_SHOWN] for request in changes.pending[:2])
    more = f" and {len(changes.pending) - 2} more" if len(changes.pending) > 2 else ""  # noqa: PLR2004
    return [f"pending: {'navigation ' if changes.navigating else ''}{shown}{more}, no response yet"]


def _events(changes: Changes) -> list[str]:
    lines = []
    if changes.closed:
        lines.append("the tab was closed")
    if changes.url or changes.new_document:
        title = f" {quote(changes.title)}" if changes.title else ""
        where = quote(changes.url, marks=False) if changes.url else "same URL"
        lines.append(f"{'now at' if changes.url else 'reloaded:'} {where}{title}")
    elif changes.title:
        lines.append(f"title is now {quote(changes.title)}")
    if changes.dialog is not None:
        lines.append(f"a {changes.dialog.kind} dialog is open: {quote(changes.dialog.message[:200])}")
    lines += [f"{dialog.kind} answered: {quote(dialog.message[:100])}" for dialog in changes.answered[:3]]
    lines += [f"not submitted: {line}" for line in changes.invalid]
    lines += [f"download started: {quote(name)}" for name in changes.downloads[:3]]
    lines += [f"console error: {quote(text[:ERROR_SHOWN])}" for text in changes.errors[:2]]
    if changes.opened_tabs:
        lines.append(f"opened {', '.join(changes.opened_tabs)}")
    return lines


def _within(lines: list[str], room: int, *, more: int) -> list[str]:
    """As many lines as fit, and the number of omitted lines."""
    kept = 0
    for line in lines:
        room -= estimate_tokens(f"{line}\n")
        if room < MORE_TOKENS:
            break
        kept += 1
    rest = len(lines) - kept
    if rest + more <= SHORT_REST:
        return lines
    return [*lines[:kept], f"… {rest + more} more changed lines; take a full snapshot to see them"]


@as_data.register
def _changes_data(value: Changes) -> dict[str, Any]:
    """The changed lines instead of the whole page before and after, from which they were made."""
    named = {field.name: getattr(value, field.name) for field in fields(value)}
    told = {name: as_data(part) for name, part in named.items() if name not in _RAW}
    return {**told, "lines": page_lines(value)[:MOST_LINES]}
