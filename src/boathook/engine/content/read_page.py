"""Reading: a page, or one element of it, as Markdown, text, HTML, outline or tables, across all of its frames."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from boathook.engine.content.editor_texts import editor_texts
from boathook.engine.content.pdf_text import read_shown_pdf
from boathook.engine.content.tables import Table
from boathook.engine.elements.locate import locate
from boathook.engine.page.page_eval import thrown_in, value_of
from boathook.engine.page_scripts.reader import reader_source
from boathook.errors import BadRequest, BoathookError

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab

ReadFormat = Literal["markdown", "text", "html", "outline", "tables"]
Found = Literal["main", "body", "target", "nothing"]
FORMATS: tuple[ReadFormat, ...] = ("markdown", "text", "html", "outline", "tables")

FRAME_SECONDS = 5.0
FRAME_DEPTH = 8
FRAME_LIMIT = 100
_MISSING = "__boathookReader is not defined"
# Alone on a line, after what quotes and lists put before it; control characters never come from the page here.
_PLACE = re.compile("^(?P<before>[^\x02\n]*)\x02(?P<number>[0-9]+)\x02$", re.MULTILINE)
_LIST_MARKER = re.compile(r"[-:] |[0-9]+\. ")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """The complete result of reading."""

    text: str
    title: str
    url: str
    found: Found
    tables: tuple[Table, ...] = ()
    was_cut: bool = False
    """Whether the page contains more than the size limit."""
    byline: str = ""
    """Who wrote an article, as the page says it; empty if it does not."""
    published: str = ""
    """When an article was published, as the page says it: usually an ISO 8601 date."""


@dataclass(slots=True)
class _JoinedReading:
    """Running totals over all frames of one reading."""

    tables: list[Table]
    frames: int = 0
    was_cut: bool = False


async def read_page(
    tab: Tab, *, format: ReadFormat, target: str | None = None, comments: bool = False, deadline: Deadline
) -> PageText:
    """The main part of the page, the whole body when there is none, or the element that `target` names.

    With `comments`, the comments on an article follow its text.
    """
    if format not in FORMATS:
        raise BadRequest(f"unknown format: {format!r}", hint=f"use {', '.join(FORMATS)}")
    frame, subject = tab.frames.main, ""
    if target is not None:
        element = await locate(tab, target, deadline=deadline)
        frame, subject = element.frame, f", __boathook.get({element.local_id})"
    async with deadline.stage("waiting for frames that are moving to another process"):
        await tab.frames.wait_for_moving_frames(min(FRAME_SECONDS, deadline.remaining() / 2))
    async with deadline.stage("reading the page"):
        first = await _ask(tab, frame, format, subject, comments=comments)
    if first.get("pdf"):
        text, title = await read_shown_pdf(tab, format, deadline=deadline)
        return PageText(text=text, title=title, url=tab.url, found="body" if text else "nothing")
    joined = _JoinedReading(tables=_tables(first), was_cut=bool(first.get("wasCut")))
    async with deadline.stage("reading the page's frames"):
        text = await _with_frames(tab, frame, first, format, joined, ancestors=(frame.id,))
    found: Found = first["found"]
    if found == "nothing" and text.strip():
        found = "target" if target is not None else "body"
    return PageText(
        text=text,
        title=first["title"],
        url=tab.url,
        found=found if text.strip() else "nothing",
        tables=tuple(joined.tables),
        was_cut=joined.was_cut,
        byline=first.get("byline", ""),
        published=first.get("published", ""),
    )


async def _ask(
    tab: Tab, frame: Frame, format: ReadFormat, subject: str = "", *, comments: bool = False
) -> dict[str, Any]:
    """Read one document; the reader is installed in it on first use."""
    options: dict[str, Any] = {"format": format, "comments": comments}
    answer = await _ask_reader(tab, frame, options, subject)
    if "editors" in answer:
        options["editors"] = await editor_texts(frame, answer["editors"])
        answer = await _ask_reader(tab, frame, options, subject)
    return answer


async def _ask_reader(tab: Tab, frame: Frame, options: dict[str, Any], subject: str) -> dict[str, Any]:
    question = f"__boathookReader.read({msgspec.json.encode(options).decode()}{subject})"
    reply = await tab.frames.run(frame, question)
    thrown = thrown_in(reply)
    if thrown is not None and _MISSING in thrown.text:
        reply = await tab.frames.run(frame, f"{reader_source()}; {question}")
    text = str(value_of(reply, failed="the page could not be read"))
    answer: dict[str, Any] = msgspec.json.decode(text.encode())
    return answer


def _tables(answer: dict[str, Any]) -> list[Table]:
    return [Table(caption=given["caption"], rows=given["rows"]) for given in answer.get("tables", ())]


async def _with_frames(
    tab: Tab,
    frame: Frame,
    answer: dict[str, Any],
    format: ReadFormat,
    joined: _JoinedReading,
    *,
    ancestors: tuple[str, ...],
) -> str:
    """The text with the content of frames from other processes inserted."""
    text = str(answer["text"])
    numbers = [int(place["number"]) for place in _PLACE.finditer(text)]
    if format == "tables":
        numbers = list(range(1, int(answer.get("frames", 0)) + 1))
    if not numbers:
        return text
    contents = await asyncio.gather(
        *(_frame_text(tab, frame, number, format, joined, ancestors=ancestors) for number in numbers)
    )
    if format == "tables":
        return "\n\n".join(part for part in (text, *contents) if part)
    by_number = dict(zip(numbers, contents, strict=True))
    filled = _PLACE.sub(lambda place: _put(place["before"], by_number[int(place["number"])]), text)
    return re.sub(r"\n{3,}", "\n\n", filled).strip("\n")


def _put(before: str, content: str) -> str:
    """A frame's lines, each with the prefix of the line that they replace."""
    after_first = _LIST_MARKER.sub(lambda marker: " " * len(marker[0]), before)
    lines = content.split("\n")
    return (
        "\n".join((after_first if at else before) + line for at, line in enumerate(lines)) if content else ""
    )


async def _frame_text(
    tab: Tab,
    outer: Frame,
    number: int,
    format: ReadFormat,
    joined: _JoinedReading,
    *,
    ancestors: tuple[str, ...],
) -> str:
    joined.frames += 1
    if joined.frames > FRAME_LIMIT or len(ancestors) > FRAME_DEPTH:
        return ""
    try:
        async with asyncio.timeout(FRAME_SECONDS):
            frame = tab.frames.get(await _frame_id(tab, outer, number))
            if frame is None or frame.id in ancestors:
                return ""
            answer = await _ask(tab, frame, format)
            if answer.get("pdf"):
                return "(this frame shows a PDF)"
            joined.tables += _tables(answer)
            return await _with_frames(tab, frame, answer, format, joined, ancestors=(*ancestors, frame.id))
    except (TimeoutError, BoathookError) as error:
        reason = error.code.replace("_", " ") if isinstance(error, BoathookError) else "it does not respond"
        return f"(a frame could not be read: {reason})" if format in {"markdown", "text"} else ""


async def _frame_id(tab: Tab, frame: Frame, number: int) -> str:
    reply = await tab.frames.run(frame, f"__boathookReader.frame({number})", by_value=False)
    object_id = reply.get("result", {}).get("objectId")
    if object_id is None:
        return ""
    node = (await frame.session.send("DOM.describeNode", objectId=object_id))["node"]
    return str(node.get("frameId", ""))
