"""Marking: which answers are page content, and how they are kept apart from our own text.

Text is page content unless its lines are ours: by the type of the value (`own_lines`), or by the command (`own_text`).
Several lines of page content are enclosed in a boundary, and a line that looks like one of ours is too. For models, one
line is quoted. Data is not changed: the answer as a whole is flagged as `untrusted`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from boathook.commands.results import ReadText, ScriptResult, SnapshotResult, UrlDiff
from boathook.commands.views.view_results import FlatList, NumberedTree, TextResult
from boathook.engine.actions.collect_items import Collected
from boathook.engine.content.markdown_sources import SourceText
from boathook.engine.debug.webmcp import PageTool, ToolAnswer
from boathook.engine.network.log.request import Body, RequestDetails
from boathook.presentation.rendering import has_own_lines
from boathook.service.output.boundary import enclose, fresh_nonce

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.registry.registry import Command
    from boathook.service.output.outcome import Outcome

PAGE_TEXT = (SnapshotResult, ReadText, Collected, NumberedTree, FlatList, SourceText, ToolAnswer, Body)
"""Values that consist of page content, many lines of it."""
A_SCRIPT = "a script and the pages that it used"
_OUR_LINE = re.compile(
    r"^(?:(?:error|note|next|debug|session): |saved |== |(?i:\\*\[page content (?:begins|ends)))",
    re.MULTILINE,
)
"""What the lines begin with that we print around a value."""
_URL = re.compile(r"([a-z][a-z0-9+.-]*:(?://[^/?#\s]*)?)(?=[^\s]|\Z)", re.IGNORECASE)
"""The rest of a URL is in the answer, or known to the caller; here it would cost tokens in every answer."""


def looks_like_ours(text: str) -> bool:
    """Whether a line begins like those that we print around a value."""
    return _OUR_LINE.search(text) is not None


def is_untrusted(outcome: Outcome, command: Command | None) -> bool:
    """Whether an answer may contain strings that a page chose, if only the URL of the page."""
    return outcome.page is not None or (command is not None and not command.own_text)


def mark_page_content(
    text: str,
    outcome: Outcome,
    command: Command | None,
    *,
    boundaries: bool | None,
    for_model: bool,
    clean: Callable[[str], str],
) -> str:
    """The text of a value, marked; without a decision about boundaries (None), only if it looks like ours."""
    if boundaries is False or _is_ours(outcome.value, command):
        return text
    if looks_like_ours(text) or (boundaries and _is_long(outcome.value, text, for_model=for_model)):
        return enclose(text, origin=site_of(clean(_origin(outcome))), nonce=fresh_nonce())
    other_program = command is not None and command.tool_set
    return (
        json.dumps(text, ensure_ascii=False)
        if for_model and not other_program and _is_string(outcome.value)
        else text
    )


def _is_ours(value: Any, command: Command | None) -> bool:
    if command is not None and (command.own_text or command.json_answer):
        return True
    return has_own_lines(value) or (isinstance(value, TextResult) and not value.origin)


def _is_long(value: Any, text: str, *, for_model: bool) -> bool:
    """Whether it is more than one value on a line; a program reads the result of its own script without a boundary."""
    if isinstance(value, ScriptResult) and not for_model:
        return False
    first = value[0] if isinstance(value, list) and value else value
    return "\n" in text or isinstance(first, (*PAGE_TEXT, RequestDetails, PageTool, TextResult))


def _is_string(value: Any) -> bool:
    """Whether one line of text is a string that a page may have chosen."""
    if isinstance(value, ScriptResult):
        return any(isinstance(part, str) for part in (*value.shown, value.value))
    return isinstance(value, str)


def site_of(url: str) -> str:
    """Scheme, host and port; the scheme alone without a host. Another text is returned unchanged."""
    parts = _URL.match(url)
    return parts[1] if parts else url


def _origin(outcome: Outcome) -> str:
    """The page whose content a value is."""
    value = outcome.value
    if isinstance(value, NumberedTree | FlatList):
        return value.snapshot.url
    if isinstance(value, UrlDiff):
        return value.after.url
    if isinstance(value, TextResult):
        return value.origin
    if isinstance(value, SourceText):
        return value.url
    if isinstance(value, ScriptResult):
        return A_SCRIPT
    return outcome.page.url if outcome.page is not None else ""
