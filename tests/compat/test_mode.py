"""The agent-browser mode: an agent that knows only that program works unchanged, within the user's limits."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.compat.two_programs import Ours, serve_pages

pytestmark = pytest.mark.shared_daemon
PASSWORD = "hunter-22-secret"


@pytest.fixture(scope="module")
def pages():
    with serve_pages() as site:
        yield site


@pytest.fixture
def theirs(program):
    """Lines for agent-browser."""
    return Ours(program.home, environment=program.environment, work=program.work)


def data(program, *argv, **more):
    told = json.loads(program.line("--json", *argv, **more).stdout)
    assert told["success"], told
    return told["data"]


def text(program, *argv):
    return program.line(*argv).stdout.rstrip("\n")


def test_json_is_an_envelope_with_success_data_and_error(theirs, pages):
    opened = json.loads(theirs.line("open", f"{pages}/form.html", "--json").stdout)
    assert (opened["success"], opened["error"]) == (True, None)
    assert {"targetId", "title", "url"} <= opened["data"].keys()
    failed = theirs.line("--json", "is", "visible", "#nope")
    assert failed.returncode == 1
    told = json.loads(failed.stdout)
    assert (told["success"], told["data"]) == (False, None)
    assert told["error"].startswith("Element not found")
    assert data(theirs, "get", "url") == {"url": f"{pages}/form.html"}
    assert data(theirs, "is", "visible", "#send")["visible"] is True
    assert data(theirs, "eval", "({a:null,b:[]})")["result"] == {"a": None, "b": []}
    assert text(theirs, "eval", "({a:[1]})") == json.dumps({"a": [1]}, indent=2)
    steps = json.loads(theirs.line("--json", "batch", "get title", "bogus").stdout)
    assert [step["success"] for step in steps] == [True, False]
    assert steps[0]["result"] == {"title": "Form"}


def test_a_snapshot_is_the_whole_tree_with_text_and_its_refs_work(theirs, pages):
    theirs.line("open", f"{pages}/form.html")
    whole = data(theirs, "snapshot")
    assert '- StaticText "A bold text"' in whole["snapshot"]
    ref = next(ref for ref, fact in whole["refs"].items() if fact == {"name": "Email", "role": "textbox"})
    assert f'- textbox "Email" [required, ref={ref}]' in whole["snapshot"]
    for written in (f"@{ref}", ref, f"ref={ref}"):
        assert data(theirs, "fill", written, f"{written} was used") == {"filled": written}
        assert data(theirs, "get", "value", written) == {"value": f"{written} was used"}
    listed = data(theirs, "snapshot", "-i")["snapshot"]
    assert "StaticText" not in listed
    assert 'option "Green"' in listed


def test_a_tab_that_a_click_opens_is_used_from_then_on(theirs, pages):
    theirs.line("open", f"{pages}/popup.html")
    theirs.line("click", "#blank")
    assert text(theirs, "get", "url") == f"{pages}/other.html"
    theirs.line("tab", "t1")
    assert data(theirs, "click", "#plain", "--new-tab")["newTab"] is True
    assert text(theirs, "get", "url") == f"{pages}/other.html"
    listed = text(theirs, "tab").splitlines()
    assert [line[:6] for line in listed] == ["  [t1]", "  [t2]", "→ [t3]"]
    assert listed[2].endswith(f"Other - {pages}/other.html")


def test_the_first_of_several_matches_is_meant_hidden_or_not(theirs, pages):
    theirs.line("open", f"{pages}/list.html")
    assert text(theirs, "get", "text", ".card") == "Zero Buy"
    assert theirs.line("click", ".buy").returncode == 1
    assert data(theirs, "find", "nth", "1", ".item", "text") == {"text": "Banana"}
    theirs.line("find", "nth", "2", ".buy", "click")
    assert data(theirs, "eval", "clicked")["result"] == [2]


def test_words_after_a_selector_are_one_text(theirs, pages):
    theirs.line("open", f"{pages}/form.html")
    for given in (("two", "words"), ("--flag",), ("-x",)):
        theirs.line("fill", "#notes", *given)
        assert text(theirs, "get", "value", "#notes") == " ".join(given)


def test_values_markup_and_cookies_are_as_there(theirs, pages):
    theirs.line("open", f"{pages}/form.html")
    theirs.line("select", "#color", "Deep blue")
    assert text(theirs, "get", "value", "#color") == "b"
    assert text(theirs, "get", "html", "#text") == "A <b>bold</b> text"
    theirs.line("cookies", "set", "plain", "hello")
    assert text(theirs, "cookies").startswith("plain=")


def test_numbers_of_wait_are_milliseconds(theirs, pages):
    theirs.line("open", f"{pages}/form.html")
    began = time.monotonic()
    assert data(theirs, "wait", "2") == {"ms": 2, "waited": "timeout"}
    assert theirs.line("wait", "#never", "--timeout", "50").returncode == 1
    assert time.monotonic() - began < 2


def test_a_frame_limits_the_following_commands(theirs, pages):
    theirs.line("open", f"{pages}/frames.html")
    assert text(theirs, "get", "value", "#field") == "outer"
    assert data(theirs, "frame", "#inner") == {"frame": "inner"}
    assert text(theirs, "get", "value", "#field") == "inner"
    assert data(theirs, "get", "count", ".go")["count"] == 1
    theirs.line("click", ".go")
    assert text(theirs, "get", "title") == "Inner"
    assert "Inside" in text(theirs, "snapshot")
    theirs.line("frame", "main")
    assert text(theirs, "get", "value", "#field") == "outer"


def test_an_annotated_screenshot_lists_the_marked_elements(theirs, pages):
    theirs.line("open", f"{pages}/form.html")
    refs = data(theirs, "snapshot")["refs"]
    send = next(ref for ref, fact in refs.items() if fact == {"name": "Send", "role": "button"})
    printed = text(theirs, "screenshot", "--annotate", f"{theirs.work}/marks.png").splitlines()
    assert printed[0] == f"✓ Screenshot saved to {theirs.work}/marks.png"
    assert f'   [{send[1:]}] @{send} button "Send"' in printed
    marks = data(theirs, "screenshot", "--annotate", f"{theirs.work}/marks.png")["annotations"]
    assert next(mark for mark in marks if mark["ref"] == send)["box"]["width"] > 0


def test_goto_needs_a_url(theirs):
    refused = json.loads(theirs.line("--json", "goto").stdout)
    assert (refused["success"], refused["type"]) == (False, "missing_arguments")


def test_a_link_a_flag_a_variable_and_the_users_file_switch_it_on_and_a_project_cannot(
    program, pages, tmp_path
):
    link = tmp_path / "agent-browser"
    link.symlink_to(Path(sys.executable).parent / "boathook")
    opened = subprocess.run(
        [str(link), "open", f"{pages}/other.html"],
        cwd=program.work,
        env=program.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert opened.stdout == f"✓ Other\n  {pages}/other.html\n"
    ours = Ours(program.home, environment=program.environment, work=program.work)
    ours.variables = {}
    assert json.loads(ours.line("--json", "get", "title").stdout)["ok"] is True, "the control: it is off"
    for argv in (("--compat", "agent-browser"), ("--compat=agent-browser",)):
        assert data(ours, *argv, "get", "title") == {"title": "Other"}
    ours.variables = {"BOATHOOK_COMPAT": "agent-browser"}
    assert data(ours, "get", "title") == {"title": "Other"}
    own = tmp_path / "own.toml"
    own.write_text('compat = "agent-browser"\n')
    ours.variables = {"BOATHOOK_CONFIG": str(own)}
    assert data(ours, "get", "title") == {"title": "Other"}
    ours.variables = {}
    (program.work / "boathook.toml").write_text('compat = "agent-browser"\n')
    assert "compat may not be set by a project" in ours.line("get", "title").stderr


def test_its_variables_are_known(theirs, pages):
    theirs.variables["AGENT_BROWSER_SESSION"] = "two"
    theirs.line("open", f"{pages}/other.html")
    del theirs.variables["AGENT_BROWSER_SESSION"]
    assert text(theirs, "--session", "two", "get", "title") == "Other"


def test_secrets_stay_redacted(theirs, pages):
    theirs.line("open", f"{pages}/form.html")
    theirs.line("cookies", "set", "token", "s3cret-cookie-value")
    printed = [
        theirs.line(*as_json, *line).stdout
        for as_json in ((), ("--json",))
        for line in (
            ("fill", "#password", PASSWORD),
            ("get", "value", "#password"),
            ("type", "#password", PASSWORD, "--clear"),
            ("batch", f"fill #password {PASSWORD}", "get value #password"),
            ("eval", "password.value"),
            ("cookies",),
            ("eval", "document.cookie"),
            ("snapshot",),
        )
    ]
    assert [said for said in printed if PASSWORD in said or "s3cret-cookie" in said] == []
    theirs.line("fill", "#email", "seen@example.org")
    assert text(theirs, "get", "value", "#email") == "seen@example.org", "the control: others are shown"


def test_policies_and_confirmations_hold(theirs, pages):
    rules = theirs.work / "rules.json"
    rules.write_text('{"default": "allow", "deny": ["eval"]}')
    theirs.line("open", f"{pages}/form.html")
    assert data(theirs, "eval", "1")["result"] == 1, "the control: it is allowed without the rule"
    for argv in (("--action-policy", str(rules), "eval", "1"), ("--evaluate-enabled=false", "eval", "1")):
        refused = theirs.line("--json", *argv)
        assert (refused.returncode, json.loads(refused.stdout)["success"]) == (1, False)
    steps = theirs.line("--json", "--action-policy", str(rules), "batch", "get title", "eval 1")
    assert [step["success"] for step in json.loads(steps.stdout)] == [True, False]
    denied = theirs.line(
        "--session", "limited", "--denied-domains", "127.0.0.1", "open", f"{pages}/form.html"
    )
    assert denied.returncode == 1
    asked = data(theirs, "--confirm-actions", "click", "click", "#agree")
    assert asked["confirmation_required"] is True
    assert text(theirs, "is", "checked", "#agree") == "false"
    refused = theirs.line("confirm", asked["confirmation_id"])
    assert "may not approve" in refused.stdout + refused.stderr
    assert text(theirs, "is", "checked", "#agree") == "false", "the process that asked does not approve"


def test_json_is_whole_unless_the_user_limits_it(theirs, pages):
    theirs.line("open", f"{pages}/other.html")
    assert data(theirs, "eval", "'x'.repeat(100000)")["result"] == "x" * 100_000
    theirs.line("eval", "words.textContent = 'word '.repeat(10000)")
    assert len(data(theirs, "read")["content"]) > 45_000
    limited = theirs.line("--json", "--max-output", "500", "eval", "'x'.repeat(100000)").stdout
    assert len(limited) < 600
    assert json.loads(limited)["success"] is True


def test_control_characters_of_a_page_do_not_reach_the_terminal(theirs, pages):
    theirs.line("open", f"{pages}/other.html")
    theirs.line("eval", "words.textContent = '\\u001b[31mred'")
    assert "\x1b" not in theirs.line("get", "text", "#words").stdout
