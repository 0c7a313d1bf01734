"""Quotas: cleaning up removes what is ours, and nothing else."""

import os

import pytest

from boathook.errors import BadRequest
from boathook.service.records.quotas import MARKER, Retention, Storage, StorageArea, claim

NOW = 1_000_000_000.0


@pytest.fixture
def place(tmp_path):
    place = StorageArea(Retention.ARTIFACTS, tmp_path / "artifacts")
    claim(place)
    return place


def put(path, *, size=10, age=0.0):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (NOW - age,) * 2)
    return path


def names(cleaned):
    return [item.path.name for item in cleaned.removed]


def test_usage_says_how_much_there_is_and_how_old(place):
    put(place.path / "a", size=10, age=5)
    put(place.path / "b", size=20, age=50)
    (usage,) = Storage([place]).usage()
    assert (usage.entries, usage.size, usage.oldest, usage.problem) == (2, 30, NOW - 50, "")


def test_what_is_older_goes_and_the_rest_stays(place):
    put(place.path / "old", age=100)
    put(place.path / "new", age=1)
    cleaned = Storage([place]).clean(older_than=50, now=NOW)
    assert (names(cleaned), cleaned.freed_bytes, cleaned.kept) == (["old"], 10, 1)
    assert sorted(path.name for path in place.path.iterdir()) == [MARKER, "new"]


def test_over_the_quota_the_oldest_go_first(place):
    for age in range(5):
        put(place.path / f"age{age}", age=age)
    cleaned = Storage([place]).clean(over_bytes=25, now=NOW)
    assert names(cleaned) == ["age4", "age3", "age2"]
    assert cleaned.kept_bytes == 20


def test_without_a_limit_nothing_goes(place):
    put(place.path / "a", age=10_000_000)
    assert names(Storage([place]).clean(now=NOW)) == []
    assert names(Storage([place]).clean(older_than=1, now=NOW)) == ["a"]


def test_a_folder_is_as_old_as_the_newest_in_it_and_goes_whole(place):
    put(place.path / "profile" / "old", age=100)
    put(place.path / "profile" / "new", age=1)
    os.utime(place.path / "profile", (NOW - 100,) * 2)
    assert names(Storage([place]).clean(older_than=50, now=NOW)) == []
    cleaned = Storage([place]).clean(over_bytes=0, now=NOW)
    assert (names(cleaned), cleaned.freed_bytes) == (["profile"], 20)


def test_what_is_in_use_stays_and_is_named(place):
    busy = put(place.path / "busy", age=100)
    put(place.path / "idle", age=100)
    cleaned = Storage([place], in_use=lambda path: path == busy).clean(older_than=1, now=NOW)
    assert (names(cleaned), cleaned.refused) == (["idle"], ((busy, "it is in use"),))


def test_a_folder_without_our_marker_is_not_touched(tmp_path, place):
    foreign = tmp_path / "foreign"
    foreign.mkdir(mode=0o700)
    put(foreign / "theirs", age=100)
    put(place.path / "ours", age=100)
    cleaned = Storage([StorageArea(Retention.LOGS, foreign), place]).clean(older_than=1, now=NOW)
    assert names(cleaned) == ["ours"]
    assert cleaned.refused == ((foreign, "it has no boathook marker"),)
    assert (foreign / "theirs").exists()


@pytest.mark.parametrize("marker", ["link", "damaged", "other user", "other owner", "other kind"])
def test_a_marker_that_is_not_right_protects_the_folder(place, tmp_path, marker):
    put(place.path / "file", age=100)
    file = place.path / MARKER
    right = file.read_text()
    file.unlink()
    if marker == "link":
        (tmp_path / "real").write_text(right)
        file.symlink_to(tmp_path / "real")
    else:
        wrong = {
            "damaged": "{",
            "other user": right.replace(f'"user":{os.geteuid()}', '"user":4711'),
            "other owner": right.replace("boathook", "somebody"),
            "other kind": right.replace("artifacts", "logs"),
        }
        file.write_text(wrong[marker])
    assert names(Storage([place]).clean(older_than=1, now=NOW)) == []
    file.unlink()
    file.write_text(right)
    assert names(Storage([place]).clean(older_than=1, now=NOW)) == ["file"]


def test_links_are_refused_and_what_they_lead_to_stays(place, tmp_path):
    outside = put(tmp_path / "outside" / "precious", age=100)
    (place.path / "link").symlink_to(outside.parent)
    put(place.path / "folder" / "file", age=100)
    (place.path / "folder" / "inner").symlink_to(outside.parent)
    cleaned = Storage([place]).clean(over_bytes=0, now=NOW)
    assert names(cleaned) == ["folder"]
    assert [path.name for path, _ in cleaned.refused] == ["link"]
    assert outside.exists()


def test_a_place_that_was_replaced_by_a_link_is_not_entered(place, tmp_path):
    put(place.path / "file", age=100)
    place.path.rename(tmp_path / "moved")
    place.path.symlink_to(tmp_path / "moved")
    cleaned = Storage([place]).clean(older_than=1, now=NOW)
    assert (names(cleaned), len(cleaned.refused)) == ([], 1)


def test_a_folder_with_files_of_somebody_else_is_not_claimed(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir(mode=0o700)
    put(folder / "letter")
    with pytest.raises(BadRequest):
        claim(StorageArea(Retention.DOWNLOADS, folder))
    assert [path.name for path in folder.iterdir()] == ["letter"]


def test_claiming_twice_is_harmless_but_not_for_another_purpose(place):
    claim(place)
    with pytest.raises(BadRequest):
        claim(StorageArea(Retention.LOGS, place.path))


def test_a_place_that_is_not_there_yet_is_empty(tmp_path):
    (usage,) = Storage([StorageArea(Retention.LOGS, tmp_path / "none")]).usage()
    assert (usage.entries, usage.problem) == (0, "")
    assert not (tmp_path / "none").exists()
