"""The docs as a site: it builds without warnings, has every page and a search index; broken links are found."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.thorough import THOROUGH
from tools import check_links

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
@pytest.mark.skipif(not THOROUGH, reason="`make docs` builds it too, strictly; here in `make stress`")
def test_the_site_builds_without_warnings_and_has_every_page(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--clean", "--site-dir", str(tmp_path / "site")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert "not included in the" not in done.stderr, "every page is in the navigation"
    for page in (ROOT / "docs").glob("*.md"):
        name = "index" if page.stem == "README" else page.stem
        assert (tmp_path / f"site/{name}.html").is_file(), name
    index = json.loads((tmp_path / "site/search/search_index.json").read_text())
    assert any("vault" in entry["text"] for entry in index["docs"])


def test_no_link_is_broken():
    assert check_links.problems() == []


def test_broken_links_are_found(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/one.md").write_text("# One two\n\n## Here: it is\n")
    (tmp_path / "README.md").write_text(
        "[a](docs/one.md#one-two) [b](docs/one.md#here-it-is) [c](https://example.org/x) `[d](no.md)`\n"
        "```\n[e](no.md)\n```\n[f](docs/two.md) [g](docs/one.md#three) ![h](no.png) [i](../secret)\n"
    )
    monkeypatch.setattr(check_links, "ROOT", tmp_path)
    assert check_links.problems() == [
        "README.md: docs/two.md (no such file)",
        "README.md: docs/one.md#three (no such heading)",
        "README.md: no.png (no such file)",
        "README.md: ../secret (no such file)",
    ]


def test_the_pages_for_models_are_those_of_the_docs():
    listed = (ROOT / "docs/llms.txt").read_text()
    for page in (ROOT / "docs").glob("*.md"):
        assert page.stem == "README" or f"]({page.name})" in listed
