"""The oracle's figures and lists as files for readers."""

import json
import tomllib
from collections import Counter
from pathlib import Path

from . import facts as wpt
from .compare import percent

HERE = Path(__file__).parent
REPORT = HERE / "report.md"
BLIND = HERE / "blind_score.md"
DISAGREEMENTS = HERE / "disagreements.toml"
MISSES = HERE / "wpt_facts" / "misses.md"
FIELDS = ("page", "where", "kind", "ours", "chromium")

HEAD = """# The walker against Chromium's own accessibility tree

Written by `pytest tests/oracle --write-report`; the tests fail when these figures are out of date.

A node is counted when either side exposes it with a role of its own (the roles that do not count are listed in
`trees.py`). A node that one side alone exposes is a disagreement. The walker is asked as in a snapshot: values
of CSS counters and what ElementInternals set come from Chromium itself, so on those elements the two agree by construction. Parts that the browser itself makes inside a control (the fields of a date input, the buttons of a player) belong
to one control for the walker and are not compared; their number is in the last column. `aria-current` is not compared,
because Chromium's protocol does not report it.

"""
PAGES_HEAD = "| pages | nodes | role and name | states | descriptions | nesting | order | text | browser-made |\n|---|---|---|---|---|---|---|---|---|"
FACTS_HEAD = "| facts, ours / Chromium's | names | roles | descriptions |\n|---|---|---|---|"


def summary(figures):
    """The tables, line by line."""
    rows = [page_row(part, score) for part, score in figures.pages.items()]
    more = [fact_row(part, result) for part, result in figures.facts.items()]
    return [*PAGES_HEAD.splitlines(), *rows, "", *FACTS_HEAD.splitlines(), *more]


def page_row(part, score):
    pairs = (
        (score.states_agreeing, score.states),
        (score.descriptions_agreeing, score.descriptions),
        (score.nested_agreeing, score.nested),
        (score.ordered_agreeing, score.ordered),
        (score.texts_agreeing, score.texts),
    )
    shares = " | ".join(f"{percent(right, asked):.2f} % of {asked}" for right, asked in pairs)
    agreeing = percent(score.agreeing, score.nodes)
    return f"| {part} | {score.nodes} | {agreeing:.2f} % | {shares} | {score.built_in} |"


def fact_row(part, result):
    asked = wpt.expected(result.facts)
    ours, theirs = wpt.right(result.facts, result.ours), wpt.right(result.facts, result.chromium)
    cells = (f"{ours[kind]:.2f} % / {theirs[kind]:.2f} % of {asked[kind]}" for kind in wpt.KINDS)
    return f"| {part} | " + " | ".join(cells) + " |"


def listed():
    """The disagreements that are known, each with its reason."""
    return tomllib.loads(DISAGREEMENTS.read_text(encoding="utf-8")).get("disagreement", [])


def keys_listed():
    return {tuple(entry[field] for field in FIELDS) for entry in listed()}


def keys_found(score):
    return {tuple(getattr(found, field) for field in FIELDS) for found in score.disagreements}


def render_report(figures):
    reasons = Counter(entry["reason"] for entry in listed())
    why = "\n".join(
        f"| {count} | {reason} |" for reason, count in sorted(reasons.items(), key=lambda r: (-r[1], r[0]))
    )
    return (
        f"{HEAD}{chr(10).join(summary(figures))}\n\n## The blind score\n\n{BLIND.read_text(encoding='utf-8')}\n"
        "## Why the two disagree\n\nEvery single case is in `disagreements.toml`; the public facts that one side has "
        f"wrong are in `wpt_facts/misses.md`.\n\n| cases | reason |\n|---|---|\n{why}\n"
    )


def render_disagreements(figures):
    """The list as it is now; reasons are kept, and a new case has an empty one that must be filled in."""
    known = {tuple(entry[field] for field in FIELDS): entry["reason"] for entry in listed()}
    found = sorted(key for score in figures.pages.values() for key in keys_found(score))
    entries = [dict(zip(FIELDS, key, strict=True)) | {"reason": known.get(key, "")} for key in found]
    head = "# Where the walker and Chromium's tree disagree, and why. Kept by tests/oracle/test_oracle.py.\n"
    return head + "".join(
        "\n[[disagreement]]\n" + "".join(map(_toml_line, entry.items())) for entry in entries
    )


def _toml_line(pair):
    name, text = pair
    return f"{name} = {json.dumps(text, ensure_ascii=False)}\n"


def render_misses(figures):
    lines = ["# Public cases that the walker or Chromium has wrong\n", FACTS_HEAD]
    lines += [fact_row(part, result) for part, result in figures.facts.items()]
    for part, result in figures.facts.items():
        for side, wrong in (("The walker", result.ours), ("Chromium", result.chromium)):
            lines.append(f"\n## {side}, {part}: {len(wrong)}\n")
            lines += [f"- `{m.fact}` {m.kind}: expected `{m.expected}`, said `{m.said}`" for m in wrong]
    return "\n".join(lines) + "\n"


def write(figures):
    DISAGREEMENTS.write_text(render_disagreements(figures), encoding="utf-8")
    MISSES.write_text(render_misses(figures), encoding="utf-8")
    REPORT.write_text(render_report(figures), encoding="utf-8")
