"""How much of real articles comes through, and how much besides: Boathook beside trafilatura and both Readabilities.

  python benchmarks/reading_real.py              all tools on all sets; writes results/reading_real.json
  python benchmarks/reading_real.py --tuning     only the pages for tuning, with the score of each

Sets: the pages of newspaper4k's source distribution and a random half of Readability's test pages are held out
(`held_out/reading.toml`): they give totals only. The other half is for tuning. Readability's pages come from
`../shared/data/real-pages.tar.xz`; without that file they are skipped with a note. newspaper4k's source distribution is
downloaded once. Pages are served on loopback under a policy that allows neither scripts nor other hosts.

Scores: multisets of runs of four words (languages without spaces: of four characters); precision and recall are
averaged over pages, and F1 is that of the averages. Only the body counts: `shingles.body_of` removes headline,
byline and date from the first lines of every tool's text, and of the expected text, by one rule. Text without markup
is compared. Peers are given the source, which is how they are used, with their default settings.

Exit status 1: F1 is below the best peer's on a held-out set (on Readability's own pages: the best but Readability.js,
which defines them), or recall is below 0.95.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import http.server
import json
import shutil
import subprocess
import sys
import tarfile
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(ROOT), str(HERE)]

import real_pages
import shingles

import reading

CACHE = ROOT / ".cache" / "reading-real"
NODE_FOLDER = ROOT / ".cache" / "reading-node"
RESULTS = HERE / "results" / "reading_real.json"
NEWSPAPER = "newspaper4k-0.9.6"
OURS, READABILITY_JS = "boathook", "Readability.js"
LEAST_RECALL = 0.95
TUNING = "readability, tuning"


@dataclass(frozen=True, slots=True)
class Page:
    """One page: where its source is, and the body that is expected."""

    name: str
    source: Path
    expected: str


def held_out() -> dict[str, list[str]]:
    return tomllib.loads((HERE / "held_out" / "reading.toml").read_text(encoding="utf-8"))


def unpacked(archive: Path) -> Path:
    """The folder with the archive's files, unpacked on first use."""
    folder = CACHE / archive.name.split(".tar")[0]
    if not folder.exists():
        with tarfile.open(archive) as files:
            files.extractall(folder, filter="data")
    return folder


def readability_pages() -> dict[str, list[Page]]:
    """The two halves of Readability's pages; nothing if the archive is absent."""
    pages = real_pages.folder()
    if pages is None:
        return {}
    chosen = set(held_out()["readability"])
    halves: dict[str, list[Page]] = {"readability, held out": [], TUNING: []}
    for folder in sorted(pages.iterdir()):
        expected = shingles.text_of_html((folder / "expected.html").read_text(encoding="utf-8"))
        half = "readability, held out" if folder.name in chosen else TUNING
        if shingles.words(expected):
            halves[half].append(Page(folder.name, folder / "source.html", expected))
    return halves


def newspaper_pages() -> dict[str, list[Page]]:
    archive = CACHE / f"{NEWSPAPER}.tar.gz"
    if not archive.exists():
        pip = [
            reading.peers_python(),
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--no-binary",
            "newspaper4k",
        ]
        subprocess.run(
            [*pip, "-d", CACHE, NEWSPAPER.replace("-", "==")], check=True, stderr=subprocess.DEVNULL
        )
    data = unpacked(archive) / NEWSPAPER / "tests" / "data"
    pages = [
        Page(name, data / "html" / f"{name}.html", (data / "txt" / f"{name}.txt").read_text(encoding="utf-8"))
        for name in held_out()["newspaper4k"]
    ]
    return {"newspaper4k, held out": pages}


# --- the peers ---


def ask_python_peers(pages: list[Page]) -> dict:
    """{"versions": {...}, "read": {tool: {page: text}}} from the peers' own interpreter."""
    request = json.dumps({page.name: str(page.source) for page in pages})
    done = subprocess.run(
        [reading.peers_python(), __file__, "--as-peer"],
        input=request,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        sys.exit(f"the peers failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def answer_as_peer() -> None:
    """What runs in the peers' interpreter."""
    from importlib.metadata import version

    import readability
    import trafilatura

    read: dict[str, dict[str, str]] = {"trafilatura": {}, "readability-lxml": {}}
    for name, file in json.load(sys.stdin).items():
        source = Path(file).read_text(encoding="utf-8")
        read["trafilatura"][name] = trafilatura.extract(source, include_comments=False) or ""
        summary = readability.Document(source).summary() if source.strip() else ""
        read["readability-lxml"][name] = shingles.text_of_html(summary)
    found = {name: version(name) for name in ("trafilatura", "readability-lxml")}
    sys.stdout.reconfigure(encoding="utf-8")
    json.dump({"versions": found, "read": read}, sys.stdout)


def ask_readability_js(pages: list[Page]) -> dict:
    """The same from Readability.js under jsdom; nothing without Node."""
    npm = shutil.which("npm")
    if npm is None:
        print("skipped: Readability.js (npm is not on PATH)")
        return {"versions": {}, "read": {}}
    if not (NODE_FOLDER / "node_modules").exists():
        NODE_FOLDER.mkdir(parents=True, exist_ok=True)
        (NODE_FOLDER / "package.json").write_text('{"private": true}\n')
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", "@mozilla/readability", "jsdom"]
        subprocess.run(install, cwd=NODE_FOLDER, check=True)
    request = {"folder": str(NODE_FOLDER), "pages": {page.name: str(page.source) for page in pages}}
    bridge = HERE / "bridges" / "readability_bridge.cjs"
    done = subprocess.run(
        ["node", bridge],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    answer = json.loads(done.stdout)
    texts = {name: shingles.text_of_html(html) for name, html in answer["found"].items()}
    return {"versions": answer["versions"], "read": {READABILITY_JS: texts}}


# --- ours, in the browser ---


class _Pages(http.server.BaseHTTPRequestHandler):
    def __init__(self, sources: dict[str, Path], *args) -> None:
        self.sources = sources
        super().__init__(*args)

    def do_GET(self) -> None:
        source = self.sources.get(self.path)
        body = source.read_bytes() if source else b""
        self.send_response(200 if source else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy", real_pages.POLICY)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args) -> None:
        pass


@contextmanager
def served(pages: list[Page]) -> Iterator[list[tuple[str, str]]]:
    """Each page's name and its address on loopback."""
    sources = {f"/{at}/": page.source for at, page in enumerate(pages)}
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Pages, sources))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        start = f"http://127.0.0.1:{server.server_port}"
        yield [(page.name, start + path) for page, path in zip(pages, sources, strict=True)]
    finally:
        server.shutdown()
        server.server_close()


async def read_ours(pages: list[Page]) -> dict[str, str]:
    """{page: text} through `tab.read()`, in one browser."""
    import cdp

    import boathook

    found = {}
    browser = await boathook.launch(executable=cdp.chrome_path())
    try:
        with served(pages) as addresses:
            tab = await browser.open("about:blank")
            for name, address in addresses:
                await tab.goto(address)
                result = await tab.read(format="text", limit=10_000_000)
                found[name] = result.text if result.found != "nothing" else ""
    finally:
        await browser.close()
    return found


# --- the comparison ---


def score(pages: list[Page], texts: dict[str, str]) -> dict[str, tuple[float, float]]:
    """{page: (precision, recall)} of the bodies."""
    scores = {}
    for page in pages:
        facts = shingles.facts_of(page.source.read_text(encoding="utf-8"))
        expected, found = (shingles.body_of(text, facts) for text in (page.expected, texts[page.name]))
        scores[page.name] = shingles.precision_recall(expected, found)
    return scores


def compare(sets: dict[str, list[Page]]) -> dict:
    """{"versions": {...}, "scores": {set: {tool: {page: (precision, recall)}}}}."""
    versions: dict[str, str] = {}
    scores: dict[str, dict] = {}
    for name, pages in sets.items():
        texts = {OURS: asyncio.run(read_ours(pages))}
        for answer in (ask_python_peers(pages), ask_readability_js(pages)):
            versions |= answer["versions"]
            texts |= answer["read"]
        scores[name] = {tool: score(pages, found) for tool, found in texts.items()}
    return {"versions": versions, "scores": scores}


def summarize(scores: dict) -> dict:
    return {
        name: {tool: shingles.averages(list(pages.values())) for tool, pages in tools.items()}
        for name, tools in scores.items()
    }


def show(summary: dict, sets: dict[str, list[Page]]) -> None:
    print(f"{'set':<24} {'pages':>5} {'tool':<18} {'P':>6} {'R':>6} {'F1':>6}")
    for name, tools in summary.items():
        for tool, row in tools.items():
            figures = " ".join(f"{row[what]:>6.3f}" for what in ("precision", "recall", "f1"))
            print(f"{name:<24} {len(sets[name]):>5} {tool:<18} {figures}")


def shortcomings(summary: dict) -> list[str]:
    """Where Boathook misses the bar on a held-out set, in words."""
    missed = []
    for name, tools in summary.items():
        if name == TUNING:
            continue
        judged_out = {OURS, READABILITY_JS} if name.startswith("readability") else {OURS}
        best = max((tool for tool in tools if tool not in judged_out), key=lambda tool: tools[tool]["f1"])
        ours = tools[OURS]
        if ours["f1"] < tools[best]["f1"]:
            missed.append(f"{name}: F1 {ours['f1']} < {tools[best]['f1']} of {best}")
        if ours["recall"] < LEAST_RECALL:
            missed.append(f"{name}: recall {ours['recall']} < {LEAST_RECALL}")
    return missed


def show_pages(scores: dict) -> None:
    for name, (precision, recall) in sorted(scores[OURS].items(), key=lambda item: sum(item[1])):
        others = "  ".join(
            f"{tool} {pages[name][0]:.2f}/{pages[name][1]:.2f}" for tool, pages in scores.items()
        )
        print(f"{name:<40} P {precision:.3f} R {recall:.3f}   {others}")


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--tuning", action="store_true")
    ask.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    wish = ask.parse_args()
    if wish.as_peer:
        answer_as_peer()
        return 0
    CACHE.mkdir(parents=True, exist_ok=True)
    sets = readability_pages()
    sets = {TUNING: sets[TUNING]} if wish.tuning else {**newspaper_pages(), **sets}
    compared = compare(sets)
    summary = summarize(compared["scores"])
    show(summary, sets)
    if wish.tuning:
        show_pages(compared["scores"][TUNING])
        return 0
    meta = {"began": time.strftime("%Y-%m-%d %H:%M"), "versions": compared["versions"]}
    RESULTS.write_text(json.dumps({"meta": meta, "summary": summary}, indent=1) + "\n")
    missed = shortcomings(summary)
    print("\n" + ("\n".join(f"missed: {line}" for line in missed) or "all bars reached"))
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
