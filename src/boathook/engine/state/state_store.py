"""States saved by name: a private file each in the user's folder, to be listed, shown, renamed and removed."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.state.state_file import read_state
from boathook.engine.vault.sealing import is_sealed
from boathook.errors import BadRequest
from boathook.runtime_folder import state_folder, why_not_private

if TYPE_CHECKING:
    from collections.abc import Mapping

SUFFIX = ".json"
SHOWN_NAMES = 8
BEGINNING = 64
"""The first bytes, which show whether a file is encrypted."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptState:
    """A saved state, without its content."""

    name: str
    saved: str
    size: int
    sealed: bool = False
    """Whether it is encrypted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateFacts:
    """The content of a state: domains and origins with counts, and no values."""

    name: str
    path: Path
    saved: str
    cookies: Mapping[str, int]
    """Domains, with the number of their cookies."""
    origins: Mapping[str, int]
    """Origins, with the number of their items."""
    expired: int
    """Expired cookies."""
    sealed: bool = False


def is_name(text: object) -> bool:
    """Whether text is the name of a saved state: it has no slash and no file extension."""
    return isinstance(text, str) and not text.endswith(SUFFIX) and _NAME.fullmatch(text) is not None


def place_of(given: str | Path) -> Path:
    """The file of a name or a path."""
    if not is_name(given):
        return Path(given)
    return _folder() / f"{given}{SUFFIX}"


def list_states() -> list[KeptState]:
    """All saved states, by name."""
    found = sorted(_folder().glob(f"*{SUFFIX}"))
    return [_describe_state(path) for path in found if path.is_file() and not path.is_symlink()]


def list_state_paths() -> list[Path]:
    """Their files, by name."""
    return [_state_path(state.name) for state in list_states()]


def _describe_state(path: Path) -> KeptState:
    facts = path.stat()
    with path.open("rb") as file:
        sealed = is_sealed(file.read(BEGINNING))
    return KeptState(name=path.stem, saved=_moment(facts.st_mtime), size=facts.st_size, sealed=sealed)


def facts_of(name: str) -> StateFacts:
    """The content of one of them."""
    path = _existing(name)
    state = read_state(path)
    sealed = _describe_state(path).sealed
    origins = {
        str(entry.get("origin", "")): sum(
            len(items)
            for area in ("localStorage", "sessionStorage")
            if isinstance(items := entry.get(area), list)
        )
        for entry in state["origins"]
    }
    return StateFacts(
        name=name,
        path=path,
        saved=_moment(path.stat().st_mtime),
        cookies=Counter(str(cookie.get("domain", "")) for cookie in state["cookies"]),
        origins=origins,
        expired=sum(_is_over(cookie.get("expires")) for cookie in state["cookies"]),
        sealed=sealed,
    )


def rename(name: str, to: str) -> KeptState:
    """Rename one; an existing state is not replaced."""
    old, new = _existing(name), _state_path(to)
    try:
        os.link(old, new, follow_symlinks=False)
    except FileExistsError:
        raise BadRequest(f"state {to!r} already exists", hint=f"`state clear {to}` removes it") from None
    except OSError as error:
        raise BadRequest(f"{name!r} cannot be renamed: {error.strerror}") from error
    old.unlink()
    return _describe_state(new)


def remove(name: str) -> None:
    """Remove one."""
    _existing(name).unlink()


def remove_older(seconds: float) -> list[str]:
    """Remove all that were saved longer ago than that; returns their names."""
    removed = []
    for state in list_states():
        path = _state_path(state.name)
        if time.time() - path.stat().st_mtime > seconds:
            path.unlink()
            removed.append(state.name)
    return removed


def _folder() -> Path:
    path = state_folder() + "/states"
    why_not = why_not_private(path)
    if why_not is not None:
        raise BadRequest(f"{path} cannot be used: it {why_not}", path=path)
    return Path(path)


def _state_path(name: str) -> Path:
    if not is_name(name):
        raise BadRequest(
            f"invalid state name: {name[:80]!r}",
            hint="use letters, digits, dots, hyphens and underscores, without a slash or .json",
        )
    return _folder() / f"{name}{SUFFIX}"


def _existing(name: str) -> Path:
    path = _state_path(name)
    if path.is_symlink() or not path.is_file():
        known = [state.name for state in list_states()]
        shown = ", ".join(known[:SHOWN_NAMES]) + (" …" if len(known) > SHOWN_NAMES else "")
        raise BadRequest(
            f"no such state: {name!r}; saved: {shown or 'none'}", hint="`state save NAME` saves one"
        )
    return path


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")


def _is_over(expires: object) -> bool:
    return isinstance(expires, int | float) and 0 < expires < time.time()
