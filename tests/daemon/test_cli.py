"""The thin client: what it sends, what it prints, how it exits."""

import json
import os
import pty
import subprocess
import sys

import pytest

from boathook import __version__
from boathook.surfaces.cli.main import wants_stdin
from tests.daemon.conftest import CLIENT


def test_streams_and_status_of_the_answer_are_passed_on(user):
    ended = user.run("end", "42")
    assert (ended.stdout, ended.stderr, ended.returncode) == ("out\n", "err\n", 42)


def test_the_daemon_learns_where_and_for_whom(user):
    user.environment |= {
        "BOATHOOK_SESSION": "a",
        "NO_COLOR": "1",
        "TERM": "xterm",
        "AWS_SECRET_ACCESS_KEY": "hunter2",
    }
    facts = json.loads(user.run("facts", "ü", "--flag=x").stdout)
    assert facts["argv"] == ["facts", "ü", "--flag=x"]
    assert facts["cwd"] == str(user.work)
    assert facts["environment"] == {"BOATHOOK_SESSION": "a", "NO_COLOR": "1", "TERM": "xterm"}
    assert facts["terminal"] == {"is_tty": False, "columns": 80, "colour": False}
    assert facts["stdin"] is None
    assert facts["owner"]["pid"] > 1
    assert facts["owner"]["start_time"] > 0


def test_an_argument_that_is_no_utf8_arrives_as_it_is(user):
    facts = json.loads(user.run("facts", b"caf\xe9").stdout)
    assert facts["argv"][1].encode("utf-8", "surrogateescape") == b"caf\xe9"


@pytest.mark.parametrize(
    "argv", [["-"], ["--stdin"], ["fill", "@e1", "-"], ["batch"], ["--session", "x", "batch", "--bail"]]
)
def test_standard_input_is_read_when_it_is_asked_for(argv):
    assert wants_stdin(argv)


@pytest.mark.parametrize(
    "argv", [["ping"], ["batch", "open x"], ["fill", "@e1", "batch"], ["type", "@e1", "--", "a-b"], []]
)
def test_standard_input_is_left_alone_otherwise(argv):
    assert not wants_stdin(argv)


def test_standard_input_is_passed_on(user):
    assert json.loads(user.run("facts", "-", given="grüße\n").stdout)["stdin"] == "grüße\n"
    assert json.loads(user.run("facts", given="unread").stdout)["stdin"] is None


def test_standard_input_that_is_no_text_or_too_much_is_refused_before_anything_is_done(user):
    wrong = user.run(command=["sh", "-c", f"printf '\\377' | {' '.join(CLIENT)} facts -"])
    assert (wrong.stdout, wrong.returncode) == ("", 2)
    assert "not UTF-8" in wrong.stderr
    much = user.run("facts", "-", given="x" * ((16 << 20) + 1))
    assert (much.stdout, much.returncode) == ("", 2)
    assert "larger than" in much.stderr
    assert user.daemons() == []


def test_a_reader_that_leaves_is_no_error(user):
    quiet = user.run(
        command=["bash", "-c", f"{' '.join(CLIENT)} large 9000000 | head -c 3; echo ${{PIPESTATUS[0]}}"]
    )
    assert (quiet.stdout, quiet.stderr) == ("xxx0\n", "")


def test_output_that_cannot_be_written_is_an_error(user):
    full = user.run(command=["sh", "-c", f"{' '.join(CLIENT)} ping > /dev/full"])
    assert full.returncode == 1
    assert "cannot write the output: No space left" in full.stderr


def test_closed_streams_are_no_traceback(user):
    closed = user.run(command=["sh", "-c", f"{' '.join(CLIENT)} ping <&- >&-"])
    assert closed.returncode == 1
    assert "Traceback" not in closed.stderr


def test_a_working_directory_that_is_gone_does_not_matter(user):
    gone = user.run(
        command=["sh", "-c", f"mkdir x; cd x; rmdir ../x; PYTHONSAFEPATH=1 {' '.join(CLIENT)} facts"]
    )
    assert json.loads(gone.stdout)["cwd"] == "/"


@pytest.mark.parametrize("argv", [["--version"], ["-V"]])
def test_the_version_needs_no_daemon(user, argv):
    assert user.run(*argv).stdout == f"boathook {__version__}\n"
    assert user.daemons() == []
    assert not user.folder.exists()


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"], ["help"]])
def test_the_first_page_of_help_needs_no_daemon(user, argv):
    helped = user.run(*argv)
    assert "boathook" in helped.stdout
    assert helped.returncode == 0
    assert user.daemons() == []


def test_status_tells_of_running_calls(user):
    user.run("ping")
    told = user.run("daemon", "status").stdout
    [pid] = user.daemons()
    assert told.startswith(f"the daemon is running: pid {pid}, version {__version__}, up ")
    assert "no call is running" in told
    user.run("daemon", "stop")
    gone = user.run("daemon", "status")
    assert (gone.stdout, gone.returncode) == ("the daemon is not running\n", 1)


@pytest.mark.parametrize("argv", [["begin"], ["start", "stop"], ["stop", "--now"], ["--json"]])
def test_a_wrong_word_after_daemon_is_one_clear_line(user, argv):
    wrong = user.run("daemon", *argv)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error: daemon takes start, stop, restart or status, not ")
    assert wrong.stderr.count("\n") == 1
    assert user.daemons() == []


def test_on_a_terminal_progress_is_shown_and_removed(user):
    """Bytes that go to a real terminal; without one there are none of them."""
    assert user.run("say", "one", "two").stderr == ""
    here, there = pty.openpty()
    child = subprocess.Popen(
        [*CLIENT, "say", "one", "two"],
        env=user.environment,
        cwd=user.work,
        stdin=there,
        stdout=there,
        stderr=there,
    )
    os.close(there)
    seen = b""
    while b"said\r\n" not in seen:
        seen += os.read(here, 4096)
    assert child.wait(20) == 0
    os.close(here)
    assert seen == b"\r\x1b[Kone\r\x1b[Ktwo\r\x1b[Ksaid\r\n"


HEAVY = {
    "asyncio",
    "typing",
    "dataclasses",
    "pathlib",
    "subprocess",
    "argparse",
    "logging",
    "tempfile",
    "inspect",
    "hashlib",
}


def test_the_thin_client_loads_little(user):
    """`typing` comes with the package's own first file until that one can do without."""
    user.run("daemon", "start")
    script = (
        "import sys; sys.modules['boathook'] = type(sys)('boathook'); sys.modules['boathook'].__path__ = [sys.argv.pop(1)]; "
        "from boathook.surfaces.cli.main import main; main(sys.argv[1:]); print(*sorted(sys.modules), file=sys.stderr)"
    )
    import boathook

    loaded = user.run(boathook.__path__[0], "ping", command=[sys.executable, "-I", "-c", script])
    assert loaded.stdout == "pong\n"
    modules = set(loaded.stderr.split())
    assert {"socket", "json"} <= modules
    assert modules & HEAVY == set()
    ours = {name for name in modules if name.startswith("boathook")}
    assert not [
        name
        for name in ours
        if name.split(".")[1:2]
        not in ([], ["client"], ["wire"], ["surfaces"], ["_version"], ["runtime_folder"])
    ]


def test_failures_of_the_client_are_json_when_json_is_asked_for(user):
    """A folder that others may enter: the client refuses it before it connects."""
    user.folder.mkdir(mode=0o755)
    user.folder.chmod(0o755)
    plain = user.run("ping")
    assert plain.returncode == 7
    assert plain.stderr.startswith("error: no private folder for the daemon: ")
    for argv, variables in ((("--json", "ping"), {}), (("ping",), {"BOATHOOK_JSON": "1"})):
        user.environment |= variables
        told = user.run(*argv)
        assert (told.returncode, told.stderr) == (7, "")
        answer = json.loads(told.stdout)
        assert answer["ok"] is False
        assert answer["error"]["code"] == "daemon_not_started"
        assert "open to others" in answer["error"]["message"]
        assert answer["error"]["hint"]


def test_input_that_cannot_be_read_is_json_too(user):
    much = user.run("--json", "facts", "-", given="x" * ((16 << 20) + 1))
    answer = json.loads(much.stdout)
    assert (answer["error"]["code"], answer["category"], much.returncode) == (
        "bad_request",
        "validation-error",
        2,
    )
