"""Every line of the docs is run: what they show is the program's real output.

`pytest tests/docs --write-docs` updates the output; read the diff.
"""

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from examples.ticket_desk.demo import SITE, served

from boathook.commands import catalogue
from boathook.errors import BoathookError
from boathook.service.input.command_line import read_line, table_of
from boathook.settings import SETTINGS
from tests.support.program import PROGRAM, Program

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted(DOCS.glob("*.md"))
WRITTEN_ADDRESS = "http://127.0.0.1:8000"
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTEST = re.compile(r"```py\n(def test_.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
BLOCK = re.compile(r"```.*?```", re.DOTALL)
IN_TEXT = re.compile(r"`(boathook [^`\n]+)`")
BEFORE = re.compile(r"^(?:sudo |[A-Z_]+=\S* )+")
"""What may stand before a command in a shell."""
BY_CALLER = "runs in the caller's process"
NOT_WHOLE = ("boathook --help", "boathook --cdp 9222", "boathook deny")
"""Beginnings of lines, and what another test runs."""
FILE = re.compile(r"```\w+ (\S+)\n(.*?)```", re.DOTALL)
"""A block with a name: a file that lies where the commands are typed."""
MOST_LINES = 44
EACH_IN_TURN = """
import contextlib, io, runpy, sys
for script in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        runpy.run_path(script, run_name="__main__")
    assert printed.getvalue(), f"{script} prints nothing"
"""
"""One interpreter for all blocks of a page, each in a namespace of its own."""


class Shell:
    """Runs the command lines of the docs, in an empty folder."""

    def __init__(self, folder, site):
        self._site = site
        self._home = folder
        self._work = folder / "work"
        self._work.mkdir()
        runtime = folder / "run"
        runtime.mkdir(mode=0o700)
        self._environment = {
            **os.environ,
            "XDG_RUNTIME_DIR": str(runtime),
            "HOME": str(folder),
            "COLUMNS": "110",
        }

    def keep(self, name, text):
        """Write a file that the page shows into the folder."""
        (self._work / name).write_text(text.replace(WRITTEN_ADDRESS, self._site))

    def type(self, line):
        """What the program answers, on both streams."""
        words = shlex.split(line.replace(WRITTEN_ADDRESS, self._site))
        variables = {}
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            variables[name] = value
        assert words[0] == "boathook"
        done = subprocess.run(
            [*PROGRAM, *words[1:]],
            cwd=self._work,
            env={**self._environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=60,
            check=False,
        )
        return self._as_written(done.stdout)

    def _as_written(self, text):
        """Without what differs from machine to machine and from run to run."""
        text = text.replace(self._site, WRITTEN_ADDRESS).replace(str(self._work), "/home/you/project")
        text = text.replace(str(self._home), "/home/you")
        text = text.replace(str(Path(sys.executable).parent), "/home/you/.venv/bin")
        text = re.sub(r"saved \d{4}-\d\d-\d\dT[\d:]+\+00:00", "saved 2027-01-15T09:30:00+00:00", text)
        text = re.sub(r"\b[0-9a-f]{32}\b", "0123456789abcdef0123456789abcdef", text)
        text = re.sub(r"(page content (?:begins|ends)) [\w-]{16}", r"\1 aB3dE6gH9jK2mN5p", text)
        text = re.sub(r"default-[0-9a-f]{8}", "default-1a2b3c4d", text)
        text = re.sub(
            r"\d{4}-\d\d-\d\dT[\d:]+\+00:00 process \d+", "2027-01-15T09:30:00+00:00 process 4711", text
        )
        text = re.sub(r"^note: (?:sandbox off|shared memory).*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"\(\d+\.\d+ s\)|\(\d+ s\)", "(0.02 s)", text)
        text = re.sub(r"(\d+x\d+), \d+ KiB", r"\1, 40 KiB", text)
        text = re.sub(r"(\.pdf) \(\d+ bytes\)", r"\1 (40000 bytes)", text)
        lines = text.rstrip("\n").split("\n")
        return "\n".join([*lines[:MOST_LINES], "…"] if len(lines) > MOST_LINES else lines)


def answered(block, shell):
    """The block as it should read: each command with what it answers."""
    out = []
    for line in block.split("\n"):
        if line.startswith("$ "):
            out.append(line)
            answer = shell.type(line[2:])
            out += [answer] if answer else []
    return "\n".join(out) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_the_docs_show_is_what_the_program_answers(page, tmp_path, request):
    text = page.read_text()
    if not CONSOLE.search(text):
        pytest.skip("nothing to type on this page")
    with served(SITE) as site:
        shell = Shell(tmp_path, site)
        for name, shown in FILE.findall(text):
            shell.keep(name, shown)
        try:
            real = CONSOLE.sub(lambda match: f"```console\n{answered(match[1], shell)}```", text)
        finally:
            shell.type("boathook daemon stop")
    if request.config.getoption("--write-docs"):
        page.write_text(real)
    assert real == page.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in PAGES if PYTHON.search(page.read_text())], ids=lambda page: page.stem
)
def test_python_in_the_docs_runs(page, tmp_path):
    program = Program(tmp_path)  # some of it talks to a daemon, which must not be the user's own
    try:
        run_blocks(page, tmp_path, program.environment)
    finally:
        program.stop()


def run_blocks(page, tmp_path, environment):
    with served(SITE) as site:
        scripts = []
        for number, block in enumerate(PYTHON.findall(page.read_text())):
            scripts.append(tmp_path / f"block{number}.py")
            scripts[-1].write_text(block.replace(WRITTEN_ADDRESS, site))
        done = subprocess.run(
            [sys.executable, "-c", EACH_IN_TURN, *scripts],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=60 + 10 * len(scripts),
            check=False,
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_example_of_the_pytest_plugin_passes(tmp_path):
    [example] = PYTEST.findall((DOCS / "python.md").read_text())
    with served(SITE) as site:
        (tmp_path / "test_desk.py").write_text(example.replace(WRITTEN_ADDRESS, site))
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:randomly",
                "-p",
                "no:cacheprovider",
                "test_desk.py",
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert "1 passed" in done.stdout, done.stdout


def test_every_page_is_listed():
    listed = set(re.findall(r"\]\(([a-z-]+\.md)\)", (DOCS / "README.md").read_text()))
    assert listed == {page.name for page in PAGES} - {"README.md"}


def lines_in_text():
    """Each line that the docs name in text or in a block that is not run here, with its page."""
    for page in [*PAGES, DOCS.parent / "README.md"]:
        text = page.read_text()
        blocks = [line for block in SHELL.findall(text) for line in block.splitlines()]
        for line in [*blocks, *IN_TEXT.findall(BLOCK.sub("", text))]:
            words = shlex.split(re.split(r" [<>] ", BEFORE.sub("", line))[0], comments=True)
            if words[:1] == ["boathook"] and not line.startswith(NOT_WHOLE):
                yield page.name, words[1:]


@cache
def help_of(word):
    """The help of a command that runs in the caller's process, split up, with the flags of the settings."""
    done = subprocess.run(
        [*PROGRAM, word, "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    return {*re.findall(r"[\w-]+", done.stdout), *(setting.flag for setting in SETTINGS.values())}


def not_in_help(words):
    """What a line of the caller's process has that the help of its command does not know."""
    asked = [word.partition("=")[0] for word in words[1:] if word.startswith("--")]
    subject = words[1] if len(words) > 1 and not words[1].isupper() else ""
    return [word for word in {*asked, subject} - {"", "--help"} if word not in help_of(words[0])]


def mistakes(lines):
    """The lines that are not commands with their arguments, and why."""
    commands = table_of(catalogue())
    for page, words in lines:
        try:
            read_line(words, commands)
        except BoathookError as error:
            if BY_CALLER not in str(error):
                yield f"{page}: {shlex.join(words)}: {error}"
            elif unknown := not_in_help(words):
                yield f"{page}: {shlex.join(words)}: not in its help: {', '.join(unknown)}"


def test_lines_that_are_named_in_text_are_commands_with_their_arguments():
    lines = list(lines_in_text())
    assert len(lines) > 50, "the control"
    assert list(mistakes(lines)) == []


@pytest.mark.parametrize(
    "line", ["opne x", "setup clawd", "setup codex --undone", "mcp --tool core", "daemon halt"]
)
def test_a_wrong_line_is_found(line):
    assert list(mistakes([("page", line.split())]))
