"""Spilling: long answers are cut at a line, and the whole is kept privately."""

import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathook.redaction.redactor import Redactor
from boathook.service.records.spill import Spills, _head

LONG = "".join(f"line {number}\n" for number in range(1000))


@pytest.fixture
def spills(tmp_path):
    return Spills(tmp_path / "spills", most_bytes=30_000)


def test_text_within_its_budget_is_left_alone_and_nothing_is_written(spills, tmp_path):
    assert spills.fit("short\n", redactor=Redactor()).text == "short\n"
    assert not (tmp_path / "spills").exists()


def test_long_text_is_cut_at_a_line_and_the_whole_is_in_a_private_file(spills):
    fitted = spills.fit(LONG, redactor=Redactor(), characters=500, lines=20)
    *kept, note = fitted.text.splitlines()
    assert kept == LONG.splitlines()[:20]
    assert str(fitted.path) in note
    assert f"{fitted.characters_left_out} characters, 980 lines omitted" in note
    assert fitted.path.read_text() == LONG
    assert stat.S_IMODE(fitted.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(fitted.path.parent.stat().st_mode) == 0o700


def test_secrets_are_neither_in_the_text_nor_in_the_file(spills):
    fitted = spills.fit(LONG + "password=hunter2 tiger-secret", redactor=Redactor(["tiger-secret"]), lines=5)
    assert "line 999" in fitted.path.read_text()
    for said in (fitted.text, fitted.path.read_text()):
        assert "hunter2" not in said
        assert "tiger-secret" not in said


def test_the_oldest_files_go_when_there_is_no_room_and_this_is_said(spills, tmp_path):
    fitted = [spills.fit(LONG, redactor=Redactor(), lines=5) for _ in range(5)]
    assert fitted[0].path == fitted[3].evicted[0]
    assert "older files were removed" in fitted[3].text
    assert not fitted[0].path.exists()
    assert fitted[4].path.exists()
    assert sum(path.stat().st_size for path in (tmp_path / "spills").iterdir()) <= 30_000


def test_files_of_others_in_the_folder_are_never_evicted(spills, tmp_path):
    spills.fit(LONG, redactor=Redactor(), lines=5)
    other = tmp_path / "spills" / "mine.txt"
    other.write_text("x" * 40_000)
    for _ in range(6):
        spills.fit(LONG, redactor=Redactor(), lines=5)
    assert other.exists()


def test_text_larger_than_the_session_may_keep_is_cut_and_not_kept(spills):
    fitted = spills.fit("x\n" * 40_000, redactor=Redactor(), lines=5)
    assert fitted.path is None
    assert "could not be saved" in fitted.text.splitlines()[-1]


@pytest.mark.parametrize("trap", ["link", "file", "open to all"])
def test_a_folder_that_is_not_ours_alone_is_not_written_to(tmp_path, trap):
    folder, elsewhere = tmp_path / "spills", tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    if trap == "link":
        folder.symlink_to(elsewhere)
    elif trap == "file":
        folder.write_text("")
    else:
        folder.mkdir()
        folder.chmod(0o777)
    fitted = Spills(folder).fit(LONG, redactor=Redactor(), lines=5)
    assert fitted.path is None
    assert fitted.problem
    assert fitted.text.startswith("line 0\n")
    assert not list(elsewhere.iterdir())


@given(st.text(alphabet="ab\n"), st.integers(1, 30), st.integers(1, 6))
@settings(deadline=None)
def test_the_head_is_within_both_budgets_and_ends_at_a_line_if_it_can(text, characters, lines):
    head = _head(text, characters=characters, lines=lines)
    assert text.startswith(head)
    assert len(head) <= characters
    assert len(head.splitlines()) <= lines
    if head != text and "\n" in text[:characters]:
        assert head.endswith("\n")
    if len(text) <= characters and len(text.splitlines()) <= lines:
        assert head == text
