"""A foreign Chromium: started manually with a debugging port."""

from __future__ import annotations

import http.client
import json
import os
import signal
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
    """The debugging port, once Chromium has written it down, takes calls there and has its first page."""
    file = Path(profile) / "DevToolsActivePort"

    def there():
        words = file.read_text().split() if file.exists() else []
        return len(words) == 2 and _shows_a_page(int(words[0]))

    await until(there, seconds=seconds, named="the port is written down")
    return int(file.read_text().split()[0])


def _shows_a_page(port: int) -> bool:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        line.request("GET", "/json/list")
        return any(item["type"] == "page" for item in json.load(line.getresponse()))
    except (OSError, ValueError, http.client.HTTPException):
        return False
    finally:
        line.close()
