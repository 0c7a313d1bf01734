"""A Chromium and a Python that have nothing to do with the user under test, and must not be affected by anything."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.launch import posix
from boathook.engine.launch.find_chrome import find_browser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

START_SECONDS = 60.0
POLL_SECONDS = 0.02
PYTHON = "import sys; sys.stdin.read()  # as another program, boathook among its words"


class Bystanders:
    """Both processes, and the lasting helpers of the browser."""

    def __init__(self, browser: subprocess.Popen[bytes], python: subprocess.Popen[bytes]) -> None:
        self._browser = browser
        self._python = python
        self._helpers = frozenset(_zygotes(browser.pid))

    def untouched(self) -> bool:
        """Whether they and all their helpers are the same as before."""
        return (
            self._browser.poll() is None
            and self._python.poll() is None
            and self._helpers <= frozenset(_children(self._browser.pid))
        )


def _children(parent: int) -> list[int]:
    return [pid for pid in posix.group_members(parent) if pid != parent]


def _zygotes(parent: int) -> list[int]:
    """Renderers come and go; these stay."""
    return [pid for pid in _children(parent) if b"--type=zygote" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def _start_browser(folder: Path) -> subprocess.Popen[bytes]:
    sandbox = ["--no-sandbox"] if posix.is_root() else []
    switches = ["--headless=new", "--remote-debugging-port=0", "--no-first-run", "--disable-gpu", *sandbox]
    return subprocess.Popen(
        [str(find_browser().path), *switches, f"--user-data-dir={folder}", "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@asynccontextmanager
async def bystanders(folder: Path) -> AsyncIterator[Bystanders]:
    """Start both; the browser has a separate profile and port, and is killed with its process group."""
    python = subprocess.Popen([sys.executable, "-c", PYTHON], stdin=subprocess.PIPE)  # noqa: ASYNC220 - it takes no time
    browser = _start_browser(folder)
    try:
        async with asyncio.timeout(START_SECONDS):
            while not (folder / "DevToolsActivePort").exists():  # noqa: ASYNC110 (a file of others sends no event)
                await asyncio.sleep(POLL_SECONDS)
        yield Bystanders(browser, python)
    finally:
        posix.signal_group(browser.pid, force=True)
        browser.wait()
        python.kill()
        python.communicate()
