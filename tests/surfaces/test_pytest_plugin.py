"""The pytest plugin: a tab for a test, and what it showed when the test failed."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

TESTS = """
PAGE = "data:text/html,<title>Shop</title><h1>Shop</h1><button>Buy</button><script>console.log('ready to sell')</script>"

def test_passes(boathook_tab):
    boathook_tab.goto(PAGE)
    assert boathook_tab.get_text("role=heading") == "Shop"

def test_fails(boathook_open):
    boathook_open("data:text/html,<p>first</p>")
    tab = boathook_open(PAGE)
    assert tab.get_text("role=heading") == "Bakery"

"""


def run_tests(folder, *argv):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *argv],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_a_failed_test_leaves_screenshot_snapshot_and_console(tmp_path):
    (tmp_path / "test_shop.py").write_text(TESTS)
    done = run_tests(tmp_path, "--boathook-artifacts", "out")
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    [folder] = (tmp_path / "out").iterdir()
    assert folder.name == "test_shop.py-test_fails"
    assert {path.name for path in folder.iterdir()} == {
        f"{number}{name}"
        for number in ("", "2-")
        for name in ("screenshot.png", "snapshot.txt", "console.txt")
    }
    assert 'button "Buy"' in (folder / "2-snapshot.txt").read_text()
    assert "ready to sell" in (folder / "2-console.txt").read_text()
    assert (folder / "2-screenshot.png").read_bytes().startswith(b"\x89PNG")
    assert "Boathook artifacts" in done.stdout
    assert "out/test_shop.py-test_fails/2-screenshot.png" in done.stdout


def test_the_plugin_loads_nothing_before_a_test_asks_for_a_browser(tmp_path):
    (tmp_path / "test_plain.py").write_text(
        "import sys\ndef test_plain():\n    assert not [name for name in sys.modules if name.startswith('boathook.engine')]\n"
    )
    done = run_tests(tmp_path)
    assert "1 passed" in done.stdout, done.stdout
    assert "--boathook-artifacts" in run_tests(tmp_path, "--help").stdout, "the control: it is loaded"
