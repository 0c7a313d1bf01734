"""What a session is started with holds in all its tabs, and new tabs find what was set up in the one before."""

import pytest

from boathook.clock import now
from boathook.service.sessions.session import Session
from boathook.service.sessions.session_manager import Sessions
from tests.support.program import Program

pytestmark = pytest.mark.slow
DARK = "matchMedia('(prefers-color-scheme: dark)').matches"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("setup"))
    (made.work / ".git").mkdir()
    yield made
    made.stop()


def test_flags_for_all_tabs_hold_in_all_tabs(program, site):
    started = ("--session", "flags", "--user-agent", "Own/1", "--color-scheme", "dark", "--no-auto-dialog")
    assert program(*started, "open", site.page("x")).returncode == 0
    there = ("--session", "flags")
    for opened in ((), ("tab", "new", site.page("y"))):
        if opened:
            assert program(*there, *opened).returncode == 0
        assert program(*there, "eval", f"navigator.userAgent + {DARK}").stdout == '"Own/1true"\n'
        program(*there, "eval", "setTimeout(() => alert('held'), 0); 0")
        assert "held" in program(*there, "wait", "for", "dialog").stdout
        assert program(*there, "dialog", "accept").returncode == 0
    other = program.json(*there, "--user-agent", "Else/2", "get", "url")
    assert other["error"]["code"] == "other_launch"
    program(*there, "close")


def test_the_mouse_of_a_session_goes_as_a_hand_does(program, site):
    counts = "<button>Press</button><script>window.moves = 0; addEventListener('mousemove', () => moves++)</script>"
    for session, more in (("straight", ()), ("hand", ("--input-mode", "human"))):
        program("--session", session, *more, "open", site.page(counts))
        program("--session", session, "click", "text=Press")
        moved = int(program("--session", session, "eval", "moves").stdout)
        assert (moved > 2) is bool(more)
        program("--session", session, "close")


def test_scrollbars_are_shown_when_they_are_wanted(program, site):
    tall = site.page("<div style='height:5000px'></div>")
    widths = []
    for session, more in (("hidden", ()), ("shown", ("--hide-scrollbars", "false"))):
        assert program("--session", session, *more, "open", tall).returncode == 0
        widths.append(
            program("--session", session, "eval", "innerWidth - document.documentElement.clientWidth").stdout
        )
        program("--session", session, "close")
    assert widths[0] == "0\n"
    assert int(widths[1]) > 0


def test_a_trust_that_was_never_given_need_not_be_taken_back(program, site):
    program("open", site.page("x", title="Here"))
    assert program("--no-ca-cert", "get", "title").stdout == "Here\n"


def test_scripts_for_all_pages_come_from_files_and_are_kept_from_models_without_scripts(program, site):
    (program.work / "one.js").write_text("window.early = ['one']")
    (program.work / "two.js").write_text("early.push('two')")
    there = ("--session", "early")
    page = site.page("<script>window.saw = String(early)</script>")
    opened = program(*there, "--init-script", "one.js", "--init-script", "two.js", "open", page)
    assert opened.returncode == 0, opened.stderr
    assert program(*there, "eval", "saw").stdout == '"one,two"\n'
    assert program(*there, "addinitscript", "early.push('three')").stdout == "3\n"
    program(*there, "tab", "new", page)
    assert program(*there, "eval", "saw").stdout == '"one,two,three"\n'
    denied = program.json(*there, "--no-evaluate-enabled", "addinitscript", "1")
    assert denied["category"] == "policy-blocked"
    missing = program.json("--session", "none", "--init-script", "none.js", "open", page)
    assert missing["error"]["code"] == "bad_setting"
    program(*there, "close")


def test_a_new_tab_finds_what_was_set_in_the_one_before(program, site):
    there = ("--session", "later")
    program(*there, "open", site.page("x"))
    assert program(*there, "eval", DARK).stdout == "false\n"
    program(*there, "set", "media", "dark")
    program(*there, "set", "headers", '{"X-Kept": "yes"}')
    program(*there, "tab", "new", site.url("echo"))
    assert "x-kept" in program(*there, "eval", "document.body.innerText").stdout.lower()
    program(*there, "tab", "close")
    program(*there, "tab", "close")
    assert program(*there, "eval", DARK).stdout == "true\n", "also when all others are closed"
    program(*there, "close")


def test_downloads_without_a_name_go_to_the_folder_that_was_chosen(program, site):
    link = "<a id=get download='report.txt' href='data:text/plain,hello'>Get</a>"
    program("open", site.page(link))
    done = program("--download-path", "chosen", "download", "#get")
    assert done.returncode == 0, done.stderr
    assert (program.work / "chosen/report.txt").read_text() == "hello"
    program("click", "#get")
    assert program("wait", "--download").returncode == 0
    assert (program.work / "report.txt").read_text() == "hello"
    program("click", "#get")
    assert program("--download-path", "second", "wait", "--download").returncode == 0
    assert (program.work / "second/report.txt").read_text() == "hello"


async def test_a_session_ends_after_the_time_that_was_given_for_it(monkeypatch):
    sessions = Sessions()
    ended = []
    monkeypatch.setattr(sessions, "close", lambda name: _noted(ended, name))
    for name, headed, after in (
        ("usual", False, None),
        ("short", False, 5.0),
        ("window", True, None),
        ("window short", True, 5.0),
        ("for ever", False, float("inf")),
    ):
        key = frozenset({("headed", True)} if headed else set())
        session = Session(name=name, key=key, browser=None, context=None, numbering=None)
        session.idle_after, session.used = after, now() - 60
        sessions._sessions[name] = session
    await sessions.close_idle(1_800)
    assert ended == ["short", "window short"]
    await sessions.close_idle(30)
    assert ended[2:] == ["usual", "short", "window short"]


async def _noted(names, name):
    names.append(name)
