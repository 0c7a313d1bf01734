"""Records of sessions: what the last daemon lost is reported once, by whichever daemon can report it."""

import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from boathook.engine.launch import posix
from boathook.service.daemon.record_files import write_record
from boathook.service.sessions.session_records import FORGOTTEN_SECONDS, SCHEMA, SessionRecords


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "sessions"
    path.mkdir(mode=0o700)
    return path


def session(*urls):
    tabs = [SimpleNamespace(url=url) for url in urls]
    return SimpleNamespace(name="shop", tabs=tabs, limits={}, secrets=set())


def test_what_was_lost_is_told_once(folder):
    SessionRecords(folder).keep(session("http://a/", "http://b/"))
    after = SessionRecords(folder)
    assert "http://a/, http://b/" in after.take_lost("shop")
    assert after.take_lost("shop") == ""
    assert after.take_lost("other") == ""


def test_a_session_of_another_daemon_that_is_running_is_not_lost(folder):
    """With another runtime folder there is another daemon, and both have the same home."""
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = {"pid": other.pid, "start_time": posix.start_time(other.pid)}
    write_record(folder / "shop.json", {"tabs": ["http://a/"], "limits": {}, "daemon": owner}, schema=SCHEMA)
    assert SessionRecords(folder).take_lost("shop") == ""
    other.kill()
    other.communicate()
    assert "http://a/" in SessionRecords(folder).take_lost("shop")


def test_a_daemon_that_is_killed_before_it_told_leaves_that_to_the_next(folder):
    SessionRecords(folder).keep(session("http://a/"))
    SessionRecords(folder)
    after = SessionRecords(folder)
    assert "http://a/" in after.take_lost("shop")
    after.keep(session())
    assert "none open" in SessionRecords(folder).take_lost("shop")


def test_a_secret_in_an_address_is_neither_kept_nor_told(folder):
    one = session("http://a.test/?q=hunter%2F22", "http://b.test/?access_token=ya29abcdef", "data:,hunter/22")
    one.secrets = {"hunter/22"}
    SessionRecords(folder).keep(one)
    kept = "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    told = SessionRecords(folder).take_lost("shop")
    for text in (kept, told):
        assert "http://a.test/" in text
        assert "http://b.test/" in text
        assert "hunter" not in text
        assert "ya29" not in text


def test_a_session_that_was_closed_is_not_lost(folder):
    before = SessionRecords(folder)
    before.keep(session("http://a/"))
    before.forget("shop")
    assert SessionRecords(folder).take_lost("shop") == ""
    assert list(folder.iterdir()) == []


def test_parts_of_a_killed_write_and_very_old_records_go(folder):
    write_record(folder / "old.json", {"tabs": []}, schema=SCHEMA)
    long_ago = time.time() - FORGOTTEN_SECONDS - 60
    os.utime(folder / "old.json", (long_ago, long_ago))
    (folder / ".shop.json.0a1b2c3d").write_text("{")
    assert SessionRecords(folder).take_lost("old") == ""
    assert list(folder.iterdir()) == []
