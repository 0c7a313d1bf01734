"""The text of stylesheets that a page cannot read itself, so that the walker knows what their rules can do.

Browsers hide the rules of sheets of other origins from scripts. Without them the walker must ask for the computed style
of every element, which takes several times as long as the rest of a snapshot.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from boathook.engine.hosts.urls import without_credentials
from boathook.engine.network.log.network_log import response_text
from boathook.engine.network.log.request_record import LONGEST_ADDRESS
from boathook.errors import BoathookError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.network.log.request_record import RequestRecord
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab

DOCUMENT, STYLESHEET = "Document", "Stylesheet"
TEXT_SECONDS = 1.0
"""How long the browser may take to return the texts; without them the walk only takes longer."""
LONGEST_TEXT = 4_000_000


def failed_sheets(tab: Tab, frame: Frame) -> list[str]:
    """URLs of the stylesheets of a document that could not be loaded, each time they were requested."""
    records = _sheets_of(tab, frame)
    loaded = {record.url for record in records if not record.failure}
    return sorted({record.url for record in records} - loaded)


async def sheet_texts(tab: Tab, frame: Frame, urls: Iterable[str]) -> dict[str, str | None]:
    """Texts by URL; None for those that the browser does not return."""
    records = _sheets_of(tab, frame)
    wanted = list(urls)
    try:
        async with asyncio.timeout(TEXT_SECONDS):
            texts = await asyncio.gather(*(_text_of(url, records) for url in wanted))
    except TimeoutError:
        texts = [None] * len(wanted)
    if sum(len(text or "") for text in texts) > LONGEST_TEXT:
        texts = [None] * len(wanted)
    return dict(zip(wanted, texts, strict=True))


def learn_sheets(texts: dict[str, str | None]) -> str:
    """The expression that passes texts to the walker."""
    return f"__boathook.learnSheets({msgspec.json.encode(texts).decode()})"


def _sheets_of(tab: Tab, frame: Frame) -> list[RequestRecord]:
    """The stylesheets that a document has requested; none if some may be missing.

    The log drops the oldest requests first, so it is complete as long as it has the document's own request.
    """
    records = tab.network.of_document(frame.loader_id)
    if not any(record.type == DOCUMENT and record.frame == frame.id for record in records):
        return []
    return [record for record in records if record.type == STYLESHEET]


async def _text_of(url: str, records: list[RequestRecord]) -> str | None:
    """The text of all responses for a URL: the same URL can be loaded twice, with two texts."""
    ids = {record.id for record in records if record.url == _recorded(url)}
    last = {record.id: record for record in records if record.id in ids}
    answered = [record for record in last.values() if not record.failure]
    if not last or not all(record.finished for record in answered):
        return None
    try:
        return "\n".join(await asyncio.gather(*(response_text(record) for record in answered)))
    except BoathookError:
        return None


def _recorded(url: str) -> str:
    return without_credentials(url.partition("#")[0])[:LONGEST_ADDRESS]
