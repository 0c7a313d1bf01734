"""Everything that the documents of other programs name has a row in compatible_tools.toml, and every row a test.

The tables in docs/mcp.md and docs/scripts.md are written from it: `pytest tests/mcp/test_compatible_tools.py --write-docs`.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from boathook.service.scripts.script_helpers import camel, helpers
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DATA = tomllib.loads((HERE / "compatible_tools.toml").read_text())
FILES, DOCUMENTED = DATA.pop("files"), DATA.pop("documented")
SETS = ("single", "direct", "named")
VERDICTS = ("same", "better", "different", "added")
BEGIN, END = "<!-- {}: written by tests/mcp/test_compatible_tools.py -->", "<!-- {}: end -->"


def proofs_of(row):
    """The tests of a row: file and name."""
    given = [row["test"]] if isinstance(row["test"], str) else row["test"]
    return [(FILES[test.partition(":")[0]], test.partition(":")[2]) for test in given]


@cache
def functions_in(file):
    return set(re.findall(r"^(?:async )?def (\w+)\(", (ROOT / file).read_text(), re.MULTILINE))


@pytest.mark.parametrize("name", DATA)
def test_every_row_has_a_verdict_and_a_reason_where_it_needs_one(name):
    wrong = [
        key
        for key, row in DATA[name].items()
        if row["here"] not in VERDICTS
        or not (row.get("how") or row["here"] in {"same", "added"})
        or not set(row) <= {"here", "how", "test"}
    ]
    assert wrong == []


@pytest.mark.parametrize("name", DATA)
def test_every_row_names_tests_that_exist(name):
    missing = [
        f"{key}: {file}::{test}"
        for key, row in DATA[name].items()
        for file, test in proofs_of(row) or [("", "no test")]
        if not file or test not in functions_in(file)
    ]
    assert missing == []


def test_every_name_in_the_documents_has_a_row():
    missing = [
        f"{name}: {kind} {word}"
        for name, kinds in DOCUMENTED.items()
        for kind, words in kinds.items()
        for word in words
        if f"{kind} {word}" not in DATA[name]
    ]
    assert missing == []


def schemas_of(name):
    tools = read_tool_catalog([name], scripts=True, programs=True)
    return {tool.name: tool.parameters for tool in tools}


@pytest.mark.parametrize("name", SETS)
def test_every_tool_parameter_and_choice_that_is_offered_has_a_row_and_every_documented_one_is_offered(name):
    offered = {f"tool {tool}" for tool in schemas_of(name)} if name == "direct" else set()
    for parameters in schemas_of(name).values():
        offered |= {f"parameter {parameter}" for parameter in parameters}
        for kind in ("action", "act_kind"):
            offered |= {f"{kind} {choice}" for choice in parameters.get(kind, {}).get("enum", ())}
    assert offered - DATA[name].keys() == set()
    kinds = ("tool", "parameter", "action", "act_kind")
    documented = {f"{kind} {word}" for kind in kinds for word in DOCUMENTED[name].get(kind, ())}
    assert documented - offered == set()
    added = {key for key in offered if DATA[name][key]["here"] == "added"}
    assert offered - documented == added


def test_every_helper_has_a_row_and_every_documented_one_exists():
    rows = " ".join(key for key in DATA["scripts"] if key.startswith("helper "))
    named = set(re.findall(r"\w+", rows))
    ours = {camel(helper) for owner in helpers().values() for helper in owner}
    assert ours - named == set()
    of_scope = {"name", "page", "signal", "id"}
    documented = {helper.partition(".")[2] for helper in DOCUMENTED["scripts"]["helper"]}
    assert documented - ours == of_scope


def rendered(name):
    lines = ["| feature | here | how | test |\n|---|---|---|---|\n"]
    for key, row in DATA[name].items():
        kind, _, word = key.partition(" ")
        feature = f"{kind} `{word}`" if word and kind in DOCUMENTED[name] and "," not in word else key
        tests = ", ".join(f"`{Path(file).name}::{test}`" for file, test in proofs_of(row))
        lines.append(f"| {feature} | {row['here']} | {row.get('how', '')} | {tests} |\n")
    count = Counter(row["here"] for row in DATA[name].values())
    total = "; ".join(f"{count[verdict]} {verdict}" for verdict in VERDICTS if count[verdict])
    return f"\n{total}.\n\n{''.join(lines)}"


@pytest.mark.parametrize("name", DATA)
def test_the_table_in_the_docs_is_current(name, request):
    page = ROOT / "docs" / ("scripts.md" if name == "scripts" else "mcp.md")
    text = page.read_text()
    before, begin, rest = text.partition(BEGIN.format(name))
    _, end, after = rest.partition(END.format(name))
    assert begin
    assert end
    current = f"{before}{begin}{rendered(name)}{end}{after}"
    if request.config.getoption("--write-docs"):
        page.write_text(current)
    assert page.read_text() == current
