"""The clock of the machine is set a day ahead or back while calls run: nothing times out early, late or never."""

import os
import re
import subprocess
import sys
import time

import pytest

from boathook.wire.socket_address import daemon_folder
from tests.support.thorough import THOROUGH
from tests.support.waiting import until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not THOROUGH, reason="make stress tests it: it takes a daemon and half a minute"),
]
DAY = 86_400
DAEMON = """
import sys, time
from pathlib import Path
real, ahead = time.time, Path(sys.argv.pop(1))
time.time = lambda: real() + float(ahead.read_text())
from boathook.service.daemon.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""A daemon whose wall clock is set through a file; its monotonic clock is that of the system."""
CALL_SECONDS = 2
BUSY_SECONDS = 6
"""What a busy machine may add to a call."""


class Clock:
    """The wall clock of a daemon."""

    def __init__(self, program):
        self._program = program
        self._file = program.home / "ahead"
        self.set(0)

    def start(self):
        folder = daemon_folder(self._program.environment)
        words = [sys.executable, "-c", DAEMON, str(self._file), "--folder", folder]
        return subprocess.Popen(
            words, env=self._program.environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def set(self, seconds):
        """Set it so many seconds ahead of the system's."""
        new = self._file.with_suffix(".new")
        new.write_text(str(seconds))
        new.rename(self._file)


@pytest.fixture
async def clock(program):
    made = Clock(program)
    daemon = made.start()
    await until((program.home / ".cache/boathook/run/daemon.sock").exists, named="it listens")
    yield made
    daemon.terminate()
    daemon.wait()


async def during(program, clock, jump, *argv):
    """Set the clock while a line runs; the answer, and how long it took."""
    line = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
        [sys.executable, "-m", "boathook", *argv],
        env=program.environment, cwd=program.work, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    began = time.monotonic()
    await until(lambda: program.json_of("daemon", "status", "--json")["calls"], named="it runs")
    clock.set(jump)
    out, err = line.communicate(timeout=60)
    return line.returncode, out + err, time.monotonic() - began


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_calls_scripts_waits_and_recordings_take_their_time(program, clock, site, jump):
    page = site.page("<p>x</p>", title="Clock")
    assert program("open", page).returncode == 0

    timeout = ("--timeout", str(CALL_SECONDS))
    code, said, seconds = await during(program, clock, jump, "wait", "for", "#never", *timeout)
    assert (code, "[timed_out]" in said) == (5, True), said
    assert CALL_SECONDS <= seconds < CALL_SECONDS + BUSY_SECONDS

    pause = f"new Promise(done => setTimeout(() => done('rested'), {CALL_SECONDS * 1000}))"
    code, said, seconds = await during(program, clock, 0, "eval", pause)
    assert (code, "rested" in said) == (0, True), said
    assert seconds < CALL_SECONDS + BUSY_SECONDS

    script = f"await wait({CALL_SECONDS})\nreturn 'rested'"
    code, said, seconds = await during(program, clock, jump, "run", "--code", script)
    assert (code, "rested" in said) == (0, True), said
    assert seconds < CALL_SECONDS + BUSY_SECONDS

    records = [record for record in program.json("history")["data"] if record["command"] != "history"]
    assert all(0 <= record["seconds"] < CALL_SECONDS + BUSY_SECONDS for record in records)
    assert program("get", "title").stdout == "Clock\n", "neither the session nor the daemon became idle"


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_a_confirmation_stays_open_and_a_recording_ends(program, clock, site, jump):
    page = site.page("<button>Go</button>", title="Clock")
    assert program("--confirm-actions", "click", "open", page).returncode == 0
    asked = program("click", "text=Go")
    assert "[confirmation_required]" in asked.stderr, asked.stdout + asked.stderr
    number = re.search(r"boathook confirm (\w+)", asked.stderr)
    assert number, asked.stderr
    clock.set(jump)
    assert program("confirm", number[1]).returncode == 0, "a confirmation is open for a minute"
    clock.set(0)

    video = program.work / "clock.webm"
    began = program("record", "start", str(video))
    if "ffmpeg" in began.stderr:
        return  # nothing to record with
    for ahead in (jump, 0):
        program("eval", f"document.body.textContent = {ahead}")
        clock.set(ahead)
    start = time.monotonic()
    stopped = program("record", "stop")
    assert stopped.returncode == 0, stopped.stderr
    assert time.monotonic() - start < BUSY_SECONDS + CALL_SECONDS
    assert os.stat(video).st_size < 1 << 20, "a day of frames would be larger"  # noqa: PTH116
