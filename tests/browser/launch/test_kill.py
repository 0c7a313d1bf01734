"""Whatever ends the owner ends the browser: no process, no profile, no foreign browser harmed."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest

import boathook
from tests.support.chromium import foreign_chromium, port_of
from tests.support.thorough import at_most
from tests.support.waiting import PATIENCE, until
from tools.stress_kill import OWNER, browsers_in, profiles_in, rounds

HEARS_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""Tests that run in the background inherit deaf ears for Control-C."""


def owner_in(directory):
    """A Python process that owns a browser, with its runtime files below the directory."""
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            HEARS_INTERRUPTS + OWNER.replace("tab = ", 'print("ready", flush=True); tab = '),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "XDG_RUNTIME_DIR": str(directory)},
    )


async def ready(owner):
    for _ in range(2):
        await asyncio.to_thread(owner.stdout.readline)


@pytest.fixture
def runtime(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    return folder


async def gone(directory):
    await until(lambda: not browsers_in(directory), named="no browser of the owner is left")


@pytest.mark.slow
async def test_killing_the_owner_leaves_no_browser_and_the_next_start_no_profile():
    results = await rounds(at_most(2, 20), seed=7, allowed=PATIENCE)
    assert [result for result in results if not result.clean] == []
    # The positive controls: browsers were seen alive before the kill, and profiles did wait for the next start.
    assert any(result.seen_before for result in results)
    assert any(result.profiles_before for result in results)


@pytest.mark.slow
async def test_a_foreign_browser_is_untouched_by_launch_sweep_and_close(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with foreign_chromium() as (process, profile):
        await port_of(profile)
        owner = owner_in(runtime)
        await ready(owner)
        owner.kill()
        owner.wait()
        owner.stdout.close()
        async with await boathook.launch() as browser:
            await browser.open()
        assert process.poll() is None
        assert os.path.exists(profile)  # noqa: ASYNC240, PTH110 - one look


async def test_closing_removes_the_profile_and_every_process(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    browser = await boathook.launch()
    assert browsers_in(runtime)
    await browser.open()
    await browser.close()
    await browser.close()
    assert browsers_in(runtime) == []
    assert profiles_in(runtime) == []


async def test_an_exception_inside_the_block_closes_the_browser(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with pytest.raises(ZeroDivisionError):
        async with await boathook.launch():
            raise ZeroDivisionError
    assert browsers_in(runtime) == []


async def test_a_launch_that_is_cancelled_leaves_nothing(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    for ticks in (1, 3, 10, 30):
        task = asyncio.create_task(boathook.launch())
        for _ in range(ticks):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await gone(runtime)
    assert profiles_in(runtime) == []


async def test_an_interrupted_script_leaves_nothing(runtime):
    owner = owner_in(runtime)
    await ready(owner)
    owner.send_signal(signal.SIGINT)
    await gone(runtime)
    await asyncio.to_thread(owner.wait)
    owner.stdout.close()
