"""The wording check: each pattern with a sentence that it reports and one that it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools.check_wording import (
    docstrings,
    documents,
    findings,
    load_patterns,
    markup_texts,
    script_strings,
    strings,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tools.check_wording import Pattern

PATTERNS = load_patterns()


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.find.pattern[:40])
def test_a_pattern_reports_its_example(pattern: Pattern) -> None:
    assert list(pattern.matches(pattern.catches))


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.find.pattern[:40])
def test_a_pattern_lets_its_counterexample_pass(pattern: Pattern) -> None:
    assert not list(pattern.matches(pattern.passes))


@pytest.mark.parametrize(
    "sentence", ["There is no such tab.", "It is no longer needed.", "if there are no rows"]
)
def test_sentences_without_a_strange_negation_pass(sentence: str) -> None:
    assert not [match for pattern in PATTERNS for match in pattern.matches(sentence)]


@pytest.mark.parametrize("sentence", ["x is no name for a state", "these are no tabs", "it was no\nPDF"])
def test_strange_negations_are_reported(sentence: str) -> None:
    assert [match for pattern in PATTERNS for match in pattern.matches(sentence)]


def test_strings_and_docstrings_are_read_from_python() -> None:
    source = '"""First line."""\nX = f"a {1} b"\nY = "single"\nZ = "two words"\n'
    assert list(strings(source)) == [(1, "First line."), (2, "a … b"), (4, "two words")]
    assert list(docstrings(source)) == [(1, "First line.")]


def test_strings_are_read_from_scripts_and_comments_are_not() -> None:
    source = "// it's a comment\nconst a = 'two words' /* 'no no' */;\nconst b = `three more words`;\n"
    assert list(script_strings(source)) == [(2, "two words"), (3, "three more words")]


def test_text_and_shown_attributes_are_read_from_markup() -> None:
    assert list(markup_texts('<p title="a b">c d</p>')) == [(1, "a b"), (1, "c d")]


def test_paragraphs_of_documents_have_their_lines() -> None:
    assert list(documents("# One\n\ntwo\nthree\n")) == [(1, "# One"), (3, "two\nthree\n")]


def test_fenced_blocks_of_documents_are_left_out() -> None:
    assert list(documents("one\n\n```text\nis no\n```\n\ntwo\n")) == [(1, "one"), (7, "two\n")]


def test_a_finding_names_the_place_the_match_and_what_to_use(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Title\n\nText that\nis no\nexample.\n")
    assert [str(finding) for finding in findings(tmp_path, PATTERNS)] == [
        f"README.md:4: 'is no': use {PATTERNS[0].use}"
    ]
