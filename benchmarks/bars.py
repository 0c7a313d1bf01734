"""Read result files, print one table and the bars of the project with what was measured; write RESULTS.md.

python benchmarks/bars.py [results/bench.json ...] [--write]
"""

from __future__ import annotations

import json
import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
OURS, DEFAULT = "boathook", "boathook-default"
FLOORS = ("rawcdp", "rawcdp-pipe")
CLI = "boathook-cli"
MCP = "boathook-mcp"
COLUMNS = (
    ("rawcdp", "raw floor"),
    ("rawcdp-pipe", "raw floor, pipe"),
    (OURS, "boathook"),
    (DEFAULT, "boathook, default"),
    (CLI, "boathook, command line"),
    ("playwright-py", "playwright (Python)"),
    ("playwright-mcp", "playwright-mcp"),
    ("agent-browser", "agent-browser"),
    ("boathook-mcp", "boathook, MCP"),
    ("agent-browser-mcp", "agent-browser, MCP"),
    ("devtools-mcp", "devtools-mcp"),
    ("pydoll", "pydoll"),
)
SIZES = (1000, 5000, 20000)
GROWTH = (1000, 5000, 20000, 50000, 100000)


@dataclass
class Results:
    """Samples and facts of one or more files, by item and then by tool."""

    meta: dict = field(default_factory=dict)
    samples: dict = field(default_factory=dict)
    facts: dict = field(default_factory=dict)
    errors: dict = field(default_factory=dict)

    @classmethod
    def read(cls, files: list[Path]) -> Results:
        out = cls()
        for file in files:
            kept = json.loads(file.read_text())
            out.meta.update(kept["meta"])
            for tool, items in kept["samples"].items():
                for item, values in items.items():
                    out.samples.setdefault(item, {}).setdefault(tool, []).extend(values)
            for tool, items in kept["facts"].items():
                for item, facts in items.items():
                    out.facts.setdefault(item, {}).setdefault(tool, {}).update(facts)
            out.errors.update(kept["errors"])
        return out

    def median(self, item: str, tool: str) -> float | None:
        values = self.samples.get(item, {}).get(tool)
        return statistics.median(values) if values else None

    def floor(self, item: str) -> float | None:
        return min((m for tool in FLOORS if (m := self.median(item, tool)) is not None), default=None)

    def best_peer(self, item: str) -> tuple[float, str] | None:
        others = [
            tool for tool in self.samples.get(item, {}) if tool not in (*FLOORS, OURS, DEFAULT, CLI, MCP)
        ]
        return min(((self.median(item, tool), tool) for tool in others), default=None)

    def fact(self, item: str, tool: str, name: str):
        return self.facts.get(item, {}).get(tool, {}).get(name)


@dataclass(frozen=True)
class Bar:
    """One promise: what was measured, the limit, and whether it holds (None: not measured)."""

    what: str
    measured: float | None
    limit: float
    note: str = ""

    @property
    def verdict(self) -> str:
        if self.measured is None:
            return "not measured"
        return "pass" if self.measured <= self.limit else "FAIL"

    def row(self) -> list[str]:
        said = "–" if self.measured is None else f"{self.measured:.2f}"
        return [self.what, said, f"≤ {self.limit:g}", self.verdict, self.note]


def _ratio(value: float | None, other: float | None) -> float | None:
    return value / other if value is not None and other else None


def to_peer(results: Results, item: str, limit: float, what: str = "") -> Bar:
    ours, best = results.median(item, OURS), results.best_peer(item)
    note = f"{ours:.1f} ms beside {best[0]:.1f} ({best[1]})" if ours is not None and best else ""
    return Bar(f"{what or item}: × fastest peer", _ratio(ours, best[0] if best else None), limit, note)


def to_floor(results: Results, item: str, limit: float, what: str = "") -> Bar:
    ours, floor = results.median(item, OURS), results.floor(item)
    note = f"{ours:.1f} ms beside {floor:.1f}" if ours is not None and floor else ""
    return Bar(f"{what or item}: × raw floor", _ratio(ours, floor), limit, note)


def snapshot_bars(results: Results) -> list[Bar]:
    out = []
    for kind in ("flat", "deep"):
        for size in SIZES:
            page = f"{kind}/{size}"
            out.append(to_peer(results, f"S.again.{page}", 0.2))
            out.append(to_floor(results, f"S.again.{page}", 1.5))
            out.append(to_peer(results, f"S.first.{page}", 0.5))
    for size in SIZES:
        page = f"css/{size}"
        out.append(to_peer(results, f"S.again.{page}", 0.3))
        out.append(to_floor(results, f"S.again.{page}", 3))
        out.append(to_peer(results, f"S.first.{page}", 0.5))
    out.append(to_peer(results, "S.again.busy", 0.2))
    out.append(to_floor(results, "S.again.busy", 1.5))
    out.append(to_peer(results, "S.first.busy", 0.5))
    out.append(to_peer(results, "S.again.frames", 0.4))
    out.append(to_peer(results, "S.first.frames", 0.5))
    for which, peer, floor in (("again", 0.2, 1.5), ("first", 0.4, 2)):
        what = f"{which} snapshot of real pages, median"
        out.append(to_peer(results, f"P.{which}", peer, what))
        out.append(to_floor(results, f"P.{which}", floor, what))
    return out


def to_tool(results: Results, item: str, tool: str, limit: float, *, by: str = OURS) -> Bar:
    ours, theirs = results.median(item, by), results.median(item, tool)
    note = f"{ours:.1f} ms beside {theirs:.1f}" if ours is not None and theirs else ""
    what = item if by == OURS else f"{item}, {dict(COLUMNS)[by]}"
    return Bar(f"{what}: × {dict(COLUMNS)[tool]}", _ratio(ours, theirs), limit, note)


def action_bars(results: Results) -> list[Bar]:
    out = [
        to_tool(results, "W4.click", "playwright-py", 0.5),
        to_tool(results, "W4.fill1000", "playwright-py", 0.6),
        to_tool(results, "W4.select", "playwright-py", 0.6),
        to_tool(results, "W4.click", "agent-browser-mcp", 0.6, by=MCP),
        to_tool(results, "W1.cold", "agent-browser", 1, by=CLI),
        to_floor(results, "W5.form", 1.25),
        to_tool(results, "W5.form", "agent-browser", 1),
        to_floor(results, "W7.viewport", 1.2),
    ]
    theirs = results.median("W5.form", "agent-browser")
    for what, item, limit in (
        ("form by separate calls", "W5.form", 1.0),
        ("form in one batch", "W5.batch", 0.6),
    ):
        ours = results.median(item, CLI)
        note = f"{ours:.0f} ms beside {theirs:.0f}" if ours is not None and theirs else ""
        out.append(Bar(f"command line, {what}: × agent-browser", _ratio(ours, theirs), limit, note))
    for what, limit in (("waits", 4), ("messages", 7)):
        out.append(Bar(f"W4.click: {what}", results.fact("W4.click", OURS, what), limit))
    return out


def daemon_bars(results: Results) -> list[Bar]:
    ours, floor = results.median("D.get_url", CLI), results.median("D.get_url", "python")
    note = f"{ours:.1f} ms beside {floor:.1f}" if ours is not None and floor else ""
    out = [Bar("warm `boathook get url`: × python -c 'import socket, json'", _ratio(ours, floor), 1.5, note)]
    for what, item, limit in (
        ("after the form", "D.form", 60),
        ("after 20 snapshots of flat/20000", "D.snapshots", 120),
    ):
        out.append(Bar(f"daemon's own memory {what}: MB", results.fact(item, CLI, "rss_mb"), limit))
    return out


def mcp_bars(results: Results) -> list[Bar]:
    """Of the MCP server: its start beside others, what a call adds to the library's, what its tools cost a model."""
    ours, out = results.median("M.start_to_list", MCP), []
    for peer in ("playwright-mcp", "devtools-mcp"):
        theirs = results.median("M.start_to_list", peer)
        note = f"{ours:.0f} beside {theirs:.0f} ms" if ours is not None and theirs else ""
        out.append(Bar(f"start to the list of tools: × {peer}", _ratio(ours, theirs), 1, note))
    through, direct = results.median("M.title", MCP), results.median("M.title", OURS)
    added = through - direct if through is not None and direct is not None else None
    out.append(Bar("a call through MCP over one of the library: ms", added, 5))
    out.append(Bar("tools of core: tokens", results.fact("M.tools", MCP, "tokens"), 1_800))
    return out


def script_bars(results: Results) -> list[Bar]:
    ours, floor = results.median("R.ready", OURS), results.median("R.ready", "python")
    note = f"{ours:.1f} ms beside {floor:.1f}" if ours is not None and floor else ""
    return [Bar("a script in a warm worker: × python -c pass", _ratio(ours, floor), 0.5, note)]


def count_bars(results: Results) -> list[Bar]:
    out = []
    for item in sorted(item for item in results.facts if item.startswith("N.")):
        ours, theirs = results.fact(item, OURS, "elements"), results.fact(item, OURS, "chromium")
        off = abs(ours - theirs) / theirs * 100 if ours is not None and theirs else None
        out.append(Bar(f"{item}: % off Chromium's own count", off, 1, f"{ours} beside {theirs}"))
    return out


def growth(results: Results, kind: str, size: int) -> tuple[float, float] | None:
    """Milliseconds and bytes per 1,000 nodes of the page."""
    item = f"L.{kind}/{size}"
    ms, nodes = results.median(item, OURS), results.fact(item, OURS, "nodes")
    if ms is None or not nodes:
        return None
    return ms / nodes * 1000, results.fact(item, OURS, "bytes") / nodes * 1000


def growth_bars(results: Results) -> list[Bar]:
    out = []
    for kind in ("flat", "deep"):
        small, large = growth(results, kind, 20000), growth(results, kind, 100000)
        for place, what, unit in ((0, "time", "ms"), (1, "bytes", "bytes")):
            both = small is not None and large is not None
            note = f"{large[place]:.2f} beside {small[place]:.2f} {unit} per 1,000 nodes" if both else ""
            value = large[place] / small[place] if both else None
            out.append(Bar(f"{kind}: {what} per node at 100k over 20k", value, 1.3, note))
    return out


def all_bars(results: Results) -> list[Bar]:
    ours = results.fact("T.desk", OURS, "tokens")
    theirs = results.fact("T.desk", "agent-browser", "tokens")
    tokens = Bar(
        "desk, default snapshot: tokens × agent-browser -i",
        _ratio(ours, theirs),
        0.5,
        f"{ours} beside {theirs} tokens; neither folded nor cut: {results.fact('T.desk', OURS, 'tokens_unfolded')}",
    )
    cold = to_floor(results, "W1.cold", 1.15, "cold start to the first page")
    return [
        *snapshot_bars(results),
        cold,
        tokens,
        *growth_bars(results),
        *count_bars(results),
        *action_bars(results),
        *daemon_bars(results),
        *mcp_bars(results),
        *script_bars(results),
    ]


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])


def times_table(results: Results) -> str:
    tools = [(tool, title) for tool, title in COLUMNS if any(tool in row for row in results.samples.values())]
    rows = []
    for item in sorted(results.samples, key=_order):
        medians = {tool: results.median(item, tool) for tool, _ in tools}
        if item.startswith(("L.", "D.", "R.")):
            continue
        best, floor, ours = results.best_peer(item), results.floor(item), medians.get(OURS)
        cells = ["–" if medians[tool] is None else f"{medians[tool]:.1f}" for tool, _ in tools]
        peer, low = _ratio(ours, best[0] if best else None), _ratio(ours, floor)
        rows.append([item, *cells, f"{peer:.2f}" if peer else "–", f"{low:.2f}" if low else "–"])
    return table(["item, median ms", *(title for _, title in tools), "× best peer", "× floor"], rows)


def _order(item: str) -> tuple:
    name, _, size = item.partition("/")
    return name, int(size) if size.isdigit() else 0


def growth_table(results: Results) -> str:
    rows = []
    for kind in ("flat", "deep"):
        for size in GROWTH:
            each = growth(results, kind, size)
            if each is not None:
                item = f"L.{kind}/{size}"
                ms, floor = results.median(item, OURS), results.floor(item)
                rows.append([f"{kind}/{size}", f"{ms:.1f}", f"{each[0]:.2f}", f"{each[1] / 1000:.1f}"])
                rows[-1].append(f"{floor:.1f}" if floor else "–")
    return table(["page", "ms", "ms per 1,000 nodes", "bytes per node", "raw floor ms"], rows)


def tokens_table(results: Results) -> str:
    titles = dict(COLUMNS)
    items = [item for item in ("T.desk", "S.flat/1000", "S.css/1000", "S.frames") if item in results.facts]
    tools = [tool for tool, _ in COLUMNS if any(tool in results.facts[item] for item in items)]
    rows = [
        [titles[tool], *(str(results.fact(item, tool, "tokens") or "–") for item in items)] for tool in tools
    ]
    return table(["tokens", *("desk, default" if item == "T.desk" else item for item in items)], rows)


def words(results: Results) -> str:
    meta = results.meta
    loads = [load for pair in meta["load"].values() for load in pair]
    counts = [len(values) for row in results.samples.values() for values in row.values()]
    versions = (
        ", ".join(f"{name} {version}" for name, version in meta["versions"].items()) or "none installed"
    )
    return (
        f"{meta['began']} to {meta.get('ended', '?')}; {meta['cores']} cores, {meta['memory_gb']} GB, {meta['system']} "
        f"{meta['processor']}; {meta['chromium']}; Python {meta['python']}; load average {min(loads, default=0)} to "
        f"{max(loads, default=0)}; {min(counts, default=0)} to {max(counts, default=0)} samples a cell; tokens by "
        f"{meta['tokens']}. Peers: {versions}."
    )


def text_of(results: Results) -> str:
    bars = all_bars(results)
    held = sum(bar.verdict == "pass" for bar in bars)
    missing = sum(bar.measured is None for bar in bars)
    parts = [
        "# Benchmark results",
        (
            "Written by `make bench`; how to read it: README.md beside this file. Milliseconds are medians; only ratios inside "
            "one run compare."
        ),
        words(results),
        "## Bars",
        f"{held} of {len(bars)} hold, {missing} were not measured.",
        table(["bar", "measured", "limit", "verdict", "from"], [bar.row() for bar in bars]),
        "## Times",
        times_table(results),
        "## Growth of Boathook's whole snapshot",
        growth_table(results),
        "## Tokens",
        tokens_table(results),
    ]
    if results.errors:
        failed = [
            [tool, item, text] for tool, items in results.errors.items() for item, text in items.items()
        ]
        parts += ["## Failed or left out", table(["tool", "item", "why"], failed)]
    return "\n\n".join(parts) + "\n"


def report(files: list[Path], write_to: Path | None = None) -> None:
    text = text_of(Results.read(files))
    print(text)
    if write_to is not None:
        write_to.write_text(text)


def main() -> None:
    names = [word for word in sys.argv[1:] if not word.startswith("-")]
    files = [Path(name) for name in names] or [HERE / "results" / "bench.json"]
    report(files, HERE / "RESULTS.md" if "--write" in sys.argv else None)


if __name__ == "__main__":
    main()
