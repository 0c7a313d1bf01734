"""The scratch folder of a run: created and removed outside the loop, and watched while the script runs.

The kernel limits the size of one file only, so the sum is measured here. Removed files that are still open count too.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import tempfile
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from boathook.engine.launch.posix import start_time

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

PREFIX = "boathook-script-"
SCRATCH_BYTES = 128 << 20
"""Limit of all files; `jail.MEMORY_BYTES` leaves as much again for what is written between two measurements."""
MOST_FILES = 10_000
LEAST_BYTES = 4096
"""What a file takes at least."""
CHECK_SECONDS = 0.05


@asynccontextmanager
async def scratch_folder() -> AsyncIterator[str]:
    """A private folder for one run."""
    folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-{start_time(os.getpid())}-")
    try:
        yield folder
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))


def remove_abandoned() -> None:
    """Remove the folders of daemons that were killed."""
    with os.scandir(tempfile.gettempdir()) as entries:
        left = [entry for entry in entries if entry.name.startswith(PREFIX)]
    for entry in left:
        pid, _, rest = entry.name.removeprefix(PREFIX).partition("-")
        started = rest.partition("-")[0]
        if not pid.isdigit() or not entry.is_dir(follow_symlinks=False):
            continue
        if entry.stat(follow_symlinks=False).st_uid == os.getuid() and str(start_time(int(pid))) != started:
            shutil.rmtree(entry.path, ignore_errors=True)


async def exceeds_limit(folder: str, pid: int) -> str:
    """Wait until a process has written too much; returns what."""
    while True:
        found = await asyncio.to_thread(_excess, folder, pid)
        if found:
            return found
        await asyncio.sleep(CHECK_SECONDS)


def _excess(folder: str, pid: int) -> str:
    used = files = 0
    for size in (*_sizes(folder), *_removed_sizes(pid)):
        used += max(size, LEAST_BYTES)
        files += 1
        if used > SCRATCH_BYTES:
            return f"{SCRATCH_BYTES >> 20} MiB of files"
    return f"{MOST_FILES:,} files" if files > MOST_FILES else ""


def _sizes(folder: str) -> Iterator[int]:
    """The sizes of all entries below a folder, up to the limit of their number."""
    folders, left = [folder], MOST_FILES + 1
    while folders and left > 0:
        with suppress(OSError), os.scandir(folders.pop()) as entries:  # it may be removed meanwhile
            for entry in entries:
                left -= 1
                if left < 0:
                    break
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                with suppress(OSError):
                    yield _size(entry.stat(follow_symlinks=False))


def _removed_sizes(pid: int) -> Iterator[int]:
    """The sizes of files that a process has open and that no longer have a name."""
    with suppress(OSError), os.scandir(f"/proc/{pid}/fd") as opened:  # it may have ended
        for entry in opened:
            with suppress(OSError):
                found = entry.stat()
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                    yield _size(found)


def _size(found: os.stat_result) -> int:
    return max(found.st_size, found.st_blocks * 512)
