"""The pytest plugin: a browser for the run, a tab for each test, and what the tab showed if the test failed.

Loaded by every pytest run in an environment with Boathook, so it imports nothing before a test asks for a browser.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from boathook.surfaces.python.sync_api import Browser, Tab

FOLDER = "test-results/boathook"
_FAILED = pytest.StashKey[bool]()
_TABS = pytest.StashKey[list[Any]]()
_NAME = re.compile(r"[^\w.-]+")
_LONGEST_NAME = 120


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("boathook", "Boathook: browser tests")
    group.addoption("--boathook-headed", action="store_true", help="show the browser window")
    group.addoption(
        "--boathook-artifacts",
        default=FOLDER,
        metavar="FOLDER",
        help=f"where to save what tabs of failed tests showed (default: {FOLDER})",
    )


@pytest.fixture(scope="session")
def boathook_launch_options(pytestconfig: pytest.Config) -> dict[str, Any]:
    """Arguments of `boathook.sync.launch`; override it in conftest.py."""
    return {"headless": not pytestconfig.getoption("--boathook-headed")}


@pytest.fixture(scope="session")
def boathook_browser(boathook_launch_options: dict[str, Any]) -> Iterator[Browser]:
    """One browser for the whole run."""
    import boathook  # noqa: PLC0415 (only tests with a browser load it)

    with boathook.sync.launch(**boathook_launch_options) as browser:
        yield browser


@pytest.fixture
def boathook_open(
    boathook_browser: Browser, request: pytest.FixtureRequest
) -> Iterator[Callable[[str], Tab]]:
    """Opens a URL in a new tab, which is closed after the test. If the test fails, what it showed is saved."""
    tabs: list[Any] = []
    request.node.stash[_TABS] = tabs

    def open_tab(url: str) -> Tab:
        tab = boathook_browser.open(url)
        tabs.append(tab)
        return tab

    yield open_tab
    for tab in tabs:
        if tab.state != "closed":
            tab.close()


@pytest.fixture
def boathook_tab(boathook_open: Callable[[str], Tab]) -> Tab:
    """An empty tab for the test."""
    return boathook_open("about:blank")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """After a failed test, while its tabs are still open, save what they show."""
    report = yield
    tabs = item.stash.get(_TABS, [])
    if call.when == "call" and report.failed and tabs:
        folder = Path(item.config.getoption("--boathook-artifacts"), _folder_name(item.nodeid))
        saved = [line for number, tab in enumerate(tabs, 1) for line in _save(tab, folder, number)]
        report.sections.append(("Boathook artifacts", "\n".join(saved)))
    return report


def _folder_name(nodeid: str) -> str:
    return _NAME.sub("-", nodeid).strip("-.")[-_LONGEST_NAME:] or "test"


def _save(tab: Any, folder: Path, number: int) -> list[str]:
    """Screenshot, snapshot and console of a tab; each that cannot be had is named with the reason."""
    folder.mkdir(parents=True, exist_ok=True)
    steps: tuple[tuple[str, Callable[[Path], object]], ...] = (
        ("screenshot.png", tab.screenshot),
        ("snapshot.txt", lambda path: path.write_text(str(tab.snapshot()), encoding="utf-8")),
        ("console.txt", lambda path: path.write_text(_lines(tab.console()), encoding="utf-8")),
    )
    saved = []
    for name, step in steps:
        path = folder / (name if number == 1 else f"{number}-{name}")
        try:
            step(path)
            saved.append(f"saved {path}")
        except Exception as error:  # noqa: BLE001 (the test's own failure is what must be seen)
            saved.append(f"no {path.name}: {type(error).__name__}: {error}")
    return saved


def _lines(values: Any) -> str:
    return "".join(f"{value}\n" for value in values)
