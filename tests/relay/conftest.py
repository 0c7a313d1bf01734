"""A relay in this process, with separate secrets."""

from __future__ import annotations

import pytest

from tests.extension.chrome import RawClient
from tests.extension.conftest import Relay
from tests.relay.fake_extension import FakeExtension


@pytest.fixture
async def relay(tmp_path):
    started = await Relay(tmp_path / "secrets").start(wait_seconds=0.2)
    yield started
    await started.stop()


@pytest.fixture
async def extension(relay):
    connected = await FakeExtension(relay).connect()
    await relay.has_extension()
    yield connected
    await connected.close()


@pytest.fixture
async def client(relay, extension):
    connected = await RawClient.connect(relay.url)
    yield connected
    await connected.close()
