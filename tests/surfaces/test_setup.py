"""`boathook setup` as its users run it: their home, their PATH, and a server that answers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from boathook._version import __version__
from tests.support.program import Program

PROGRAM = Path(sys.executable).parent / "boathook"


@pytest.fixture
def home(tmp_path):
    made = tmp_path / "home"
    made.mkdir()
    return made


def setup(home, *argv, path="/usr/bin:/bin", **variables):
    environment = {"HOME": str(home), "PATH": path, "LANG": "C.UTF-8", **variables}
    return subprocess.run(
        [PROGRAM, "setup", *argv],
        cwd=home,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_the_server_is_started_once_as_the_client_would_and_what_it_said_is_printed(home):
    done = setup(home, "cursor")
    assert done.returncode == 0, done.stderr
    entry = json.loads((home / ".cursor/mcp.json").read_text())["mcpServers"]["boathook"]
    assert entry == {"command": str(PROGRAM), "args": ["mcp"]}, "absolute: no PATH is needed"
    assert f"checked: {PROGRAM} mcp started as boathook {__version__} and offers 12 tools" in done.stdout


def test_nothing_is_written_if_the_server_does_not_start(home):
    broken = home / "broken"
    broken.write_text("#!/bin/sh\necho 'a cause \x1b[31mof it' >&2\nexit 3\n")
    broken.chmod(0o755)
    done = setup(home, "cursor", "--command", str(broken))
    assert done.returncode == 2
    assert "the server does not start" in done.stderr
    assert "a cause" in done.stderr
    assert "\x1b" not in done.stderr
    assert not (home / ".cursor").exists()
    assert setup(home, "cursor", "--command", str(broken), "--no-check").returncode == 0, "the control"
    assert (home / ".cursor/mcp.json").is_file()


def test_a_server_that_says_something_else_is_not_accepted(home):
    done = setup(home, "cursor", "--command", "/bin/echo hello")
    assert "it printed something else: hello mcp" in done.stderr


def test_a_daemon_of_another_home_changes_nothing(home, tmp_path):
    other = Program(tmp_path / "home")
    other.environment["HOME"] = str(tmp_path)
    try:
        assert other("daemon", "start").returncode == 0
        runtime = other.environment["XDG_RUNTIME_DIR"]
        second = tmp_path / "second"
        second.mkdir()
        done = setup(second, "codex", "--no-check", XDG_RUNTIME_DIR=runtime)
        assert done.returncode == 0, done.stderr
        assert (second / ".codex/config.toml").is_file()
        assert not (tmp_path / ".codex").exists()
        setup(second, "codex", "--undo", XDG_RUNTIME_DIR=runtime)
        assert not (second / ".codex").exists()
    finally:
        other.stop()


def test_without_a_name_the_installed_clients_are_listed(home):
    assert "no supported client is installed here" in setup(home).stderr
    (home / ".gemini").mkdir()
    (home / ".config/zed").mkdir(parents=True)
    listed = setup(home)
    assert [line.split()[1] for line in listed.stdout.splitlines() if line.startswith("  ")] == [
        "gemini",
        "zed",
    ]
    assert setup(home, "--all", "--no-check").returncode == 0
    assert (home / ".gemini/settings.json").is_file()
    assert (home / ".config/zed/settings.json").is_file()


def test_on_a_terminal_a_person_chooses(home):
    (home / ".gemini").mkdir()
    (home / ".config/zed").mkdir(parents=True)
    outer, inner = os.openpty()
    try:
        os.write(outer, b"2\n")
        done = subprocess.run(
            [PROGRAM, "setup", "--no-check"],
            cwd=home,
            env={"HOME": str(home), "PATH": "/usr/bin:/bin"},
            stdin=inner,
            stdout=inner,
            stderr=inner,
            check=False,
            timeout=60,
        )
    finally:
        os.close(inner)
        os.close(outer)
    assert done.returncode == 0
    assert (home / ".config/zed/settings.json").is_file()
    assert not (home / ".gemini/settings.json").exists()


def test_a_look_ahead_writes_nothing(home):
    done = setup(home, "cursor", "--dry-run")
    assert '+    "boathook"' in done.stdout
    assert done.stdout.endswith("nothing was written\n")
    assert list(home.iterdir()) == []


def test_programs_get_json(home):
    done = json.loads(setup(home, "codex", "--json").stdout)
    assert done["data"]["server"]["version"] == __version__
    assert done["data"]["clients"][0]["changes"][0]["path"] == str(home / ".codex/config.toml")
    wrong = json.loads(setup(home, "netscape", "--json").stdout)
    assert wrong["error"]["code"] == "bad_request"
    assert "claude-desktop" in wrong["error"]["hint"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["netscape"], "unknown client: 'netscape'"),
        (["cursor", "--undoo"], "setup has no option '--undoo'"),
        (["cursor", "--place", "moon"], "invalid place: 'moon'"),
        (["cursor", "--command", "no-such-program"], "no such program"),
        (["windsurf", "--place", "project"], "has no project configuration file"),
    ],
)
def test_what_is_wrong_is_said(home, argv, said):
    done = setup(home, *argv)
    assert said in done.stderr
    assert done.returncode == 2
