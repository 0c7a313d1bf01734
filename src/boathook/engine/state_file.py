"""Saved state: cookies and storage in a file that Playwright reads and writes as well."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from boathook.engine.storage import cookies, read_area, set_cookies, write_area
from boathook.errors import BadRequest, BoathookError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.frames import Frame
    from boathook.engine.tab import Tab

    Visit = Callable[[str], Awaitable[Tab]]
    """Opens a blank page of an origin in the tab's context, without asking its server."""

FRAME_SECONDS = 2.0
LARGEST_FILE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedState:
    """What was saved or loaded; `skipped` are origins whose storage could not be reached."""

    path: Path
    cookies: int
    origins: tuple[str, ...]
    skipped: tuple[str, ...] = ()


async def save_state(tab: Tab, path: Path, *, deadline: Deadline) -> SavedState:
    """Write the context's cookies and the storage of every origin that the tab shows."""
    jar = await cookies(tab, None, deadline=deadline)
    kept: list[dict[str, Any]] = []
    skipped: list[str] = []
    for origin, frame in (await _origins(tab)).items():
        try:
            local = await read_area(tab, "local", frame=frame, deadline=deadline)
            session = await read_area(tab, "session", frame=frame, deadline=deadline)
        except BoathookError:
            skipped.append(origin)
            continue
        if local or session:
            kept.append({"origin": origin, "localStorage": _pairs(local), "sessionStorage": _pairs(session)})
    written = msgspec.json.format(msgspec.json.encode({"cookies": jar, "origins": kept}), indent=2)
    async with deadline.stage("writing the state"):
        await asyncio.to_thread(_write_private, path, written)
    return SavedState(
        path=path,
        cookies=len(jar),
        origins=tuple(one["origin"] for one in kept),
        skipped=tuple(skipped),
    )


async def load_state(tab: Tab, path: Path, *, visit: Visit | None, deadline: Deadline) -> SavedState:
    """Set cookies and storage from a file; origins that the tab does not show need `visit`, or are skipped."""
    async with deadline.stage("reading the state"):
        state = await asyncio.to_thread(read_state, path)
    jar = [
        {name: part for name, part in cookie.items() if name != "partitionKey" or isinstance(part, dict)}
        for cookie in state["cookies"]
    ]
    if jar:
        await set_cookies(tab, jar, deadline=deadline)
    shown = await _origins(tab)
    restored: list[str] = []
    skipped: list[str] = []
    for entry in state["origins"]:
        origin = str(entry.get("origin", ""))
        done = await _restore(tab, entry, shown.get(origin), visit=visit, deadline=deadline)
        (restored if done else skipped).append(origin)
    return SavedState(path=path, cookies=len(jar), origins=tuple(restored), skipped=tuple(skipped))


async def _restore(
    tab: Tab, entry: dict[str, Any], frame: Frame | None, *, visit: Visit | None, deadline: Deadline
) -> bool:
    local, session = _items(entry, "localStorage"), _items(entry, "sessionStorage")
    if frame is not None:
        await write_area(tab, "local", local, frame=frame, deadline=deadline)
        await write_area(tab, "session", session, frame=frame, deadline=deadline)
        return True
    origin = str(entry.get("origin", ""))
    if visit is None or not origin.startswith(("http://", "https://")):
        return False
    async with deadline.stage(f"restoring the storage of {origin[:200]}"):
        visitor = await visit(origin)
        await write_area(visitor, "local", local, deadline=deadline)
    # Session storage belongs to a tab, so a visitor's would be of no use.
    return True


async def _origins(tab: Tab) -> dict[str, Frame]:
    """One frame per origin that the tab shows; frames that are just moving to another process are waited for."""
    await tab.frames.settled(FRAME_SECONDS)
    found: dict[str, Frame] = {}
    for frame in tab.frames:
        parts = urlsplit(frame.url)
        if parts.scheme in {"http", "https"}:
            found.setdefault(f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", frame)
    return found


def _pairs(items: dict[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in items.items()]


def _items(entry: dict[str, Any], area: str) -> dict[str, str]:
    return {str(pair["name"]): str(pair["value"]) for pair in entry.get(area, ()) if isinstance(pair, dict)}


def read_state(path: Path) -> dict[str, Any]:
    """The cookies and origins in a file, checked to be lists of objects."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadRequest(f"{path} is larger than {LARGEST_FILE} bytes")
        state = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise BadRequest(f"{path} is no state file: it is not JSON") from error
    if not isinstance(state, dict):
        raise BadRequest(f"{path} is no state file", hint="it has cookies and origins")
    jar, origins = state.get("cookies", []), state.get("origins", [])
    if not _all_objects(jar) or not _all_objects(origins):
        raise BadRequest(f"{path} is no state file: cookies and origins are lists of objects")
    return {"cookies": jar, "origins": origins}


def _all_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) for one in value)


def _write_private(path: Path, data: bytes) -> None:
    """Whole or not at all, and readable by nobody else: it holds what proves who the user is."""
    part = path.with_name(f".{path.name}.{os.urandom(4).hex()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        part.replace(path)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error
