"""Runs of scripts as a person at a terminal sees them; programs that read the output see what they always saw."""

import base64
import os
import select
import subprocess
import sys

import pytest

from boathook.commands.results import ScriptHelperCall, ScriptResult
from boathook.presentation.script_cell import Screen, pictures_of, script_cell
from boathook.sandbox import jail
from boathook.service.output.boundary import for_terminal
from tests.support.program import Program

PNG = base64.b64encode(b"\x89PNG" + b"x" * 9_000).decode()
PICTURE = {"type": "image", "data": PNG, "mimeType": "image/png", "path": "/tmp/a.png"}


def cell(ran, **screen):
    return script_cell(ran, Screen(**{"columns": 60, **screen}), clean=for_terminal)


def test_a_run_is_its_code_its_steps_and_its_results():
    ran = ScriptResult(
        tab="t1",
        code="await tab.click('text=Greet')\n1",
        steps=[
            ScriptHelperCall(name="click", about="text=Greet", seconds=0.121),
            ScriptHelperCall(name="fill", about="#x", failed="target_not_found"),
        ],
        shown=["first", {"a": 1}],
        value=2,
        gives=True,
        log=["noted"],
        notes=["cut"],
        seconds=1.26,
    )
    assert cell(ran) == (
        "│   1  await tab.click('text=Greet')\n"
        "│   2  1\n"
        "  ✓ click text=Greet  0.12 s\n"
        "  ✗ fill #x  target_not_found\n"
        'first\n{\n  "a": 1\n}\n2\n'
        "note: cut\n  noted\n"
        "└ 1.3 s on tab t1\n"
    )


def test_what_is_long_is_bounded():
    ran = ScriptResult(
        tab="t1",
        code="\n".join(["x" * 200] * 50),
        steps=[ScriptHelperCall(name=f"step{number}", about="y" * 200) for number in range(50)],
    )
    lines = cell(ran).splitlines()
    assert max(map(len, lines)) <= 60
    assert len(lines) == 16 + 1 + 20 + 1 + 1
    assert "│ …    34 more lines" in lines
    assert "  … 30 more" in lines


def test_nothing_that_a_script_or_a_page_says_acts_on_the_terminal():
    evil = "\x1b]0;owned\x07"
    ran = ScriptResult(
        tab=evil,
        code=evil,
        steps=[ScriptHelperCall(name=evil, about=evil)],
        shown=[evil, {"type": "image", "data": evil, "mimeType": evil, "path": evil}],
        log=[evil],
        notes=[evil],
    )
    assert "\x1b" not in cell(ran, pictures="iterm")
    assert "\x1b[2m" in cell(ran, colour=True), "only our own"
    assert "\x1b]" not in cell(ran, colour=True)


def test_a_picture_is_drawn_where_the_terminal_is_known_to_show_it_and_named_elsewhere():
    ran = ScriptResult(tab="t1", shown=[PICTURE])
    assert "[image/png, 9006 bytes] /tmp/a.png\n" in cell(ran)
    assert f"size=9004;preserveAspectRatio=1:{PNG}\x07" in cell(ran, pictures="iterm")
    drawn = cell(ran, pictures="kitty")
    assert drawn.startswith("\x1b_Ga=T,f=100,m=1;")
    assert drawn.count("\x1b_G") == 3
    assert "".join(part.partition("\x1b\\")[0].partition(";")[2] for part in drawn.split("\x1b_G")[1:]) == PNG
    other = {**PICTURE, "data": base64.b64encode(b"\xff\xd8jpeg").decode(), "mimeType": "image/jpeg"}
    assert "\x1b" not in cell(ScriptResult(tab="t1", shown=[other]), pictures="kitty"), "it takes PNG only"


@pytest.mark.parametrize(
    ("environment", "way"),
    [
        ({}, ""),
        ({"TERM": "xterm-256color"}, ""),
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "iterm"),
        ({"TERM": "xterm-kitty", "TERM_PROGRAM": "vscode"}, ""),
    ],
)
def test_terminals_are_known_by_their_names(environment, way):
    assert pictures_of(environment) == way


def at_terminal(program, *argv, **variables):
    """What a person sees of standard output; the error stream is a terminal too."""
    ours, theirs = os.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "boathook", *argv],
        cwd=program.work,
        env={**program.environment, **variables},
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    try:
        while select.select([ours], [], [], 60)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        return running.wait(60), seen.decode().replace("\r\n", "\n")
    finally:
        running.kill()
        running.wait()
        os.close(ours)


@pytest.mark.slow
@pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not() or "no jail here")
def test_at_a_terminal_a_run_has_its_code_and_steps_and_in_a_pipe_only_its_answer(tmp_path, site):
    program = Program(tmp_path)
    try:
        page = site.page("<button onclick=\"document.title='Hi'\">Greet</button>", title="\x1b[31mShop")
        assert program("open", page).returncode == 0
        code = "display(await tab.title())\nawait tab.click('text=Greet')\nreturn await tab.title()"
        status, seen = at_terminal(program, "--color", "never", "run", "--code", code, TERM="xterm")
        assert status == 0
        shown, told = seen.split("\x1b[K")[-1], seen.split("\x1b[K")[:-1]
        assert "│   2  await tab.click('text=Greet')\n" in shown
        assert "  ✓ click text=Greet  " in shown
        assert "\nHi\n└ " in shown
        assert "\x1b" not in shown
        assert "click" in "".join(told), "said while it happened"
        _, coloured = at_terminal(program, "run", "--code", "return 1", TERM="xterm")
        assert "\x1b[2m└ " in coloured
        assert program("run", "--code", code).stdout.splitlines()[-1] == "Hi"
        assert "│" not in program("run", "--code", code).stdout
    finally:
        program.stop()
