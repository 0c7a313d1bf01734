"""A client that stops reading: the relay's memory is measured from outside."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from boathook.relay.send_queue import MOST_WAITING
from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import FakeExtension
from tests.support.site import dead_port
from tests.support.waiting import until

MEBIBYTE = 1 << 20
EVENTS = 80
"""Of one mebibyte: more than may be queued."""
MOST_GROWTH = MOST_WAITING // MEBIBYTE + 64
"""Mebibytes, with what the decoder and both sockets hold."""


@pytest.fixture
async def process(tmp_path):
    """A relay as a program, and its process."""
    relay = Relay(tmp_path / "secrets")
    relay.port = dead_port()
    words = [sys.executable, "-m", "boathook", "relay", "--port", str(relay.port)]
    started = subprocess.Popen(  # noqa: ASYNC220 - it takes no time
        [*words, "--secrets", str(relay.files.folder)], stdout=subprocess.PIPE
    )
    await asyncio.to_thread(started.stdout.readline)
    yield relay, started
    started.kill()
    started.wait()
    started.stdout.close()


def resident(process):
    """Mebibytes of memory that it holds."""
    lines = Path(f"/proc/{process.pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))) // 1024


async def listening_client(relay):
    client = await RawClient.connect(relay.url)
    session = (await client.send("Target.attachToTarget", {"targetId": "TARGET1", "flatten": True}))[
        "sessionId"
    ]
    await client.send("Network.enable", session=session)
    await client.send("Runtime.evaluate", {"expression": "1"}, session=session)
    return client


async def most_while_stuck(relay, running, extension):
    """The most memory that the relay holds while one client has stopped reading, until it is disconnected."""
    reading, stuck = await listening_client(relay), await listening_client(relay)
    stuck.socket.transport.pause_reading()
    most = 0
    text = "x" * MEBIBYTE
    for number in range(EVENTS):
        await extension.event(1, "Network.requestWillBeSent", {"requestId": str(number), "text": text})
        await until(
            lambda wanted=number: len(reading.seen("Network.requestWillBeSent")) > wanted,
            named="the control: a client that reads gets every event",
        )
        most = max(most, resident(running))
    stuck.socket.transport.resume_reading()
    await until(stuck._reader.done, named="it was disconnected")
    assert len(stuck.seen("Network.requestWillBeSent")) < EVENTS
    await reading.close()
    return most


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
async def test_clients_that_stop_reading_are_disconnected_and_the_relay_stays_small(process):
    relay, running = process
    extension = await FakeExtension(relay).connect()
    before = resident(running)
    # The allocator may keep what the first one used; the second one must find room in it.
    sizes = [await most_while_stuck(relay, running, extension) for _ in range(2)]
    assert max(sizes) - before < MOST_GROWTH, (before, sizes)
    await extension.close()
