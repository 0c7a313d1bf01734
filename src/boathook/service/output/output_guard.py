"""The output guard: all output passes through it once: secrets removed, control characters escaped, length limited."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from boathook.commands.results import ReadText, ScriptResult, SemanticAction, SnapshotResult
from boathook.commands.views.view_results import FlatList, NumberedTree, TextResult
from boathook.engine.actions.collect_items import Collected
from boathook.engine.actions.perform import Performed
from boathook.engine.qa.report import QaReport
from boathook.presentation.families.pages import cut_of, whole_snapshot
from boathook.presentation.quoting import escape_invisible
from boathook.presentation.rendering import as_data, as_text
from boathook.presentation.script_cell import script_cell
from boathook.presentation.terminal_table import CUT, table_of
from boathook.redaction.redactor import Redactor
from boathook.registry.context import CheckResult, Step
from boathook.registry.registry import registered
from boathook.service.output.batch_report import batch_failure, step_row, timeout_partial_progress
from boathook.service.output.boundary import for_terminal, is_enclosed
from boathook.service.output.data_budget import bounded, within, within_each
from boathook.service.output.evidence import evidence_of
from boathook.service.output.marking import PAGE_TEXT, is_untrusted, looks_like_ours, mark_page_content
from boathook.service.output.model_content import file_lines, images_of, session_line
from boathook.service.surface_renderer import COMMAND_LINE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from boathook.errors import BoathookError
    from boathook.presentation.script_cell import Screen
    from boathook.service.output.outcome import Outcome
    from boathook.service.records.spill import Spills
    from boathook.service.surface_renderer import SurfaceRenderer

DEFAULT_CHARACTERS = 8_000
JSON_CHARACTERS = 40_000
"""Data of `--json`, unless the caller sets a limit; the full data is in a file."""
ERROR_CHARACTERS = 2_000
"""What an error repeats of a caller's input may be as long as the input."""
FACT_CHARACTERS = 2_000
"""Each text around the value: URLs, titles, notes and evidence are as long as a page makes them."""
MOST_NOTES = 20
LONGEST_ERROR = ERROR_CHARACTERS + 100
"""With what says that its middle is missing."""
MANY_LINES = 10**9
DATA_CHARACTERS = 4_000
"""Data beyond this is left to the text, which has its own limits."""
_COLOURS = {"error:": 31, "note:": 33, "next:": 36}
_LABEL = re.compile(rf"^(?:{'|'.join(_COLOURS)})", re.MULTILINE)
"""What lines on standard error begin with, in color on terminals."""
_CUT_NOTE = f"note: values that end in {CUT} are cut to the width of the terminal; --json has them in full\n"
_MARKS = {"ok": 32, "repaired": 32, "warning": 33, "wrong": 31}
_MARK = re.compile(rf"^(?:{'|'.join(_MARKS)})(?= )", re.MULTILINE)
"""What the lines of `doctor` begin with."""
_BOUNDED = (SnapshotResult, ReadText, Collected, NumberedTree, FlatList, TextResult)
"""Values that have their own limits."""


def with_coloured_labels(text: str) -> str:
    """Lines of standard error for a terminal with color."""
    return _LABEL.sub(lambda label: f"\x1b[{_COLOURS[label[0]]}m{label[0]}\x1b[0m", text)


class OutputGuard:
    """The output of one call."""

    def __init__(
        self,
        *,
        secrets: Collection[str] = (),
        spills: Spills | None = None,
        boundaries: bool | None = False,
        characters: int | None = None,
        renderer: SurfaceRenderer = COMMAND_LINE,
    ) -> None:
        self.redactor = Redactor(secrets)
        self._renderer = renderer
        self._spills = spills
        self._boundaries = boundaries
        self._characters = characters
        self.spilled: Path | None = None
        self._snapshot_file: Path | None = None

    def in_text(self, outcome: Outcome) -> tuple[str, str]:
        """The text for standard output and standard error."""
        outcome = self.without_secrets(outcome)
        notes = "".join(f"note: {_shorten(self._clean(note))}\n" for note in _first(outcome.said_notes))
        if (path := self._full_snapshot(outcome)) is not None:
            notes += f"note: the whole snapshot is in {self._clean(str(path))}\n"
        notes += "".join(f"debug: {self._clean(line)}\n" for line in outcome.account)
        if outcome.error is not None:
            error = self.error_in_text(outcome.error, command=outcome.command)
            return "", notes + error + self._next_action_lines(outcome)
        text = self._fit_text(_as_text(outcome), bounded=_is_bounded(outcome))
        marked = mark_page_content(
            text,
            outcome,
            registered().get(outcome.command),
            boundaries=self._boundaries,
            for_model=self._renderer.for_model,
            clean=self._clean,
        )
        return f"{marked}\n", notes

    def without_secrets(self, outcome: Outcome) -> Outcome:
        """Text and data are made from the same value, without fields that are secret; the rest is redacted by content."""
        if isinstance(outcome.value, PAGE_TEXT):
            return outcome
        return replace(outcome, value=self.redactor.result(outcome.value))

    def on_screen(self, outcome: Outcome, screen: Screen) -> tuple[str, str]:
        """As `in_text`, for a person: a script is shown with its code and output, a list as a table."""
        out, err = self.in_text(outcome)
        plain = outcome.error is None and self.spilled is None and not is_enclosed(out)
        if plain and isinstance(outcome.value, ScriptResult):
            out = script_cell(outcome.value, screen, clean=self._clean_lines)
        elif plain and screen.is_tty and (table := self._table(outcome, screen)):
            out, err = f"{table}\n", err + (_CUT_NOTE if CUT in table else "")
        if screen.colour:
            err = with_coloured_labels(err)
            if isinstance(outcome.value, list) and all(
                isinstance(part, CheckResult) for part in outcome.value
            ):
                out = _MARK.sub(lambda mark: f"\x1b[{_MARKS[mark[0]]}m{mark[0]}\x1b[0m", out)
        return out, err

    def _table(self, outcome: Outcome, screen: Screen) -> str:
        """The value as a table; empty if it has none, or a line of it could be taken for one of ours."""
        value = self.without_secrets(outcome).value
        table = table_of(value, columns=screen.columns, colour=screen.colour, clean=self._clean)
        return "" if looks_like_ours(table) else table

    def in_json(self, outcome: Outcome) -> str:
        """The whole outcome as one JSON object."""
        outcome = self.without_secrets(outcome)
        told = within_each(self.facts(outcome), JSON_CHARACTERS)
        if outcome.error is None:
            most = self._characters if _is_whole(outcome) else self._characters or JSON_CHARACTERS
            told |= self._fit_data(self._with_full_path(as_data(outcome.value), outcome), most)
            told["text"] = self._fit_text(_as_text(outcome), bounded=_is_bounded(outcome))
        return self.data(told)

    def _full_snapshot(self, outcome: Outcome) -> Path | None:
        """A file with the whole snapshot, if its text was cut; written once for an answer."""
        value = outcome.value
        if not isinstance(value, SnapshotResult) or self._spills is None:
            return None
        if self._snapshot_file is None and cut_of(value) is not None:
            fitted = self._spills.fit(whole_snapshot(value), redactor=self.redactor, characters=0)
            self._snapshot_file = fitted.path
        return self._snapshot_file

    def _with_full_path(self, data: Any, outcome: Outcome) -> Any:
        path = self._full_snapshot(outcome)
        return {**data, "full_path": str(path)} if path is not None and isinstance(data, dict) else data

    def _fit_data(self, data: Any, characters: int | None) -> dict[str, Any]:
        """The data within a limit; the full data is then in a file."""
        if characters is None:
            return {"data": data}
        short, was_cut = within(data, characters)
        if not was_cut:
            return {"data": data}
        whole = json.dumps(self.redactor.value(data), ensure_ascii=False)
        kept = self._spills.fit(whole, redactor=self.redactor, characters=0) if self._spills else None
        return {
            "data": short,
            "data_cut": {"characters": len(whole), "path": str(kept.path) if kept else None},
        }

    def for_model(self, outcome: Outcome, *, exit: int | None = None) -> dict[str, Any]:
        """The outcome for a client that passes it to a model: little data, the text to read, images that are small enough."""
        outcome = self.without_secrets(outcome)
        told = within_each(self.facts(outcome), DATA_CHARACTERS)
        data = self._with_full_path(_small_data(outcome.value), outcome)
        if outcome.error is None and data is not None:
            told["data"] = data
        told = dict(self.redactor.value(told))
        out, err = self.in_text(outcome)
        images = images_of(outcome.value)
        told["exit"] = outcome.exit_status if exit is None else exit
        session = self._clean_lines(session_line(outcome)) if self._renderer.for_model else ""
        files = self._clean_lines(_lines_within(file_lines(outcome, out), DATA_CHARACTERS))
        advice = self._next_action_lines(outcome) if outcome.ok and self._renderer.for_model else ""
        told["text"] = f"{session}{err}{out}{files}{advice}".rstrip("\n")
        return told | ({"images": images} if images else {})

    def facts(self, outcome: Outcome) -> dict[str, Any]:
        """All of an outcome except its value; empty parts are omitted."""
        page, error = outcome.page, outcome.error
        artifacts = [
            *map(as_data, outcome.artifacts),
            *(artifact for step in outcome.steps for artifact in step.artifacts),
        ]
        told: dict[str, Any] = {
            "ok": outcome.ok,
            "untrusted": is_untrusted(outcome, registered().get(outcome.command)) or None,
            "command": outcome.command,
            "category": outcome.category,
            "session": outcome.shown_session or outcome.session,
            "session_change": outcome.session_change,
            "page": {"tab": page.tab, "url": page.url} if page is not None else None,
            "error": {**self.error_data(error, command=outcome.command), "category": outcome.category}
            if error is not None
            else _failed_step(outcome),
            "notes": list(outcome.notes),
            "change": as_data(outcome.change),
            "next": self._renderer.next_data(outcome.next_actions),
            "artifacts": artifacts,
            **evidence_of(outcome, artifacts=artifacts, args=self.redactor.argv(list(outcome.args))),
            "batch_failure": batch_failure(outcome),
            "timeout_partial_progress": timeout_partial_progress(outcome),
            "debug": list(outcome.account),
        }
        return {
            name: bounded(value, LONGEST_ERROR if name == "error" else FACT_CHARACTERS)
            for name, value in told.items()
            if value not in (None, "", [])
        }

    def data(self, told: Any) -> str:
        """Plain data as a line of JSON, without secrets."""
        return escape_invisible(json.dumps(self.redactor.value(told), ensure_ascii=False)) + "\n"

    def error_in_text(self, error: BoathookError, *, command: str = "") -> str:
        """One line: what is wrong, what to do, and the code to look up; then the position in a script, if it was one."""
        where = error.evidence.get("where")
        lines = str(where).splitlines() if isinstance(where, str) else []
        told = "".join(f"  {self._clean_lines(line)}\n" for line in lines)
        hint = self._renderer.hint(error.marked_hint, command=command)
        said = f"{error.message} ({hint})" if hint else error.message
        return f"error: {_shorten(self._clean(said))} [{error.code}]\n{told}"

    def error_message(self, error: BoathookError) -> str:
        """What is wrong and what to do, without our form around it."""
        hint = self._renderer.hint(error.marked_hint, command="")
        return _shorten(self._clean(f"{error.message} ({hint})" if hint else error.message))

    def clean(self, text: str) -> str:
        """Some text of an answer, without secrets and control characters."""
        return self._clean_lines(text)

    def error_data(self, error: BoathookError, *, command: str) -> dict[str, Any]:
        """An error as data, without secrets."""
        data = error_data(error, hint=self._renderer.hint(error.marked_hint, command=command))
        told = dict(self.redactor.value(data))  # first, so that no cut leaves half of a secret
        short = {"message": _shorten(told["message"]), "hint": _shorten(told["hint"])}
        return dict(bounded(told | short, LONGEST_ERROR))

    def _next_action_lines(self, outcome: Outcome) -> str:
        return self._clean_lines(self._renderer.next_lines(outcome.next_actions))

    def _clean(self, text: str) -> str:
        return self._clean_lines(" ".join(text.split("\n")))

    def _clean_lines(self, text: str) -> str:
        return for_terminal(self.redactor.text(text))

    def _fit_text(self, text: str, *, bounded: bool) -> str:
        """Within the budget; a value with its own budget is cut only if the caller asks for less."""
        most = self._characters if self._characters is not None else None if bounded else DEFAULT_CHARACTERS
        if self._spills is None or most is None or len(text) <= most:
            return self._clean_lines(text)
        fitted = self._spills.fit(text, redactor=self.redactor, characters=most, lines=MANY_LINES)
        self.spilled = fitted.path
        return for_terminal(fitted.text)


def _shorten(text: str) -> str:
    """A long one without its middle: the end of an error says what to do."""
    half = ERROR_CHARACTERS // 2
    left_out = len(text) - 2 * half
    return text if left_out <= 0 else f"{text[:half]} … [{left_out} characters] … {text[-half:]}"


def _first(notes: Sequence[str]) -> list[str]:
    """As many as a reader reads, and how many there were besides."""
    left_out = len(notes) - MOST_NOTES
    return [*notes] if left_out <= 0 else [*notes[:MOST_NOTES], f"{left_out} more notes"]


def _lines_within(text: str, characters: int) -> str:
    """The first lines of text, and how many there were besides."""
    if len(text) <= characters:
        return text
    kept = text[: text.rfind("\n", 0, characters) + 1]
    return (
        f"{kept}… {text.count(chr(10)) - kept.count(chr(10))} more files: see the artifacts of the session\n"
    )


def _as_text(outcome: Outcome) -> str:
    """The value as text; a missing value that was requested is not reported as `done`."""
    command = registered().get(outcome.command)
    if command is not None and command.json_answer:
        return json.dumps(as_data(outcome.value), ensure_ascii=False)
    if outcome.value is None and command is not None and command.empty_answer:
        return command.empty_answer
    return "none" if outcome.value == {} else as_text(outcome.value)


def _is_bounded(outcome: Outcome) -> bool:
    return isinstance(outcome.value, _BOUNDED) or _is_whole(outcome)


def _is_whole(outcome: Outcome) -> bool:
    """Whether the command's output is never cut unless the caller asks for it."""
    command = registered().get(outcome.command)
    return command is not None and command.whole_output


def _small_data(value: Any) -> Any:
    """The value as data, without what the text contains anyway and without what is long."""
    data: Any
    if isinstance(value, PAGE_TEXT):
        data = {name: part for name, part in as_data(value).items() if name not in {"text", "items"}}
    elif isinstance(value, SemanticAction):
        data = {"compiled": list(value.compiled), "value": as_data(value.value)}
    elif isinstance(value, QaReport):
        data = {name: part for name, part in as_data(value).items() if name != "pages"}
    elif isinstance(value, Performed):
        data = None if value.value is None else {"value": as_data(value.value)}
    elif isinstance(value, list) and value and isinstance(value[0], Step):
        data = [step_row(step) for step in value]
    else:
        data = as_data(value)
    return data if len(json.dumps(data, default=str)) <= DATA_CHARACTERS else None


def _failed_step(outcome: Outcome) -> dict[str, Any] | None:
    """The error of the first step of a batch that failed, and its number."""
    failed = outcome.failed_step
    return None if failed is None else {"step": outcome.steps.index(failed) + 1, **(failed.error or {})}


def error_data(error: BoathookError, *, hint: str) -> dict[str, Any]:
    """An error as data."""
    return {
        "code": error.code,
        "category": error.category,
        "message": error.message,
        "hint": hint,
        "retry_safe": error.retry_safe,
        "evidence": as_data(error.evidence),
    }
