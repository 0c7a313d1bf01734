"""Records: the state before or the state after, never half of one, and damage is reported."""

import os
import signal
import stat
import sys

import pytest

from boathook.service.daemon.record_files import read_record, remove_record, write_record


@pytest.fixture
def path(tmp_path):
    return tmp_path / "session.json"


def test_a_record_is_read_as_it_was_written(path):
    assert read_record(path, schema=1).source == "none"
    write_record(path, {"tabs": ["ü", "\udce9"]}, schema=1)
    record = read_record(path, schema=1)
    assert (record.data, record.source, record.damage) == ({"tabs": ["ü", "\udce9"]}, "current", ())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("damaged", [b"", b"{", b"[]", b"null", b'{"schema": 1}', b"[" * 100_000])
def test_a_torn_record_falls_back_to_the_one_before_and_says_so(path, damaged):
    write_record(path, {"n": 1}, schema=1)
    write_record(path, {"n": 2}, schema=1)
    path.write_bytes(damaged)
    record = read_record(path, schema=1)
    assert record.data == {"n": 1}
    assert record.recovered
    assert record.damage == ("session.json: truncated, or not a record",)


def test_one_changed_letter_is_noticed(path):
    write_record(path, {"name": "apple"}, schema=1)
    path.write_bytes(path.read_bytes().replace(b"apple", b"apply"))
    record = read_record(path, schema=1)
    assert (record.data, record.source) == (None, "none")
    assert "checksum" in record.damage[0]


def test_a_torn_record_does_not_push_out_the_last_good_one(path):
    write_record(path, {"n": 1}, schema=1)
    write_record(path, {"n": 2}, schema=1)
    path.write_bytes(b"torn")
    write_record(path, {"n": 3}, schema=1)
    path.write_bytes(b"torn")
    assert read_record(path, schema=1).data == {"n": 1}


def test_a_record_of_another_form_is_not_read_as_ours(path):
    write_record(path, {"n": 1}, schema=2)
    record = read_record(path, schema=1)
    assert record.data is None
    assert record.damage == ("session.json: unsupported schema version 2, not 1",)


def test_links_are_not_followed(path, tmp_path):
    write_record(tmp_path / "other.json", {"n": 1}, schema=1)
    path.symlink_to(tmp_path / "other.json")
    assert read_record(path, schema=1).data is None
    write_record(path, {"n": 2}, schema=1)
    assert not path.is_symlink()
    assert read_record(tmp_path / "other.json", schema=1).data == {"n": 1}


def test_removing_leaves_nothing(path, tmp_path):
    write_record(path, {"n": 1}, schema=1)
    write_record(path, {"n": 2}, schema=1)
    remove_record(path)
    assert list(tmp_path.iterdir()) == []


def test_a_writer_killed_at_any_moment_leaves_a_whole_record(path):
    write_record(path, {"n": -1, "text": "x" * 20_000}, schema=1)
    for _ in range(10):
        reading, writing = os.pipe()
        child = os.posix_spawn(
            sys.executable,
            [sys.executable, "-c", _WRITER, str(path), str(writing)],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, writing, 1)],
        )
        os.close(writing)
        os.read(reading, 1)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        record = read_record(path, schema=1)
        assert (record.source, record.damage) == ("current", ())
        assert len(record.data["text"]) == 20_000


_WRITER = """
import itertools, os, pathlib, sys
from boathook.service.daemon.record_files import write_record
for n in itertools.count():
    write_record(pathlib.Path(sys.argv[1]), {"n": n, "text": "x" * 20_000}, schema=1, durable=False)
    if n == 20:
        os.write(1, b".")
"""
