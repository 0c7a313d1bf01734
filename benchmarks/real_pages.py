"""Real web pages for measuring: `../shared/data/real-pages.tar.xz`, unpacked on first use; none of it is part of the project."""

from __future__ import annotations

import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ARCHIVE = ROOT.parent / "shared" / "data" / "real-pages.tar.xz"
CACHE = ROOT / ".cache" / "real-pages"
POLICY = "default-src 'self' 'unsafe-inline' data:; script-src 'none'; frame-src 'none'; img-src data:"
"""Pages are shown as they are: no scripts, no frames, no other hosts."""
SMALLEST = 20_000
"""Bytes; smaller pages of the archive test single features of an extractor."""


def folder() -> Path | None:
    """The folder with a folder per page, or None with a note."""
    if not CACHE.exists():
        if not ARCHIVE.exists():
            print(f"skipped: real pages ({ARCHIVE.name} is not in {ARCHIVE.parent.relative_to(ROOT.parent)})")
            return None
        with tarfile.open(ARCHIVE) as files:
            files.extractall(CACHE, filter="data")
    return CACHE / "pages"


def names() -> list[str]:
    """The pages of which snapshots are timed; empty without the archive."""
    pages = folder()
    if pages is None:
        return []
    return sorted(page.name for page in pages.iterdir() if (page / "source.html").stat().st_size >= SMALLEST)


def source(name: str) -> bytes | None:
    """The page's source, if there is such a page."""
    file = CACHE / "pages" / name / "source.html"
    return file.read_bytes() if file.is_file() and file.parent.parent == CACHE / "pages" else None
