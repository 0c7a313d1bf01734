"""The steps of a batch, each as the caller of the batch sees it: completed, failed or pending."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.effects import Effect
from boathook.errors import BoathookError, TimedOut
from boathook.presentation.rendering import as_data
from boathook.redaction.redactor import Redactor
from boathook.registry.context import NextAction, Step
from boathook.service.diagnostics.next_actions import after_error, in_session
from boathook.service.input.command_line import read_line
from boathook.service.output.model_content import images_of
from boathook.service.output.output_guard import OutputGuard
from boathook.service.secrets.typed_secrets import find_typed_secrets
from boathook.service.surface import Surface
from boathook.values import OwnLines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.registry.registry import Command
    from boathook.service.call import Call
    from boathook.service.input.command_line import ParsedCommandLine
    from boathook.service.output.outcome import Outcome, PageState
    from boathook.service.sessions.session import Session

    CommandTable = Mapping[tuple[str, ...], Command]

TITLE_SECONDS = 0.5
"""How long a page may take to report its title after a timeout; it may not respond at all."""


def step_of(
    outcome: Outcome, guard: OutputGuard, *, argv: Sequence[str], read: ParsedCommandLine, call: Call
) -> Step:
    """A step that was run, for the caller of the batch."""
    out, err = guard.in_text(outcome)
    wants_data = bool(call.settings.get("json")) or call.surface is not Surface.COMMAND_LINE
    error = outcome.error
    facts = guard.facts(outcome) if wants_data or error is not None else {}
    return Step(
        argv=tuple(guard.redactor.argv(list(argv), secret_words=find_typed_secrets(read, outcome))),
        ok=outcome.ok,
        text=OwnLines(f"{err}{out}".rstrip()),
        # Text output needs no data, and making it costs as much as a small step.
        data=guard.redactor.value(as_data(outcome.value)) if outcome.ok and wants_data else None,
        code=error.code if error is not None else "",
        error=facts.get("error"),
        exit=outcome.exit_status,
        category=outcome.category,
        change=facts.get("change"),
        artifacts=tuple(facts.get("artifacts", ())),
        page=_page_data(outcome.page),
        next=tuple(facts.get("next", ())),
        next_actions=outcome.next_actions,
        images=tuple(images_of(outcome.value)) if call.surface.is_model else (),
    )


def _page_data(page: PageState | None) -> dict[str, Any] | None:
    return None if page is None else {"tab": page.tab, "url": page.url}


def failed_step(
    argv: Sequence[str],
    error: BoathookError,
    *,
    call: Call,
    table: CommandTable,
    page: Mapping[str, Any] | None = None,
) -> Step:
    """A step that could not be run, or was running when the time of its batch was over."""
    guard = OutputGuard(renderer=call.renderer)
    is_timeout = isinstance(error, TimedOut)
    actions = (
        in_session(_after_timeout(argv, table), call.settings)
        if is_timeout
        else after_error(error, call.settings)
    )
    return Step(
        argv=_without_secrets(argv, table),
        ok=False,
        text=OwnLines(f"{guard.error_in_text(error)}{call.renderer.next_lines(actions)}".rstrip()),
        code=error.code,
        error=guard.error_data(error, command=""),
        exit=error.exit_status,
        category=error.category,
        page=page,
        next=tuple(call.renderer.next_data(actions)),
        next_actions=actions,
    )


def _after_timeout(argv: Sequence[str], table: CommandTable) -> list[NextAction]:
    """A step that only reads or loads a page is repeated; after any other one, the page shows what it did."""
    with suppress(BoathookError):
        command = read_line(argv, table).command
        if command.effect is Effect.READS or command.group == "navigate":
            safe = command.effect is Effect.READS
            return [
                NextAction(id="retry-timeout-step", reason="run the step again", argv=tuple(argv), safe=safe),
                _LOOK,
            ]
    return [_LOOK]


_LOOK = NextAction(
    id="inspect-current-page-after-timeout", reason="see what the step did", argv=("snapshot",)
)


def pending_step(argv: Sequence[str], table: CommandTable) -> Step:
    """A step that was not run because the batch ended before it."""
    return Step(argv=_without_secrets(argv, table), ok=False, text="", is_pending=True)


def _without_secrets(argv: Sequence[str], table: CommandTable) -> tuple[str, ...]:
    """A line without what it would have typed: the kind of field is not known."""
    words: set[str] = set()
    with suppress(BoathookError):
        read = read_line(argv, table)
        for name in read.command.secrets:
            given = read.arguments.get(name)
            words |= {str(word) for word in (given if isinstance(given, list | tuple) else [given]) if word}
    return tuple(Redactor().argv(list(argv), secret_words=words))


async def page_after_timeout(session: Session | None) -> dict[str, Any] | None:
    """Where the page of a session is after a timeout; without its title if it does not respond."""
    tab = session.current if session is not None else None
    if session is None or tab is None:
        return None
    title = ""
    with suppress(BoathookError, TimeoutError):
        async with asyncio.timeout(TITLE_SECONDS):
            title = await tab.title()
    page = {"tab": tab.id, "url": tab.url, "title": title}
    return dict(Redactor(session.secrets).value(page))
