"""Every field, diagnostic and rule of the contract has a row in contract.toml, and every row a test.

docs/evidence.md is written from it: `pytest tests/evidence/test_contract.py --write-docs`.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PAGE = ROOT / "docs" / "evidence.md"
DATA = tomllib.loads((HERE / "contract.toml").read_text())
FILES = DATA.pop("files")
VERDICTS = ("same", "better", "different")
BEGIN, END = "<!-- {}: written by tests/evidence/test_contract.py -->", "<!-- {}: end -->"


def proofs_of(row):
    given = [row["test"]] if isinstance(row["test"], str) else row["test"]
    return [(FILES[test.partition(":")[0]], test.partition(":")[2]) for test in given]


@cache
def functions_in(file):
    return set(re.findall(r"^(?:async )?def (\w+)\(", (ROOT / file).read_text(), re.MULTILINE))


@pytest.mark.parametrize("name", DATA)
def test_every_row_has_a_verdict_a_reason_and_tests_that_exist(name):
    wrong = [
        key
        for key, row in DATA[name].items()
        if row["here"] not in VERDICTS
        or not (row.get("how") or row["here"] == "same")
        or not set(row) <= {"here", "how", "test"}
        or not all(test in functions_in(file) for file, test in proofs_of(row))
    ]
    assert wrong == []


def rendered(name):
    lines = ["| contract | here | how | test |\n|---|---|---|---|\n"]
    for key, row in DATA[name].items():
        tests = ", ".join(f"`{Path(file).name}::{test}`" for file, test in proofs_of(row))
        lines.append(f"| {key} | {row['here']} | {row.get('how', '')} | {tests} |\n")
    count = Counter(row["here"] for row in DATA[name].values())
    total = "; ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS if count[verdict])
    return f"\n{total}.\n\n{''.join(lines)}"


@pytest.mark.parametrize("name", DATA)
def test_the_table_in_the_docs_is_current(name, request):
    text = PAGE.read_text()
    before, begin, rest = text.partition(BEGIN.format(name))
    _, end, after = rest.partition(END.format(name))
    assert begin
    assert end
    current = f"{before}{begin}{rendered(name)}{end}{after}"
    if request.config.getoption("--write-docs"):
        PAGE.write_text(current)
    assert PAGE.read_text() == current
