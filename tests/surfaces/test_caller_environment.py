"""Variables of the caller reach the browser that its call starts, whatever the daemon was started with."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from boathook.engine.launch import find_chrome
from boathook.engine.launch.browser_locations import VARIABLES
from boathook.engine.launch.find_chrome import find_browser
from boathook.service.sessions.browser_launch import launch_variables
from tests.support.program import Program

pytestmark = pytest.mark.slow
XVFB = shutil.which("Xvfb")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("caller"))
    for name in (
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "http_proxy",
        "HTTP_PROXY",
        "no_proxy",
        "NO_PROXY",
    ):
        made.environment.pop(name, None)
    assert made("daemon", "start").returncode == 0
    yield made
    made.stop()


@pytest.fixture(scope="module")
def displays():
    """Two X servers."""
    if XVFB is None:
        pytest.skip("Xvfb is not installed")
    servers, numbers = [], []
    for _ in range(2):
        reading, writing = os.pipe()
        servers.append(
            subprocess.Popen(
                [XVFB, "-displayfd", str(writing), "-nolisten", "tcp"],
                pass_fds=[writing],
                stderr=subprocess.DEVNULL,
            )
        )
        os.close(writing)
        with os.fdopen(reading) as file:
            numbers.append(f":{file.readline().strip()}")
    yield numbers
    for server in servers:
        server.terminate()
        server.wait()


def test_a_window_opens_on_the_display_of_the_caller(program, site, displays):
    page = site.page("<p>x</p>", title="Shown")
    without = program("--session", "none", "--headed", "open", page)
    assert "no display available to show a window" in without.stderr, "the control: the daemon has none"
    wrong = program("--session", "none", "--headed", "open", page, DISPLAY=":4077")
    assert "the display that DISPLAY or WAYLAND_DISPLAY names does not answer" in wrong.stderr
    shown = program("--session", "one", "--headed", "open", page, DISPLAY=displays[0])
    assert shown.returncode == 0, shown.stderr
    again = program("--session", "one", "--headed", "get", "title", DISPLAY=displays[0])
    assert again.stdout == "Shown\n"
    assert program("--session", "one", "get", "title").returncode == 0, "a call does not need it"
    moved = program("--session", "one", "--headed", "get", "title", DISPLAY=displays[1])
    assert f"is on display '{displays[0]}', not on '{displays[1]}'" in moved.stderr
    assert "--fresh --headed" in moved.stderr
    other = program("--session", "two", "--headed", "open", page, DISPLAY=displays[1])
    assert other.returncode == 0, other.stderr
    programs = {display for display in displays if _has_browser(display)}
    assert programs == set(displays), "a browser for each"


def _has_browser(display):
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"DISPLAY={display}".encode() in (
                entry / "environ"
            ).read_bytes().split(b"\0"):
                return True
        except OSError:
            continue
    return False


def test_proxy_variables_of_the_caller_apply_to_the_browser_that_it_starts(program, site):
    path = site.page("<p>x</p>", title="By proxy").removeprefix(site.origin)
    url = f"http://shop.test{path}"
    through = program("--session", "proxied", "open", url, http_proxy=site.origin)
    assert "By proxy" in through.stdout, through.stderr
    assert program("--session", "direct", "open", url).returncode != 0, "the control"


def test_variables_that_a_running_browser_was_started_without_are_named_once(program, site, tmp_path):
    page = site.page("<p>x</p>")
    asked = {
        "PUPPETEER_EXECUTABLE_PATH": str(tmp_path / "chrome"),
        "http_proxy": "http://ada:s3cret@127.0.0.1:9",
    }
    assert program("--session", "before", "open", page).returncode == 0
    first = program("--session", "before", "get", "title", **asked)
    note = "session before runs without PUPPETEER_EXECUTABLE_PATH and http_proxy of this call"
    assert first.stderr.startswith(f"note: {note}"), first.stderr
    assert "a new session uses them" in first.stderr
    assert "s3cret" not in first.stderr
    assert "runs without" not in program("--session", "before", "get", "title", **asked).stderr
    proxied = {"http_proxy": site.origin}
    assert program("--session", "after", "open", page, **proxied).returncode == 0
    same = program("--session", "after", "get", "title", **proxied)
    assert "runs without" not in same.stderr, "the control"


def test_the_executable_of_the_caller_is_started(program, site, tmp_path):
    wrapper = tmp_path / "chromium"
    wrapper.write_text(f'#!/bin/sh\ntouch {tmp_path}/started\nexec {find_browser().path} "$@"\n')
    wrapper.chmod(0o755)
    page = site.page("<p>x</p>")
    assert program("--session", "usual", "open", page).returncode == 0
    assert not (tmp_path / "started").exists(), "the control"
    done = program("--session", "own", "open", page, PUPPETEER_EXECUTABLE_PATH=str(wrapper))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "started").exists()


def test_the_puppeteer_cache_of_the_caller_is_searched(monkeypatch, tmp_path):
    """A browser of the system comes first, so this machine's is hidden."""
    browser = tmp_path / "chrome/linux-999.0.1.2/chrome-linux64/chrome"
    browser.parent.mkdir(parents=True)
    browser.write_text(f'#!/bin/sh\nexec {find_browser().path} "$@"\n')
    browser.chmod(0o755)
    caller = {"PUPPETEER_CACHE_DIR": str(tmp_path)}
    assert launch_variables(caller, {}) == {}, "the control: the system's comes first"
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(find_chrome, "find_installed", lambda *_: iter(()))
    assert launch_variables(caller, {}) == {"executable": str(browser)}
    assert launch_variables(caller, {}, locked=["executable"]) == {}
    assert launch_variables({"PUPPETEER_CACHE_DIR": str(tmp_path / "none")}, {}) == {}
    assert launch_variables({}, {}) == {}
