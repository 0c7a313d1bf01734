"""A home for servers, shared by the tests of a worker, and one for tests that end daemons."""

import subprocess

import pytest

from tests.mcp.clients import ERAS, Home, Lasting
from tests.support.chromium import foreign_chromium, port_of


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    made = Home(tmp_path_factory.mktemp("mcp"))
    made.say("--session", "kept", "open", "about:blank")  # keeps the browser between the sessions of tests
    yield made
    stop(made)


@pytest.fixture
def own_home(tmp_path):
    made = Home(tmp_path)
    yield made
    stop(made)


def stop(home):
    subprocess.run(
        home.command("daemon", "stop"), env=home.environment, cwd=home.work, capture_output=True, check=False
    )


@pytest.fixture(scope="session", params=ERAS)
async def either(home, request):
    """A client of each era, for the whole session; tests open their own pages."""
    lasting = Lasting(home.client(mode=request.param))
    yield await lasting.client()
    await lasting.close()


@pytest.fixture(scope="session")
async def client(home):
    """A client with every tool, for the whole session."""
    lasting = Lasting(home.client("--tools", "full,argv"))
    yield await lasting.client()
    await lasting.close()


@pytest.fixture(scope="session")
async def client_with(home):
    """Clients for the whole session, by their options; tests open their own pages and leave no dialog."""
    opened = {}

    async def client_of(*options):
        if options not in opened:
            opened[options] = Lasting(home.client(*options))
        return await opened[options].client()

    yield client_of
    for lasting in opened.values():
        await lasting.close()


@pytest.fixture
async def foreign_address():
    """Where a browser listens that was started by hand."""
    with foreign_chromium() as (_process, profile):
        yield f"http://127.0.0.1:{await port_of(profile)}"
