"""The processes that scripts are born from leave nothing behind, and lose nothing that was said."""

import asyncio
import os
import socket
import tempfile
import threading

import pytest

from boathook.engine.launch.posix import start_time
from boathook.sandbox import jail
from boathook.sandbox.script_channel import Channel
from boathook.service.scripts.fork_server import ForkServer
from boathook.service.scripts.scratch_folder import PREFIX, remove_abandoned

pytestmark = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")


async def test_a_child_that_is_wanted_when_all_ends_is_not_made(monkeypatch):
    fork_server, go = ForkServer(), threading.Event()
    born = fork_server._start_worker

    def late():
        go.wait(60)
        return born()

    monkeypatch.setattr(fork_server, "_start_worker", late)
    preparing = asyncio.create_task(fork_server.prepare())
    await asyncio.sleep(0)
    fork_server.close()
    go.set()
    await preparing
    assert (fork_server._server, fork_server._control, fork_server._ready, fork_server._ready_worker) == (
        None,
        None,
        None,
        None,
    )


async def test_a_child_that_was_made_and_not_taken_is_ended():
    fork_server = ForkServer()
    child = await asyncio.to_thread(fork_server._start_worker)
    assert not child.closed
    fork_server.close()
    fork_server.close()
    assert child.closed
    assert fork_server._server is None


async def test_what_is_drained_is_out_of_the_process():
    ours, theirs = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    with theirs:
        channel = Channel(ours)
        await channel.open()
        for _ in range(20):
            channel.send({"type": "log", "text": "x" * 1_000})  # less than what a writer is content with
        draining = asyncio.create_task(channel.drain())
        await asyncio.wait({draining}, timeout=0.1)
        assert not draining.done(), "nobody has read anything yet"
        reader = Channel(theirs)
        for _ in range(20):
            await asyncio.to_thread(reader.receive)
        await draining
        channel._writer.close()
        await channel._writer.wait_closed()


async def test_after_the_fork_server_was_killed_the_next_worker_is_a_new_one():
    fork_server = ForkServer()
    await fork_server.prepare()
    killed, spare = fork_server._server, fork_server._ready
    killed.kill()
    assert spare.wait(10), "it ends with the fork server"
    child = await fork_server.worker()
    assert not child.wait(0), "it is running"
    assert killed.returncode is not None, "no zombie is left"
    child.close()
    fork_server.close()


def test_scratch_folders_of_a_killed_daemon_are_removed_and_no_others(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    own = tmp_path / f"{PREFIX}{os.getpid()}-{start_time(os.getpid())}-abc"
    gone = tmp_path / f"{PREFIX}{os.getpid()}-1-abc"
    for folder in (own, gone, tmp_path / "other"):
        folder.mkdir()
    remove_abandoned()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([own.name, "other"])
