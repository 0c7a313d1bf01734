"""Jobs: steps with named fields, checked as a whole, run as a batch, without what they type."""

import json

import pytest

from boathook.commands.program.job_steps import FIELDS, compile_step
from boathook.errors import BadRequest

pytestmark = [pytest.mark.shared_daemon, pytest.mark.slow]
FORM = """<title>Form</title><label>Email <input id=e></label><label>Password <input type=password id=p></label>
<label>Country <select id=c><option>Germany<option>France</select></label>
<button onclick="document.title = 'sent'; location.hash = 'sent'">Send</button>
<a id=f href='data:text/plain,hi' download=note.txt>Note</a>"""
WRONG = (
    ({"action": "opn"}, "action is unknown: 'opn'"),
    ({}, "action is missing"),
    ("open", "must be an object"),
    ({"action": "open"}, "open needs url"),
    ({"action": "open", "url": ""}, "url is empty"),
    ({"action": "open", "url": "x", "text": "y"}, "open has no field 'text'"),
    ({"action": "open", "url": "x", "loadState": "idle"}, "loadState must be one of"),
    ({"action": "click"}, "locator is missing"),
    ({"action": "click", "selector": "a", "text": "y"}, "click has no field 'text'"),
    ({"action": "fill", "selector": "a"}, "fill needs text"),
    ({"action": "type", "selector": "a"}, "type needs text"),
    ({"action": "type", "text": "x" * 201, "delayMs": 5}, "text is too long for delayMs"),
    ({"action": "type", "text": "x", "delayMs": 0}, "delayMs must be a positive integer"),
    ({"action": "select", "selector": "a"}, "select needs value or values"),
    ({"action": "select", "selector": "a", "values": [1]}, "values must be a list of strings"),
    ({"action": "wait", "milliseconds": 1.5}, "milliseconds must be a positive integer"),
    ({"action": "wait", "milliseconds": True}, "milliseconds must be a positive integer"),
    ({"action": "assertUrl", "url": "/done"}, "url must be a whole URL or a glob"),
    ({"action": "assertText"}, "assertText needs text"),
    ({"action": "screenshot"}, "screenshot needs path"),
    ({"action": "snapshot", "path": "x"}, "snapshot has no field 'path'"),
    ({"action": "waitForDownload", "path": 1}, "path must be a string"),
)


@pytest.mark.parametrize(("step", "words"), WRONG)
def test_a_wrong_step_is_refused_with_its_number_and_field(step, words):
    with pytest.raises(BadRequest, match=f"step 2.*{words}"):
        compile_step(step, 2)


def test_every_action_is_run_and_every_row_says_which_step_it_is(program, site):
    page = site.page(FORM)
    steps = [
        {"action": "open", "url": page, "loadState": "load"},
        {"action": "assertUrl", "url": page},
        {"action": "fill", "locator": "label", "value": "email", "text": "--ada"},
        {"action": "fill", "locator": "label", "value": "Password", "text": "swordfish-8"},
        {"action": "type", "selector": "#e", "text": "!", "delayMs": 1, "press": "Tab"},
        {"action": "type", "text": "-more"},
        {"action": "select", "selector": "#c", "values": ["France"]},
        {"action": "wait", "milliseconds": 1},
        {"action": "click", "locator": "role", "role": "button", "name": "send"},
        {"action": "assertUrl", "url": "**#sent"},
        {"action": "assertText", "text": "Country"},
        {"action": "click", "selector": "#f"},
        {"action": "waitForDownload", "path": "got.txt"},
        {"action": "screenshot", "path": "shot.png"},
        {"action": "snapshot"},
    ]
    assert {step["action"] for step in steps} == set(FIELDS), "every action is in it"
    (program.work / "steps.json").write_text(json.dumps({"failFast": True, "steps": steps}))
    said = program("--json", "job", "steps.json").stdout
    answer = json.loads(said)
    assert answer["ok"], said
    rows = answer["data"]
    assert [row["step"] for row in rows] == [1, 2, 3, 4, 5, 5, *range(6, 16)]
    assert "swordfish-8" not in said
    assert 'textbox "Email" @e1 = "--ada!"' in rows[-1]["text"]
    assert (program.work / "got.txt").read_text() == "hi"
    assert (program.work / "shot.png").exists()
    history = program("history").stdout
    assert "do " in history
    assert "swordfish-8" not in history


def test_the_first_failure_stops_a_job_and_the_rest_is_listed_without_what_it_types(program, site):
    program("open", site.page(FORM))
    steps = [
        {"action": "click", "selector": "#none"},
        {"action": "fill", "selector": "#e", "text": "not-yet"},
        {"action": "snapshot"},
    ]
    stopped = program.json("--timeout", "1", "job", "-", stdin=json.dumps(steps))
    assert (stopped["ok"], stopped["category"]) == (False, "selector-not-found")
    assert [(row["step"], row["status"]) for row in stopped["data"]] == [
        (1, "failed"),
        (2, "pending"),
        (3, "pending"),
    ]
    assert "not-yet" not in json.dumps(stopped)
    went_on = program("job", "--no-fail-fast", "--steps", json.dumps(steps))
    assert went_on.returncode == 4
    assert '"not-yet"' in went_on.stdout, "the control: the other steps are run"


def test_nothing_is_run_if_a_later_step_is_wrong(program, site):
    program("open", site.page(FORM))
    steps = [{"action": "click", "locator": "text", "value": "Send"}, {"action": "open"}]
    refused = program("job", "--steps", json.dumps(steps))
    assert (refused.returncode, "step 2: open needs url" in refused.stderr) == (2, True)
    assert "#sent" not in program("get", "url").stdout
    for given, words in (
        ('{"steps": [], "x": 1}', "unknown field 'x'"),
        ('{"steps": []}', "at least one step"),
        ('{"failFast": 1, "steps": [{}]}', "failFast must be true or false"),
        ("[", "not JSON"),
        ("", "job needs its steps"),
    ):
        assert words in program("job", "-", stdin=given).stderr
    assert "from a file or from --steps" in program("job", "x.json", "--steps", "[]").stderr
    assert "no such file" in program("job", "x.json").stderr
