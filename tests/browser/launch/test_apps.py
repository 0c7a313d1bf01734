"""Apps by the path of their program: found, started, detached, closed; other processes are not touched."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from boathook.engine.launch import app_process, posix
from boathook.engine.launch.app_browser import launch_app
from boathook.engine.launch.find_chrome import find_browser
from boathook.errors import BadSetting, LaunchFailed, NotABrowser
from tests.support.chromium import foreign_chromium
from tests.support.waiting import until

QT = Path(__file__).parents[3] / ".cache/qt/bin/python"
WORDS = ("--headless=new", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
QT_APP = """#!{python}
import sys
from PySide6.QtWidgets import QApplication
from PySide6.QtWebEngineWidgets import QWebEngineView
app = QApplication(sys.argv)
view = QWebEngineView()
view.setHtml("<title>Notes</title><label>Note <input></label><button onclick='document.title = 1'>Save</button>")
view.show()
sys.exit(app.exec())
"""


@pytest.fixture
def chromium():
    return Path(find_browser().path)


@pytest.fixture
def script(tmp_path):
    """A program of the test's own; what of it is left running is ended."""

    def make(text, name="someapp"):
        path = tmp_path / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    yield make
    for program in posix.programs(tmp_path / "someapp"):
        os.kill(program.pid, signal.SIGKILL)


async def test_an_app_is_started_let_go_met_again_and_ended_and_another_one_is_not_touched(
    chromium, tmp_path
):
    with foreign_chromium() as (bystander, _profile):
        first = await launch_app(chromium, WORDS, profiles=tmp_path)
        try:
            tab = await first.use_tab(first.targets.pages()[0].id)
            await tab.goto("data:text/html,<title>App</title>")
            assert first.app.ours
            await first.close()
            assert posix.is_alive(first.app.pid), "it goes on when it is let go"
            second = await launch_app(chromium, WORDS, profiles=tmp_path)
            assert second.app == first.app, "the same one is used"
            assert [page.url for page in second.targets.pages()] == ["data:text/html,<title>App</title>"]
            await second.close()
            assert await second.app.end()
        finally:
            await first.app.end()
        assert posix.group_members(first.app.pid) == []
        assert not await second.app.end(), "what has ended is not signalled again"
        assert bystander.poll() is None


async def test_a_running_app_is_used_and_never_ended(chromium, tmp_path):
    port = app_process._free_port()
    with foreign_chromium(f"--remote-debugging-port={port}") as (process, profile):
        await answers(port)
        words = [f"--user-data-dir={profile}"]
        browser = await launch_app(chromium, words, profiles=tmp_path)
        assert not browser.app.ours
        await browser.close()
        assert not await browser.app.end()
        assert process.poll() is None


async def answers(port):
    """Wait until a browser listens there."""

    def listens():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    await until(listens, named="it listens")


async def test_what_is_no_program_is_said_before_anything_is_started(tmp_path):
    plain = tmp_path / "plain.txt"
    plain.write_text("x")
    for path, kind, said in (
        (tmp_path, NotABrowser, "is a folder"),
        (tmp_path / "none", NotABrowser, "no such program"),
        (plain, NotABrowser, "is not executable"),
        (Path("app"), BadSetting, "not an absolute path"),
    ):
        with pytest.raises(kind, match=said):
            await app_process.open_app(path, profiles=tmp_path)
    with pytest.raises(BadSetting, match="is set by boathook"):
        await app_process.open_app(plain, ["--remote-debugging-port=1"], profiles=tmp_path)


async def test_a_program_that_ends_or_never_listens_is_said_and_ended(script, tmp_path, monkeypatch):
    with pytest.raises(LaunchFailed, match="exited with 3 before it listened"):
        await app_process.open_app(script("#!/bin/sh\nexit 3\n"), profiles=tmp_path)
    monkeypatch.setattr(app_process, "READY_SECONDS", 1.0)
    silent = script("#!/bin/sh\nsleep 300 &\nsleep 300\n")
    with pytest.raises(LaunchFailed, match=r"Timed out waiting for CDP endpoint http://127\.0\.0\.1"):
        await app_process.open_app(silent, profiles=tmp_path)
    assert posix.programs(silent) == []


async def test_one_that_runs_without_a_port_is_reported_and_left_alone(script, tmp_path):
    path = script("#!/bin/sh\nread line\n")
    running = subprocess_of(path)
    try:
        await until(lambda: posix.programs(path), named="it runs")
        with pytest.raises(
            LaunchFailed, match=f"already running without a debugging port .process {running.pid}"
        ):
            await app_process.open_app(path, profiles=tmp_path)
        assert running.poll() is None
    finally:
        running.communicate()


def subprocess_of(path):
    return subprocess.Popen([path], stdin=subprocess.PIPE)


@pytest.mark.parametrize(
    ("argv", "port"),
    [
        (["app", "--remote-debugging-port=9222"], 9222),
        (["app", "--remote-debugging-port", "9222"], 9222),
        (["app --x --remote-debugging-port=9222 --y"], 9222),
        (["app", "--remote-debugging-portable=9222"], None),
        (["app"], None),
        (["app", "--remote-debugging-port=0", "--remote-debugging-port=9222"], 9222),
        (["app", "--remote-debugging-port=0"], None),
    ],
)
def test_the_port_of_a_command_line_is_read_in_all_its_spellings(argv, port):
    assert app_process._port_of(argv) == port


@pytest.mark.skipif(not QT.exists(), reason="no Qt: make qt installs it")
async def test_an_app_made_with_qt_is_driven(script, tmp_path, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    if os.geteuid() == 0:
        monkeypatch.setenv("QTWEBENGINE_DISABLE_SANDBOX", "1")
    path = script(QT_APP.format(python=QT))
    bystander = subprocess_of_qt(path)
    browser = None
    try:
        await until(lambda: posix.programs(path), named="it runs")
        with pytest.raises(LaunchFailed, match="running already"):
            await app_process.open_app(path, profiles=tmp_path)
        bystander.kill()
        bystander.communicate()
        browser = await launch_app(path, profiles=tmp_path)
        tab = await browser.use_tab(browser.targets.pages()[0].id)
        assert await tab.title() == "Notes"
        await browser.close()
        assert posix.is_alive(browser.app.pid)
        assert await browser.app.end()
        assert posix.group_members(browser.app.pid) == []
    finally:
        if browser is not None:
            await browser.app.end()


def subprocess_of_qt(path):
    return subprocess.Popen([path], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
