"""Page content within a limit, with a last line that names the file with the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.commands.results import ReadText
from boathook.engine.content.markdown_sources import SourceText
from boathook.presentation.rendering import as_data, as_text, plain_data
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.content.read_page import Found, PageText, ReadFormat
    from boathook.engine.content.tables import Table

NOTHING = {
    "tables": "(nothing to read: no visible data table)",
    "outline": "(nothing to read: no visible heading or landmark)",
}
NOTHING_SHOWN = "(nothing to read: no visible text)"


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The content of a page or an element.

    `found` is `main` if the main content was found, `body` if the whole body was used, `target` if an element was
    given, and `nothing` if there is no text. `length` counts all characters; if `text` is truncated, `whole` is false
    and `path` is the file with the full text. `tables` is filled for the format of that name. `byline` and `published`
    are the author and the date of an article, as the page states them.
    """

    text: str
    format: ReadFormat
    title: str
    url: str
    found: Found
    length: int
    whole: bool
    path: Path | None = None
    tables: tuple[Table, ...] = ()
    byline: str = ""
    published: str = ""

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, read: ReadText) -> Reading:
        """The public form of the content."""
        return present(read.page, format=read.format, limit=read.limit, path=read.path)


def present(page: PageText, *, format: ReadFormat, limit: int, path: Path | None) -> Reading:
    """The content within its limit; `path` is the file with the full text if it is longer."""
    text = page.text
    if page.found == "nothing":
        text = NOTHING.get(format, NOTHING_SHOWN)
    elif path is not None:
        shown = _cut(text, limit)
        left = f"… {len(shown)} of {len(text)} characters; full text: {path}"
        text = f"{shown}\n\n{left}" if shown else left
    if page.was_cut:
        text += "\n\n… the page is too long to read at once; pass a target to read a part of it"
    return Reading(
        text=text,
        format=format,
        title=page.title,
        url=page.url,
        found=page.found,
        length=len(page.text) if page.found != "nothing" else 0,
        whole=path is None and not page.was_cut,
        path=path,
        tables=page.tables,
        byline=page.byline,
        published=page.published,
    )


def _cut(text: str, limit: int) -> str:
    """As many whole lines as fit, or part of the first one if it is too long."""
    if len(text) <= limit:
        return text
    end = text.rfind("\n", 0, limit + 1)
    return text[: end if end > 0 else limit].rstrip()


@as_text.register
def _render_read_text(value: ReadText) -> str:
    return present(value.page, format=value.format, limit=value.limit, path=value.path).text


@as_text.register
def _render_source_text(value: SourceText) -> str:
    more = "\n[truncated: only the first 5 MiB were read]" if value.cut else ""
    return f"[{value.source} of {value.url}]\n\n{value.text.strip()}{more}"


@as_data.register
def _read_text_data(value: ReadText) -> dict[str, Any]:
    page = value.page
    rows = {"tables": plain_data(list(page.tables))} if value.format == "tables" else {}
    return {
        "text": as_text(value),
        "title": page.title,
        "byline": page.byline,
        "published": page.published,
        "path": plain_data(value.path),
        **rows,
    }
