"""A reading as it is handed out: within a limit, with a last line that says where the rest is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.commands.results import ReadText
    from boathook.engine.content.reading import Found, PageText, ReadFormat, Table

NOTHING = {
    "tables": "(nothing to read: no table of data is shown)",
    "outline": "(nothing to read: no heading and no landmark is shown)",
}
NOTHING_SHOWN = "(nothing to read: no text is shown)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a page or an element says.

    `found` is `main` when the main part was found, `body` when the whole body was taken, `target` when an element was
    named, and `nothing` when there is no text. `length` counts the characters of the whole; when `text` does not hold
    all of them, `whole` is false and `path` is the file that does. `tables` is filled for the format of that name.
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

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, read: ReadText) -> Reading:
        """The public form of what was read."""
        return presented(read.page, format=read.format, limit=read.limit, path=read.path)


def presented(page: PageText, *, format: ReadFormat, limit: int, path: Path | None) -> Reading:
    """The reading within its limit; `path` is the file that holds the whole when that is longer."""
    text = page.text
    if page.found == "nothing":
        text = NOTHING.get(format, NOTHING_SHOWN)
    elif path is not None:
        shown = _cut(text, limit)
        left = f"… {len(shown)} of {len(text)} characters; the whole text is in {path}"
        text = f"{shown}\n\n{left}" if shown else left
    if page.was_cut:
        text += "\n\n… the page holds more than can be read at once; name a target to read a part of it"
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
    )


def _cut(text: str, limit: int) -> str:
    """As many whole lines as fit; a part of the first when it alone is too long."""
    if len(text) <= limit:
        return text
    end = text.rfind("\n", 0, limit + 1)
    return text[: end if end > 0 else limit].rstrip()
