"""The result of a call in a file of the caller: its data as JSON, its text, or the rows of its tables as CSV."""

from __future__ import annotations

import asyncio
import csv
import io
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


_CSV = ".csv"
_TEXTS = (".md", ".txt")


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
    source, text = _written(data, target.suffix.lower()) or ("text", guard.in_text(outcome)[0])
    content = text.encode(errors="replace")
    try:
        await asyncio.to_thread(write_output_file, target, content)
    except OSError as error:
        raise FileFailed(
            f"{outcome.command} was run, but its result could not be written to {target}: {error.strerror}"
        ) from error
    note = f"the result was written to {on_one_line(str(target))} ({len(content)} bytes)"
    if source == "data" and target.suffix.lower() in {_CSV, *_TEXTS}:
        note += f" as JSON: it {'has no tables' if target.suffix.lower() == _CSV else 'is not a text'}"
    file = {
        "status": "saved",
        "path": str(path),
        "absolutePath": str(target),
        "source": source,
        "bytes": len(content),
    }
    return replace(outcome, notes=(*outcome.notes, note)), file


def _written(data: Any, suffix: str) -> tuple[str, str] | None:
    """What the file contains, and whether that is text or data; None if there is no data."""
    if data is None:
        return None
    if isinstance(data, str):
        return "text", f"{data}\n"
    if suffix == _CSV and (tables := _tables_of(data)):
        return "text", "\r\n".join(map(_as_csv, tables))
    if suffix in _TEXTS and isinstance(data, dict) and isinstance(data.get("text"), str):
        return "text", f"{data['text']}\n"
    return "data", json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _tables_of(data: Any) -> list[list[list[str]]]:
    """The rows of each table: those of a page, or a list of records."""
    if isinstance(data, dict):
        return [table["rows"] for table in data.get("tables", ())]
    if not isinstance(data, list) or not data or not all(isinstance(record, dict) for record in data):
        return []
    names = list(dict.fromkeys(name for record in data for name in record))
    return [[names, *([_cell(record.get(name)) for name in names] for record in data)]]


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _as_csv(rows: list[list[str]]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()
