"""Routes, requests and HAR files on the command line: with files, records of them, and no secrets."""

import json

import pytest

from tests.support.program import Program

SECRET = "Hunter-of-the-7-seas"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    one = Program(tmp_path_factory.mktemp("home"))
    yield one
    one.stop()


def test_a_recording_of_a_form_has_no_password_in_it_and_is_kept_as_a_file(program, site):
    form = site.page(
        "<form method=post action=/json><input name=word aria-label=Word><button>Send</button></form>"
    )
    assert program("open", form, "--headers", '{"X-Test": "1"}').returncode == 0
    assert program("network", "har", "start").returncode == 0
    assert program("fill", "label=Word", "env:PASSWORD", PASSWORD=SECRET).returncode == 0
    assert program("click", "text=Send").returncode == 0
    made = program.json("network", "har", "stop", "all.har")
    assert made["category"] == "artifact-saved"
    assert [(method["kind"], method["state"]) for method in made["artifacts"]] == [("har", "saved")]
    told = (program.work / "all.har").read_text()
    (posted,) = [
        entry for entry in json.loads(told)["log"]["entries"] if entry["request"]["url"].endswith("/json")
    ]
    assert posted["request"]["postData"]["text"].startswith("word="), "the control: it was sent"
    assert {"name": "X-Test", "value": "1"} in posted["request"]["headers"]
    assert SECRET not in told
    asked = program.json("requests", "--filter", "/json", "--method", "POST")["data"]
    shown = program("request", str(asked[0]["number"])).stdout
    assert "word=" in shown
    assert SECRET not in shown


def test_routes_are_set_listed_and_removed_by_lines(program, site):
    program("open", site.page("<p>x</p>"))
    (program.work / "answer.json").write_text('{"from": "file"}')
    assert program("network", "route", "/mine", "--file", "answer.json").returncode == 0
    assert "from" in program("eval", "fetch('/mine').then(a => a.text())").stdout
    assert program("network", "routes").stdout == "#1 fulfill /mine matched 1\n"
    wrong = program("network", "route", "/mine", "--abort", "--status", "200")
    assert (wrong.returncode, "conflicting actions" in wrong.stderr) == (2, True)
    assert program("network", "unroute", "/mine").returncode == 0
    assert program("network", "routes").stdout == "none\n"
    refused = program("set", "proxy", "http://127.0.0.1:1")
    assert (refused.returncode != 0, "--fresh --proxy" in refused.stderr) == (True, True)


def test_a_body_is_shown_as_the_text_that_it_is_and_as_words_of_the_page(program, site):
    page = site.page("<p>x</p>")
    assert program("open", page).returncode == 0
    assert "42" in program("eval", "fetch('/json').then(a => a.text())").stdout
    number = str(program.json("requests", "--filter", "/json", "--method", "GET")["data"][-1]["number"])
    told = program.json("response", "body", number)["data"]
    assert told == {"mime": "application/json", "size": 14, "cut": False, "text": '{"answer": 42}'}
    begin, body, end = program("--content-boundaries", "response", "body", number).stdout.splitlines()
    assert begin.startswith("[page content begins")
    assert (body, end.partition(" ends")[0]) == ('{"answer": 42}', "[page content")
    assert program("--content-boundaries", "request", number).stdout.startswith("[page content begins")
