"""The oracle's figures as a page for readers."""

from collections import Counter
from pathlib import Path

from compare import percent

HERE = Path(__file__).parent

HEAD = """# The walker against Chromium's own accessibility tree

Written by `pytest tests/oracle --write-report`; the tests fail when these figures are out of date.

A node is counted when either side exposes it with a role of its own (the table of roles that do not count is in
`compare.py`). A node that one side alone exposes is a disagreement. The walker is asked alone; it has no fallback here.
Parts that the browser itself makes inside a control (the fields of a date input, the buttons of a video player) belong
to one control for the walker and are not compared; their number is in the last column.

| part | nodes | role and name | states | descriptions | nesting | order | browser-made |
|---|---|---|---|---|---|---|---|
"""


def line(part, score):
    """One row of the table."""

    def share(right, all_of_them):
        return f"{percent(right, all_of_them):.2f} % of {all_of_them}"

    return (
        f"| {part} | {score.nodes} | {percent(score.agreeing, score.nodes):.2f} % "
        f"| {share(score.states_agreeing, score.states)} "
        f"| {share(score.descriptions_agreeing, score.descriptions)} | {share(score.nested_agreeing, score.nested)} "
        f"| {share(score.ordered_agreeing, score.ordered)} | {score.built_in} |"
    )


def render(scores, listed):
    rows = "\n".join(line(part, score) for part, score in scores.items())
    blind = (HERE / "blind_score.md").read_text(encoding="utf-8")
    reasons = Counter(entry["reason"] for entry in listed)
    why = "\n".join(f"| {count} | {reason} |" for reason, count in reasons.most_common())
    return (
        f"{HEAD}{rows}\n\n## The blind score\n\n{blind}\n## Why the two disagree\n\n"
        f"Every single case is in `disagreements.toml`.\n\n| cases | reason |\n|---|---|\n{why}\n"
    )
