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
    ],
)
@pytest.mark.parametrize("kind", ["/dev/full", "pipe", "long"])
def test_what_is_no_file_is_refused(program, pipe, line, kind):
    path = {"pipe": pipe, "long": "x" * 300}.get(kind, kind)
    answer = program(*line.format(path).split())
    assert answer.returncode == 2, answer.stdout + answer.stderr
    assert len(answer.stderr.splitlines()) <= 2


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
