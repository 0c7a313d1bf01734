"""A browser whose process is stopped is killed: calls end, the next one starts another browser, and nothing is left."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.chromium import foreign_chromium, port_of
from tests.support.thorough import THOROUGH
from tests.support.waiting import until
from tools.stress.processes import processes_of
from tools.stress_kill import profiles_in


@pytest.fixture
def stopped(program, site):
    """A program with a page in a browser whose process is stopped."""
    assert program("open", site.page("<p>x</p>", title="Before")).returncode == 0
    family = [process for process in processes_of(program.home) if process.kind != "daemon"]
    [leader] = [process for process in family if process.kind == "browser"]
    [profile] = [word for word in leader.line.decode().split("\0") if word.startswith("--user-data-dir=")]
    os.kill(leader.pid, signal.SIGSTOP)
    yield program, {process.pid for process in family}, Path(profile.partition("=")[2])
    with suppress(ProcessLookupError):
        os.kill(leader.pid, signal.SIGCONT)


def left_of(program, family):
    return family & {process.pid for process in processes_of(program.home)}


@pytest.mark.skipif(not THOROUGH, reason="make stress tests it: it takes a daemon and five seconds")
async def test_another_session_and_then_the_first_one_get_a_new_browser(stopped, site):
    program, family, profile = stopped
    assert profile.exists()
    began = time.monotonic()
    opened = program("--session", "other", "--timeout", "15", "open", site.page("<p>y</p>", title="After"))
    assert opened.returncode == 0, opened.stderr
    assert time.monotonic() - began < 15
    again = program("get", "url")
    assert again.stdout.strip() == "about:blank"
    assert "the browser of this session exited" in again.stderr
    await until(lambda: not left_of(program, family), named="the stopped browser has exited")
    await until(lambda: not profile.exists(), named="its profile is removed")


async def test_a_call_that_waits_for_it_fails_with_the_reason(stopped):
    program, _family, _profile = stopped
    failed = program.json("get", "title")
    assert failed["error"]["code"] == "browser_gone"
    assert "its process was stopped" in failed["error"]["message"]
    again = program("get", "url")
    assert again.stdout.strip() == "about:blank"
    assert "the browser of this session exited" in again.stderr


async def test_stopping_the_daemon_leaves_neither_process_nor_profile(stopped):
    program, family, profile = stopped
    assert "stopped" in program("daemon", "stop").stdout
    await until(lambda: not left_of(program, family), named="the stopped browser has exited")
    await until(lambda: not profile.exists(), named="its profile is removed")


async def test_a_browser_of_the_user_that_is_stopped_is_left_and_never_killed(program):
    with foreign_chromium() as (process, profile):
        there = ("--session", "theirs", "--cdp", str(await port_of(profile)), "--timeout", "1.5")
        assert program(*there, "get", "url").returncode == 0
        os.kill(process.pid, signal.SIGSTOP)
        failed = program.json(*there, "get", "title")
        assert failed["error"]["code"] in {"timed_out", "page_unresponsive", "browser_gone"}
        assert program("--session", "theirs", "close").returncode == 0
        new = program.json(*there, "get", "title")
        assert new["ok"] is False
        assert "stopped" in program("daemon", "stop").stdout
        os.kill(process.pid, signal.SIGCONT)
        assert await port_of(profile), "it answers again"
        assert process.poll() is None


async def test_sessions_of_a_killed_browser_share_the_next_one(program, site):
    """And its profile is removed with the first of them, not when the last one is used."""
    for name in ("one", "two"):
        assert program("--session", name, "open", site.page("<p>x</p>")).returncode == 0
    [leader] = [process.pid for process in processes_of(program.home) if process.kind == "browser"]
    [before] = profiles_in(program.home)
    os.kill(leader, signal.SIGKILL)
    await until(lambda: not Path(f"/proc/{leader}").exists(), named="the daemon has noticed")
    for name in ("one", "two"):
        assert program.ask("--session", name, "open", site.page("<p>y</p>")).exit == 0
        [after] = profiles_in(program.home)
        assert after != before
    assert len([process for process in processes_of(program.home) if process.kind == "browser"]) == 1
