"""The fixture ladder: one browser per worker, one tab per test, and a check that nothing is left over."""

from __future__ import annotations

from collections import deque

import pytest
from hypothesis import HealthCheck, settings

import boathook
from tests.support.engine import engine_of
from tests.support.program import Program
from tests.support.site import Site
from tests.support.waiting import until

# How long an example takes says more about what else the machine does than about the code.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
LOGGED_MESSAGES = 60
KEPT_SESSION = "kept"
_traffic: deque[str] = deque(maxlen=LOGGED_MESSAGES)


@pytest.fixture(scope="session")
def site():
    server = Site()
    yield server
    server.close()


@pytest.fixture(scope="session")
async def browser():
    """One headless browser for all tests of a worker that do not break it."""
    async with await boathook.launch() as started:
        engine_of(started).connection.on_traffic = _log
        yield started


@pytest.fixture
async def tab(browser):
    """A blank tab of the shared browser; whatever else the test opened is closed with it."""
    before = {known.id for known in await browser.tabs()}
    fresh = await browser.open()
    yield fresh
    for known in await browser.tabs():
        if known.id not in before:
            await known.close()
    await engine_of(browser).connection.send("Storage.clearCookies")
    await _settled(browser)


@pytest.fixture(scope="session")
def _kept_tabs():
    return []


@pytest.fixture
async def lasting_tab(browser, _kept_tabs):
    """One tab for all tests of a worker that only load pages and look at them: opening one takes longer than that."""
    if not _kept_tabs or engine_of(_kept_tabs[-1]).state != "ready":
        _kept_tabs.append(await browser.open())
    yield _kept_tabs[-1]
    await engine_of(browser).connection.send("Storage.clearCookies")
    await _settled(browser)


async def _settled(browser) -> None:
    """Nothing may be left: no call that waits, no chore that runs, no tab of this test."""
    engine = engine_of(browser)
    try:
        await until(
            lambda: not engine.connection.pending and not engine.background_tasks._tasks,
            seconds=30,
            named="no call or chore is left",
        )
    except AssertionError as error:
        error.add_note(f"left: {engine.connection.pending} {engine.background_tasks._tasks}")
        raise


def _log(direction: str, session: str, message: bytes) -> None:
    _traffic.append(f"{direction:8} {session[:6]:6} {message[:300].decode('utf-8', 'replace')}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call" and report.failed and "browser" in getattr(item, "fixturenames", ()):
        report.sections.append(("last protocol messages", "\n".join(_traffic)))
    if report.when == "setup":
        _traffic.clear()
    return report


@pytest.fixture
async def browser_with():
    """Start browsers of one test's own, with its own options; closed at the end."""
    started = []

    async def start(**options):
        one = await boathook.launch(**options)
        started.append(one)
        return one

    yield start
    for browser in started:
        await browser.close()


@pytest.fixture
def program(request, tmp_path):
    """The command line, with a separate home and daemon; those of the worker for tests marked `shared_daemon`."""
    if request.node.get_closest_marker("shared_daemon"):
        shared = request.getfixturevalue("_worker_program")
        yield shared.in_folder(tmp_path)
        shared.close_sessions(but=KEPT_SESSION)
        return
    made = Program(tmp_path)
    yield made
    made.stop()


@pytest.fixture(scope="session")
def _worker_program(tmp_path_factory):
    """One home and daemon per worker; a separate session keeps the browser running between tests."""
    made = Program(tmp_path_factory.mktemp("shared"))
    kept = made("--session", KEPT_SESSION, "open", "about:blank")
    assert kept.returncode == 0, kept.stderr
    yield made
    made.stop()


def pytest_addoption(parser):
    parser.addoption(
        "--write-report",
        action="store_true",
        help="write what the oracle measured: report.md, disagreements.toml and wpt_facts/misses.md in tests/oracle",
    )
    parser.addoption("--write-golden", action="store_true", help="write tests/golden/*.txt again")
    parser.addoption("--write-docs", action="store_true", help="update the output in docs/*.md")
