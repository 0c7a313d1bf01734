"""Sessions as users of the command line meet them."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.program import Program
from tests.support.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
def program(tmp_path):
    made = Program(tmp_path)
    yield made
    made.stop()


def daemon_pid(program):
    return program.json_of("daemon", "status", "--json")["pid"]


def test_two_projects_have_two_sessions_and_one_browser(program, site):
    first, second = program.work / "a", program.work / "b"
    for folder in (first, second):
        (folder / ".git").mkdir(parents=True)
        (folder / "inner").mkdir()
    program.work = first
    assert program("open", site.page("<p>first</p>", title="First")).returncode == 0
    program.work = second
    assert program("open", site.page("<p>second</p>", title="Second")).returncode == 0
    program.work = first / "inner"
    assert program("get", "title").stdout == "First\n"
    listed = program.json("session", "list")["data"]
    assert len(listed) == 2
    assert [one["present"] for one in listed] == [True, False]
    assert program("close").returncode == 0
    program.work = second
    assert program("get", "title").stdout == "Second\n"


def test_after_a_close_the_next_call_starts_afresh(program, site):
    program("open", site.page("<p>x</p>"))
    program("eval", "document.cookie = 'a=b'")
    assert "a" in program("cookies").stdout
    program("close")
    assert program("get", "url").stdout == "about:blank\n"
    program("open", site.page("<p>x</p>"))
    assert program("cookies").stdout == "none\n"


def test_a_fresh_session_forgets_the_old_one(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    program("eval", "document.cookie = 'a=b'")
    program("--fresh", "open", page)
    assert program("cookies").stdout == "none\n"
    assert len(program.json("session", "list")["data"]) == 1


def test_a_state_file_and_a_fresh_batch_start_a_session_once(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    program("cookies", "set", "login", "token")
    program("state", "save", "login.json")
    assert program("--session", "other", "--state", "login.json", "open", page).returncode == 0
    assert "login" in program("--session", "other", "cookies").stdout
    done = program("--fresh", "batch", f"open {page}", "cookies set a b", "cookies")
    assert "name: a" in done.stdout
    assert "login" not in done.stdout


def test_a_wish_that_needs_another_browser_is_refused_and_the_page_stays(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    refused = program("--headed", "open", "about:blank")
    assert refused.returncode == 2
    assert "--fresh --headed" in refused.stderr
    assert program("get", "url").stdout.strip() == page


def test_a_session_that_does_not_run_is_named(program):
    done = program("session", "close", "--name", "nowhere")
    assert done.returncode == 9
    assert "there is no session 'nowhere'" in done.stderr


def test_commands_about_the_machine_start_no_browser(program):
    program("session", "list")
    program("skills", "get")
    program("completion", "bash")
    assert program.json("session", "list")["data"] == []


def test_a_second_action_on_a_busy_tab_is_refused_with_who_holds_it(program, site):
    program("open", site.page("<button onclick=\"fetch('/never')\">Slow</button>"))
    slow = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "boathook",
            "eval",
            "new Promise(done => setTimeout(done, 20000))",
            "--timeout",
            "25",
        ],
        cwd=program.work,
        env=program.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while not program.json("session", "info")["data"]["busy"]:
            assert slow.poll() is None, "the other call is still to come"
        refused = program("click", "text=Slow")
        assert refused.returncode == 9
        assert f"process {slow.pid} has been at 'eval'" in refused.stderr
        assert program("get", "url").returncode == 0, "looking is allowed"
    finally:
        slow.terminate()
        slow.wait()


async def test_a_killed_daemon_leaves_no_browser_and_the_next_call_says_what_is_lost(program, site):
    page = site.page("<p>x</p>", title="Lost")
    program("open", page)
    pid = daemon_pid(program)
    browsers = children_of(pid)
    assert browsers
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not any(alive(one) for one in browsers), named="no browser is left")
    done = program("get", "url")
    assert done.returncode == 0
    assert "are lost" in done.stdout
    assert page in done.stdout
    assert "are lost" not in program("get", "url").stdout


async def test_a_browser_that_dies_is_replaced_and_that_is_said(program, site):
    program("open", site.page("<p>x</p>"))
    for pid in children_of(daemon_pid(program)):
        os.kill(pid, signal.SIGKILL)
    page = site.page("<p>again</p>")
    done = program("open", page)
    if done.returncode:  # the call that met with the death of the browser says so
        assert "browser_gone" in done.stderr or "tab_gone" in done.stderr
        done = program("open", page)
    assert done.returncode == 0
    assert program("get", "url").stdout.strip().endswith(page)


def children_of(pid):
    return [
        int(entry.name)
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and fact(entry.name, 1) == str(pid)
    ]


def alive(pid):
    return fact(pid, 0) not in {"", "Z"}


def fact(pid, number):
    """A field of a process's status, counted from its state; nothing when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[number]
    except OSError:
        return ""
