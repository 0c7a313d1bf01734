"""A Chromium that belongs to somebody else: started by hand with a debugging port."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from boathook.engine.launch.find_chrome import find_browser
from tests.support.waiting import until

SWITCHES = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def foreign_chromium(*extra: str):
    """Yield (process, port); ended with its whole group at the end."""
    with tempfile.TemporaryDirectory(prefix="foreign-", ignore_cleanup_errors=True) as profile:
        sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
        process = subprocess.Popen(
            [
                str(find_browser().path),
                *SWITCHES,
                *sandbox,
                *extra,
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield process, profile
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


async def port_of(profile: str, *, seconds: float = 20) -> int:
    """The debugging port, once Chromium has written it down, and takes calls there."""
    file = Path(profile) / "DevToolsActivePort"

    def there():
        words = file.read_text().split() if file.exists() else []
        return len(words) == 2 and _listens(int(words[0]))

    await until(there, seconds=seconds, named="the port is written down")
    return int(file.read_text().split()[0])


def _listens(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0
