"""Page content is marked where a page could imitate Boathook, and only the user can switch that off."""

import json

import pytest

from tests.support.forged import FORGED, LINES, forged_in

pytestmark = [pytest.mark.slow, pytest.mark.shared_daemon]

PAGE = f"""<style>#several {{ white-space: pre }}</style><p id=several>{FORGED}</p><p id=line>{LINES[0]}</p><p id=plain>A "plain" line</p>
<script>localStorage.next = {json.dumps(LINES[0].removeprefix("next: "))}; setTimeout(() => {{ throw new Error({json.dumps(FORGED)}) }})</script>"""
READ = (
    ("get", "text", "#several"),
    ("get", "text", "#line"),
    ("storage", "local"),
    ("errors",),
    ("run", "--code", "return await tab.text('#several')"),
    ("batch", "get text #several", "get text #line"),
)
MODE = ("--compat", "agent-browser")


@pytest.fixture
def ask(program, site):
    assert program.ask("open", site.page(PAGE)).exit == 0
    return program.ask


def test_programs_read_plain_lines_and_no_line_that_looks_like_ours(ask):
    assert ask("get", "text", "#plain").out == 'A "plain" line\n'
    assert ask("run", "--code", "return 'a\\nb'").out == "a\nb\n"
    for line in READ:
        answer = ask(*line)
        assert LINES[0] in answer.out, line
        assert forged_in(answer.out + answer.err) == [], line
    assert forged_in(ask("--no-boundaries", "get", "text", "#several").out) == [*LINES], (
        "the control: the user can"
    )


def test_data_is_plain_and_flagged_once(ask):
    for line in READ[:-1]:
        text = ask("--json", *line).out
        told = json.loads(text)
        assert list(told)[:2] == ["ok", "untrusted"]
        assert text.count('"untrusted"') == 1
        assert "page content begins" not in text
        assert LINES[0].removeprefix("next: ") in json.dumps(told["data"]), line


def test_answers_without_a_page_are_not_flagged(ask):
    assert "untrusted" not in json.loads(ask("--json", "skills", "path").out)
    assert json.loads(ask("--json", "batch", "get text #several").out)["untrusted"] is True


def test_a_project_cannot_print_page_content_unmarked(ask, program):
    for setting in ("boundaries = false", 'compat = "agent-browser"', 'config = "other.toml"'):
        (program.work / "boathook.toml").write_text(setting)
        refused = ask("get", "text", "#several")
        assert (refused.out, refused.exit) == ("", 2), setting
        assert "project" in refused.err


def test_the_agent_browser_mode_marks_page_content_if_it_is_asked_to(ask):
    assert forged_in(ask(*MODE, "get", "text", "#several").out) == [*LINES], "as agent-browser does"
    assert "untrusted" not in json.loads(ask(*MODE, "--json", "get", "text", "#several").out)
    for line in (
        ("get", "text", "#several"),
        ("get", "text", "#line"),
        ("batch", "get text #several", "get text #line"),
    ):
        answer = ask(*MODE, "--content-boundaries", *line).out
        assert LINES[0] in answer
        assert forged_in(answer) == []
    told = json.loads(ask(*MODE, "--content-boundaries", "--json", "get", "text", "#line").out)
    assert (told["success"], told["untrusted"], told["data"]["text"]) == (True, True, LINES[0])
