"""Downloads: Chromium writes them under random names in a folder of ours; complete ones are kept under a safe name."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.cdp.replies import ignore_reply
from boathook.engine.events.event_log import EventLog, RingBuffer
from boathook.engine.files.file_names import keep_as, safe_name
from boathook.engine.hosts.urls import without_credentials
from boathook.errors import PageError, ProtocolError
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.cdp.connection import Connection
    from boathook.engine.files.private_dir import PrivateDirectory

KEPT_FOLDER = "kept"


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A completed download."""

    path: Path
    suggested_name: str
    """The name from the server or the page; `path` has the safe version."""
    url: str
    size: int


@dataclass(slots=True, eq=False)
class Transfer:
    """A download in progress."""

    number: int
    id: str
    url: str
    suggested_name: str
    folder: Path
    state: str = "inProgress"
    received: int = 0
    total: int = 0
    claimed: bool = False

    def __str__(self) -> str:
        return (
            f"{safe_name(self.suggested_name)!r} {self.state} ({self.received} of {self.total or '?'} bytes)"
        )


class Downloads:
    """The downloads that pages of one tab started."""

    def __init__(self, event_log: EventLog) -> None:
        self.all: RingBuffer[Transfer] = RingBuffer(event_log, limit=200)

    def mark(self) -> int:
        """A mark: later entries are new."""
        return self.all.mark()

    def since(self, mark: int) -> list[Transfer]:
        """Downloads that started after a mark."""
        return self.all.since(mark)

    def find_unclaimed(self, mark: int) -> Transfer | None:
        """The first download after a mark that has ended, successfully or not, and was not returned yet."""
        return next(
            (
                transfer
                for transfer in self.all.since(mark)
                if not transfer.claimed and transfer.state != "inProgress"
            ),
            None,
        )


class DownloadWatch:
    """Listens for all downloads of a browser and notifies the tab that each belongs to."""

    def __init__(
        self, connection: Connection, folder: PrivateDirectory, *, find: Callable[[str], Downloads | None]
    ) -> None:
        self._connection = connection
        self._find = find
        self._folder = folder
        self._contexts: set[str | None] = set()
        self._live: dict[str, tuple[Transfer, Downloads]] = {}
        connection.on("Browser.downloadWillBegin", lambda params, _session: self._on_begin(params))
        connection.on("Browser.downloadProgress", lambda params, _session: self._on_progress(params))

    def begin(self, context: str | None) -> asyncio.Future[dict[str, Any]] | None:
        """Handle the downloads of a context from now on; does nothing if it already does."""
        if context in self._contexts:
            return None
        self._contexts.add(context)
        options: dict[str, Any] = {
            "behavior": "allowAndName",
            "downloadPath": str(self._folder.path),
            "eventsEnabled": True,
        }
        if context is not None:
            options["browserContextId"] = context
        reply = self._connection.post("Browser.setDownloadBehavior", options)
        ignore_reply(reply)
        return reply

    async def cancel(self, transfer: Transfer) -> None:
        """Cancel a download; the partial file is removed."""
        await self._connection.send("Browser.cancelDownload", {"guid": transfer.id})

    def _on_begin(self, params: dict[str, Any]) -> None:
        downloads = self._find(str(params.get("frameId", "")))
        if downloads is None:
            return
        number = downloads.all.next_number()
        transfer = Transfer(
            number=number,
            id=str(params["guid"]),
            url=without_credentials(str(params.get("url", ""))[:8_000]),
            suggested_name=str(params.get("suggestedFilename", ""))[:1_000],
            folder=self._folder.path,
        )
        downloads.all.add(number, transfer)
        self._live[transfer.id] = (transfer, downloads)

    def _on_progress(self, params: dict[str, Any]) -> None:
        transfer, downloads = self._live.get(str(params["guid"]), (None, None))
        if transfer is None or downloads is None:
            return
        transfer.received = int(params.get("receivedBytes", 0))
        transfer.total = int(params.get("totalBytes", 0))
        transfer.state = str(params.get("state", "inProgress"))
        if transfer.state != "inProgress":
            self._live.pop(transfer.id)
            downloads.all.next_number()


async def keep(transfer: Transfer, place: Path | None) -> Download:
    """Move a finished download to its destination; without one it stays in a folder that is removed with the browser."""
    transfer.claimed = True
    if transfer.state != "completed":
        raise PageError(
            f"the download of {safe_name(transfer.suggested_name)!r} was cancelled or interrupted after "
            f"{transfer.received} bytes",
            hint="start it again; nothing was kept",
            url=transfer.url,
        )
    return await asyncio.to_thread(_keep_file, transfer, place or transfer.folder / KEPT_FOLDER)


def is_file_name(place: Path) -> bool:
    """Whether a destination means a file: it has an extension, and is not an existing folder."""
    return bool(place.suffix) and not place.is_dir()


def _keep_file(transfer: Transfer, place: Path) -> Download:
    source = transfer.folder / Path(transfer.id).name
    try:
        size = source.stat().st_size
    except OSError as error:
        raise PageError(
            f"the downloaded file {safe_name(transfer.suggested_name)!r} is missing: {error.strerror}"
        ) from error
    if size != transfer.received:
        source.unlink(missing_ok=True)
        raise PageError(
            f"the download of {safe_name(transfer.suggested_name)!r} is incomplete: {size} bytes on disk, "
            f"{transfer.received} reported",
            hint="start it again; nothing was kept",
        )
    path = keep_as(source, place.parent if is_file_name(place) else place, transfer.suggested_name)
    if is_file_name(place):
        path = path.replace(place)  # an explicit file name replaces an existing file
    return Download(path=path, suggested_name=transfer.suggested_name, url=transfer.url, size=size)


async def cancel_all(watch: DownloadWatch, downloads: Downloads) -> int:
    """Cancel pending downloads; returns how many there were."""
    going = [transfer for transfer in downloads.all if transfer.state == "inProgress"]
    for transfer in going:
        try:
            await watch.cancel(transfer)
        except ProtocolError:
            continue  # it has just ended
    return len(going)
