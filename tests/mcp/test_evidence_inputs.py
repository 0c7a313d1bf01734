"""Every input, field and action of the tool `agent_browser` has a row in evidence_inputs.toml, and every row a test.

The table in docs/mcp.md is written from it: `pytest tests/mcp/test_evidence_inputs.py --write-docs`.
"""

import re
import tomllib
from collections import Counter
from pathlib import Path

from boathook.registry.argv_tool import ARGV, STRUCTURED

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DATA = tomllib.loads((HERE / "evidence_inputs.toml").read_text())
FILES = DATA.pop("files")
VERDICTS = ("same", "better", "different", "added")
BEGIN, END = "<!-- inputs: written by tests/mcp/test_evidence_inputs.py -->", "<!-- inputs: end -->"
ROWS = {key: row for part in DATA.values() for key, row in part.items()}


def proofs_of(row):
    """The tests of a row: file and name."""
    given = [row["test"]] if isinstance(row["test"], str) else row["test"]
    return [(FILES[test.partition(":")[0]], test.partition(":")[2]) for test in given]


def test_every_row_has_a_verdict_and_a_reason_where_it_needs_one():
    wrong = [
        key
        for key, row in ROWS.items()
        if row["here"] not in VERDICTS
        or not (row.get("how") or row["here"] in {"same", "added"})
        or not set(row) <= {"here", "how", "test"}
    ]
    assert wrong == []


def test_every_row_names_tests_that_exist():
    functions = {
        file: set(re.findall(r"^(?:async )?def (\w+)\(", (ROOT / file).read_text(), re.MULTILINE))
        for file in FILES.values()
    }
    missing = [
        (key, test)
        for key, row in ROWS.items()
        for file, test in proofs_of(row)
        if test not in functions[file]
    ]
    assert missing == []


def test_every_input_field_and_action_of_the_tool_has_a_row():
    offered = set(ARGV["inputSchema"]["properties"])
    for name, schema in STRUCTURED.items():
        offered |= {f"{name}.{field}" for field in schema["properties"]}
    steps = STRUCTURED["job"]["properties"]["steps"]["items"]["properties"]
    offered |= {f"step {action}" for action in steps["action"]["enum"]}
    assert offered - ROWS.keys() == set()


def rendered():
    lines = ["| input, field or rule | here | how | test |\n|---|---|---|---|\n"]
    for key, row in ROWS.items():
        tests = ", ".join(f"`{Path(file).name}::{test}`" for file, test in proofs_of(row))
        lines.append(f"| {key} | {row['here']} | {row.get('how', '')} | {tests} |\n")
    count = Counter(row["here"] for row in ROWS.values())
    total = "; ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS if count[verdict])
    return f"\n{total}.\n\n{''.join(lines)}"


def test_the_table_in_the_docs_is_current(request):
    page = ROOT / "docs/mcp.md"
    text = page.read_text()
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin
    assert end
    current = f"{before}{begin}{rendered()}{end}{after}"
    if request.config.getoption("--write-docs"):
        page.write_text(current)
    assert page.read_text() == current
