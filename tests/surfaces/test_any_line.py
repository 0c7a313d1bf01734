"""Whatever is typed: an answer or a typed error, in time, and the page is still there afterwards."""

import errno
import os
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boathook.commands import catalogue
from boathook.engine.vault import logins
from boathook.service.daemon.host_protocol import CommandLine, Owner, Terminal
from boathook.service.host import Host
from boathook.surfaces.python.portal import Portal
from tests.support.site import Site

LINES = int(os.environ.get("BOATHOOK_LINES", "30"))
"""`make stress` asks for ten thousand."""
AT_ONCE = 250
"""Lines of one test: most of the time is spent waiting, so that `make stress` runs several at a time."""
TIMEOUT = 3
LONGEST = 2 * (TIMEOUT + 1)
"""Seconds after which a line hangs: its timeout and one more, twice for a busy machine."""
LEFT_OUT = {"install", "doctor", "wait", "wait until", "session close", "close", "handoff"}
"""They change the machine, take their time on purpose, or end the session that the others need."""
KNOWN = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
PAGE = "<title>Any</title><h1>Any line</h1><input id=i><button>Go</button><a href='#x'>Link</a><select><option>1</select>"


@pytest.fixture
def asked(tmp_path_factory):
    """A function that answers words, in a host with a page open; one per part, since lines leave recordings and tabs."""
    home = tmp_path_factory.mktemp("home")
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(home))
    (home / "run").mkdir(mode=0o700)
    patch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
    site, portal = Site(), Portal()
    (home / "work").mkdir()

    async def made():
        return Host()

    host = portal.call(made())

    def ask(*argv):
        line = CommandLine(
            argv=tuple(argv),
            cwd=str(home / "work"),
            terminal=Terminal(is_tty=False, columns=80, colour=False),
            environment={"BOATHOOK_TIMEOUT": str(TIMEOUT), "PASSWORD": "correct horse"},
            stdin=None,
            owner=Owner(pid=1, start_time=None),
        )
        return portal.call(host.answer(line, lambda _text: None))

    page = site.page(PAGE)
    ask("open", page)
    yield ask, page
    portal.call(host.close())
    portal.close()
    site.close()
    patch.undo()


COMMANDS = [command for command in catalogue().values() if command.cli_name not in LEFT_OUT]
ODD = st.one_of(
    st.sampled_from(
        [
            "@e1",
            "#i",
            "text=Go",
            "role=button",
            "-1",
            "0",
            "",
            "--",
            "env:NOPE",
            "{}",
            "[]",
            "1,2",
            "x" * 5_000,
            "\x1b[31m",
        ]
    ),
    st.text(max_size=20),
    st.integers().map(str),
)


@st.composite
def lines(draw):
    """A command with arguments that may or may not fit."""
    one = draw(st.sampled_from(COMMANDS))
    argv = one.cli_name.split()
    for parameter in one.parameters:
        if parameter.positional and draw(st.booleans()):
            argv.append(draw(st.sampled_from(parameter.choices) if parameter.choices else ODD))
        elif not parameter.positional and parameter.name != "timeout" and draw(st.integers(0, 4)) == 0:
            argv += [parameter.flag, draw(ODD)]
    return argv


@pytest.mark.slow
@pytest.mark.timeout(7_200)
@settings(
    max_examples=min(LINES, AT_ONCE),
    deadline=None,
    derandomize=LINES < 1_000,  # the sample is the same for everybody; `make stress` looks further
    suppress_health_check=list(HealthCheck),
)
@pytest.mark.parametrize("part", range(max(1, LINES // AT_ONCE)))
@given(argv=lines())
def test_any_line_gives_an_answer_or_a_typed_error(asked, argv, part):
    ask, page = asked
    before = ask("get", "url")
    began = time.monotonic()
    answer = ask(*argv)
    assert time.monotonic() - began < LONGEST
    told = answer.out + answer.err
    assert "Traceback" not in told
    assert "[unforeseen]" not in told
    assert "\x1b" not in told
    if answer.exit:
        assert answer.exit in KNOWN
        assert answer.err.startswith(("error: ", "note: ")) or answer.out, (argv, told[:300])
    if answer.exit == 2:
        after = ask(
            "get", "url"
        )  # it fails while the tab recovers from an earlier line, and says so when it has
        is_replaced = "its renderer was replaced" in after.err
        assert after.exit or before.exit or is_replaced or after.out == before.out, (
            "a mistake never touches the page"
        )
    assert ask("open", page).exit in {0, 5, 6}


def test_a_full_disk_and_data_that_is_nested_too_deeply_are_typed_errors(asked, tmp_path, monkeypatch):
    ask, _page = asked
    deep = tmp_path / "deep.json"
    deep.write_text('{"cookies": [], "origins": ' + "[" * 100_000 + "]" * 100_000 + "}")
    loaded = ask("state", "load", str(deep))
    assert "nested too deeply [bad_request]" in loaded.err

    def fail(*_arguments, **_options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "the vault")

    save = (
        "auth",
        "save",
        "shop",
        "--url",
        "http://127.0.0.1/",
        "--username",
        "ann",
        "--password",
        "env:PASSWORD",
    )
    with monkeypatch.context() as full:
        full.setattr(logins, "replace_file", fail)
        failed = ask(*save)
    assert "No space left on device" in failed.err
    assert "[file_error]" in failed.err
