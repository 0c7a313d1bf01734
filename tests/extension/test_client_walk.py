"""A sample of the walk over every public method of Playwright and Puppeteer; `make relay-walk` runs all of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.extension.walk.compare import compare, known_differences, markdown_table
from tests.extension.walk.declared import (
    PACKAGES,
    ROOT,
    THERE,
    WANTED,
    case_names,
    declared_methods,
)
from tests.extension.walk.running import bare_chromium, run_beside, walk_site
from tests.support.npm import npm_packages

CLIENTS = ("playwright", "puppeteer")
SAMPLE = {
    "playwright": ["Page.dragAndDrop", "Page.click"],
    "puppeteer": ["Browser.cookies", "Browser.version"],
}
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="session")
def packages():
    if shutil.which("node") is None:
        pytest.skip("the clients need node, which is not installed")
    npm_packages(PACKAGES, *WANTED, there=THERE)


def test_every_declared_method_has_a_case_and_every_difference_a_method(packages):
    cases = case_names()
    for client in CLIENTS:
        assert set(declared_methods(client)) - set(cases[client]) == set()
        assert set(known_differences(client)) <= set(cases[client])
        assert len(declared_methods(client)) > 100, "the control: declarations are read"


async def test_a_sample_of_methods_has_the_same_results_as_on_a_bare_chromium(pair, packages, tmp_path):
    relay, _ = pair
    site = walk_site()
    try:
        async with bare_chromium(tmp_path / "bare") as port:
            for client in CLIENTS:
                bare, seen = await run_beside(client, site, port, relay.url, only=SAMPLE[client])
                again = list(compare(client, bare, seen).differing)
                if again:  # on a busy machine, events may arrive after the end of a case
                    more, seen_again = await run_beside(client, site, port, relay.url, only=again)
                    bare.update(more)
                    seen.update(seen_again)
                result = compare(client, bare, seen)
                assert result.differing == {}
                assert len(result.equal) == len(SAMPLE[client]), "the control: all were run"
    finally:
        site.close()


def test_the_documentation_lists_the_differences():
    assert markdown_table() in Path(ROOT, "docs/relay.md").read_text()
