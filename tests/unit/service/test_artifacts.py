"""Artifacts: believed only when seen."""

import hashlib
import os
import stat
import time
from dataclasses import replace
from pathlib import Path

import pytest

from boathook.errors import BadRequest
from boathook.service.records import artifacts
from boathook.service.records.artifacts import (
    Kind,
    Manifest,
    State,
    Window,
    check_distinct,
    pending,
    verify_file,
)


def now():
    return Window(time.time(), time.time())


def saved(path, content=b"x"):
    path.write_bytes(content)
    return verify_file(path, kind=Kind.FILE, window=now())


def test_a_written_file_is_saved_with_size_and_digest(tmp_path):
    path = tmp_path / "shot.png"
    path.write_bytes(b"picture")
    found = verify_file(path, kind=Kind.IMAGE, window=now(), media_type="image/png", requested="shot.png")
    assert (found.state, found.size, found.sha256) == (State.SAVED, 7, hashlib.sha256(b"picture").hexdigest())
    assert (found.requested, found.media_type, found.path) == ("shot.png", "image/png", path.resolve())


def test_a_file_that_is_not_there_is_missing(tmp_path):
    assert verify_file(tmp_path / "no" / "x", kind=Kind.FILE, window=now()).state is State.MISSING


@pytest.mark.parametrize("seconds", [-3600, 3600])
def test_a_file_dated_outside_the_call_is_missing_unless_it_may_be_older(tmp_path, seconds):
    path = tmp_path / "old"
    path.write_bytes(b"old")
    os.utime(path, (time.time() + seconds,) * 2)
    found = verify_file(path, kind=Kind.DOWNLOAD, window=now())
    assert (found.state, found.sha256) == (State.MISSING, None)
    assert verify_file(path, kind=Kind.DOWNLOAD, window=None).state is State.SAVED


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
def test_what_is_no_regular_file_is_not_believed(tmp_path, kind):
    path, real = tmp_path / "it", tmp_path / "real"
    real.write_bytes(b"x")
    {"folder": path.mkdir, "link": lambda: path.symlink_to(real), "pipe": lambda: os.mkfifo(path)}[kind]()
    assert verify_file(path, kind=Kind.FILE, window=now()).state is State.UNVERIFIED
    assert verify_file(real, kind=Kind.FILE, window=now()).state is State.SAVED


def test_a_large_file_is_saved_without_a_digest(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "LARGEST_HASHED", 10)
    assert saved(tmp_path / "a", b"x" * 10).sha256
    large = saved(tmp_path / "b", b"x" * 11)
    assert (large.state, large.size, large.sha256) == (State.SAVED, 11, None)


def test_a_file_that_changes_while_it_is_looked_at_is_missing(tmp_path, monkeypatch):
    path = tmp_path / "a"

    def written_meanwhile(file):
        path.write_bytes(b"longer than before")
        return "digest"

    assert saved(path).state is State.SAVED
    monkeypatch.setattr(artifacts, "_digest", written_meanwhile)
    assert saved(path).state is State.MISSING


def test_destinations_that_differ_are_allowed(tmp_path):
    check_distinct([tmp_path / "a.png", tmp_path / "b.png", tmp_path / "folder" / "a.png"])


@pytest.mark.parametrize(
    "alias", ["same", "dots", "case", "unicode", "link", "hard link", "linked folder", "dangling"]
)
def test_two_destinations_that_are_one_file_are_refused(tmp_path, alias):
    first = tmp_path / "café.png"
    other = {
        "same": first,
        "dots": tmp_path / "x" / ".." / "café.png",
        "case": tmp_path / "CAFÉ.PNG",
        "unicode": tmp_path / "cafe\u0301.png",
        "linked folder": tmp_path / "way" / "café.png",
    }.get(alias, tmp_path / "other.png")
    if alias in {"link", "hard link"}:
        first.write_bytes(b"")
    (tmp_path / "x").mkdir()
    if alias in {"link", "dangling"}:
        other.symlink_to(first)
    elif alias == "hard link":
        os.link(first, other)
    elif alias == "linked folder":
        (tmp_path / "way").symlink_to(tmp_path)
    with pytest.raises(BadRequest, match="same file"):
        check_distinct([first, Path(str(other))])


def test_a_manifest_comes_back_by_the_name_of_its_session(tmp_path):
    manifest = Manifest(tmp_path / "m", session="work")
    manifest.add(saved(tmp_path / "a"), pending(tmp_path / "v.webm", kind=Kind.VIDEO))
    assert Manifest(tmp_path / "m", session="work").entries == manifest.entries
    assert Manifest(tmp_path / "m", session="other").entries == ()
    file = tmp_path / "m" / "work.artifacts.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "m").iterdir()] == [file.name]


def test_a_manifest_remembers_the_newest_and_counts_the_rest(tmp_path):
    manifest = Manifest(tmp_path / "m", session="s")
    one = saved(tmp_path / "a")
    manifest.add(*(replace(one, path=tmp_path / str(number)) for number in range(103)))
    manifest.add(replace(one, path=tmp_path / "102", size=9))
    again = Manifest(tmp_path / "m", session="s")
    assert (len(again.entries), again.evicted) == (100, 3)
    assert (again.entries[-1].path.name, again.entries[-1].size) == ("102", 9)


@pytest.mark.parametrize("damage", [b"", b"{", b'{"version":1,"entries":[{"path":5}]}', b"\xff"])
def test_a_damaged_manifest_is_replaced_and_reported(tmp_path, damage):
    Manifest(tmp_path / "m", session="s").add(saved(tmp_path / "a"))
    (tmp_path / "m" / "s.artifacts.json").write_bytes(damage)
    again = Manifest(tmp_path / "m", session="s")
    assert (again.recovered, again.entries) == (True, ())
    again.add(saved(tmp_path / "b"))
    assert not Manifest(tmp_path / "m", session="s").recovered


def test_files_that_are_gone_or_another_now_are_found_by_looking_again(tmp_path):
    manifest = Manifest(tmp_path / "m", session="s")
    manifest.add(*(saved(tmp_path / name) for name in ("gone", "changed", "same")))
    (tmp_path / "gone").unlink()
    (tmp_path / "changed").write_bytes(b"y")
    assert [item.state for item in manifest.verify()] == [State.MISSING, State.MISSING, State.SAVED]


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 65, "a\nb"])
def test_a_session_name_that_could_leave_the_folder_is_refused(tmp_path, name):
    with pytest.raises(BadRequest):
        Manifest(tmp_path / "m", session=name)
