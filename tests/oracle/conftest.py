"""Fixtures of the oracle tests: one browser, one server, and each part of the corpus measured once."""

from pathlib import Path

import access
import compare
import pytest

PAGES = Path(__file__).parent / "pages"


def pytest_addoption(parser):
    parser.addoption(
        "--write-report",
        action="store_true",
        help="write what the oracle tests measured to tests/oracle/report.md and tests/oracle/wpt_facts/misses.md",
    )


@pytest.fixture(scope="session")
async def server():
    async with access.PageServer(PAGES) as server:
        yield server


@pytest.fixture(scope="session")
async def browser():
    async with access.Browser() as browser:
        yield browser


@pytest.fixture(scope="session")
async def measure(browser, server):
    """Compare both trees on every page of one part; the second caller gets the first one's result."""
    done: dict[str, compare.Score] = {}

    async def measure_part(part):
        if part not in done:
            score = compare.Score()
            for file in sorted((PAGES / part).glob("*.html")):
                score.add(await compare_page(browser, f"{server.origin}/{part}/{file.name}", file.stem))
            done[part] = score
        return done[part]

    return measure_part


async def compare_page(browser, url, name):
    await browser.load(url)
    ours = compare.walker_nodes(await browser.walker_dump())
    known = compare.elements(await browser.document())
    return compare.compare(name, ours, compare.chromium_nodes(await browser.ax_trees(), known), known)
