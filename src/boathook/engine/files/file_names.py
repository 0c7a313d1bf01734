"""Untrusted file names, made safe: they cannot choose a folder, hide their type or overwrite anything."""

from __future__ import annotations

import os
import re
import shutil
import unicodedata
from pathlib import Path

from boathook.errors import BadRequest

LONGEST_NAME = 120
LONGEST_ENCODED = 200
"""Bytes; file systems allow 255, and a number may be appended."""
LONGEST_SUFFIX = 20
MOST_TWINS = 10_000
NAMELESS = "download"
_SEPARATORS = re.compile(r"[/\\\u2044\u2215\u29f8\uff0f\uff3c]")
_AWKWARD = re.compile(r'[<>:"|?*%\x7f]')
_RESERVED = re.compile(r"(con|prn|aux|nul|clock\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|\Z)", re.IGNORECASE)
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Control and format characters (which change the direction of text), unpaired surrogates, line ends."""


def safe_name(text: str) -> str:
    """A plain file name for the one that a server or page suggested."""
    last = _SEPARATORS.split(unicodedata.normalize("NFC", text))[-1]
    seen = "".join(character for character in last if unicodedata.category(character) not in _INVISIBLE)
    name = _AWKWARD.sub("_", " ".join(seen.split())).lstrip(". ~-").rstrip(". ")
    if _RESERVED.match(name):
        name = f"_{name}"
    return _shorten(name).rstrip(". ") or NAMELESS


def _shorten(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    if not stem or len(suffix) > LONGEST_SUFFIX:
        stem, dot, suffix = name, "", ""
    room = LONGEST_NAME - len(dot + suffix)
    stem = stem[:room]
    while stem and len((stem + dot + suffix).encode()) > LONGEST_ENCODED:
        stem = stem[:-1]
    return stem + dot + suffix if stem else suffix


def keep_as(source: Path, folder: Path, name: str) -> Path:
    """Move a finished file into a folder under a safe name; if it is taken, a number is appended."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{folder} cannot be used as a folder: {error.strerror}") from error
    plain = Path(safe_name(name))
    for number in range(1, MOST_TWINS):
        candidate = folder / (plain.name if number == 1 else f"{plain.stem} ({number}){plain.suffix}")
        if candidate.is_symlink() or candidate.exists():
            continue
        try:
            _place(source, candidate)
        except FileExistsError:
            continue
        except OSError as error:
            raise BadRequest(f"{candidate} cannot be written: {error.strerror}") from error
        return candidate
    raise BadRequest(f"{folder} has too many files named {plain.name}")


def _place(source: Path, candidate: Path) -> None:
    """Create a file completely or not at all, never over another one."""
    try:
        os.link(source, candidate)
    except FileExistsError:
        raise
    except OSError:  # another file system, or one without links
        part = candidate.with_name(f".{os.urandom(8).hex()}.part")
        try:
            shutil.copyfile(source, part)
            os.link(part, candidate)
        finally:
            part.unlink(missing_ok=True)
    source.unlink(missing_ok=True)
