"""Finding a browser: order, wrong names, stubs, caches, and the error on an empty machine."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from boathook.engine.launch.browser_locations import find_cached, kind_of, version_in
from boathook.engine.launch.find_chrome import find_browser, read_version
from boathook.errors import BrowserNotFound, NotABrowser

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="places and scripts of Linux")

ELF = b"\x7fELF" + bytes(60)


def binary(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(ELF)
    path.chmod(0o755)
    return path


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """An environment in which nothing is installed: the system's own places are out of sight."""
    monkeypatch.setattr("boathook.engine.launch.browser_locations._LINUX_PLACES", ())
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "bin").mkdir()
    return {"PATH": str(tmp_path / "bin"), "XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_explicit_path_wins_over_everything(tmp_path: Path, bare: dict[str, str]) -> None:
    mine, other = binary(tmp_path / "mine/chrome"), binary(tmp_path / "bin/chromium")
    found = find_browser(mine, environ={**bare, "BOATHOOK_BROWSER": str(other)})
    assert (found.path, found.kind, found.source) == (mine, "chrome", "the caller")


def test_variables_win_in_their_order(tmp_path: Path, bare: dict[str, str]) -> None:
    binary(tmp_path / "bin/google-chrome")
    paths = {
        name: str(binary(tmp_path / name / "chrome"))
        for name in ("BOATHOOK_BROWSER", "PUPPETEER_EXECUTABLE_PATH", "CHROME_PATH", "CHROME")
    }
    while paths:
        found = find_browser(environ={**bare, **paths})
        first = next(iter(paths))
        assert (found.source, str(found.path)) == (first, paths.pop(first))
    assert find_browser(environ=bare).source == "google-chrome on PATH"


@pytest.mark.parametrize("variable", [None, "BOATHOOK_BROWSER", "CHROME"])
def test_wrong_name_is_an_error_although_a_browser_is_installed(
    tmp_path: Path, bare: dict[str, str], variable: str | None
) -> None:
    binary(tmp_path / "bin/chromium")
    assert find_browser(environ=bare)
    missing = str(tmp_path / "missing")
    with pytest.raises(BrowserNotFound, match="does not exist"):
        find_browser(None if variable else missing, environ={**bare, variable: missing} if variable else bare)


def test_things_that_are_no_browser_are_named_as_what_they_are(tmp_path: Path, bare: dict[str, str]) -> None:
    plain = tmp_path / "plain"
    plain.write_text("hello")
    text = script(tmp_path / "text", "")
    text.write_text("hello")
    for path, why in (
        (tmp_path, "a directory"),
        (plain, "not executable"),
        (text, "neither a binary nor a script"),
        (script(tmp_path / "other", "echo Python 3.11"), "--version"),
        (Path("/bin/ls"), "--version"),
        (Path("/dev/null"), "not a regular file"),
    ):
        with pytest.raises(NotABrowser, match=why):
            find_browser(path, environ=bare)


def test_command_name_is_looked_up_on_the_search_path(tmp_path: Path, bare: dict[str, str]) -> None:
    path = binary(tmp_path / "bin/chromium")
    assert find_browser("chromium", environ=bare).path == path


def test_wrapper_script_is_asked_once_and_remembered(tmp_path: Path, bare: dict[str, str]) -> None:
    log = tmp_path / "asked"
    path = script(
        tmp_path / "bin/chromium", f"echo asked >> {log}; echo Chromium 156.0.1.2 built on something"
    )
    for _ in range(3):
        assert find_browser(environ=bare).version == "156.0.1.2"
    assert log.read_text().count("asked") == 1
    script(path, f"echo asked >> {log}; echo Chromium 157.0.1.2 and longer")
    assert find_browser(environ=bare).version == "157.0.1.2"
    assert len(json.loads((tmp_path / "cache/boathook/browsers.json").read_text())) == 1


def test_damaged_memory_is_ignored(tmp_path: Path, bare: dict[str, str]) -> None:
    script(tmp_path / "bin/chromium", "echo Chromium 156.0.1.2")
    memory = tmp_path / "cache/boathook/browsers.json"
    memory.parent.mkdir(parents=True)
    for text in ("{", "[]", '{"a": 1}'):
        memory.write_text(text)
        assert find_browser(environ=bare).version == "156.0.1.2"


def test_snap_stub_is_passed_over_with_its_reason(tmp_path: Path, bare: dict[str, str]) -> None:
    script(
        tmp_path / "bin/chromium-browser", "echo Command requires the chromium snap to be installed.; exit 1"
    )
    with pytest.raises(BrowserNotFound, match="a stub for the Chromium snap"):
        find_browser(environ=bare)
    kept = binary(tmp_path / "home/.cache/puppeteer/chrome/linux-131.0.1/chrome-linux64/chrome")
    assert find_browser(environ=bare).path == kept


def test_silent_wrapper_is_given_up_in_time(tmp_path: Path, bare: dict[str, str], monkeypatch) -> None:
    monkeypatch.setattr("boathook.engine.launch.find_chrome._VERSION_SECONDS", 0.2)
    path = script(tmp_path / "bin/chromium", "exec sleep 30")
    assert read_version(path) is None
    with pytest.raises(BrowserNotFound, match="--version"):
        find_browser(environ=bare)


def test_newest_cached_browser_is_first_and_numbers_are_numbers(tmp_path: Path) -> None:
    for number in ("999", "1181", "1091"):
        binary(tmp_path / f"pw/chromium-{number}/chrome-linux/chrome")
    binary(tmp_path / "pw/chromium_headless_shell-1200/chrome-linux/headless_shell")
    for version in ("99.0.1", "131.0.6778.85", "131.0.6778.204"):
        binary(tmp_path / f"own/chrome/{version}/chrome-linux64/chrome")
    environ = {
        "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "pw"),
        "PUPPETEER_CACHE_DIR": str(tmp_path / "none"),
    }
    order = [
        candidate.path.relative_to(tmp_path).parts
        for candidate in find_cached(environ, "linux", tmp_path / "own")
    ]
    assert [parts[1] for parts in order[:3]] == ["chromium-1181", "chromium-1091", "chromium-999"]
    assert [parts[2] for parts in order[3:6]] == ["131.0.6778.204", "131.0.6778.85", "99.0.1"]
    assert order[6][1] == "chromium_headless_shell-1200"


def test_headless_shell_serves_headless_only(tmp_path: Path, bare: dict[str, str]) -> None:
    environ = {**bare, "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "pw")}
    shell = binary(tmp_path / "pw/chromium_headless_shell-1200/chrome-linux/headless_shell")
    found = find_browser(environ=environ)
    assert (found.path, found.kind) == (shell, "headless-shell")
    with pytest.raises(BrowserNotFound, match="cannot show a window"):
        find_browser(environ=environ, headless=False)


def test_empty_machine_is_told_everything_that_was_looked_for(bare: dict[str, str], monkeypatch) -> None:
    monkeypatch.setattr(
        "boathook.engine.launch.browser_locations._LINUX_PLACES", ("/nowhere/chrome", "~/nowhere/chromium")
    )
    with pytest.raises(BrowserNotFound) as missing:
        find_browser(environ=bare)
    for word in ("BOATHOOK_BROWSER", "/nowhere/chrome: not found", "install_browser"):
        assert word in str(missing.value)


def test_macos_prefers_downloads_over_the_users_chrome(tmp_path: Path, bare: dict[str, str]) -> None:
    app = "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
    mine = binary(tmp_path / "cache/boathook/browsers/chrome/131.0.1" / app)
    system = binary(tmp_path / "home/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    assert system.exists()
    # The version question belongs to Linux, so the unknown names must answer it here.
    for path in (mine, system):
        script(path, "echo Google Chrome for Testing 131.0.1.2")
    assert find_browser(environ=bare, platform="darwin").path == mine


def test_real_browser_is_found_without_a_version_run(tmp_path: Path) -> None:
    found = find_browser(environ={**os.environ})
    assert os.access(found.path, os.X_OK)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/usr/bin/chromium", "chromium"),
        ("/usr/bin/google-chrome", "chrome"),
        ("/opt/microsoft/msedge/msedge", "edge"),
        ("/usr/bin/microsoft-edge", "edge"),
        ("/usr/bin/brave-browser", "brave"),
        ("/c/chromium_headless_shell-1/chrome-linux/headless_shell", "headless-shell"),
        ("/c/browsers/sparticuz/147.0.0/chromium", "headless-shell"),
        ("/c/chromium-1181/chrome-linux/chrome", "chrome"),
    ],
)
def test_kind_follows_from_the_path(path: str, kind: str) -> None:
    assert kind_of(Path(path)) == kind


def test_version_of_a_folder() -> None:
    assert version_in("linux-131.0.6778.85") == (131, 0, 6778, 85)
    assert version_in("chromium-1181") == (1181,)
    assert version_in("latest") == ()
