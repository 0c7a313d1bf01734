"""A look at a small ticket desk in a real browser: snapshot, search, what changed, a picture.

Run it with `make demo`, or with any Python that has boathook: `python examples/ticket_desk/demo.py`.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import boathook

if TYPE_CHECKING:
    from collections.abc import Iterator

from contextlib import contextmanager

SITE = Path(__file__).parent / "site"
OUTPUT = Path("demo-output")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Say nothing: the demo prints what matters."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; gives its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def headline(text: str) -> None:
    """A step of the demo, set apart from what pages say."""
    print(f"\n=== {text}\n", flush=True)


async def main() -> int:
    """Do the tour; fails loudly when a step does not show what it should."""
    with served(SITE) as origin:
        async with await boathook.launch() as browser:
            headline(f"{browser.product} is running ({'; '.join(browser.notes) or 'sandbox on'})")
            tab = await browser.open(f"{origin}/index.html")
            before = await tab.snapshot()
            print(before)

            headline("Searching for “printer”: only what changed")
            await tab.evaluate(
                "() => { const form = document.querySelector('#search');"
                " form.q.value = 'printer is out'; form.requestSubmit(); }"
            )
            after = await tab.snapshot(since=before.revision)
            print(after)

            headline("The same page again costs one line")
            print(await tab.snapshot(since=after.revision))

            picture = await tab.screenshot(OUTPUT / "ticket-desk.png", annotate=True)
            headline(f"Screenshot with refs: {picture.path} ({len(picture.data) // 1024} KiB)")
    return 0 if "chat" in str(before).lower() and after.changed else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
