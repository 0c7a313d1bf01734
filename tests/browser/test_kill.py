"""Whatever ends the owner ends the browser: no process, no profile, no foreign browser harmed."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.support.chromium import foreign_chromium, is_running, port_of
from tests.support.waiting import until

import boathook

OWNER = """
import asyncio, boathook
async def main():
    browser = await boathook.launch()
    print("ready", flush=True)
    tab = await browser.open("data:text/html,<button>x</button>")
    while True:
        await tab.snapshot()
asyncio.run(main())
"""


def browsers_in(directory):
    """Processes that run on a profile below a directory, by looking at every command line."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str(directory).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                continue
    return [pid for pid in found if is_running(pid)]


def owner_in(directory):
    """A Python process that owns a browser, with its runtime files below the directory."""
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(directory)}
    return subprocess.Popen(
        [sys.executable, "-c", OWNER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    return folder


async def gone(directory, seconds):
    await until(lambda: not browsers_in(directory), seconds=seconds, named="no browser of the owner is left")


@pytest.mark.slow
@pytest.mark.parametrize("round_", range(5))
async def test_killing_the_owner_leaves_no_browser_and_the_next_start_no_profile(
    runtime, round_, monkeypatch
):
    owner = owner_in(runtime)
    try:
        await asyncio.to_thread(owner.stdout.readline)
        assert browsers_in(runtime), "the positive control: while the owner lives, its browser is seen"
        owner.kill()
        await gone(runtime, 2)
    finally:
        owner.kill()
        owner.wait()
        owner.stdout.close()
    left = [entry for entry in runtime.rglob("profile-*") if entry.is_dir()]
    assert left, "the positive control: a killed owner cannot remove its profile itself"
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    async with await boathook.launch() as browser:
        await browser.open()
        await until(
            lambda: not any(entry.exists() for entry in left),
            seconds=5,
            named="the dead owner's profile is gone",
        )
    assert [entry for entry in runtime.rglob("profile-*") if entry.is_dir()] == []


@pytest.mark.slow
async def test_a_foreign_browser_is_untouched_by_launch_sweep_and_close(runtime, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime))
    with foreign_chromium() as (process, profile):
        await port_of(profile)
        owner = owner_in(runtime)
        await asyncio.to_thread(owner.stdout.readline)
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
    assert [entry for entry in runtime.rglob("profile-*") if entry.is_dir()] == []


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
    await gone(runtime, 2)
    assert [entry for entry in runtime.rglob("profile-*") if entry.is_dir()] == []


async def test_an_interrupted_script_leaves_nothing(runtime):
    owner = owner_in(runtime)
    await asyncio.to_thread(owner.stdout.readline)
    owner.send_signal(signal.SIGINT)
    await gone(runtime, 5)
    await asyncio.to_thread(owner.wait)
    owner.stdout.close()
