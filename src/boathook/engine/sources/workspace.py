"""The source files of a folder: listed and searched within limits, and never through a symbolic link."""

from __future__ import annotations

import os
import re
import stat
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

DEFAULT_FILES = 2_000
MOST_FILES = 5_000
MOST_ENTRIES = 100_000
"""Files and folders that are looked at, whatever their names are."""
MOST_BYTES = 64 << 20
LARGEST_FILE = 1 << 20
SCAN_SECONDS = 3.0
SEARCH_SECONDS = 3.0
MOST_HITS = 10
EXTENSIONS = (
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mts",
    ".cts",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".astro",
    ".html",
)
SKIPPED = frozenset(
    {"node_modules", "dist", "build", "coverage", "out", "tmp", "temp", "venv", "__pycache__"}
)
"""Folders that hold what others wrote, or what is made from the source; and all whose name begins with a dot."""
_NOISE = re.compile(r"\A(?:\.{0,2}|\(.*\)|@fs|@id|_N_E|[A-Za-z]:)\Z")
"""Parts of URLs of bundlers that are not folders."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A line in a file."""

    file: str
    line: int
    text: str
    """What matched."""


@dataclass(slots=True)
class Workspace:
    """The source files of a folder. All methods block, so they run in a thread."""

    root: Path
    files: tuple[str, ...] = ()
    """Relative to the root, with slashes."""
    cut: bool = False
    """Whether there are more files than were listed."""
    _left: int = field(default=MOST_BYTES)

    @classmethod
    def scan(cls, root: Path, *, most_files: int) -> Workspace:
        """List the files, those near the root first."""
        root = Path(os.path.realpath(root))
        found: list[str] = []
        end, entries, cut = time.monotonic() + SCAN_SECONDS, 0, False
        folders = [""]
        while folders and not cut:
            inside: list[str] = []
            for name, is_folder in _list(root, folders.pop(0)):
                entries += 1
                if is_folder:
                    inside.append(name)
                elif name.endswith(EXTENSIONS):
                    found.append(name)
                cut = len(found) >= most_files or entries >= MOST_ENTRIES or time.monotonic() > end
                if cut:
                    break
            folders += inside
        return cls(root, tuple(found), cut)

    def find(self, reported: str) -> str | None:
        """The file that a page means by a path or a URL; None if there is none, or more than one fits."""
        parts, known = _parts(reported, self.root), frozenset(self.files)
        if not parts or not SKIPPED.isdisjoint(parts[:-1]):
            return None
        whole = "/".join(parts)
        for first in range(max(1, len(parts) - 1)):
            if "/".join(parts[first:]) in known:
                return "/".join(parts[first:])
        # The page's root may be deeper in the folder, or the name alone may be enough.
        for ending in (whole, parts[-1]):
            fits = [file for file in self.files if f"/{file}".endswith(f"/{ending}")]
            if fits:
                return fits[0] if len(fits) == 1 else None
        return None

    def search(self, pattern: re.Pattern[str]) -> list[Hit]:
        """The first lines that match, one for each file."""
        hits: list[Hit] = []
        end = time.monotonic() + SEARCH_SECONDS
        for file in self.files:
            if len(hits) >= MOST_HITS or time.monotonic() > end:
                break
            text = self.read(file)
            if match := pattern.search(text):
                hits.append(Hit(file, text.count("\n", 0, match.start()) + 1, match[0]))
        return hits

    def has_line(self, file: str, line: int) -> bool:
        """Whether a file has so many lines."""
        return 1 <= line <= self.read(file).count("\n") + 1

    def read(self, file: str) -> str:
        """The text of a file of the list; empty if it is too large, has become a link, or all files together are too large."""
        try:
            descriptor = os.open(self.root / file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return ""
        with os.fdopen(descriptor, "rb") as opened:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or status.st_size > min(LARGEST_FILE, self._left):
                return ""
            content = opened.read(LARGEST_FILE)
        self._left -= len(content)
        return content.decode("utf-8", "replace")


def _list(root: Path, folder: str) -> Iterator[tuple[str, bool]]:
    """The entries of a folder with their relative paths; links and skipped folders are not among them."""
    try:
        with os.scandir(root / folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in listed:
        path = f"{folder}/{entry.name}" if folder else entry.name
        if entry.is_symlink():
            continue
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in SKIPPED and not entry.name.startswith("."):
                yield path, True
        elif entry.is_file(follow_symlinks=False):
            yield path, False


def _parts(reported: str, root: Path) -> list[str]:
    """The folders and the name of a path or URL, without what bundlers add."""
    path = reported
    if "://" in reported:
        try:
            path = urlsplit(reported).path
        except ValueError:
            return []
    path = unquote(path.partition("?")[0].partition("#")[0]).replace("\\", "/")
    path = (
        path.removeprefix("/@fs").removeprefix(f"{root}/") if path.startswith(("/@fs", f"{root}/")) else path
    )
    return [part for part in path.split("/") if not _NOISE.match(part)]
