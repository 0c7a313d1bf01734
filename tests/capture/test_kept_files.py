"""Files after their session: unnamed files are kept for the user, and a video is complete when its session ends."""

import json
from pathlib import Path

import av
import pypdf
import pytest

pytestmark = pytest.mark.slow


def test_a_file_that_nobody_names_outlives_the_browser(program, site):
    program("open", site.page("<p>Hello</p>"))
    program("har", "start")
    program("trace", "start")
    program("profiler", "start")
    program("reload")
    lines = {
        "har stop": ".har",
        "trace stop": ".json",
        "profiler stop": ".cpuprofile",
        "heap snapshot": ".heapsnapshot",
        "pdf": ".pdf",
    }
    made = {line: Path(program.json(*line.split())["artifacts"][0]["path"]) for line in lines}
    assert {line: path.suffix for line, path in made.items()} == lines
    program("close")
    assert json.loads(made["har stop"].read_text())["log"]["version"] == "1.2"
    assert json.loads(made["trace stop"].read_text())["traceEvents"]
    assert json.loads(made["profiler stop"].read_text())["nodes"]
    assert json.loads(made["heap snapshot"].read_text())["snapshot"]
    assert "Hello" in pypdf.PdfReader(made["pdf"]).pages[0].extract_text()
    assert {path.parent for path in made.values()} == {program.home / ".local/state/boathook/captures"}

    program("clean", "--days", "0")
    assert not any(path.exists() for path in made.values())


def test_a_video_is_whole_when_its_session_is_closed(program, site):
    program("open", site.page("<p>Hello</p>"))
    program("record", "start", "take.webm")
    assert program.json("artifacts")["data"][0]["state"] == "pending"
    assert program("close").returncode == 0
    with av.open(program.work / "take.webm") as film:
        assert sum(1 for _ in film.decode(video=0)) >= 1
    assert program.json("artifacts")["data"][0]["state"] == "saved"
