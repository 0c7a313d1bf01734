"""Thirty pages of five kinds: as near to what a careful reader would keep as the issue asks for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.reading import scoring

FOLDER = Path(__file__).parent
EXPECTED = {
    path.relative_to(FOLDER / "expected").with_suffix("").as_posix(): path
    for path in sorted((FOLDER / "expected").rglob("*.md"))
}
KINDS = ("article", "docs", "forum", "product", "table")
MEAN_F1 = 0.95
LOWEST_F1 = 0.85
FURNITURE_LEFT = 0.1


@dataclass
class Result:
    """One page: what was to be kept, what was read of it, and everything that is on it."""

    expected: str
    found: str
    everything: str
    tables: list[list[list[str]]]

    @property
    def f1(self):
        return scoring.token_f1(self.expected, self.found)


@pytest.fixture(scope="session")
async def results(browser, site):
    for path in (FOLDER / "pages").rglob("*.html"):
        name = path.relative_to(FOLDER / "pages").as_posix()
        site._given[f"reading/{name}"] = ("text/html; charset=utf-8", path.read_bytes())
    tab = await browser.open()
    read = {}
    for name, path in EXPECTED.items():
        await tab.goto(site.url(f"reading/{name}.html"))
        found = await tab.read(limit=1_000_000)
        everything = await tab.evaluate("document.body.innerText")
        rows = [table.rows for table in (await tab.read("tables", limit=1_000_000)).tables]
        read[name] = Result(expected=path.read_text(), found=found.text, everything=everything, tables=rows)
    await tab.close()
    return read


def test_there_are_thirty_pages_of_five_kinds():
    assert [sum(name.startswith(f"{kind}/") for name in EXPECTED) for kind in KINDS] == [6] * 5


@pytest.mark.parametrize("kind", KINDS)
async def test_the_words_of_a_kind_of_page_are_the_expected_ones(results, kind):
    scores = {name: result.f1 for name, result in results.items() if name.startswith(f"{kind}/")}
    assert sum(scores.values()) / len(scores) >= MEAN_F1, scores


@pytest.mark.parametrize("name", EXPECTED)
async def test_a_page_is_read_well_with_tables_and_code_intact(results, name):
    result = results[name]
    assert result.f1 >= LOWEST_F1
    there, wanted = scoring.tables_intact(result.expected, scoring.tables(result.found))
    assert there == wanted
    there, wanted = scoring.code_intact(result.expected, scoring.code_blocks(result.found))
    assert there == wanted


@pytest.mark.parametrize("name", EXPECTED)
async def test_tables_as_rows_have_the_expected_cells(results, name):
    expected = scoring.tables(results[name].expected)
    found = [_bare(rows) for rows in results[name].tables]
    for table in expected:
        assert any(scoring.same_table(table, other) for other in found), table


@pytest.mark.parametrize("name", EXPECTED)
async def test_furniture_is_left_out(results, name):
    furniture = _furniture(results[name])
    found = _line_of_words(results[name].found)
    left = {words for words in furniture if words in found}
    assert len(left) <= max(1, FURNITURE_LEFT * len(furniture)), left


async def test_the_pages_have_furniture_that_could_be_found(results):
    """The control of the test above."""
    assert sum(len(_furniture(result)) for result in results.values()) > 300


def _furniture(result):
    """Lines that the page shows and a careful reader would not keep."""
    kept = _line_of_words(result.expected)
    lines = {_line_of_words(line) for line in result.everything.splitlines()}
    return {words for words in lines if words.count(" ") > 3 and words not in kept}


def _line_of_words(text):
    return f" {' '.join(scoring.tokens(text))} "


def _bare(rows):
    """Cells as the expected ones are compared: one line, no marks."""
    return [row for row in ([scoring.cell_text(cell) for cell in line] for line in rows) if any(row)]
