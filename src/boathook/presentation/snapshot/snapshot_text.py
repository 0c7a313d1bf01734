"""A snapshot as text for a model or a person: header, folded lines, and what was omitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.snapshot.token_budget import DEFAULT_BUDGET
from boathook.presentation.quoting import quote
from boathook.presentation.snapshot.compaction import describe_cut, high_value_controls
from boathook.presentation.snapshot.fold import fold as folded
from boathook.presentation.snapshot.outline import kind_of
from boathook.presentation.snapshot.snapshot_diff import compare
from boathook.presentation.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.snapshot.take import Snapshot
    from boathook.presentation.snapshot.compaction import Compaction

_OUTLINE_SHARE = 10
"""The fraction of the budget for headings and controls of the omitted part."""
ADDRESS_CHARACTERS = 1_000
"""A `data:` URL may be a whole page; `get url` prints all of it."""


def render(
    snapshot: Snapshot,
    *,
    budget: int | None = DEFAULT_BUDGET,
    fold: bool = True,
    expand: Collection[int] = (),
) -> str:
    """The snapshot within a token budget (None: no limit)."""
    if not fold and budget is None:
        body = snapshot.body
    else:
        lines = folded(snapshot.lines, expand=expand) if fold else snapshot.lines
        body = "\n".join(lines if budget is None else fit(lines, budget))
    parts = (header(snapshot), body, *_graphics(snapshot, budget), *_notes(snapshot))
    return "\n".join(part for part in parts if part)


def _graphics(snapshot: Snapshot, budget: int | None) -> list[str]:
    """Drawings come after the elements, with a separate budget: half of that for elements."""
    if not snapshot.graphics:
        return []
    lines = ["graphics:", *(f"  {line}" for line in snapshot.graphics)]
    return lines if budget is None else fit_plainly(lines, budget // 2)


def fit_plainly(lines: list[str], budget: int) -> list[str]:
    """As many lines as the budget allows, and how many are left out."""
    kept = shown_lines([estimate_tokens(line) + 1 for line in lines], budget)
    left = len(lines) - kept
    return [*lines[:kept], f"… {left} more lines; see them with a larger budget, or root="] if left else lines


def render_change(before: Snapshot, after: Snapshot, *, budget: int | None = DEFAULT_BUDGET) -> str:
    """What changed between two snapshots; one line if nothing did."""
    if before.revision == after.revision:
        return f"{header(after)}\nunchanged since revision {before.revision}"
    change = compare(before.lines, after.lines)
    title = f"changes since revision {before.revision}: {change.summary}"
    lines = change.lines if budget is None else fit(change.lines, budget)
    text = "\n".join([header(after), title, *lines, *_graphics(after, budget), *_notes(after)])
    whole = render(after, budget=budget)
    return text if len(text) < len(whole) else whole


def header(snapshot: Snapshot) -> str:
    """One line with page, tab and revision."""
    name = quote(snapshot.title) if snapshot.title else "(no title)"
    return f"page {name} {shown_url(snapshot.url)} tab={snapshot.tab} revision={snapshot.revision}"


def shown_url(url: str) -> str:
    """A URL as a line shows it."""
    address = quote(url, marks=False)
    return address if len(address) <= ADDRESS_CHARACTERS else f"{address[:ADDRESS_CHARACTERS]}…"


def fit(lines: list[str], budget: int) -> list[str]:
    """As many lines as the budget allows, then a note about the rest."""
    costs = [estimate_tokens(line) + 1 for line in lines]
    if sum(costs) <= budget:
        return lines
    kept = shown_lines(costs, budget)
    rest = lines[kept:]
    note = f"… {len(rest)} more lines, about {sum(costs[kept:])} tokens, left out; see them with a larger budget, or search=, role=, root= or viewport_only"
    return [*lines[:kept], note, *_landmarks(rest, budget // _OUTLINE_SHARE)]


def shown_lines(costs: list[int], budget: int) -> int:
    """How many lines from the top are shown; all of them if they fit."""
    if sum(costs) <= budget:
        return len(costs)
    room, kept = budget - budget // _OUTLINE_SHARE, 0
    while kept < len(costs) and room >= costs[kept]:
        room -= costs[kept]
        kept += 1
    return kept


def compaction_of(
    snapshot: Snapshot, *, budget: int | None, fold: bool, expand: Collection[int]
) -> Compaction | None:
    """What a snapshot leaves out; None if it is within its budget."""
    if budget is None:
        return None
    lines = folded(snapshot.lines, expand=expand) if fold else snapshot.lines
    kept = shown_lines([estimate_tokens(line) + 1 for line in lines], budget)
    return describe_cut(snapshot.lines, lines[kept:]) if kept < len(lines) else None


def _landmarks(rest: list[str], budget: int) -> list[str]:
    """Controls and headings of the omitted part, so that a reader knows what to ask for."""
    headings = [line for line in rest if kind_of(line) == "heading"]
    share = budget // 2 if headings else budget
    return [*_left_out(high_value_controls(rest), share), *_left_out(headings, budget - share, more=True)]


def _left_out(lines: list[str], budget: int, *, more: bool = False) -> list[str]:
    found: list[str] = []
    for line in lines:
        budget -= estimate_tokens(line)
        if budget < 0:
            return [*found, "  … and more"] if more else found
        found.append("  left out: " + line.strip())
    return found


def _notes(snapshot: Snapshot) -> list[str]:
    notes = [f"note: {news}" for news in snapshot.news]
    if snapshot.left_out:
        notes.append(
            f"note: {snapshot.left_out} lines over the size limit were omitted; use root= or search="
        )
    if not snapshot.body and not snapshot.graphics:
        notes.append("(nothing to show: the page is empty, or nothing matches)")
    return notes
