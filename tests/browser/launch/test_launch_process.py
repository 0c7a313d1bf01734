"""A real Chromium over the pipe: starting, ending, and what a killed owner leaves behind."""

# ruff: noqa: ASYNC110, ASYNC240, PTH115, PTH208

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boathook.engine.launch import posix
from boathook.engine.launch.arguments import launch_arguments
from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.options import LaunchOptions
from boathook.engine.launch.process import LaunchPlan, spawn
from boathook.engine.launch.profiles.profile_dir import TemporaryProfile, claim_profile, sweep
from boathook.errors import LaunchFailed, NotABrowser, ProfileInUse
from tests.browser.launch.launch_pipe import Pipe, launched, process_tree, still_alive, until_gone
from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

OWNER = """
import asyncio, sys
sys.path.insert(0, {tests!r})
from tests.browser.launch.launch_pipe import launched
async def own():
    async with launched() as pipe:
        await pipe.open_page()
        await pipe.open_page(isolated=True)
        print(pipe.process.pid, flush=True)
        await asyncio.Event().wait()
asyncio.run(own())
"""


async def test_browser_answers_over_the_pipe_and_ends_without_a_trace() -> None:
    before = _descriptors()
    async with launched() as pipe:
        await pipe.open_page()
        tree = process_tree(pipe.process.pid)
        assert len(tree) > 3
        profile = next(a for a in pipe.process.plan.argv if a.startswith("--user-data-dir=")).split("=", 1)[1]
        assert Path(profile).is_dir()
        await pipe.process.stop(grace_seconds=PATIENCE)
    assert still_alive(tree) == []
    assert pipe.process.exit_code == 0
    assert not Path(profile).exists()
    assert _descriptors() - before == set()


def _descriptors() -> set[tuple[str, str]]:
    """Pipes and the like that this process has open; sockets and files of the test server come and go by themselves."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # the listing's own, or one of another thread
            found.add((number, os.readlink(f"/proc/self/fd/{number}")))
    return {match for match in found if match[1].startswith(("pipe:", "anon_inode:"))}


async def test_browser_stays_when_its_last_tab_is_closed() -> None:
    async with launched() as pipe:
        target = (await pipe.call("Target.createTarget", url="about:blank"))["result"]["targetId"]
        await pipe.call("Target.closeTarget", targetId=target)
        async with asyncio.timeout(PATIENCE):
            while "page" in await _target_types(pipe):
                await asyncio.sleep(0)
        await pipe.open_page()


async def test_screen_holds_the_window_and_no_automation_is_shown() -> None:
    async with launched() as pipe:
        session = await pipe.open_page()
        question = "[screen.width >= outerWidth, screen.height >= outerHeight, navigator.webdriver].join()"
        reply = await pipe.call("Runtime.evaluate", session=session, expression=question)
        assert reply["result"]["result"]["value"] == "true,true,false"


async def _target_types(pipe: Pipe) -> list[str]:
    listed = await pipe.call("Target.getTargets")
    return [info["type"] for info in listed["result"]["targetInfos"]]


async def test_stopping_twice_is_quiet_and_killing_a_dead_one_too() -> None:
    async with launched() as pipe:
        first = await pipe.process.stop()
        assert await pipe.process.stop() == first
        pipe.process.kill()
        assert not pipe.process.running


async def test_killed_browser_takes_its_helpers_along() -> None:
    async with launched() as pipe:
        await pipe.open_page()
        tree = process_tree(pipe.process.pid)
        pipe.process.kill()
        async with asyncio.timeout(PATIENCE):
            assert await pipe.process.wait() == -signal.SIGKILL
        assert still_alive(tree) == []


async def test_browser_that_ignores_the_closed_pipe_is_ended_by_force() -> None:
    async with launched() as pipe:
        tree = process_tree(pipe.process.pid)
        os.kill(pipe.process.pid, signal.SIGSTOP)
        async with asyncio.timeout(PATIENCE):
            code = await pipe.process.stop(grace_seconds=0.2)
        assert code == -signal.SIGKILL
        assert still_alive(tree) == []


@asynccontextmanager
async def owner_of_a_browser(code: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, list[int]]]:
    """Another Python that owns a browser, and the process numbers that it says; killed in any case."""
    script = code.format(tests=str(Path(__file__).parents[3]))
    owner = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=asyncio.subprocess.PIPE)
    try:
        assert owner.stdout is not None
        async with asyncio.timeout(PATIENCE):
            yield owner, [int(word) for word in (await owner.stdout.readline()).split()]
    finally:
        if owner.returncode is None:
            owner.kill()
            await owner.wait()


async def test_owner_killed_with_9_leaves_no_browser_in_five_rounds() -> None:
    for _ in range(5):
        async with owner_of_a_browser(OWNER) as (owner, [pid]):
            tree = process_tree(pid)
            assert len(still_alive(tree)) > 3  # the same look sees it alive while its owner lives
            owner.kill()
            await owner.wait()
            await until_gone(tree)
    sweep()


FORKING_OWNER = """
import asyncio, os, signal, sys
sys.path.insert(0, {tests!r})
from tests.browser.launch.launch_pipe import launched
async def own():
    async with launched() as pipe:
        await pipe.open_page()
        copies = os.dup(pipe.process.write_fd), os.dup(pipe.process.read_fd)
        child = os.fork()
        if child == 0:
            os.close(1)
            signal.pause()
        print(pipe.process.pid, child, flush=True)
        await asyncio.Event().wait()
asyncio.run(own())
"""


async def test_forked_worker_does_not_keep_its_dead_owners_browser_alive() -> None:
    async with owner_of_a_browser(FORKING_OWNER) as (owner, [pid, worker]):
        tree = process_tree(pid)
        try:
            assert len(still_alive(tree)) > 3
            owner.kill()
            await owner.wait()
            await until_gone(tree)
            assert posix.is_alive(worker)
        finally:
            os.kill(worker, signal.SIGKILL)
    sweep()


async def test_killed_owners_profile_is_swept_and_a_live_one_is_not(tmp_path: Path) -> None:
    async with launched() as pipe:
        profile = Path(
            next(a for a in pipe.process.plan.argv if a.startswith("--user-data-dir=")).split("=", 1)[1]
        )
        assert profile not in sweep(profile.parent)
        assert profile.is_dir()
        await pipe.open_page()


async def test_second_browser_on_a_live_profile_names_the_holder(tmp_path: Path) -> None:
    async with launched(LaunchOptions(profile=tmp_path / "mine")) as pipe:
        with pytest.raises(ProfileInUse) as refused:
            claim_profile(tmp_path / "mine")
        assert refused.value.evidence["holder_pid"] == pipe.process.pid
        # Past our own check, Chromium itself refuses with its own exit code.
        plan = launch_arguments(LaunchOptions(), browser=find_browser(), profile=tmp_path / "mine")
        async with spawn(plan) as second:
            async with asyncio.timeout(PATIENCE):
                assert await second.wait() == 21
            assert isinstance(second.failure(), ProfileInUse)
        await pipe.open_page()


async def test_profile_of_a_killed_browser_is_free_again(tmp_path: Path) -> None:
    async with launched(LaunchOptions(profile=tmp_path / "mine")) as pipe:
        pipe.process.kill()
        await pipe.process.wait()
    assert (tmp_path / "mine" / "SingletonLock").is_symlink()
    async with launched(LaunchOptions(profile=tmp_path / "mine")) as pipe:
        await pipe.open_page()


async def test_decoy_browser_is_never_signalled() -> None:
    async with launched() as decoy:
        async with launched() as pipe:
            pipe.process.kill()
            await pipe.process.wait()
        await decoy.open_page()


async def test_descriptors_of_the_parent_do_not_reach_the_browser() -> None:
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    try:
        async with launched() as pipe:
            held = set()
            for fd in os.listdir(f"/proc/{pipe.process.pid}/fd"):
                with suppress(FileNotFoundError):  # the browser has closed it meanwhile
                    held.add(os.readlink(f"/proc/{pipe.process.pid}/fd/{fd}"))
            assert held
            assert os.readlink(f"/proc/self/fd/{write_end}") not in held
    finally:
        os.close(read_end)
        os.close(write_end)


def _plan(*argv: str) -> LaunchPlan:
    return LaunchPlan(argv=argv, environment=dict(os.environ))


async def test_program_gets_commands_on_3_and_answers_on_4_whatever_numbers_are_free(tmp_path: Path) -> None:
    async with spawn(
        _plan("/bin/sh", "-c", "read line <&3; echo got $line >&4; echo last words >&2; exit 7")
    ) as process:
        os.write(process.write_fd, b"hello\n")
        async with asyncio.timeout(PATIENCE):
            assert await process.wait() == 7
        assert process.stderr_tail == "last words\n"


async def test_last_words_are_bounded() -> None:
    script = "i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done"
    async with spawn(_plan("/bin/sh", "-c", script)) as process:
        async with asyncio.timeout(PATIENCE):
            await process.wait()
        assert len(process.stderr_tail) <= 8192
        assert process.stderr_tail.endswith("line 2999\n")


async def test_helpers_that_stay_behind_are_ended_with_the_leader() -> None:
    async with spawn(_plan("/bin/sh", "-c", "sleep 60 & echo $! >&2; exit 0")) as process:
        async with asyncio.timeout(PATIENCE):
            await process.wait()
        assert not posix.is_alive(int(process.stderr_tail))


async def test_missing_executable_is_not_a_browser(tmp_path: Path) -> None:
    with pytest.raises(NotABrowser, match="cannot be executed"):
        spawn(_plan(str(tmp_path / "nothing")))


async def test_browser_that_ends_at_once_is_explained() -> None:
    async with TemporaryProfile.create() as profile:
        plan = launch_arguments(LaunchOptions(), browser=find_browser(), profile=profile.path)
        broken = replace(plan, argv=(*plan.argv, "--remote-debugging-pipe=nonsense"))
        async with spawn(broken) as process:
            async with asyncio.timeout(PATIENCE):
                await process.stop(grace_seconds=1)
            assert isinstance(process.failure(), LaunchFailed)
