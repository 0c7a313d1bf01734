"""The history is written right after the answer: what calls and readers notice of that."""

import shutil

import pytest

from boathook.redaction.redactor import Redactor

pytestmark = pytest.mark.shared_daemon


def test_each_call_is_in_the_history_when_the_next_one_reads_it(program):
    program("get", "title")
    assert program("get", "url").returncode == 0
    shown = program("history").stdout
    assert "title" in shown
    assert "url" in shown


def test_a_history_that_cannot_be_written_is_reported_by_the_next_call(program):
    program("get", "url")
    history = program.home / ".local/state/boathook/history"
    kept = history.with_name("kept")
    history.rename(kept)
    history.write_text("in the way")
    try:
        program("get", "url")
        told = program("get", "url")
        assert "note: an earlier call is not in the history: " in told.stderr
        assert told.returncode == 0
    finally:
        history.unlink()
        kept.rename(history)
    program("get", "url")
    assert "history" not in program("get", "url").stderr
    assert "url" in program("history").stdout
    shutil.rmtree(kept, ignore_errors=True)


def test_a_text_in_which_no_rule_found_anything_is_hidden_once_its_value_is_known():
    assert Redactor().text("a purple tiger") == "a purple tiger"
    assert Redactor().text("a purple tiger") == "a purple tiger"
    assert "tiger" not in Redactor(["purple tiger"]).text("a purple tiger")
    assert Redactor().text("password=purple-tiger-7") != "password=purple-tiger-7"
    assert Redactor().text("password=purple-tiger-7") != "password=purple-tiger-7"
