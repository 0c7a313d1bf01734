"""Manners of the command line: versions, verdicts of the doctor, progress on a terminal, completion of what is open."""

import json
import os
import re
import subprocess
import sys
import termios

import pytest

from boathook._version import __version__
from boathook.presentation.help import THIS_PROGRAM
from boathook.service.doctor.extras import EXTRAS, how_to_add
from tests.support.program import Program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("manners"))
    yield made
    made.stop()


@pytest.fixture
def own_program(tmp_path):
    """For tests that stop the daemon, since the others have sessions there."""
    made = Program(tmp_path)
    yield made
    made.stop()


def complete(program, *words):
    return program("--complete", *words).stdout.split()


def test_the_version_of_program_and_daemon(own_program):
    program = own_program
    assert program("version").stdout.startswith(f"boathook {__version__} (no daemon is running; Python 3.")
    program("daemon", "start")
    assert f"(daemon {__version__}; " in program("version").stdout
    assert json.loads(program("version", "--json").stdout)["daemon"] == __version__
    assert program("version", "--loud").returncode == 2


def test_the_doctor_lists_extras_and_fails_only_if_something_is_wrong(program, tmp_path):
    well = program("doctor", "--quick")
    assert well.returncode == 0, well.stdout
    assert re.search(r"^ok +extras: ", well.stdout, re.MULTILINE)
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "SingletonLock").symlink_to(f"{os.uname().nodename}-{os.getpid()}")
    ill = program("doctor", "--quick", "--profile", str(profile))
    assert re.search(r"^wrong +profile: ", ill.stdout, re.MULTILINE), ill.stdout
    assert ill.returncode == 7


def test_the_doctor_examines_the_browser_and_the_display_of_its_caller(program, tmp_path):
    usual = program("doctor", "--quick", DISPLAY="", WAYLAND_DISPLAY="wayland-7")
    assert usual.returncode == 0, usual.stdout
    assert re.search(r"^ok +display: available: wayland-7$", usual.stdout, re.MULTILINE)
    for variable in ("BOATHOOK_BROWSER", "PUPPETEER_EXECUTABLE_PATH"):
        missing = str(tmp_path / "none")
        seen = program("doctor", "--quick", **{variable: missing})
        assert re.search(rf"^wrong +browser: {missing}, .* does not exist$", seen.stdout, re.MULTILINE)
        assert "correct or remove it: " in seen.stdout
        assert seen.returncode == 7


def test_extras_are_added_as_the_program_was_installed():
    video = [extra for extra in EXTRAS if extra.name == "video"]
    assert (
        how_to_add(video, prefix="/home/a/.local/share/uv/tools/boathook")
        == "uv tool install 'boathook[video]'"
    )
    assert (
        how_to_add(video, prefix="/home/a/.local/pipx/venvs/boathook")
        == "pipx install --force 'boathook[video]'"
    )
    assert how_to_add(EXTRAS, prefix="/opt/venv") == f"{sys.executable} -m pip install 'boathook[all]'"


def test_tabs_and_sessions_are_completed_without_starting_anything(own_program, site):
    program = own_program
    assert complete(program, "--session", "") == []
    assert "not running" in program("daemon", "status").stdout
    program("open", site.page("<p>x</p>", title="--evil; t99"))
    program("tab", "new", site.page("<p>y</p>"))
    program("--session", "other", "open", site.page("<p>z</p>"))
    assert complete(program, "--tab", "") == ["t1", "t2"]
    assert complete(program, "tab", "t") == ["t1", "t2"]
    assert complete(program, "tab", "close", "") == ["t1", "t2"]
    assert complete(program, "--session", "other", "--tab", "") == ["t1"]
    assert complete(program, "--session", "o") == ["other"]
    assert complete(program, "snapshot", "--session", "d") == ["default"]


def test_a_call_that_takes_long_says_so_on_a_terminal(program, site):
    program("open", site.page("<p>x</p>"))
    outer, inner = os.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "boathook", "wait", "3.5"],
            cwd=program.work,
            env=program.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=inner,
            check=False,
            timeout=60,
        )
    finally:
        os.close(inner)
    shown = printed_on(outer)
    assert done.returncode == 0
    assert re.search(r"\(2 s\)", shown), shown
    assert shown.endswith("\r\x1b[K"), "it is removed at the end"
    assert program("wait", "2.5").stderr == "", "the control: nothing without a terminal"


def on_terminal(program, *argv, columns=80, status=0, **variables):
    """What a line prints on a terminal; a line that fails prints it on standard error."""
    outer, inner = os.openpty()
    termios.tcsetwinsize(inner, (24, columns))
    child = subprocess.Popen(
        [sys.executable, "-m", "boathook", *argv],
        cwd=program.work,
        env={**program.environment, "TERM": "xterm", **variables},
        stdin=subprocess.DEVNULL,
        stdout=inner,
        stderr=inner if status else None,
    )
    os.close(inner)
    shown = printed_on(outer)
    assert child.wait(60) == status
    return shown.replace("\r\n", "\n")


def printed_on(terminal):
    """All that was printed until the terminal is closed; one read may return a part of it."""
    shown = b""
    try:
        while part := os.read(terminal, 10_000):
            shown += part
    except OSError:  # Linux ends a terminal without writers with an error
        pass
    finally:
        os.close(terminal)
    return shown.decode()


def test_errors_are_marked_alike_whether_the_line_was_run_or_could_not_be_read(program):
    marked = "\x1b[31merror:\x1b[0m "
    assert marked in on_terminal(program, "click", "@e999", status=4)
    assert on_terminal(program, "clik", status=2).startswith(marked)
    assert on_terminal(program, "clik", status=2, NO_COLOR="1").startswith("error: ")
    assert on_terminal(program, "clik", "--color=never", status=2).startswith("error: ")


def test_every_group_of_the_overview_has_help(program):
    overview = program("help").stdout
    groups = re.search(r"^more commands, by group .*:\n((?:  .*\n)+)", overview, re.MULTILINE)[1]
    for group in re.split(r",\s+", groups.strip()):
        done = program("help", *group.split())
        assert done.returncode == 0, done.stderr
        assert "  " in done.stdout, group
    assert program("help", "keyboard", "or", "mouse").returncode == 2, "the control"
    assert "network requests " in program("network", "--help").stdout, "the command's other name"
    assert "\nsee also: tab new, tab list, tab close\n" in program("tab", "--help").stdout
    assert "see also" not in program("tab", "new", "--help").stdout


def test_help_for_a_group_that_is_also_a_command_lists_the_group(program):
    shown = program("help", "navigate").stdout
    assert shown.startswith("usage: boathook open ")
    assert re.search(r"^more commands of the group navigate:\n  reload +Reload", shown, re.MULTILINE)
    assert "see also: reload" in program("navigate", "--help").stdout


@pytest.mark.parametrize("word", THIS_PROGRAM)
def test_help_of_what_runs_in_the_callers_process_is_found_on_both_ways(program, word):
    done = program("help", word)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage: boathook ")
    assert program(word, "--help").stdout == done.stdout


@pytest.mark.parametrize("argv", [("help",), ("help", "all"), ("help", "get"), ("click", "--help"), ()])
def test_headings_of_help_are_bold_on_a_terminal_and_nothing_else_differs(program, argv):
    program.environment.pop("NO_COLOR", None)
    piped = program(*argv).stdout
    bold = on_terminal(program, *argv, columns=300)
    assert "\x1b[1musage:\x1b[0m boathook" in bold
    assert re.sub(r"\x1b\[\d*m", "", bold) == piped
    assert on_terminal(program, *argv, columns=300, NO_COLOR="1") == piped
    assert on_terminal(program, *argv, columns=300, BOATHOOK_COLOR="never") == piped


@pytest.mark.parametrize("argv", [("help",), ("wait", "--help"), ("help", "all")])
def test_lines_of_help_are_broken_between_words_below_their_text(program, argv):
    piped = program(*argv).stdout
    shown = on_terminal(program, *argv, columns=80, NO_COLOR="1")
    assert any(len(line) > 80 for line in piped.splitlines()), "the control"
    assert [line for line in shown.splitlines() if len(line) > 80] == []
    assert shown.split() == piped.split()
    assert re.search(r"^  [a-z-]+ .{50,}\n {28}\S", shown, re.MULTILINE)
    assert on_terminal(program, *argv, columns=40, NO_COLOR="1") == piped, "too narrow for two columns"


def test_the_color_flag_decides_about_headings_of_help_too(program):
    piped = program("click", "--help").stdout
    assert on_terminal(program, "click", "--color", "never", "--help", columns=300) == piped
    always = program("click", "--color=always", "--help").stdout
    assert "\x1b[1moptions:\x1b[0m\n" in always
    assert re.sub(r"\x1b\[\d*m", "", always) == piped


@pytest.fixture(scope="module")
def two_tabs(program, site):
    """A session with two tabs, one of which has a title that a table must cut and a secret in its URL."""
    page = site.page("<p>x</p>", title="A title \x1b[31mof 日本 " + "w" * 200)
    program("--session", "lists", "open", page)
    program("--session", "lists", "tab", "new", f"{page}?token=ghp_0123456789abcdefghijABCDEFGHIJ0123456789")
    program("--session", "lists", "cookies", "set", "n", "v", "--url", page)
    return ("--session", "lists")


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        (("tab", "list"), "TAB +TITLE +URL"),
        (("network", "requests"), "NUMBER +METHOD +STATUS +TYPE +URL"),
        (("cookies", "get"), "NAME +DOMAIN +PATH +FLAGS +VALUE"),
    ],
)
def test_lists_are_tables_on_a_terminal_and_lines_in_a_pipe(program, two_tabs, line, heading):
    piped = program(*two_tabs, *line).stdout
    shown = on_terminal(program, *two_tabs, *line, columns=70).splitlines()
    assert re.fullmatch(rf"\x1b\[1m{heading}\x1b\[0m", shown[0]), shown
    assert len(shown) == len(piped.splitlines()) + 1
    assert not any(re.search(heading, text) for text in piped.splitlines()), "the control"
    assert max(map(len, shown[1:])) <= 70
    assert "ghp_" not in "".join(shown)
    assert "\x1b" not in "".join(shown).replace("\x1b[1m", "").replace("\x1b[0m", "")


def test_a_table_on_a_terminal_says_that_it_cuts_and_a_narrow_one_is_none(program, two_tabs):
    table = on_terminal(program, *two_tabs, "tab", "list", columns=70)
    assert "t1 (current)" in table or "t2 (current)" in table
    assert "www…  http" in table
    assert (
        on_terminal(program, *two_tabs, "tab", "list", columns=40) == program(*two_tabs, "tab", "list").stdout
    )
    assert program(*two_tabs, "tab", "list", "--json").stdout.startswith("{")


def test_no_row_of_a_table_looks_like_a_line_of_the_program(program, site):
    page = site.page("<p>x</p>")
    program("--session", "forged", "open", page)
    program("--session", "forged", "cookies", "set", "error:", "1", "--url", page)
    line = ("--session", "forged", "cookies", "get")
    assert on_terminal(program, *line) == program(*line).stdout
