"""What default snapshots cost, in o200k tokens, in two checkouts: `python -m benchmarks.compare_tokens OLD NEW [--out FILE]`.

All real pages and the fixtures are counted, each page in a new tab. Every checkout needs its own `make setup`. The limit is
growth of 15 % in total.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import fixtures
import real_pages
from rs_bpe.bpe import openai

MOST_GROWTH = 0.15
FIXTURES = (
    "flat/1000", "flat/10000", "css/3000", "desk", "busy", "deep/2000", "frames", "actions", "form", "nav/1", "article", "tall",
)  # fmt: skip
WORKER = """
import asyncio, json, sys, boathook
async def main():
    async with await boathook.launch() as browser:
        for url in sys.stdin.read().split():
            tab = await browser.open(url)
            print(json.dumps([url, str(await tab.snapshot())]), flush=True)
            await tab.close()
asyncio.run(main())
"""


def snapshots_of(root: Path, urls: list[str]) -> dict[str, str]:
    """The default snapshot of each page, taken by the code of a checkout."""
    done = subprocess.run(
        [root / ".venv/bin/python", "-c", WORKER], input="\n".join(urls), capture_output=True, text=True, cwd=root, check=True
    )  # fmt: skip
    return dict(json.loads(line) for line in done.stdout.splitlines())


def measure(old: Path, new: Path) -> dict:
    """Tokens per page in both checkouts, and their sums."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    threading.Thread(target=fixtures.serve, args=(port,), daemon=True).start()
    pages = real_pages.folder()
    names = sorted(page.name for page in pages.iterdir()) if pages else []
    paths = [*FIXTURES, *(f"real/{name}" for name in names)]
    urls = {path: f"http://127.0.0.1:{port}/{path}" for path in paths}
    before, after = (snapshots_of(root, list(urls.values())) for root in (old, new))
    count = openai.o200k_base().count
    tokens = {path: [count(before[url]), count(after[url])] for path, url in urls.items()}
    sums = [sum(pair[side] for pair in tokens.values()) for side in (0, 1)]
    return {
        "pages": len(tokens),
        "old": sums[0],
        "new": sums[1],
        "growth": round(sums[1] / sums[0] - 1, 4),
        "each": tokens,
    }


def main() -> None:
    """Measure, print the pages that grew most, and judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    result = measure(given.old, given.new)
    for path, (old, new) in sorted(result["each"].items(), key=lambda item: item[1][0] - item[1][1])[:12]:
        print(f"{path:50} {old:>7} {new:>7}")
    print(f"{result['pages']} pages: {result['old']} -> {result['new']} tokens, {result['growth']:+.1%}")
    if given.out:
        given.out.write_text(json.dumps(result, indent=1) + "\n")
    if result["growth"] > MOST_GROWTH:
        sys.exit(f"growth is more than {MOST_GROWTH:.0%}")


if __name__ == "__main__":
    main()
