"""The check of JavaScript: programs are assembled from the parts that pages run, and findings name the part."""

from __future__ import annotations

from pathlib import Path

import pytest

from boathook.engine.page_scripts import code_lines, walker_source
from boathook.engine.page_scripts.reader import reader_source
from tools import check_javascript
from tools.check_javascript import Finding, ToolsMissing, merged, programs

ROOT = Path(__file__).resolve().parents[2]
ASSEMBLED = ".cache/javascript/assembled"
PARTS = "src/boathook/engine/page_scripts"


def test_every_page_script_is_part_of_a_checked_program() -> None:
    checked = {path for program in programs(ROOT) for path, _ in program.origins}
    assert checked == {path.relative_to(ROOT).as_posix() for path in (ROOT / PARTS).rglob("*.js")}


@pytest.mark.parametrize(("name", "source"), [("walker.js", walker_source), ("reader.js", reader_source)])
def test_a_checked_program_is_the_one_that_pages_run(name: str, source) -> None:
    program = next(program for program in programs(ROOT) if program.name == name)
    assert code_lines(program.text)[1:-1] == source().splitlines()[2:-1]


def test_a_finding_is_reported_at_the_line_of_its_part() -> None:
    found = programs(ROOT)
    walker = next(program for program in found if program.name == "walker.js")
    line = walker.text.split("\n").index("const api = {") + 1
    (finding,) = merged([Finding(f"{ASSEMBLED}/walker.js", line, "no-undef", "…")], found)
    part = ROOT / finding.path
    assert finding.path == f"{PARTS}/walker/api.js"
    assert part.read_text(encoding="utf-8").split("\n")[finding.line - 1] == "const api = {"


def test_a_name_that_one_of_two_programs_uses_is_not_unused() -> None:
    found = programs(ROOT)
    in_walker = Finding(f"{ASSEMBLED}/walker.js", 10, "no-unused-vars", "…")
    in_reader = Finding(f"{ASSEMBLED}/reader.js", 10, "no-unused-vars", "…")
    assert not merged([in_reader], found)
    assert len(merged([in_walker, in_reader], found)) == 1


def test_missing_packages_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_javascript, "TOOLS", tmp_path)
    with pytest.raises(
        ToolsMissing, match=r"eslint is not installed in \.cache/javascript: run `make setup`"
    ):
        check_javascript.lint()


def test_comments_and_jsdoc_are_not_sent_to_pages() -> None:
    lines = [
        "// why",
        "/** @type {any} */",
        "  let a = /** @type {any} */ (b);",
        "",
        "/** @type {any} */ (c).d();",
    ]
    assert code_lines("\n".join(lines)) == ["let a = /** @type {any} */ (b);", "/** @type {any} */ (c).d();"]
