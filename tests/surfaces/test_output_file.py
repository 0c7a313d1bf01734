"""The result of a call in a file: where the caller says, within the policy, never over another file of the call."""

import json
import os

import pytest

from boathook.commands import catalogue
from boathook.service.input.command_line import read_line, table_of

pytestmark = [pytest.mark.shared_daemon, pytest.mark.slow]


def test_data_is_written_as_json_and_text_as_it_is(program, site):
    program("open", site.page("<h1>Here</h1><input type=password value=swordfish-10>"))
    title = program("get", "title", "--output", "out/title.txt")
    assert (program.work / "out/title.txt").read_text() == title.stdout
    assert "the result was written to" in title.stderr
    program("snapshot", "--mode", "full", "--output", "page.json")
    assert 'heading "Here"' in json.loads((program.work / "page.json").read_text())["text"]
    program("eval", "document.querySelector('input').value", "--output", "secret.txt")
    assert "swordfish-10" not in (program.work / "secret.txt").read_text()
    program("batch", "get title --output step.txt", "get url", "--output", "rows.json")
    assert (program.work / "step.txt").read_text() == title.stdout, (
        "relative to the caller, not to the daemon"
    )
    assert [row["ok"] for row in json.loads((program.work / "rows.json").read_text())] == [True, True]


def test_the_name_of_the_file_asks_for_rows_or_text(program, site):
    cells = "<tr><th>Day<th>Note<tr><td>Monday<td>a, &quot;b&quot;<tr><td>Tuesday<td>=1+1"
    program("open", site.page(f"<h1>Here</h1><table><caption>Visits</caption>{cells}</table>"))
    table = program.json("read", "tables")["data"]["tables"]
    assert table == [
        {"caption": "Visits", "rows": [["Day", "Note"], ["Monday", 'a, "b"'], ["Tuesday", "=1+1"]]}
    ]
    program("read", "tables", "--output", "visits.csv")
    assert (program.work / "visits.csv").read_bytes() == b'Day,Note\r\nMonday,"a, ""b"""\r\nTuesday,=1+1\r\n'
    program("read", "--output", "page.md")
    assert (program.work / "page.md").read_text().startswith("# Here\n")
    program("tabs", "--output", "tabs.csv")
    assert (program.work / "tabs.csv").read_text().splitlines()[0].startswith("tab,")
    other = program("snapshot", "--output", "page.csv")
    assert "as JSON: it has no tables" in other.stderr
    assert 'heading "Here"' in json.loads((program.work / "page.csv").read_text())["text"]


def test_a_file_that_may_not_or_cannot_be_written_is_an_error(program, site):
    program("open", site.page("x"))
    same = program("screenshot", "shot.png", "--output", "SHOT.png")
    assert "are the same file" in same.stderr
    outside = program("--output-roots", str(program.work), "get", "title", "--output", "/tmp/outside.txt")
    assert "outside the folders of output_roots" in outside.stderr
    cannot = program("get", "title", "--output", "/proc/none/x")
    assert (cannot.returncode != 0, "was run, but its result could not be written" in cannot.stderr) == (
        True,
        True,
    )
    assert program("click", "#none", "--timeout", "1", "--output", "none.txt").returncode == 4
    assert not (program.work / "none.txt").exists()


def test_a_pipe_is_refused_before_anything_is_done_and_the_daemon_goes_on(program, site):
    program("open", site.page("<button onclick=\"document.title = 'clicked'\">Go</button>", title="Before"))
    os.mkfifo(program.work / "pipe")
    for line in (("click", "text=Go"), ("batch", "click text=Go")):
        refused = program(*line, "--output", "pipe")
        assert (refused.returncode, "a device, a pipe or a socket" in refused.stderr) == (2, True)
    step = program("batch", "click text=Go --output pipe")
    assert "a device, a pipe or a socket" in step.stdout + step.stderr
    assert program("get", "title").stdout == "Before\n"
    program("click", "text=Go", "--output", "file.json")
    assert program("get", "title").stdout == "clicked\n", "the control: a file is fine"


def test_views_of_other_tools_are_flags_of_a_snapshot_and_forms_of_scroll(program, site):
    program("open", site.page("<button>first</button><p style='height: 5000px'>x</p><a href=#x>last</a>"))
    assert "of 0," in program("scroll", "to", "end").stdout
    seen = program("snapshot", "--viewport").stdout
    assert ("last" in seen, "first" in seen) == (True, False)
    assert "to 0,0" in program("scroll", "to", "top").stdout
    links = program("snapshot", "--filter", "role=link").stdout
    assert ("last" in links, "first" in links) == (True, False)
    table = table_of(catalogue())
    assert (
        read_line(["snapshot", "--diff"], table).arguments
        == read_line(["snapshot", "--delta"], table).arguments
    )
