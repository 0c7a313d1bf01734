"""Sessions that come back with their cookies and storage, and what is kept of them when something is wrong."""

import json
import os
import signal

import pytest

from tests.support.program import Program
from tests.support.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("home"))
    made(
        "--session", "other", "open", "about:blank"
    )  # sessions share its browser, so closing one does not end that
    yield made
    made.stop()


def kept(program, name):
    return program.home / f".local/state/boathook/states/{name}.json"


def test_a_session_comes_back_with_what_it_had_and_good_state_is_never_lost(program, site):
    page = site.page("<p>Welcome, Ada</p>")
    shop = ("--session", "shop")
    check = (*shop, "--restore", "work", "--restore-check-text", "Welcome")

    program(*check, "open", page)
    program(*shop, "batch", "cookies set sid good", "storage local set step seven")
    assert "restore work: nothing was saved yet" in program(*shop, "session", "info").stdout
    program(*shop, "close")
    good = json.loads(kept(program, "work").read_text())
    assert [cookie["value"] for cookie in good["cookies"]] == ["good"]

    program(*check, "open", page)
    assert "restore work: loaded 1 cookie, 1 origin" in program(*shop, "session", "info").stdout
    assert program(*shop, "eval", "document.cookie + localStorage.step").stdout == '"sid=goodseven"\n'
    program(*shop, "batch", "cookies set sid bad", "eval \"document.body.textContent = 'Please sign in'\"")
    program(*shop, "close")
    assert json.loads(kept(program, "work").read_text()) == good, "its check was not passed"

    program(*shop, "--restore", "work", "--restore-save", "always", "open", page)
    program(*shop, "batch", "cookies clear", "storage local clear")
    program(*shop, "close")
    assert json.loads(kept(program, "work").read_text()) == good, "an empty state replaces nothing"

    kept(program, "work").write_text("not a state")
    told = program(*check, "open", page)
    assert told.returncode == 0
    assert "not loaded, and will not be overwritten" in told.stderr
    program(*shop, "close")
    assert kept(program, "work").read_text() == "not a state"


async def test_a_session_that_was_lost_with_its_daemon_comes_back(program, site):
    page = site.page("<p>x</p>")
    mine = ("--session", "mine")
    key = {"BOATHOOK_ENCRYPTION_KEY": "12" * 32}
    program(*mine, "--restore", "--restore-interval", "0.1", "open", page, **key)
    program(*mine, "cookies", "set", "sid", "last-words", **key)
    await until(
        lambda: "saved 1 cookie" in program(*mine, "session", "info").stdout, named="it was saved by itself"
    )
    pid = int(program.json_of("daemon", "status", "--json")["pid"])
    os.kill(pid, signal.SIGKILL)
    back = program(*mine, "open", page, **key)
    assert "the daemon exited without closing this session" in back.stderr
    assert program(*mine, "eval", "document.cookie", **key).stdout == '"sid=last-words"\n'
    assert b"last-words" not in kept(program, "mine").read_bytes(), "the user's key has sealed it"
    program(*mine, "close")


def test_a_session_that_runs_is_not_restored_into(program, site):
    program("--session", "plain", "open", site.page("<p>x</p>"))
    refused = program("--session", "plain", "--restore=work", "snapshot")
    assert refused.returncode == 2
    assert "is already running without --restore work" in refused.stderr
    program("--session", "plain", "close")
