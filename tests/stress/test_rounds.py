"""Whatever is killed with -9 during real work: nothing is left, nothing is torn, and the next command works."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from boathook.service.daemon.record_files import write_record
from tests.support.thorough import at_most
from tests.support.waiting import PATIENCE, until
from tools.stress.kill_rounds import VICTIMS, rounds
from tools.stress.processes import processes_of
from tools.stress.remains import damage_in, left_overs, parts_in
from tools.stress.user import User

UNGUARDED = """
import signal, subprocess, sys
from boathook.engine.launch import posix
from boathook.engine.launch.find_chrome import find_browser
sandbox = ["--no-sandbox"] if posix.is_root() else []
subprocess.Popen([str(find_browser().path), "--headless=new", "--remote-debugging-port=0", "--disable-gpu", *sandbox,
                  f"--user-data-dir={sys.argv[1]}", "about:blank"], start_new_session=True,
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
signal.pause()
"""
"""An owner whose browser listens on a port, as others start theirs: it does not end with its owner."""


def unguarded_owner(profile, environment):
    return subprocess.Popen(
        [sys.executable, "-c", UNGUARDED, str(profile)], env=environment, stdin=subprocess.DEVNULL
    )


@pytest.fixture
def user():
    """A user with a short home path: Chromium does not start if the path of its socket is too long."""
    home = tempfile.mkdtemp(prefix="bh")
    yield User(Path(home), "http://127.0.0.1:9")
    shutil.rmtree(home)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_kills_at_random_moments_leave_nothing_and_the_next_command_works():
    results = await rounds(at_most(5, 16), seed=4, gone_seconds=PATIENCE)
    assert [(result.victim, result.wrong) for result in results if result.wrong] == []
    assert len({result.victim for result in results}) == min(len(results), len(VICTIMS))
    # The positive control: a browser with helpers was there to be ended.
    assert max(result.ended for result in results) > 1


@pytest.mark.slow
async def test_a_browser_that_outlives_its_owner_is_seen(user):
    profile = user.runtime / "profile-0123456789abcdef"
    profile.parent.mkdir(mode=0o700)
    owner = unguarded_owner(profile, user.environment)
    try:
        await until((profile / "DevToolsActivePort").exists, named="the browser listens")
        owner.kill()
        owner.wait()
        kinds = {process.kind for process in processes_of(user.home)}
        assert {"browser", "helper"} <= kinds
        assert any("profiles" in text for text in left_overs(user))
    finally:
        for process in processes_of(user.home):
            with suppress(ProcessLookupError):  # helpers end with their browser
                os.kill(process.pid, signal.SIGKILL)
    await until(lambda: not processes_of(user.home), named="the browser is gone")


def test_torn_records_and_parts_of_files_are_seen(user):
    folder = user.kept / "sessions"
    folder.mkdir(parents=True)
    write_record(folder / "one.json", {"tabs": []}, schema=1)
    assert damage_in(user.kept) == []
    assert parts_in(user.kept) == []
    (folder / "one.json").write_text("{")
    (folder / ".one.json.0a1b2c3d").write_text("{")
    assert "truncated" in damage_in(user.kept)[0]
    assert parts_in(user.kept) == [".one.json.0a1b2c3d"]


def test_a_torn_line_of_a_journal_is_seen(user):
    folder = user.kept / "history"
    folder.mkdir(parents=True, mode=0o700)
    Path(folder / "one.journal.jsonl").write_text('{"time": 1\n')
    assert damage_in(user.kept) == ["1 lines of the journal one are damaged"]
