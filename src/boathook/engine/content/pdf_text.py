"""Reading a PDF that the browser's own viewer shows: its text, page by page."""

from __future__ import annotations

import asyncio
import io
import logging
import re
from typing import TYPE_CHECKING

from boathook.engine.capture.pdf import Paper, print_pdf
from boathook.errors import BadRequest, PageError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

MOST_PAGES = 2_000
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2061-\u206f\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
# Fonts draw some pairs of letters as one sign, and files name the sign: searching needs the letters.
_LIGATURES = str.maketrans(
    {
        "\ufb00": "ff",
        "\ufb01": "fi",
        "\ufb02": "fl",
        "\ufb03": "ffi",
        "\ufb04": "ffl",
        "\ufb05": "st",
        "\ufb06": "st",
    }
)
_HINTS = re.compile("[\u00ad\u200b\u2060\ufeff]")


async def read_shown_pdf(tab: Tab, format: str, *, deadline: Deadline) -> tuple[str, str]:
    """The text of the PDF, with page numbers as headings, and its title."""
    if format not in {"markdown", "text"}:
        raise BadRequest(f"a PDF cannot be read as {format}", hint="use markdown or text")
    shown = await print_pdf(tab, None, Paper(), deadline=deadline)
    async with deadline.stage("reading the PDF"):
        pages, title = await asyncio.to_thread(pdf_pages, shown.data)
    start = "## Page" if format == "markdown" else "Page"
    text = "\n\n".join(f"{start} {at}\n\n{page}" for at, page in enumerate(pages, start=1) if page)
    return text, title


def pdf_pages(data: bytes) -> tuple[list[str], str]:
    """The text of each page, and the title from the file's metadata."""
    # Loaded only here: most sessions read no PDF.
    from pypdf import PdfReader  # noqa: PLC0415
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    try:
        reader = PdfReader(io.BytesIO(data))
        pages = [_harmless(page.extract_text()) for page in reader.pages[:MOST_PAGES]]
        title = reader.metadata.title if reader.metadata is not None else ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError) as error:
        raise PageError(
            f"the PDF could not be read: {str(error)[:200]}", hint="save it instead|: `pdf FILE`"
        ) from error
    return pages, _harmless(title or "")


def _harmless(text: str) -> str:
    """Nothing that controls a terminal or reorders a line; soft hyphens are removed, ligatures are spelled out."""
    lines = text.translate(_LIGATURES).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    plain = "\n".join(line.rstrip() for line in lines).strip()
    return _UNSAFE.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", _HINTS.sub("", plain))
