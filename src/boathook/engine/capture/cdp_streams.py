"""Files that Chromium sends in chunks, written as they arrive, so that none has to fit into memory."""

from __future__ import annotations

import asyncio
import base64
import os
from typing import TYPE_CHECKING

from boathook.cdp.replies import ignore_reply
from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path
    from typing import BinaryIO

    from boathook.cdp.cdp_session import CdpSession
    from boathook.engine.tab import Tab

PIECE = 1024 * 1024
_PRIVATE = 0o600


def place_for(tab: Tab, path: Path | None, kind: str, ending: str) -> Path:
    """The path from the caller, or one that is removed with the browser; prepared for writing."""
    target = path if path is not None else tab.browser.folder.fresh(kind).with_suffix(ending)
    require_place(target)
    return target


def require_place(target: Path) -> None:
    """Make sure, before any work is done, that a file can be written there; its folder is created."""
    if target.is_dir():
        raise BadRequest(f"{target} is a folder", hint="pass the path of a file")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{target} cannot be written: {error.strerror}") from error
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise BadRequest(f"{target} cannot be written: permission denied")


def open_private(path: Path) -> BinaryIO:
    """The file, empty; if it is new, only its owner can read it."""
    try:
        return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE), "wb")
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error


def write_whole(path: Path, data: bytes) -> int:
    """Write a file; returns its size."""
    with open_private(path) as file:
        try:
            return file.write(data)
        except OSError as error:
            raise BadRequest(f"{path} cannot be written: {error.strerror}") from error


async def pieces(session: CdpSession, handle: str) -> AsyncIterator[bytes]:
    """The content of a browser stream, in chunks; the stream is closed at the end."""
    try:
        while True:
            reply = await session.send("IO.read", handle=handle, size=PIECE)
            raw = str(reply["data"])
            yield (
                base64.b64decode(raw)
                if reply.get("base64Encoded")
                else await asyncio.to_thread(raw.encode, "utf-8", "replace")
            )
            if reply.get("eof"):
                return
    finally:
        closing = session.post("IO.close", handle=handle)
        ignore_reply(closing)
