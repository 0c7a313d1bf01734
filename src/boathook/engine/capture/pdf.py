"""PDF: print a page to a file; a page of the built-in PDF viewer is saved as the original file."""

from __future__ import annotations

import asyncio
import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.errors import BadRequest, BadSetting, PageError, ProtocolError

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

CHUNK = 1024 * 1024
LARGEST = 512 * 1024 * 1024
INCH_MM = 25.4
PAPERS = {
    "a3": (11.69, 16.54),
    "a4": (8.27, 11.69),
    "a5": (5.83, 8.27),
    "legal": (8.5, 14.0),
    "letter": (8.5, 11.0),
    "tabloid": (11.0, 17.0),
}
SMALLEST_MM, LARGEST_MM = 10, 5_000
EMPTY = "<span></span>"
_MILLIMETRES = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)(?:mm)?\Z")
_RANGES = re.compile(r"\s*\d+\s*(-\s*\d*\s*)?(,\s*\d+\s*(-\s*\d*\s*)?)*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf:
    """A PDF; `path` is where it was saved."""

    data: bytes
    path: Path | None
    pages: int
    printed: bool
    """False if the tab shows a PDF, and this is that file."""

    def __repr__(self) -> str:
        return f"<Pdf {len(self.data)} bytes, {self.pages} pages, {self.path}>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """How a page is printed."""

    format: str = "a4"
    landscape: bool = False
    background: bool = True
    scale: float = 1.0
    margin_mm: float = 10.0
    margins: str = ""
    """Top, right, bottom, left in millimetres; a missing one is that of the opposite side, as in CSS."""
    pages: str = ""
    header: str = ""
    footer: str = ""
    page_size: bool = False
    outline: bool = False
    tagged: bool = True

    def request(self) -> dict[str, Any]:
        """The parameters of the protocol; BadSetting if they are invalid."""
        width, height = _paper_size(self.format)
        if not 0.1 <= self.scale <= 2:  # noqa: PLR2004
            raise BadSetting(f"scale is out of range: {self.scale}", hint="use 0.1 to 2")
        if self.pages and not _RANGES.match(self.pages):
            raise BadSetting(f"invalid page range: {self.pages!r}", hint="use a format such as 1-3, 5")
        top, right, bottom, left = _four_margins(self.margins or str(self.margin_mm))
        return {
            "paperWidth": width,
            "paperHeight": height,
            "landscape": self.landscape,
            "printBackground": self.background,
            "scale": self.scale,
            "marginTop": top,
            "marginBottom": bottom,
            "marginLeft": left,
            "marginRight": right,
            "pageRanges": self.pages,
            "displayHeaderFooter": bool(self.header or self.footer),
            # An empty one would be Chromium's own, with title and date.
            "headerTemplate": self.header or EMPTY,
            "footerTemplate": self.footer or EMPTY,
            "preferCSSPageSize": self.page_size,
            "generateDocumentOutline": self.outline,
            "generateTaggedPDF": self.tagged or self.outline,
            "transferMode": "ReturnAsStream",
        }


def _paper_size(format: str) -> tuple[float, float]:
    """Width and height in inches."""
    known = PAPERS.get(format.lower()) if isinstance(format, str) else None
    if known is not None:
        return known
    match = _MILLIMETRES.match(str(format).lower())
    sides = tuple(float(side) for side in match.groups()) if match else ()
    if not sides or not all(SMALLEST_MM <= side <= LARGEST_MM for side in sides):
        raise BadSetting(
            f"unknown paper format: {format!r}",
            hint=f"use {', '.join(PAPERS)}, or millimetres such as 100x150",
        )
    return sides[0] / INCH_MM, sides[1] / INCH_MM


def _four_margins(text: str) -> tuple[float, float, float, float]:
    """Top, right, bottom and left in inches."""
    try:
        given = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        given = []
    if not 1 <= len(given) <= 4 or not all(0 <= margin <= 100 for margin in given):  # noqa: PLR2004
        raise BadSetting(
            f"invalid margins: {text!r} (not numbers, or out of range)",
            hint="use 0 to 100 mm, such as 20,10",
        )
    top, right, bottom, left = (given * 4)[:4] if len(given) != 3 else (*given, given[1])  # noqa: PLR2004
    return top / INCH_MM, right / INCH_MM, bottom / INCH_MM, left / INCH_MM


async def print_pdf(tab: Tab, path: Path | None, paper: Paper, *, deadline: Deadline) -> Pdf:
    """Print the page, or save the PDF that the tab shows."""
    request = paper.request()
    shown = await shows_pdf(tab)
    async with deadline.stage("saving the PDF that is shown" if shown else "printing the page"):
        data = await (_fetch_file(tab) if shown else _print_page(tab.session, request))
    if not data.startswith(b"%PDF-"):
        raise PageError("the response is not a PDF", hint="reload the page")
    if path is not None:
        await asyncio.to_thread(_write, path, data)
    pages = len(re.findall(rb"/Type\s*/Page(?![a-zA-Z])", data))
    return Pdf(data=data, path=path, pages=pages, printed=not shown)


async def shows_pdf(tab: Tab) -> bool:
    """Whether the tab shows a PDF in the browser's own viewer, where there is no page to read."""
    reply = await tab.frames.run(tab.frames.main, "document.contentType")
    return bool(reply["result"].get("value") == "application/pdf")


async def _print_page(session: CdpSession, request: dict[str, Any]) -> bytes:
    try:
        reply = await session.send("Page.printToPDF", **request)
    except ProtocolError as error:
        if "range" in error.text.lower():
            raise BadSetting(f"no such pages: {error.text}") from error
        raise PageError(f"the page could not be printed: {error.text}") from error
    return await _read_stream(session, str(reply["stream"]))


async def _fetch_file(tab: Tab) -> bytes:
    """Download the file again with the cookies of the page; the viewer does not provide it."""
    try:
        reply = await tab.session.send(
            "Network.loadNetworkResource",
            frameId=tab.frames.main_id,
            url=tab.url,
            options={"disableCache": False, "includeCredentials": True},
        )
    except ProtocolError as error:
        raise PageError(f"the PDF could not be fetched again: {error.text}") from error
    resource = reply["resource"]
    if not resource.get("success"):
        raise PageError(
            f"the PDF could not be fetched again: {resource.get('netErrorName', 'no reason given')}",
            url=tab.url,
        )
    return await _read_stream(tab.session, str(resource["stream"]))


async def _read_stream(session: CdpSession, handle: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    try:
        while True:
            reply = await session.send("IO.read", handle=handle, size=CHUNK)
            raw = str(reply["data"])
            parts.append(base64.b64decode(raw) if reply.get("base64Encoded") else raw.encode("latin-1"))
            size += len(parts[-1])
            if size > LARGEST:
                raise PageError(f"the PDF is larger than {LARGEST} bytes")
            if reply.get("eof"):
                return b"".join(parts)
    finally:
        closing = session.post("IO.close", handle=handle)
        ignore_reply(closing)


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except IsADirectoryError as error:
        raise BadRequest(
            f"the PDF cannot be written to {path}: it is a folder",
            hint=f"pass the path of a file, such as {path / 'page.pdf'}",
        ) from error
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}", hint="pass another path") from error
