"""The journal: only added to, readable after any crash."""

import json
import os
import stat
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boathook.errors import BadRequest
from boathook.redaction.redactor import Redactor
from boathook.service.records.journal import Journal, JournalRecord


def record(number=0, **more):
    facts = {"time": float(number), "pid": 7, "program": "agent", "door": "cli", "command": "click", "outcome": "acted",
             "seconds": 0.25, "arguments": {"target": f"@e{number}"}, **more}  # fmt: skip
    return JournalRecord(**facts)


@pytest.fixture
def journal(tmp_path):
    return Journal(tmp_path / "j", session="work")


def fill(journal, count):
    for number in range(count):
        journal.add(record(number), redactor=Redactor())


def test_what_was_written_is_read_again(journal, tmp_path):
    journal.add(record(3, outcome="failed", code="stale_ref"), redactor=Redactor(), durable=True)
    history = Journal(tmp_path / "j", session="work").read()
    assert history.records == (record(3, outcome="failed", code="stale_ref"),)
    assert (history.damaged, history.older) == (0, 0)
    assert stat.S_IMODE((tmp_path / "j" / "work.journal.jsonl").stat().st_mode) == 0o600


def test_every_line_is_json_by_itself(journal, tmp_path):
    fill(journal, 3)
    lines = (tmp_path / "j" / "work.journal.jsonl").read_text().splitlines()
    assert [json.loads(line)["arguments"]["target"] for line in lines] == ["@e0", "@e1", "@e2"]


def test_secrets_do_not_reach_the_file(journal, tmp_path):
    secret = {
        "arguments": {"text": "tiger-secret", "password": "abc", "url": "http://a:b@x/"},
        "program": "tiger-secret",
    }
    journal.add(record(**secret), redactor=Redactor(["tiger-secret"]))
    text = (tmp_path / "j" / "work.journal.jsonl").read_text()
    assert "click" in text
    assert not any(each_text in text for each_text in ("tiger", "abc", "a:b"))


def test_the_newest_from_a_moment_on_are_given(journal):
    fill(journal, 10)
    history = journal.read(since=4, limit=3)
    assert [record.time for record in history.records] == [7, 8, 9]
    assert history.older == 3


def test_a_torn_tail_is_counted_and_swallows_nothing(journal, tmp_path):
    fill(journal, 3)
    file = tmp_path / "j" / "work.journal.jsonl"
    os.truncate(file, file.stat().st_size - 20)
    assert ([record.time for record in journal.read().records], journal.read().damaged) == ([0, 1], 1)
    journal.add(record(9), redactor=Redactor())
    assert ([record.time for record in journal.read().records], journal.read().damaged) == ([0, 1, 9], 1)


@given(cut=st.integers(0, 400), junk=st.binary(max_size=60))
@settings(deadline=None, max_examples=60)
def test_no_damage_at_the_end_costs_more_than_the_end(tmp_path_factory, cut, junk):
    folder = tmp_path_factory.mktemp("j") / "private"
    journal = Journal(folder, session="s")
    fill(journal, 5)
    file = folder / "s.journal.jsonl"
    whole = file.read_bytes()
    lengths = [len(line) + 1 for line in whole.split(b"\n")[:-1]]
    left = max(0, len(whole) - cut)
    file.write_bytes(whole[:left] + junk)
    intact = sum(1 for number in range(5) if sum(lengths[: number + 1]) <= left)
    journal.add(record(99), redactor=Redactor())
    times = [record.time for record in journal.read().records]
    assert times[:intact] == list(range(intact))
    assert times[-1] == 99
    assert len(times) <= intact + 2


def test_an_altered_record_is_not_believed(journal, tmp_path):
    fill(journal, 2)
    file = tmp_path / "j" / "work.journal.jsonl"
    file.write_text(file.read_text().replace("@e0", "@e7"))
    assert ([record.time for record in journal.read().records], journal.read().damaged) == ([1], 1)


def test_files_that_grow_too_large_are_put_aside_and_the_oldest_goes(tmp_path):
    journal = Journal(tmp_path / "j", session="s", largest_bytes=2_000, old_files=2)
    fill(journal, 100)
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "j").iterdir()}
    assert set(sizes) == {"s.journal.jsonl", "s.journal.1.jsonl", "s.journal.2.jsonl"}
    assert max(sizes.values()) <= 2_000
    times = [record.time for record in journal.read().records]
    assert times == list(range(100 - len(times), 100))
    assert len(times) > 15


def test_a_record_that_is_too_large_is_kept_without_its_arguments(journal):
    journal.add(record(arguments={"text": "x" * 100_000}), redactor=Redactor())
    (one,) = journal.read().records
    assert one.command == "click"
    assert "left out" in one.arguments


def test_many_threads_lose_nothing(journal):
    threads = [threading.Thread(target=fill, args=(journal, 25)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = journal.read(limit=1000)
    assert (len(history.records), history.damaged) == (200, 0)


def test_a_link_in_the_place_of_the_journal_is_not_followed(journal, tmp_path):
    fill(journal, 1)
    target = tmp_path / "target"
    target.write_text("keep")
    (tmp_path / "j" / "work.journal.jsonl").unlink()
    (tmp_path / "j" / "work.journal.jsonl").symlink_to(target)
    with pytest.raises(BadRequest):
        fill(journal, 1)
    assert target.read_text() == "keep"
