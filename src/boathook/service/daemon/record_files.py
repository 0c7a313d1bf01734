"""Records: small JSON files that survive a crash at any moment, and report damage."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.private_files import replace_file

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 16 << 20
_PREVIOUS = ".prev"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRecord:
    """What was found under a name; `damage` describes what was damaged."""

    data: dict[str, Any] | None
    source: Literal["current", "previous", "none"]
    damage: tuple[str, ...] = ()

    @property
    def recovered(self) -> bool:
        """Whether this is the previous state, because the last one is damaged."""
        return self.source == "previous"


def write_record(path: Path, data: dict[str, Any], *, schema: int, durable: bool = True) -> None:
    """Replace a record atomically; the previous one is kept next to it. `durable` survives a power cut, for 5 ms."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    whole = json.dumps({"schema": schema, "sha256": _sum(text), "data": text}).encode("ascii")
    _keep_previous(path, schema=schema)
    replace_file(path, whole, durable=durable)


def read_record(path: Path, *, schema: int) -> StoredRecord:
    """The record, otherwise the previous one, otherwise none; a damaged one is reported and kept."""
    damage: list[str] = []
    sources: tuple[tuple[Literal["current", "previous"], Path], ...] = (
        ("current", path),
        ("previous", _previous(path)),
    )
    for source, place in sources:
        try:
            return StoredRecord(data=_parse_record(place, schema=schema), source=source, damage=tuple(damage))
        except FileNotFoundError:
            continue
        except (OSError, ValueError) as error:
            damage.append(f"{place.name}: {error}")
    return StoredRecord(data=None, source="none", damage=tuple(damage))


def remove_record(path: Path) -> None:
    """Remove a record and the previous one."""
    path.unlink(missing_ok=True)
    _previous(path).unlink(missing_ok=True)


def _previous(path: Path) -> Path:
    return path.with_name(path.name + _PREVIOUS)


def _keep_previous(path: Path, *, schema: int) -> None:
    """Only a valid record becomes the previous one: a damaged one must not replace the last good one."""
    try:
        _parse_record(path, schema=schema)
    except (OSError, ValueError):
        return
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with suppress(OSError):  # a file system without links keeps no previous record
        os.link(path, beside, follow_symlinks=False)
        beside.replace(_previous(path))


def _parse_record(path: Path, *, schema: int) -> dict[str, Any]:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    with open(fd, "rb") as file:  # noqa: PTH123 (a descriptor, not a path)
        whole = file.read(MOST_BYTES + 1)
    if len(whole) > MOST_BYTES:
        raise ValueError(f"larger than {MOST_BYTES:,} bytes")
    try:
        found = json.loads(whole)
        text, checksum, version = found["data"], found["sha256"], found["schema"]
        data = json.loads(text)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError("truncated, or not a record") from error
    if version != schema:
        raise ValueError(f"unsupported schema version {version!r:.20}, not {schema}")
    if checksum != _sum(text) or not isinstance(data, dict):
        raise ValueError("checksum mismatch")
    return data


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
