"""How much of a page comes through when it is read: Boathook beside trafilatura and readability-lxml.

  python benchmarks/reading.py                 all tools on the pages of tests/reading; writes results/reading.json
  python benchmarks/reading.py --peers-only    without a browser
  python benchmarks/reading.py --worst 5       also the pages on which Boathook lost most, with the words

The peers are installed once into `.cache/reading-peers` (or BENCH_READING_PEERS); they are no dependencies of ours. They are given the page's
source as served, which is how they are used: they see neither frames nor shadow roots. Boathook reads the page in the
browser. What peers are given besides, so that nothing is lost by a setting: trafilatura runs with tables, links, pictures
and formatting kept, once with its defaults and once in favour of recall, and its tables and code count when they
are right in either its Markdown or its HTML; a title that their text lacks is put in front of it.

Exit status 1: Boathook's mean F1 is below 0.95 over all pages or below a peer's in a class of pages, or a table or a
code block did not come through whole.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import http.server
import json
import os
import subprocess
import sys
import threading
import time
import venv
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT))

from tests.reading import scoring

PAGES, EXPECTED = ROOT / "tests/reading/pages", ROOT / "tests/reading/expected"
RESULTS = HERE / "results" / "reading.json"
CLASSES = ("article", "docs", "forum", "product", "table")
OURS = "boathook"
LEAST_F1 = 0.95
# readability-lxml names its parser with an extra that some versions of pip cannot resolve, so its needs stand here.
PEER_PACKAGES = (
    ["trafilatura", "lxml", "lxml_html_clean", "chardet", "cssselect"],
    ["--no-deps", "readability-lxml"],
)


def page_names() -> list[str]:
    """Every page of the set, as `class/number`."""
    return [f"{kind}/{file.stem}" for kind in CLASSES for file in sorted((EXPECTED / kind).glob("*.md"))]


# --- the peers, in an interpreter of their own ---


def peers_python() -> Path:
    """The interpreter that has the peers; made on first use."""
    folder = Path(os.environ.get("BENCH_READING_PEERS") or ROOT / ".cache" / "reading-peers").resolve()
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        for names in PEER_PACKAGES:
            subprocess.run(
                [python, "-m", "pip", "install", "--quiet", *names], check=True, stderr=subprocess.DEVNULL
            )
        (folder / "ready").touch()
    return python


def ask_peers() -> dict:
    """{"versions": {...}, "read": {tool: {page: {"text", "tables", "code"}}}}."""
    done = subprocess.run(
        [peers_python(), __file__, "--as-peer"], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        sys.exit(f"the peers failed:\n{done.stderr[-2000:]}")
    return json.loads(done.stdout)


def answer_as_peer() -> None:
    """What runs in the peers' interpreter: read all pages, print JSON."""
    from importlib.metadata import version

    tools = {
        "trafilatura": functools.partial(read_with_trafilatura, favor_recall=False),
        "trafilatura, recall": functools.partial(read_with_trafilatura, favor_recall=True),
        "readability-lxml": read_with_readability,
    }
    sources = {page: (PAGES / f"{page}.html").read_text(encoding="utf-8") for page in page_names()}
    read = {tool: {page: run(source) for page, source in sources.items()} for tool, run in tools.items()}
    found = {name: version(name) for name in ("trafilatura", "readability-lxml")}
    sys.stdout.reconfigure(encoding="utf-8")
    json.dump({"versions": found, "read": read}, sys.stdout)


def read_with_trafilatura(source: str, *, favor_recall: bool) -> dict:
    import trafilatura

    extract = functools.partial(
        trafilatura.extract,
        source,
        include_tables=True,
        include_links=True,
        include_images=True,
        include_formatting=True,
        favor_recall=favor_recall,
    )
    text = extract(output_format="markdown") or ""
    about = trafilatura.extract_metadata(source)
    as_html = structure(extract(output_format="html") or "")
    return {
        "text": with_title(text, (about and about.title) or ""),
        "tables": scoring.tables(text) + as_html["tables"],
        "code": scoring.code_blocks(text) + as_html["code"],
    }


def read_with_readability(source: str) -> dict:
    import readability

    document = readability.Document(source)
    found = structure(document.summary())
    return {**found, "text": with_title(found["text"], document.short_title())}


def with_title(text: str, title: str) -> str:
    words = scoring.tokens(title)
    return text if not Counter(words) - Counter(scoring.tokens(text)) else f"# {title}\n\n{text}"


def structure(source: str) -> dict:
    """The text, tables and code blocks of a piece of HTML, by its own tags."""
    from lxml import html

    if not source.strip():
        return {"text": "", "tables": [], "code": []}
    tree = html.document_fromstring(source)
    for broken in tree.iter("br"):
        broken.tail = "\n" + (broken.tail or "")
    code = [block.text_content() for block in tree.iter("pre")]
    rows = [
        [[cell_of(c) for c in r.iterchildren("td", "th")] for r in t.iter("tr")] for t in tree.iter("table")
    ]
    return {"text": "".join(spoken(tree)), "tables": [[r for r in t if any(r)] for t in rows], "code": code}


def cell_of(element) -> str:
    return scoring.cell_text("".join(spoken(element)))


BLOCKS = frozenset(
    "address article aside blockquote body br caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 "
    "header hr li main nav ol p section table tbody td tfoot th thead tr ul".split()
)


def spoken(element) -> Iterator[str]:
    """Text with a line break at every block, so that the words of two cells do not grow together."""
    if not isinstance(element.tag, str) or element.tag in {"script", "style", "head", "template"}:
        return
    if element.tag == "pre":
        yield f"\n```\n{element.text_content()}\n```\n"
        return
    edge = "\n" if element.tag in BLOCKS else ""
    yield edge + (element.get("alt") or "" if element.tag == "img" else "") + (element.text or "")
    for child in element:
        yield from spoken(child)
        yield child.tail or ""
    yield edge


# --- ours, in the browser ---


class _Silent(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args) -> None:
        pass


@contextmanager
def served() -> Iterator[str]:
    """The pages on loopback, at the address that is given."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Silent, directory=str(PAGES))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


async def read_ours() -> dict:
    """{page: {"text", "tables", "code"}} through `tab.read()`."""
    import cdp

    import boathook

    found = {}
    browser = await boathook.launch(executable=cdp.chrome_path())
    try:
        with served() as address:
            tab = await browser.open("about:blank")
            for page in page_names():
                await tab.goto(f"{address}/{page}.html")
                text = (await tab.read(format="markdown", limit=10_000_000)).text
                found[page] = {
                    "text": text,
                    "tables": scoring.tables(text),
                    "code": scoring.code_blocks(text),
                }
    finally:
        await browser.close()
    return found


# --- the comparison ---


def score(read: dict) -> dict:
    """{page: {"f1", "tables": [intact, of], "code": [intact, of]}}."""
    scores = {}
    for page, got in read.items():
        expected = (EXPECTED / f"{page}.md").read_text(encoding="utf-8")
        scores[page] = {
            "f1": round(scoring.token_f1(expected, got["text"]), 4),
            "tables": scoring.tables_intact(expected, got["tables"]),
            "code": scoring.code_intact(expected, got["code"]),
        }
    return scores


def summary(scores: dict) -> dict:
    """The scores of one tool, by class and over all pages."""
    groups = {kind: [s for p, s in scores.items() if p.startswith(f"{kind}/")] for kind in CLASSES}
    groups["all"] = list(scores.values())
    return {
        kind: {
            "f1": round(mean(s["f1"] for s in group), 4),
            "worst": min(s["f1"] for s in group),
            "tables": [sum(column) for column in zip(*(s["tables"] for s in group), strict=True)],
            "code": [sum(column) for column in zip(*(s["code"] for s in group), strict=True)],
        }
        for kind, group in groups.items()
    }


def show(summaries: dict) -> None:
    print("Peers were given the source as served; Boathook read the page in the browser.\n")
    print(f"{'class':<8} {'tool':<20} {'F1':>6} {'worst':>6} {'tables':>7} {'code':>7}")
    for kind in (*CLASSES, "all"):
        for tool, by_class in summaries.items():
            row = by_class[kind]
            tables, code = ("/".join(map(str, row[what])) for what in ("tables", "code"))
            print(f"{kind:<8} {tool:<20} {row['f1']:>6.3f} {row['worst']:>6.3f} {tables:>7} {code:>7}")


def shortcomings(summaries: dict) -> list[str]:
    """Where Boathook misses the bar, in words."""
    ours = summaries[OURS]
    missed = [f"mean F1 {ours['all']['f1']} < {LEAST_F1}"] if ours["all"]["f1"] < LEAST_F1 else []
    for what in ("tables", "code"):
        intact, of = ours["all"][what]
        if intact < of:
            missed.append(f"{what} intact: {intact} of {of}")
    for tool, by_class in summaries.items():
        for kind in CLASSES:
            if by_class[kind]["f1"] > ours[kind]["f1"]:
                missed.append(f"{kind}: {ours[kind]['f1']} < {by_class[kind]['f1']} of {tool}")
    return missed


def show_worst(read: dict, scores: dict, count: int) -> None:
    for page in sorted(scores, key=lambda page: scores[page]["f1"])[:count]:
        expected = Counter(scoring.tokens((EXPECTED / f"{page}.md").read_text(encoding="utf-8")))
        found = Counter(scoring.tokens(read[page]["text"]))
        print(f"\n{page}  {scores[page]}")
        print("  missing:", " ".join((expected - found).elements())[:600])
        print("  too much:", " ".join((found - expected).elements())[:600])


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ask.add_argument("--peers-only", action="store_true")
    ask.add_argument("--worst", type=int, default=0, metavar="PAGES")
    ask.add_argument("--as-peer", action="store_true", help=argparse.SUPPRESS)
    wish = ask.parse_args()
    if wish.as_peer:
        answer_as_peer()
        return 0
    peers = ask_peers()
    read = peers["read"] if wish.peers_only else {OURS: asyncio.run(read_ours()), **peers["read"]}
    scores = {tool: score(pages) for tool, pages in read.items()}
    summaries = {tool: summary(pages) for tool, pages in scores.items()}
    show(summaries)
    tool = next(iter(read))
    show_worst(read[tool], scores[tool], wish.worst)
    if wish.peers_only:
        return 0
    meta = {
        "began": time.strftime("%Y-%m-%d %H:%M"),
        "versions": peers["versions"],
        "peers_read": "the source as served",
    }
    RESULTS.write_text(json.dumps({"meta": meta, "summary": summaries, "pages": scores}, indent=1) + "\n")
    missed = shortcomings(summaries)
    print("\n" + ("\n".join(f"missed: {line}" for line in missed) or "all bars reached"))
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
