"""Text that servers provide for readers without a browser: Markdown of a page, and `llms.txt` of a site."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit, urlunsplit

from boathook.errors import PageError
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.engine.network.proxy.fetch_url import FetchedBody

    Fetch = Callable[[str], Awaitable[FetchedBody]]

Llms = Literal["index", "full"]
Source = Literal["markdown", "text", "llms.txt", "raw", "page"]
ACCEPT = "text/markdown, text/plain;q=0.9, text/html;q=0.5, */*;q=0.1"
MARKDOWN = frozenset({"text/markdown", "text/x-markdown"})
OK = 200
LLMS_FILES: dict[Llms, str] = {"index": "llms.txt", "full": "llms-full.txt"}
MOST_FOLDERS = 8
_HEADING = re.compile(r"#{1,6}\s+\S")
_FENCE = re.compile(r"\s*(```|~~~)")
_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body)\b", re.IGNORECASE)


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """Text, and its source."""

    text: str
    url: str
    source: Source
    kind: str
    cut: bool = False


async def markdown_of(url: str, fetch: Fetch) -> SourceText | None:
    """The page's Markdown from its server: from content negotiation, or the file next to the page."""
    first = await fetch(url)
    require_answer(first)
    if _is_text(first):
        return _source_text(first, "markdown" if first.kind in MARKDOWN else "text")
    beside = _beside(first.url)
    second = await fetch(beside) if beside else None
    if second is not None and second.status == OK and _is_text(second):
        return _source_text(second, "markdown")
    return None


async def llms_text(url: str, which: Llms, fetch: Fetch) -> SourceText:
    """The site's text for models, searched from the page's folder upwards; PageError if there is none."""
    tried = []
    for address in _upwards(url, LLMS_FILES[which]):
        answer = await fetch(address)
        if answer.status == OK and _is_text(answer):
            return _source_text(answer, "llms.txt")
        tried.append(address)
    raise PageError(
        f"no {LLMS_FILES[which]} found; tried: {', '.join(tried)[:300]}", hint="read the page itself"
    )


def require_answer(answer: FetchedBody) -> None:
    """PageError for an error status."""
    if answer.status >= 400:  # noqa: PLR2004 - the first error status
        raise PageError(f"{answer.url[:200]} returned status {answer.status}", status=answer.status)


def raw_text(answer: FetchedBody) -> SourceText:
    """The body as it came."""
    return _source_text(answer, "raw")


def outline(text: str) -> str:
    """The headings of a Markdown text, each with its level."""
    return "\n".join(line for line, is_heading in _lines(text) if is_heading)


def sections_with(text: str, wanted: str) -> str:
    """Sections between headings that contain some text, with their headings; case is ignored."""
    parts: list[list[str]] = [[]]
    for line, is_heading in _lines(text):
        if is_heading:
            parts.append([])
        parts[-1].append(line)
    found = ["\n".join(part).strip() for part in parts if wanted.casefold() in "\n".join(part).casefold()]
    return "\n\n".join(found)


def _lines(text: str) -> list[tuple[str, bool]]:
    """Each line, and whether it is a heading; a line in a code block never is."""
    fenced, told = "", []
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fenced or mark[1] == fenced):
            fenced = "" if fenced else mark[1]
        told.append((line, not fenced and _HEADING.match(line) is not None))
    return told


def _is_text(answer: FetchedBody) -> bool:
    """Servers label many things text/plain, and return a page where a file is missing."""
    return answer.kind in MARKDOWN | {"text/plain"} and not _MARKUP.match(answer.text)


def _source_text(answer: FetchedBody, source: Source) -> SourceText:
    return SourceText(text=answer.text, url=answer.url, source=source, kind=answer.kind, cut=answer.cut)


def _beside(url: str) -> str:
    parts = urlsplit(url)
    path = parts.path.rstrip("/") or "/index"
    if path.endswith((".md", ".txt")):
        return ""
    return urlunsplit((parts.scheme, parts.netloc, path.removesuffix(".html") + ".md", parts.query, ""))


def _upwards(url: str, name: str) -> list[str]:
    parts = urlsplit(url)
    folders = parts.path.split("/")[1:-1] if "/" in parts.path else []
    paths = ["/".join(["", *folders[:count], name]) for count in range(len(folders), -1, -1)]
    return [urlunsplit((parts.scheme, parts.netloc, path, "", "")) for path in paths[:MOST_FOLDERS]]
