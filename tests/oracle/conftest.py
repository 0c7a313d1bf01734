"""Fixtures of the oracle tests: one browser, one server, and the corpus measured once."""

import pytest

from . import access, measuring, report

LINES = pytest.StashKey[list]()


def pytest_terminal_summary(terminalreporter, config):
    for line in config.stash.get(LINES, []):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
async def server():
    async with access.PageServer(measuring.PAGES) as server:
        yield server


@pytest.fixture(scope="session")
async def page():
    async with access.opened() as page:
        yield page


@pytest.fixture(scope="session")
async def figures(request, page, server):
    """What was measured; printed at the end of the run, and written when asked for."""
    figures = await measuring.measure(page, server)
    request.config.stash[LINES] = report.summary(figures)
    if request.config.getoption("--write-report"):
        report.write(figures)
    return figures
