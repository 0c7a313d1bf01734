"""A whole task on a small ticket desk in a real browser: search, chat, a dialog, a download, a form, a script, a screenshot.

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
        """Log nothing: the demo prints what matters."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, *_args: object) -> None:
        """Log nothing: a closing browser leaves responses unread."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; returns its URL."""
    server = _Server(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def headline(text: str) -> None:
    """Print the title of a step, set apart from page content."""
    print(f"\n=== {text}\n", flush=True)


async def search(tab: boathook.Tab) -> None:
    """Take a snapshot of the list, search it, and print only what changed."""
    headline("The page, as an agent sees it")
    print(await tab.snapshot())
    headline("Search for a printer: each action reports what changed")
    print(await tab.fill("label=Search", "printer is out"))
    print(await tab.click("text=Find"))


async def chat_and_rebalance(tab: boathook.Tab) -> None:
    """Act inside a frame and inside a shadow root, with the same kind of selector."""
    headline("Write a chat message in a frame, click a button in a shadow root")
    print(await tab.fill("label=Message", "I am on it"))
    print(await tab.click("text=Say"))
    print(await tab.click("text=Rebalance Printers"))


async def handle_ticket(tab: boathook.Tab) -> None:
    """Open a ticket, answer its dialog, download its receipt, read its table."""
    headline("Open the first ticket")
    print(await tab.click("text=Printer is out of paper", nth=0))
    headline("Delete it? A confirm dialog opens, and nothing hangs")
    print(await tab.click("text=Delete ticket"))
    await tab.answer_dialog(accept=False)
    print(await tab.snapshot(role="status"))
    headline("Download the receipt")
    await tab.click("text=Download the receipt")
    saved = await tab.wait_for_download(OUTPUT)
    print(f"{saved.path}: {saved.size} bytes")
    headline("Read the table")
    print(await tab.read("tables"))


async def write_ticket(tab: boathook.Tab) -> None:
    """Fill in a form and submit it."""
    headline("Write a new ticket")
    await tab.click("text=New ticket")
    print(await tab.fill("label=Subject", "Projector shows no picture"))
    print(await tab.fill("label=What happened", "It hums.\nThen it goes dark."))
    print(await tab.check("label=Today"))
    print(await tab.fill("label=Due", "2027-01-15"))
    print(await tab.click("text=Send ticket"))


SCRIPT = """
taken = 0
for number in ("1004", "1005", "1006"):
    await tab.fill("label=Search", number)
    await tab.click("text=Find")
    await tab.click("role=button[name='Take']")
    taken += 1
display(f"{taken} tickets taken")
await tab.fill("label=Search", "You")
await tab.click("text=Find")
return await tab.text("role=status")
"""


async def take_tickets(tab: boathook.Tab) -> None:
    """Many steps at once: a script, in a separate process that can only call the tab."""
    headline("Take three tickets with a script")
    print(SCRIPT.strip())
    await tab.click("text=Tickets")
    try:
        ran = await tab.run(SCRIPT)
    except boathook.errors.Unsupported as error:
        print(f"\nnot available on this machine: {error}")
        return
    print("", *ran.shown, ran.value, sep="\n")


async def main() -> int:
    """Run all steps; a step without the expected result fails."""
    with served(SITE) as origin:
        async with await boathook.launch() as browser:
            headline(f"{browser.product} is running ({'; '.join(browser.notes) or 'sandbox on'})")
            tab = await browser.open(f"{origin}/index.html")
            for step in (search, chat_and_rebalance, handle_ticket, write_ticket):
                await step(tab)
            sent = str(await tab.snapshot(role="status"))
            await take_tickets(tab)
            picture = await tab.screenshot(OUTPUT / "ticket-desk.png", annotate=True)
            headline(f"Screenshot with refs: {picture.path} ({len(picture.data) // 1024} KiB)")
    return 0 if "was sent" in sent else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
