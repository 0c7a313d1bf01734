"""Sessions as users of the command line meet them."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.site import dead_port
from tests.support.waiting import until

pytestmark = pytest.mark.slow


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
    assert [entry["present"] for entry in listed] == [True, False]
    assert program("close").returncode == 0
    program.work = second
    assert program("get", "title").stdout == "Second\n"


@pytest.mark.shared_daemon
def test_after_a_close_the_next_call_starts_afresh(program, site):
    program("open", site.page("<p>x</p>"))
    program("eval", "document.cookie = 'a=b'")
    assert "a" in program("cookies").stdout
    program("close")
    assert program("get", "url").stdout == "about:blank\n"
    program("open", site.page("<p>x</p>"))
    assert program("cookies").stdout == "none\n"


def test_sessions_that_share_a_browser_are_all_closed_at_once(program, site):
    for name in ("a", "b", "c"):
        assert program("--session", name, "open", site.page("<p>x</p>")).returncode == 0
    done = program("close", "--all")
    assert (done.returncode, done.stdout) == (0, "closed 3 sessions\n"), done.stderr
    assert program("session", "list").stdout == "none\n"


@pytest.mark.shared_daemon
def test_a_running_daemon_follows_the_proxy_variables_of_the_process_that_starts_a_session(program, site):
    path = site.page("<p>x</p>", title="By proxy").removeprefix(site.origin)
    through = {"PUPPETEER_PROXY": site.origin, "PUPPETEER_PROXY_BYPASS_LOOPBACK": "false"}
    assert "By proxy" in program("--session", "p", "open", f"http://shop.test{path}", **through).stdout
    nowhere = f"http://127.0.0.1:{dead_port()}{path}"
    assert "By proxy" in program("--session", "p", "open", nowhere, **through).stdout, "loopback too"
    assert program("--session", "p", "get", "title", PUPPETEER_PROXY="x:1").returncode == 0, "it runs already"
    direct = program("--session", "q", "open", nowhere)
    assert "[connection_failed]" in direct.stderr, "the control: without the variable"
    odd = program("--session", "r", "open", nowhere, PUPPETEER_PROXY_IGNORE_CERT_ERRORS="perhaps")
    assert "PUPPETEER_PROXY_IGNORE_CERT_ERRORS must be true or false" in odd.stderr


@pytest.mark.shared_daemon
def test_a_tab_is_closed_by_its_name_and_the_present_one_stays(program, site):
    program("open", site.page("<p>first</p>", title="First"))
    program("tab", "new", site.page("<p>second</p>"), "--label", "shop")
    program("tab", "t1")
    wrong = program("tab", "close", "ship")
    assert wrong.returncode == 6
    assert "no such tab in this session: 'ship'; open: t1 " in wrong.stderr
    assert len(program.json("tab", "list")["data"]) == 2
    assert program("tab", "close", "shop").returncode == 0
    assert program("get", "title").stdout == "First\n"
    assert re.findall(r"^t\d+", program("tab", "list").stdout, re.MULTILINE) == ["t1"]
    assert program("tab", "close").returncode == 0
    assert program("tab", "list").stdout == "none\n"


def test_a_fresh_session_forgets_the_old_one(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    program("eval", "document.cookie = 'a=b'")
    program("--fresh", "open", page)
    assert program("cookies").stdout == "none\n"
    assert len(program.json("session", "list")["data"]) == 1


@pytest.mark.shared_daemon
def test_a_state_file_and_a_fresh_batch_start_a_session_once(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    program("cookies", "set", "login", "token")
    program("state", "save", "login.json")
    assert program("--session", "other", "--state", "login.json", "open", page).returncode == 0
    assert "login" in program("--session", "other", "cookies").stdout
    done = program("--fresh", "batch", f"open {page}", "cookies set a b", "cookies")
    assert "\na=" in done.stdout
    assert "login" not in done.stdout


@pytest.mark.shared_daemon
def test_a_wish_that_needs_another_browser_is_refused_and_the_page_stays(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    refused = program("--headed", "open", "about:blank")
    assert refused.returncode == 2
    assert "--fresh --headed" in refused.stderr
    assert program("get", "url").stdout.strip() == page


@pytest.mark.shared_daemon
def test_a_session_that_does_not_run_is_named(program):
    done = program("session", "close", "--name", "nowhere")
    assert done.returncode == 9
    assert "session nowhere is not running" in done.stderr


def test_commands_about_the_machine_start_no_browser(program):
    program("session", "list")
    program("skills", "get")
    program("completion", "bash")
    assert program.json("session", "list")["data"] == []


@pytest.mark.shared_daemon
def test_a_second_action_on_a_busy_tab_is_refused_with_who_holds_it(program, site):
    program("open", site.page("<button onclick=\"fetch('/never')\">Slow</button>"))
    slow = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "boathook",
            "eval",
            "new Promise(() => 0)",
            "--timeout",
            "120",
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
        assert f"process {slow.pid} has been running 'eval'" in refused.stderr
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
    await until(lambda: not any(alive(browser) for browser in browsers), named="no browser is left")
    done = program("get", "url")
    assert done.returncode == 0
    assert "were lost" in done.stderr
    assert page in done.stderr
    assert done.stdout == "about:blank\n", "what programs read holds the answer alone"
    assert "were lost" not in program("get", "url").stderr


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


@pytest.mark.shared_daemon
def test_a_new_session_that_cannot_start_leaves_the_old_one_alone(program, site):
    page = site.page("<p>x</p>")
    assert program.json("open", page)["session_change"] == "created"
    failed = program.json("--fresh", "--executable", "/nowhere/chromium", "open", page)
    assert not failed["ok"]
    assert failed["session_change"] == "preserved"
    assert program.json("get", "url")["data"] == page
    assert program.json("--fresh", "open", page)["session_change"] == "replaced"
    assert program.json("close")["session_change"] == "closed"
    failed = program.json("--executable", "/nowhere/chromium", "open", page)
    assert failed["session_change"] == "abandoned"


def test_the_session_of_a_project_is_called_default_there_and_by_its_lasting_name_elsewhere(program, site):
    page = site.page("<p>x</p>")
    for name in ("a", "b"):
        (program.work / name / ".git").mkdir(parents=True)
    here, elsewhere = program.work / "a", program.work / "b"
    program.work = here
    assert program.json("open", page)["session"] == "default"
    lasting = program("session", "id").stdout.strip()
    assert program("session", "info").stdout.startswith("default (current): ")
    program.work = elsewhere
    listed = program.json("session", "list")["data"]
    assert [(entry["name"], entry["present"], entry["project"]) for entry in listed] == [
        (lasting, False, str(here))
    ]
    assert program("--session", lasting, "get", "url").stdout.strip() == page
    assert program("close").returncode == 9, "the session of this project does not run"
    assert program("session", "close", "--name", lasting).returncode == 0


async def test_a_session_ends_with_the_process_that_it_was_bound_to_and_no_other_does(program, site):
    page = site.page("<p>x</p>")
    owner = waiting_process()
    try:
        bound = program("--session", "bound", "--ends-with", str(owner.pid), "open", page)
        assert bound.returncode == 0, bound.stderr
        assert program("--session", "lasting", "open", page).returncode == 0
        assert names(program) == {"bound", "lasting"}, "it runs as long as its owner does"
    finally:
        owner.communicate()
    await until(lambda: names(program) == {"lasting"}, named="only what was bound to it ended")
    refused = program("--session", "other", "--ends-with", str(owner.pid), "open", page)
    assert refused.returncode == 2
    assert "no such process" in refused.stderr


@pytest.mark.shared_daemon
async def test_a_page_that_went_elsewhere_between_two_calls_is_reported_once(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    program("eval", "setTimeout(() => location.href = 'about:blank', 1500)")
    told = []

    def something_is_told():
        told.append(program("get", "title").stderr)
        return told[-1]

    await until(something_is_told, named="the change is told")
    assert f"is blank now; it was at {page}" in told[-1]
    assert program("get", "title").stderr == ""


def test_the_files_of_a_session_are_listed_as_they_are_now(program, site):
    program("open", site.page("<p>x</p>"))
    assert program("artifacts").stdout == "none\n"
    saved = program.json("screenshot", "a.png")
    assert saved["category"] == "artifact-saved"
    assert saved["change"]["kind"] == "artifact"
    program("pdf", "b.pdf")
    program.stop()  # the list outlives the daemon
    listed = program.json("artifacts")["data"]
    assert [(Path(entry["path"]).name, entry["state"]) for entry in listed] == [
        ("a.png", "saved"),
        ("b.pdf", "saved"),
    ]
    (program.work / "a.png").unlink()
    assert program.json("artifacts")["data"][0]["state"] == "missing"


@pytest.mark.shared_daemon
def test_the_account_of_a_call_names_the_messages_but_not_what_was_in_them(program, site):
    program("open", site.page("<input aria-label=Word>"))
    quiet = program("fill", "label=Word", "hush-hush")
    assert "debug:" not in quiet.stderr
    told = program("--debug", "fill", "label=Word", "hush-hush")
    assert "Input.insertText took" in told.stderr
    assert "messages sent" in told.stderr
    assert "hush" not in told.stderr
    assert any("messages sent" in line for line in program.json("--debug", "get", "title")["debug"])


@pytest.fixture
def display():
    """A virtual screen."""
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    yield ":" + server.stdout.readline().decode().strip()
    server.terminate()
    server.communicate()


def test_a_window_is_shown_and_hidden_while_the_session_runs(display, program, site):
    program.environment["DISPLAY"] = display
    page = site.page("<p>x</p>")
    program("--session", "other", "open", page)
    program("open", page)
    shown = program("set", "headless", "off")
    assert shown.returncode == 0, shown.stderr
    assert f"restarted headed; lost: {page}" in shown.stdout
    assert program("get", "url").stdout == "about:blank\n"
    assert program("--session", "other", "get", "url").stdout.strip() == page, (
        "only this one's was started again"
    )
    assert program("set", "headless", "off").stdout == "the browser is running headed\n"
    assert "headless" in program("set", "headless", "on").stdout


def test_one_browser_too_many_is_refused_and_the_others_go_on(program, site):
    page = site.page("<p>x</p>")
    program("open", page)
    refused = program("--session", "b", "--stealth", "off", "--max-browsers", "1", "open", page)
    assert refused.returncode == 9
    assert "limit reached: 1 browsers are running" in refused.stderr
    assert program("get", "url").stdout.strip() == page
    shared = program("--session", "b", "--max-browsers", "1", "open", page)
    assert shared.returncode == 0, "it has a place in the browser that runs"


def waiting_process():
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def names(program):
    return {entry["name"] for entry in program.json("session", "list")["data"]}


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
