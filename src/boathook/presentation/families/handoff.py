"""Text for hand-offs: the request, and what changed in the meantime."""

from __future__ import annotations

from boathook.engine.handoff import HandedBack, Waiting
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import own_lines


@own_lines
def render_waiting(value: Waiting) -> str:
    """An active hand-off in one line."""
    ends = f", or until {value.until}" if value.until else ""
    picture = f"; screenshot: {value.picture}" if value.picture else ""
    return (
        f"tab {value.tab} at {quote(value.url, marks=False)} for {value.seconds:.0f} s: {quote(value.reason)}; "
        f"until resume{ends}{picture}"
    )


@own_lines
def render_handed_back(value: HandedBack) -> str:
    """How a hand-off ended, and what changed."""
    lines = [f"resumed ({value.seconds:.1f} s): {value.ended}"]
    if value.note:
        lines.append(f"note from the person: {quote(value.note)}")
    title = f" {quote(value.title)}" if value.title else ""
    if value.url != value.url_before:
        lines.append(f"now at {quote(value.url, marks=False)}{title}")
    lines += [f"new tab {quote(tab, marks=False)}" for tab in value.tabs]
    # Lines of snapshots are made harmless in the page already.
    lines += [f"+ {line}" for line in value.came] + [f"- {line}" for line in value.went]
    changed = value.url != value.url_before or value.tabs or value.came or value.went
    return "\n".join(lines if changed else [*lines, "nothing else changed"])
