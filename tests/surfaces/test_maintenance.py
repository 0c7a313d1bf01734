"""Scripts from standard input, the daemon's log, CDP URLs, and uninstalling."""

import fcntl
import json
import os
import pty
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from tests.support.chromium import foreign_chromium, port_of

pytestmark = pytest.mark.slow


def test_a_script_comes_from_standard_input(program, site):
    program("open", site.page("<p>x</p>", title="Here"))
    script = "(() => {\n  const title = document.title // a comment\n  return title + '!'\n})()"
    assert program("eval", "--stdin", stdin=script).stdout == '"Here!"\n'
    assert program("eval", "-", stdin=script).stdout == '"Here!"\n'
    nothing = program("eval", "--stdin", stdin="")
    assert (nothing.returncode, nothing.stderr) == (
        2,
        "error: eval: standard input is empty [bad_request]\n",
    )
    assert program("eval", "--stdin", "1 + 1", stdin="2").returncode == 2, "one script, not two"


def test_the_daemons_log_is_shown_without_starting_a_browser(program):
    first = program("logs")
    assert "daemon.started" in first.stdout
    assert len(program("logs", "--lines", "1").stdout.splitlines()) == 1
    assert program("logs", "--lines", "0").returncode == 2
    assert program.json("session", "list")["data"] == []


def test_the_guide_for_agents_is_shown_whole_unless_less_is_asked_for(program):
    guide = (files("boathook") / "data" / "skill.md").read_text()
    assert program("skills", "get").stdout.rstrip("\n") == guide.rstrip("\n")
    assert "lines omitted" in program("--max-output", "200", "skills", "get").stdout


async def test_a_browser_of_ours_has_no_address_and_that_of_others_has(program, site):
    nothing = program("get", "cdp-url")
    assert nothing.returncode != 0
    assert "is not running" in nothing.stderr
    program("open", site.page("<p>x</p>"))
    refused = program("get", "cdp-url")
    assert refused.returncode == 7
    assert "controls it over a private pipe" in refused.stderr
    with foreign_chromium() as (_process, profile):
        port = await port_of(profile)
        program("--session", "theirs", "connect", str(port))
        shown = program("--session", "theirs", "get", "cdp-url")
        assert str(port) in shown.stdout
        program("--session", "theirs", "close")


def test_uninstall_asks_first_and_then_leaves_nothing(program, site):
    program("open", site.page("<p>x</p>"))
    program("state", "save", "login")
    program("screenshot", "mine.png")
    kept = program.home / ".local/state/boathook"
    asked = program("uninstall")
    assert asked.returncode == 2
    assert str(kept) in asked.stdout
    assert "add --yes" in asked.stderr
    assert kept.is_dir()
    assert program("get", "url").returncode == 0, "the page is still there"

    done = program("uninstall", "--yes")
    assert done.returncode == 0, done.stderr
    assert "pip uninstall boathook" in done.stdout
    assert not kept.exists()
    assert not (program.home / "run/boathook").exists()
    assert not (program.home / ".cache/boathook").exists()
    assert (program.work / "mine.png").is_file(), "what the user saved is the user's"


def test_uninstall_does_not_follow_a_link(program, tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "letter").write_text("x")
    (program.home / ".local/state").mkdir(parents=True)
    (program.home / ".local/state/boathook").symlink_to(precious)
    done = program("uninstall", "--yes", "--json")
    assert done.returncode == 1
    assert "link" in json.dumps(json.loads(done.stdout)["data"]["not_removed"])
    assert (precious / "letter").exists()


def test_uninstall_leaves_the_browser_of_another_program_alone(program):
    folder = program.home / "run/boathook"
    (folder / "profile-0123456789abcdef").mkdir(parents=True)
    folder.chmod(0o700)
    with (folder / "profile-0123456789abcdef.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = program("uninstall", "--yes")
        assert done.returncode == 1
        assert "a running program holds profile-0123456789abcdef.lock" in done.stderr
        assert (folder / "profile-0123456789abcdef").is_dir()
    assert program("uninstall", "--yes").returncode == 0
    assert not folder.exists()


def test_an_odd_word_after_uninstall_is_refused(program):
    done = program("uninstall", "--now")
    assert (done.returncode, done.stderr) == (
        2,
        "error: uninstall takes --yes and --json, not '--now' [bad_request]\n",
    )


def test_on_a_terminal_a_first_start_is_told_and_the_line_removed(program, site):
    page = site.page("<p>x</p>", title="Here")
    here, there = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "boathook", "open", page],
        cwd=program.work,
        env=program.environment,
        stdin=there,
        stdout=there,
        stderr=there,
    )
    os.close(there)
    seen = b""
    while b"now at" not in seen:
        seen += os.read(here, 4096)
    assert child.wait(60) == 0
    os.close(here)
    told = "\r\x1b[Kstarting the daemon …\r\x1b[Kstarting a browser …\r\x1b[K"
    assert seen.decode().startswith(told)
    piped = program("--session", "second", "open", page)
    assert "starting" not in piped.stdout + piped.stderr


def test_the_length_of_data_is_bounded_as_that_of_text(program, site):
    program("open", site.page("x"))
    line = ("eval", "Array.from({length: 300}, (_, i) => ({number: i, words: 'some words '.repeat(i % 7)}))")
    whole = program("--json", *line).stdout
    short = program("--json", "--max-output", "500", *line).stdout
    told = json.loads(short)
    assert len(whole) > 10_000
    assert len(short) < 3_000
    assert len(json.dumps(told["data"])) <= 500
    assert told["data"][0]["number"] == 0
    kept = Path(told["data_cut"]["path"]).read_text()
    assert json.loads(kept) == json.loads(whole)["data"]
