"""Invalid paths: refused in one line, before anything is read or written."""

import os

import pytest

from tests.support.program import Program

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def program(tmp_path_factory, site):
    made = Program(tmp_path_factory.mktemp("odd"))
    made("open", site.page("<p>x</p><input type=file>"))
    yield made
    made.stop()


@pytest.fixture(scope="module")
def pipe(program):
    path = program.work / "pipe.json"
    os.mkfifo(path)
    return "./pipe.json"


@pytest.mark.parametrize(
    "line",
    [
        "state save {}",
        "state load {}",
        "screenshot {}",
        "cookies import {}",
        "upload input {}",
        "heap snapshot {}",
        "heap summary {}",
        "diff snapshot --baseline {}",
        "diff screenshot --baseline {}",
        "a11y --axe {}",
        "network route **/api --file {}",
        "run {}",
    ],
)
@pytest.mark.parametrize("kind", ["/dev/full", "pipe", "long"])
def test_what_is_no_file_is_refused(program, pipe, line, kind):
    path = {"pipe": pipe, "long": "x" * 300}.get(kind, kind)
    answer = program.ask(*line.format(path).split())
    assert answer.exit == 2, answer.out + answer.err
    assert len(answer.err.splitlines()) <= 2


@pytest.mark.parametrize("line", ["a11y --axe {}", "run {}", "cookies import {}", "state load {}"])
def test_a_file_that_is_not_text_is_refused(program, line):
    (program.work / "image").write_bytes(b"\x89PNG\xff")
    answer = program.ask(*line.format("./image").split())
    assert answer.exit == 2, answer.err
    assert "unforeseen" not in answer.err


def test_a_file_is_taken(program):
    """The control: the same lines with a file."""
    assert program("state", "save", "one.json").returncode == 0
    assert program("state", "load", "one.json").returncode == 0
    assert program("upload", "input", "one.json").returncode == 0


@pytest.mark.parametrize("flag", ["--action-policy", "--init-script", "--state", "--config", "--ca-bundle"])
def test_a_setting_that_names_a_pipe_is_refused_and_stops_nothing(program, pipe, flag):
    """Opening a pipe for reading waits for a writer: in the daemon, that would be the end of all calls."""
    refused = program("--session", "other", flag, pipe, "get", "title")
    assert refused.returncode == 2, refused.stderr
    assert "pipe.json" in refused.stderr
    assert program("get", "title").returncode == 0
