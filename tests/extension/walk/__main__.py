"""`make relay-walk`: every public method of Playwright and Puppeteer, on a bare Chromium and through the relay.

`python -m tests.extension.walk [--client playwright|puppeteer] [METHOD …]` runs some of them. It fails if a method has no case, or if
results, page events or client events differ and differences.toml has no reason.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from tests.extension.walk.compare import Comparison, compare
from tests.extension.walk.declared import PACKAGES, THERE, WANTED
from tests.extension.walk.running import run_both
from tests.support.npm import npm_packages

CLIENTS = ("playwright", "puppeteer")
AGAIN = 2
"""How often a method that differs is run again: on a busy machine, events may arrive after the end of a case."""


async def walk(client: str, only: list[str] | None) -> Comparison:
    """Run a client, and again what differs without a reason."""
    bare, relay = await _run(client, only)
    result = compare(client, bare, relay)
    for _ in range(AGAIN):
        if not result.differing:
            break
        bare_again, relay_again = await _run(client, list(result.differing))
        result = compare(client, {**bare, **bare_again}, {**relay, **relay_again})
        bare.update(bare_again)
        relay.update(relay_again)
    return result


async def _run(client: str, only: list[str] | None):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return await run_both(client, Path(folder), only=only)


def main(argv: list[str]) -> int:
    """Run the walks; 1 when a method differs without a reason or has no case."""
    parser = argparse.ArgumentParser(prog="python -m tests.extension.walk")
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="such as Page.click; default: all")
    parser.add_argument("--client", choices=CLIENTS, help="default: both")
    asked = parser.parse_args(argv)
    npm_packages(PACKAGES, *WANTED, there=THERE)
    results = [
        asyncio.run(walk(client, asked.methods or None))
        for client in ([asked.client] if asked.client else CLIENTS)
    ]
    for result in results:
        print(result.summary())
        for name, what in sorted(result.differing.items()):
            print(f"  {name}: {what}")
        for name in result.missing:
            print(f"  {name}: no case")
        for name in result.outdated:
            print(f"  {name}: listed in differences.toml, and was equal in this run")
    return 0 if all(result.is_good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
