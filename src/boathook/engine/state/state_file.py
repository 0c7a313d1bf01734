"""Saved state: cookies and storage in a file that is compatible with Playwright."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from boathook.engine.state.storage import cookies, read_area, set_cookies, write_area
from boathook.engine.vault.encryption_keys import lock_keys, users_key
from boathook.engine.vault.sealing import is_sealed, require_cipher, seal, unseal
from boathook.errors import BadRequest, BoathookError, DamagedFile
from boathook.input_files import read_input_file
from boathook.private_files import replace_file

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from pathlib import Path

    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab

    Visit = Callable[[str], Awaitable[Tab]]
    """Opens a blank page of an origin in the tab's context, without a request to its server."""

FRAME_SECONDS = 2.0
LARGEST_FILE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedState:
    """What was saved or loaded; `skipped` are origins whose storage could not be accessed."""

    path: Path
    cookies: int
    origins: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    sealed: bool = False
    """Whether the file is encrypted."""


async def save_state(tab: Tab, path: Path, *, encrypt: bool | None = None, deadline: Deadline) -> SavedState:
    """Write the context's cookies and the storage of every origin that the tab shows.

    The caller decides whether it is encrypted; by default as the file that is replaced was, or whenever a key is set.
    """
    async with deadline.stage("checking the existing file"):
        there = await asyncio.to_thread(is_state_sealed, path)
    sealed = encrypt if encrypt is not None else bool(there) or users_key() is not None
    if sealed:
        require_cipher()
    state, skipped = await gather_state([tab], deadline=deadline)
    async with deadline.stage("writing the state"):
        await asyncio.to_thread(write_state, path, state, sealed=sealed)
    return summarize_state(path, state, skipped=skipped, sealed=sealed)


async def gather_state(tabs: Iterable[Tab], *, deadline: Deadline) -> tuple[dict[str, Any], list[str]]:
    """The cookies of the tabs' context and the storage of all origins that they show; and origins that could not be read."""
    jar: list[dict[str, Any]] = []
    kept: dict[str, dict[str, Any]] = {}
    skipped: list[str] = []
    for number, tab in enumerate(tabs):
        if not number:
            jar = await cookies(tab, None, deadline=deadline)
        for origin, frame in (await _origins(tab)).items():
            if origin in kept:
                continue
            try:
                local = await read_area(tab, "local", frame=frame, deadline=deadline)
                session = await read_area(tab, "session", frame=frame, deadline=deadline)
            except BoathookError:
                skipped.append(origin)
                continue
            if local or session:
                kept[origin] = {
                    "origin": origin,
                    "localStorage": _pairs(local),
                    "sessionStorage": _pairs(session),
                }
    return {"cookies": jar, "origins": list(kept.values())}, skipped


def write_state(path: Path, state: dict[str, Any], *, sealed: bool) -> None:
    """Replace a state file atomically; a file that is not a state is not overwritten."""
    is_state_sealed(path)
    data = msgspec.json.format(msgspec.json.encode(state), indent=2)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as locked:
            if sealed:
                locked.enter_context(lock_keys())
                data = seal(data, kind="state")
            replace_file(path, data)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}") from error


def is_state_sealed(path: Path) -> bool | None:
    """Whether the existing state is encrypted; None if there is none. A file that cannot be read is an error."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return None
    return _read(path)[1]


def summarize_state(
    path: Path, state: dict[str, Any], *, skipped: Iterable[str] = (), sealed: bool
) -> SavedState:
    """What was written, as counts."""
    return SavedState(
        path=path,
        cookies=len(state["cookies"]),
        origins=tuple(str(origin["origin"]) for origin in state["origins"]),
        skipped=tuple(skipped),
        sealed=sealed,
    )


async def load_state(tab: Tab, path: Path, *, visit: Visit | None, deadline: Deadline) -> SavedState:
    """Set cookies and storage from a file; origins that the tab does not show need `visit`, or are skipped."""
    async with deadline.stage("reading the state"):
        state, sealed = await asyncio.to_thread(_read, path)
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
    return SavedState(
        path=path, cookies=len(jar), origins=tuple(restored), skipped=tuple(skipped), sealed=sealed
    )


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
    await tab.frames.wait_for_moving_frames(FRAME_SECONDS)
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
    return _read(path)[0]


def _read(path: Path) -> tuple[dict[str, Any], bool]:
    """The content of a file, and whether it is encrypted."""
    try:
        data = read_input_file(path, most_bytes=LARGEST_FILE)
        if len(data) > LARGEST_FILE:
            raise BadRequest(f"{path} is larger than {LARGEST_FILE} bytes")
    except FileNotFoundError as error:
        raise BadRequest(
            f"no such state file: {str(path)!r}",
            hint="pass an existing file or the name of a saved state|: `state list` lists them",
        ) from error
    except IsADirectoryError as error:
        raise BadRequest(f"{path} is a folder", hint="pass the path of a file or a name") from error
    except OSError as error:
        raise BadRequest(
            f"{path} cannot be read: {error.strerror}", hint="pass a file that this user can read"
        ) from error
    sealed = is_sealed(data)
    try:
        state = msgspec.json.decode(unseal(data, kind="state", path=path) if sealed else data)
    except msgspec.DecodeError as error:
        raise DamagedFile(f"not a state file: {path} (not JSON)", path=str(path)) from error
    if not isinstance(state, dict) or not {"cookies", "origins"} & state.keys():
        raise DamagedFile(f"not a state file: {path} (neither cookies nor origins)", path=str(path))
    jar, origins = state.get("cookies", []), state.get("origins", [])
    if not _all_objects(jar) or not _all_objects(origins):
        raise DamagedFile(
            f"not a state file: {path} (cookies and origins must be lists of objects)", path=str(path)
        )
    return {"cookies": jar, "origins": origins}, sealed


def _all_objects(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, dict) for part in value)
