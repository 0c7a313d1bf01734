"""The result of a call in a file of the caller: its data as JSON, or its text."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import FileFailed
from boathook.input_files import write_output_file
from boathook.presentation.quoting import on_one_line
from boathook.presentation.rendering import as_data
from boathook.service.records.artifacts import check_distinct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.service.output.outcome import Outcome
    from boathook.service.output.output_guard import OutputGuard


async def with_output_file(
    outcome: Outcome, guard: OutputGuard, settings: Mapping[str, Any]
) -> tuple[Outcome, dict[str, Any] | None]:
    """The outcome with a note about the file that was written; a failed call writes none.

    The policy has already decided about the path.
    """
    path = settings.get("output")
    if not path or outcome.error is not None:
        return outcome, None
    target = Path(path)
    check_distinct([target, *(artifact.path for artifact in outcome.artifacts)])
    data = guard.redactor.value(as_data(guard.without_secrets(outcome).value))
    is_text = data is None or isinstance(data, str)
    text = guard.in_text(outcome)[0] if is_text else json.dumps(data, ensure_ascii=False, indent=2) + "\n"
    content = (f"{data}\n" if isinstance(data, str) else text).encode(errors="replace")
    try:
        await asyncio.to_thread(write_output_file, target, content)
    except OSError as error:
        raise FileFailed(
            f"{outcome.command} was run, but its result could not be written to {target}: {error.strerror}"
        ) from error
    note = f"the result was written to {on_one_line(str(target))} ({len(content)} bytes)"
    file = {
        "status": "saved",
        "path": str(path),
        "absolutePath": str(target),
        "source": "text" if is_text else "data",
        "bytes": len(content),
    }
    return replace(outcome, notes=(*outcome.notes, note)), file
