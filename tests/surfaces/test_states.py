"""States that are kept by name, as users of the command line meet them."""

import os
import time

import pytest

pytestmark = pytest.mark.slow


def test_a_state_is_kept_by_name_loaded_shown_renamed_and_removed(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    program("cookies", "set", "login", "hunter-22-flies")
    program("storage", "local", "set", "step", "seven-samurai")
    assert program("state", "save", "work").returncode == 0
    assert not (program.work / "work").exists()
    [file] = (program.home / ".local/state/boathook/states").iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == ("work.json", 0o600)

    assert [entry["name"] for entry in program.json("state", "list")["data"]] == ["work"]
    shown = program("state", "show", "work")
    assert "cookies of 127.0.0.1: 1" in shown.stdout
    assert "items of http://127.0.0.1" in shown.stdout
    assert "hunter-22-flies" not in shown.stdout
    assert "seven-samurai" not in shown.stdout

    assert program("state", "rename", "work", "home").returncode == 0
    program("--session", "other", "open", page)
    assert program("--session", "other", "state", "load", "home").returncode == 0
    assert program("--session", "other", "storage", "local", "step").stdout == "seven-samurai\n"

    assert program("--session", "third", "--state", "home", "open", page).returncode == 0
    assert program("--session", "third", "storage", "local", "step").stdout == "seven-samurai\n"

    assert program("state", "clear", "home").stdout == "removed home\n"
    assert program("state", "list").stdout == "none\n"


def test_a_path_is_a_path_as_before(program, site):
    program("open", site.page("<p>x</p>"))
    for path in ("login.json", "./login", "kept/login"):
        assert program("state", "save", path).returncode == 0
        assert (program.work / path).is_file()
    assert program("state", "list").stdout == "none\n"


def test_old_states_go_and_young_ones_stay(program, site):
    program("open", site.page("<p>x</p>"))
    program("state", "save", "old")
    program("state", "save", "young")
    folder = program.home / ".local/state/boathook/states"
    long_ago = time.time() - 40 * 86_400
    os.utime(folder / "old.json", (long_ago, long_ago))
    assert program("state", "clean", "--older-than", "30").stdout == "removed old\n"
    assert [entry["name"] for entry in program.json("state", "list")["data"]] == ["young"]
    assert program("state", "clear", "-a").stdout == "removed young\n"


def test_what_cannot_be_is_one_clear_line_and_starts_no_browser(program):
    for argv, said in (
        (("state", "show", "nowhere"), "no such state: 'nowhere'; saved: none"),
        (("state", "show", "../../etc/passwd"), "invalid state name"),
        (("state", "rename", "nowhere", "x"), "no such state: 'nowhere'"),
        (("state", "clear"), "either a name or --all"),
        (("state", "clear", "x", "--all"), "either a name or --all"),
        (("state", "clean"), "older_than"),
        (("state", "clean", "--older-than", "-3"), "between 0 and"),
        (("state",), "state needs one of: clean, clear, list, load, rename, rotate, save, show"),
    ):
        done = program(*argv)
        assert done.returncode == 2, (argv, done.stdout, done.stderr)
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
    assert program.json("session", "list")["data"] == []


def test_a_name_that_is_taken_keeps_its_state(program, site):
    program("open", site.page("<p>x</p>"))
    program("state", "save", "one")
    program("cookies", "set", "a", "b")
    program("state", "save", "two")
    refused = program("state", "rename", "two", "one")
    assert refused.returncode == 2
    assert "state 'one' already exists" in refused.stderr
    assert "cookies" not in program("state", "show", "one").stdout.partition("saved")[2]
