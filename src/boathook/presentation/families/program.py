"""Sessions, history, checks and batch steps as text."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from boathook.commands.program.mcp_tools import McpToolInfo
from boathook.commands.results import ClosedSessions
from boathook.presentation.quoting import quote, visible
from boathook.presentation.rendering import as_data, own_lines, shorten
from boathook.registry.context import CheckResult, HistoryEntry, PolicyRule, SessionInfo, Step
from boathook.values import count_noun

MOST_FILES = 10


@own_lines
def _render_session_info(value: SessionInfo) -> str:
    of = f" of {quote(value.project)}" if value.project and not value.present else ""
    head = f"{value.name}{' (current)' if value.present else ''}{of}: {value.browser}, {count_noun(len(value.tabs), 'tab')}"
    lines = [*(f"  {tab}" for tab in value.tabs), *(f"  busy: {line}" for line in value.busy)]
    lines += [f"  restore {visible(value.restore)}"] if value.restore else []
    return "\n".join([f"{head}, idle for {value.idle_seconds:.0f} s", *lines])


@own_lines
def _render_mcp_tool_info(value: McpToolInfo) -> str:
    words = (name if name in value.required else f"[{name}]" for name in value.parameters)
    return f"{value.name} {' '.join(words)}".rstrip() + f"\n  {value.description}"


@own_lines
def _render_check_result(value: CheckResult) -> str:
    mark = (
        "repaired" if value.repaired else "wrong" if not value.ok else "warning" if value.is_warning else "ok"
    )
    cure = f"\n          {value.cure}" if value.cure else ""
    return f"{mark:9} {value.name}: {value.said}{cure}"


@own_lines
def _render_policy_rule(value: PolicyRule) -> str:
    locked = ", locked" if value.locked else ""
    return f"{value.name}: {visible(value.value)} ({visible(value.source)}{locked})"


@own_lines
def _render_history_entry(value: HistoryEntry) -> str:
    given = " ".join(f"{name}={shorten(part)}" for name, part in value.arguments.items())
    return (
        f"{value.time} {value.who}: {value.command} {given}".rstrip()
        + f" → {value.outcome} ({value.seconds:g} s)"
    )


@own_lines
def _render_closed_sessions(value: ClosedSessions) -> str:
    what = f"session {visible(value.name)}" if value.name else count_noun(value.count, "session")
    files = ", ".join(visible(str(path)) for path in value.files[:MOST_FILES])
    return f"closed {what}" + (f"\n{value.kept}: {files}" if files else "")


@own_lines
def _render_step(value: Step) -> str:
    head = f"== {visible(' '.join(value.argv))}:"
    if value.is_pending:
        return f"{head} not run"
    return f"{head} {'ok' if value.ok else f'failed [{value.code}]'}\n{value.text}"


_NOT_DATA = ("images", "next_actions", "is_pending")
_WHEN_PRESENT = ("category", "change", "artifacts", "page", "next")
"""Fields of a step that most steps do not have."""


@as_data.register
def _step_data(value: Step) -> dict[str, Any]:
    told = {
        field.name: as_data(getattr(value, field.name))
        for field in fields(value)
        if field.name not in _NOT_DATA and (field.name not in _WHEN_PRESENT or getattr(value, field.name))
    }
    return {**told, "status": value.status}
