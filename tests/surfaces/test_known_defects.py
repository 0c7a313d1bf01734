"""What goes wrong elsewhere on command lines of this kind, number by number: here it is right."""

import json
import time

import pytest

from tests.support.program import Program

pytestmark = pytest.mark.slow

FORM = """<title>Form</title><label>Name <input></label><button onclick="document.title='Saved'">Save</button>
<button class=two>Twin</button><button class=two>Twin</button><p id=spinner>busy</p><div style="height:3000px"></div>
<script>setTimeout(() => spinner.remove(), 300)</script>"""


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("defects"))
    (made.work / ".git").mkdir()
    yield made
    made.stop()


@pytest.fixture
def opened(program, site):
    assert program("open", site.page(FORM)).returncode == 0
    return program


def test_defect_1_policies_name_what_users_type(program, site):
    (program.work / "deny.json").write_text(json.dumps({"deny": ["eval", "get"]}))
    denied = ("--session", "denied", "--action-policy", "deny.json")
    assert program(*denied, "open", site.page("x")).returncode == 0
    for line in (("eval", "1"), ("get", "text", "body"), ("get", "title")):
        assert program.json(*denied, *line)["category"] == "policy-blocked"
    asked = program.json("--session", "denied", "--confirm-actions", "read", "read")
    assert asked["error"]["code"] == "confirmation_required"
    assert program("--session", "denied", "close").returncode == 0


def test_defect_2_flags_of_a_command_are_not_taken_for_settings_and_a_mistake_touches_nothing(opened):
    gone = opened("wait", "#spinner", "--state", "hidden")
    assert gone.returncode == 0, gone.stderr
    opened("fill", "label=Name", "Ada")
    for line in (
        ("wait", "#x", "--sate", "hidden"),
        ("--state", "nowhere.json", "get", "title"),
        ("clik", "x"),
    ):
        assert opened(*line).returncode != 0
    assert opened("get", "value", "label=Name").stdout == "Ada\n"


def test_defect_3_a_setting_that_is_left_out_is_inherited_and_one_that_differs_restarts_nothing(opened):
    opened("fill", "label=Name", "Ada")
    other = opened.json("--viewport", "800x600", "get", "title")
    assert other["error"]["code"] == "other_launch"
    assert opened("get", "value", "label=Name", BOATHOOK_DEBUG="1").stdout == "Ada\n"


def test_defect_4_a_read_under_an_open_dialog_answers_at_once_with_the_dialog(opened):
    opened("eval", "setTimeout(() => confirm('Really?'), 0)")
    opened("wait", "for", "dialog")
    began = time.monotonic()
    told = opened.json("get", "text", "body")
    assert time.monotonic() - began < 25, "not by running into a deadline of 30 seconds"
    assert told["error"]["code"] == "dialog_open"
    assert "Really?" in told["error"]["message"]
    assert opened("dialog", "dismiss").returncode == 0


def test_defect_5_a_page_that_hangs_is_told_within_the_callers_own_time(opened, site):
    told = opened.json("eval", "while (true) {}", "--timeout", "1")
    assert told["error"]["code"] in {"timed_out", "page_unresponsive"}
    assert opened("open", site.page("x", title="Back")).returncode == 0
    assert opened("get", "title").stdout == "Back\n"


def test_defect_6_scrolling_says_how_far_it_went(opened):
    opened("wait", "#spinner", "--state", "hidden")  # what goes away above moves the page as well
    assert "500" in opened("scroll", "down", "500").stdout
    assert opened("eval", "scrollY").stdout == "500\n"
    opened("scroll", "down", "99999")
    assert "did not move" in opened("scroll", "down", "500").stdout


def test_defect_7_two_equal_matches_are_an_error_that_lists_them(opened):
    told = opened.json("find", "text", "Twin", "click")
    assert told["error"]["code"] == "ambiguous_target"
    assert told["error"]["message"].count("@e") >= 2


def test_defect_8_a_key_that_there_is_not_is_refused(opened):
    assert opened.json("press", "Bogus")["error"]["category"] == "validation-error"


def test_defect_10_what_help_and_docs_name_is_there(opened):
    assert opened("click", "text=Save").returncode == 0
    assert opened("get", "title").stdout == "Saved\n"


def test_defect_11_a_scope_and_a_budget_hold_for_text_and_data(opened):
    whole, scoped = opened.json("snapshot")["data"], opened.json("snapshot", "-s", "label")["data"]
    assert "Save" in json.dumps(whole)
    assert "Save" not in json.dumps(scoped)
    ref = opened("snapshot").stdout.split('button "Save" @')[1].split()[0]
    assert "Name" not in opened("snapshot", f"@{ref}").stdout
    bounded = opened.json("--max-output", "200", "snapshot")
    assert len(json.dumps(bounded["data"])) <= 200


def test_defect_12_an_answer_of_404_is_told(program, site):
    told = program.json("open", f"{site.origin}/not/here")
    assert told["data"]["status"] == 404


def test_defect_13_the_clipboard_works_without_a_window(opened):
    assert opened("clipboard", "write", "copied").returncode == 0
    assert opened("clipboard", "read").stdout == "copied\n"


def test_defect_14_back_onto_a_blank_page_is_no_failure(program, site):
    alone = ("--session", "blank")
    program(*alone, "open", "about:blank")
    program(*alone, "open", site.page("x"))
    back = program(*alone, "back")
    assert back.returncode == 0, back.stderr
    assert program(*alone, "get", "url").stdout == "about:blank\n"
    program(*alone, "close")


def test_defect_16_answers_tell_of_a_sessions_life_only_when_it_changes(opened):
    assert "session_change" not in opened.json("get", "title")
