"""When the watchdog kills a browser: only if it is stopped, or silent without working."""

import asyncio
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, cast

import pytest

from boathook.engine.launch import posix, watchdog

# On an event loop of their own: on the worker's, the watchdog of the shared browser would go by these clocks too.
pytestmark = pytest.mark.asyncio(loop_scope="function")


class FakeProcess:
    pid = 1
    running = True
    killed = False

    def kill(self):
        self.killed, self.running = True, False


class FakeConnection:
    closed_because = None

    def __init__(self, *, answers, pending=("Page.navigate",)):
        self.answers = answers
        self.pending = pending
        self.pings = 0

    def post(self, _method):
        self.pings += 1
        reply = asyncio.get_running_loop().create_future()
        if self.answers:
            reply.set_result({})
        return reply


@pytest.fixture
def hour(monkeypatch):
    """A clock that a poll moves on; `late` is what a pause of the machine adds."""

    class Hour:
        now = 0.0
        late = 0.0
        polls = 0

        async def sleep(self, seconds):
            self.now += seconds + self.late
            self.polls += 1
            if self.polls == 40:
                raise asyncio.CancelledError

    made = Hour()
    monkeypatch.setattr(watchdog, "now", lambda: made.now)
    # Only for the watchdog: other tasks of this event loop sleep as usual.
    monkeypatch.setattr(watchdog, "asyncio", SimpleNamespace(sleep=made.sleep))
    return made


async def watch(connection):
    process, said = FakeProcess(), []

    async def release():
        said.append("released")

    dog = watchdog.Watchdog(
        cast("Any", connection), cast("Any", process), disconnect=said.append, release=release
    )
    with suppress(asyncio.CancelledError):
        await dog.watch()
    return process.killed, said


def facts(monkeypatch, *, stopped=False, cpu=lambda: 0.0):
    monkeypatch.setattr(posix, "is_stopped", lambda _pid: stopped)
    monkeypatch.setattr(posix, "cpu_seconds", lambda _pid: cpu())


async def test_a_silent_browser_that_uses_no_cpu_is_killed(monkeypatch, hour):
    facts(monkeypatch)
    assert await watch(FakeConnection(answers=False)) == (
        True,
        ["it did not respond, so it was killed", "released"],
    )
    assert 8 <= hour.now <= 11


async def test_a_stopped_browser_is_killed_even_if_nothing_waits_for_it(monkeypatch, hour):
    facts(monkeypatch, stopped=True)
    idle = FakeConnection(answers=False, pending=())
    killed, said = await watch(idle)
    assert killed
    assert "stopped" in said[0]
    assert hour.now <= 6


async def test_a_busy_browser_is_left_alone(monkeypatch, hour):
    facts(monkeypatch, cpu=lambda: hour.now * 0.5)
    assert await watch(FakeConnection(answers=False)) == (False, [])


async def test_a_browser_that_answers_and_an_idle_one_are_left_alone(monkeypatch, hour):
    facts(monkeypatch)
    answering = FakeConnection(answers=True)
    assert await watch(answering) == (False, [])
    assert answering.pings > 1
    hour.polls = 0
    idle = FakeConnection(answers=False, pending=())
    assert (await watch(idle), idle.pings) == ((False, []), 0)


async def test_a_pause_of_the_machine_does_not_count(monkeypatch, hour):
    facts(monkeypatch, stopped=True)
    hour.late = 60
    assert await watch(FakeConnection(answers=False)) == (False, [])
