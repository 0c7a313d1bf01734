"""PDF: print a page to a file; a page of the built-in PDF viewer is saved as the file that it shows."""

from __future__ import annotations

import asyncio
import base64
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest, BadSetting, PageError, ProtocolError

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.cdp.session import Session
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
_RANGES = re.compile(r"\s*\d+\s*(-\s*\d*\s*)?(,\s*\d+\s*(-\s*\d*\s*)?)*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdf:
    """A PDF; `path` is where it was saved."""

    data: bytes
    path: Path | None
    pages: int
    printed: bool
    """False when the tab shows a PDF, and this is that file."""

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
    pages: str = ""

    def request(self) -> dict[str, Any]:
        """The protocol's words for it; BadSetting when it cannot be."""
        size = PAPERS.get(self.format.lower()) if isinstance(self.format, str) else None
        if size is None:
            raise BadSetting(f"{self.format!r} is not a paper format", hint=f"use {', '.join(PAPERS)}")
        if not 0.1 <= self.scale <= 2:  # noqa: PLR2004
            raise BadSetting(f"a scale of {self.scale} is out of range", hint="use 0.1 to 2")
        if not 0 <= self.margin_mm <= 100:  # noqa: PLR2004
            raise BadSetting(f"a margin of {self.margin_mm} mm is out of range", hint="use 0 to 100")
        if self.pages and not _RANGES.match(self.pages):
            raise BadSetting(f"{self.pages!r} names no pages", hint="write them like 1-3, 5")
        margin = self.margin_mm / INCH_MM
        return {
            "paperWidth": size[0],
            "paperHeight": size[1],
            "landscape": self.landscape,
            "printBackground": self.background,
            "scale": self.scale,
            "marginTop": margin,
            "marginBottom": margin,
            "marginLeft": margin,
            "marginRight": margin,
            "pageRanges": self.pages,
            "transferMode": "ReturnAsStream",
        }


async def print_pdf(tab: Tab, path: Path | None, paper: Paper, *, deadline: Deadline) -> Pdf:
    """Print the page, or save the PDF that the tab shows."""
    request = paper.request()
    shown = await shows_pdf(tab)
    async with deadline.stage("saving the PDF that is shown" if shown else "printing the page"):
        data = await (_shown_file(tab) if shown else _printed(tab.session, request))
    if not data.startswith(b"%PDF-"):
        raise PageError("what came is no PDF", hint="load the page again")
    if path is not None:
        await asyncio.to_thread(_write, path, data)
    pages = len(re.findall(rb"/Type\s*/Page(?![a-zA-Z])", data))
    return Pdf(data=data, path=path, pages=pages, printed=not shown)


async def shows_pdf(tab: Tab) -> bool:
    """Whether the tab shows a PDF in the browser's own viewer, where there is no page to read."""
    reply = await tab.frames.run(tab.frames.main, "document.contentType")
    return bool(reply["result"].get("value") == "application/pdf")


async def _printed(session: Session, request: dict[str, Any]) -> bytes:
    try:
        reply = await session.send("Page.printToPDF", **request)
    except ProtocolError as error:
        if "range" in error.text.lower():
            raise BadSetting(f"the page has no such pages: {error.text}") from error
        raise PageError(f"the page could not be printed: {error.text}") from error
    return await _read_stream(session, str(reply["stream"]))


async def _shown_file(tab: Tab) -> bytes:
    """The file again, with the cookies of the page; the viewer does not hand it out."""
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


async def _read_stream(session: Session, handle: str) -> bytes:
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
        closing.add_done_callback(lambda done: done.cancelled() or done.exception())


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error
