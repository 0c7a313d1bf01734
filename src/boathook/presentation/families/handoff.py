"""Hand-offs in words: what a person is asked for, and what changed while the tab was theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.presentation.quoting import quoted

if TYPE_CHECKING:
    from boathook.engine.handoff import HandedBack, Waiting


def still_waiting(value: Waiting) -> str:
    """One that goes on, in a line."""
    ends = f", or when {value.until}" if value.until else ""
    picture = f"; picture: {value.picture}" if value.picture else ""
    return (
        f"tab {value.tab} at {quoted(value.url, marks=False)} for {value.seconds:.0f} s: {quoted(value.reason)}; "
        f"until resume{ends}{picture}"
    )


def handed_back(value: HandedBack) -> str:
    """How one ended, and what is different."""
    lines = [f"given back ({value.seconds:.1f} s): {value.ended}"]
    if value.note:
        lines.append(f"the person says {quoted(value.note)}")
    title = f" {quoted(value.title)}" if value.title else ""
    if value.url != value.url_before:
        lines.append(f"now at {quoted(value.url, marks=False)}{title}")
    lines += [f"new tab {quoted(one, marks=False)}" for one in value.tabs]
    # Lines of snapshots are made harmless in the page already.
    lines += [f"+ {line}" for line in value.came] + [f"- {line}" for line in value.went]
    changed = value.url != value.url_before or value.tabs or value.came or value.went
    return "\n".join(lines if changed else [*lines, "nothing else changed"])
