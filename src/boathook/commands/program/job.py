"""Jobs: several steps with named fields, checked as a whole and then run as a batch."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from boathook.commands.program.job_steps import compile_step
from boathook.commands.program.session import MOST_STEPS, batch
from boathook.effects import Effect
from boathook.errors import BadRequest
from boathook.input_files import read_text_file
from boathook.redaction.safe_repr import safe_repr
from boathook.registry.context import HostApi, Step
from boathook.registry.registry import Doc, Scope, command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.commands.program.job_steps import CompiledStep

LARGEST_JOB = 1 << 20
EXAMPLE = '[{"action": "open", "url": "example.org"}, {"action": "assertText", "text": "Example"}]'


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class JobStep(Step):
    """One line of a job and its result."""

    step: int = 0
    """The number of the step that it belongs to, from 1."""
    action: str = ""


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    may_navigate=True,
    reads_files=("file",),
    reads_stdin=True,
    # Its steps are written down one by one, each without what it typed.
    secrets=("steps",),
    runs_commands=True,
    examples=("job steps.json", f"job --steps '{EXAMPLE}'", "job - --no-fail-fast"),
)
async def job(
    host: HostApi,
    file: Annotated[Path | None, Doc("JSON file with the steps; - reads standard input")] = None,
    *,
    steps: Annotated[Any, Doc("the steps, instead of a file")] = None,
    fail_fast: Annotated[bool, Doc("stop at the first failure")] = True,
) -> list[JobStep]:
    """Run steps with named fields in one call. All fields are checked before anything is run.

    Actions: open, click, fill, type, select, wait, assertText, assertUrl, waitForDownload, screenshot, snapshot.
    """
    given, stops = await asyncio.to_thread(_read, host, file, steps)
    compiled = [compile_step(step, number) for number, step in enumerate(given, 1)]
    lines = [list(line) for step in compiled for line in step.lines]
    done: list[Any] = await batch(host, json.dumps(lines), bail=fail_fast and stops)
    done[:] = _label(done, compiled)
    return done


def _label(rows: Sequence[Step], compiled: Sequence[CompiledStep]) -> list[JobStep]:
    """Each row with its step; what was not run has rows too."""
    steps = [step for step in compiled for _line in step.lines]
    return [
        JobStep(
            **{field.name: getattr(row, field.name) for field in fields(Step)},
            step=step.number,
            action=step.action,
        )
        for row, step in zip(rows, steps, strict=False)
    ]


def _read(host: HostApi, file: Path | None, steps: Any) -> tuple[list[Any], bool]:
    """The steps, and whether the first failure stops them."""
    if file is not None and steps is not None:
        raise BadRequest("job takes its steps from a file or from --steps", hint="omit one of them")
    if steps is None:
        steps = _parse(_text(host, file))
    stops = True
    if isinstance(steps, dict):
        if unknown := set(steps) - {"failFast", "steps"}:
            raise BadRequest(
                f"job: unknown field {min(map(str, unknown))[:40]!r}", hint="use failFast, steps"
            )
        stops = steps.get("failFast", True)
        if not isinstance(stops, bool):
            raise BadRequest("job: failFast must be true or false")
        steps = steps.get("steps")
    if not isinstance(steps, list) or not steps:
        raise BadRequest("job: steps must be a list with at least one step", hint=f"for example {EXAMPLE}")
    if len(steps) > MOST_STEPS:
        raise BadRequest(f"job: too many steps: {len(steps)}", hint=f"use at most {MOST_STEPS}")
    return steps, stops


def _text(host: HostApi, file: Path | None) -> str:
    if file is not None and file.name != "-":
        return read_text_file(file, most_bytes=LARGEST_JOB)
    if not (host.stdin or "").strip():
        raise BadRequest("job needs its steps", hint="for example `job steps.json`")
    return str(host.stdin)


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise BadRequest(f"the job is not JSON: {error}", hint=f"for example {EXAMPLE}") from None
