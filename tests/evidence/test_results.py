"""Fields of results: next actions with params, changes, files, how a session is started again, categories."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.shared_daemon
PAGE = "<h1>Here</h1><button>Go</button>"
# Of varying shape, so that they are not folded.
MANY = "<h1>Many</h1>" + "".join(
    f"<h2>Part {n}</h2>" + f"<a href='#{n}'>Link {n} to a part</a>" * (n * n % 7) + "<hr>" * (n % 5 % 3)
    for n in range(600)
)
FIELDS = "<label>Email <input></label><button>Send all</button><div role=tab tabindex=0>Details</div>"
PAIRS = "".join(f"<a href='#{n}'>Item {n}</a><button>Buy {n}</button>" for n in range(40))


def test_a_result_says_how_the_call_was_made_and_what_follows(program, site):
    opened = program.json("open", site.page(PAGE))
    assert opened["args"][-2] == "open"
    assert opened["session_mode"] == "auto"
    assert opened["used_implicit_session"] is True
    [look] = opened["next"]
    assert look == {
        "id": "inspect-opened-page",
        "reason": "see what is on the page",
        "safe": True,
        "params": {"args": ["snapshot"]},
    }
    assert opened["change"]["next_action_ids"] == ["inspect-opened-page"]
    named = program.json("--session", "named", "open", site.page(PAGE))
    assert named["used_implicit_session"] is False
    assert program.json("--fresh", "get", "url")["session_mode"] == "fresh"
    typed = program.json("fill", "label=Password", "hunter2")
    assert "hunter2" not in str(typed)


def test_a_saved_file_is_verified_and_offered_by_its_path(program, site):
    program("open", site.page(PAGE))
    shot = program.json("screenshot", "page.png")
    path = str(program.work / "page.png")
    assert shot["change"]["artifact_count"] == 1
    assert shot["change"]["saved_file_path"] == path
    assert shot["artifact_verification"] == {
        "verified": True,
        "verified_count": 1,
        "missing_count": 0,
        "pending_count": 0,
        "unverified_count": 0,
    }
    assert {action["id"]: action.get("artifact_path") for action in shot["next"]} == {
        "use-saved-artifact": path
    }


def test_a_launch_setting_is_answered_with_the_callers_own_line_in_a_new_session(program, site):
    program("open", site.page(PAGE))
    told = program.json("--user-agent", "Tester/2.0", "get", "url")
    hint = told["session_recovery_hint"]
    assert hint["recommended_session_mode"] == "fresh"
    assert hint["example_params"]["args"][-4:] == ["--user-agent", "Tester/2.0", "get", "url"]
    [afresh] = [action for action in told["next"] if action["id"] == "start-fresh-session"]
    assert program.json(*afresh["params"]["args"])["ok"]
    assert program.json("eval", "navigator.userAgent")["data"] == "Tester/2.0"


async def test_over_mcp_a_new_session_is_a_field_of_the_tool(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    await client.call_tool("agent_browser", {"args": ["open", site.page(PAGE)]})
    failed = await client.call_tool("agent_browser", {"args": ["--user-agent", "Tester/3.0", "get", "url"]})
    told = failed.structured_content
    [afresh] = [action for action in told["next"] if action["id"] == "start-fresh-session"]
    assert afresh["params"] == {"args": ["--user-agent", "Tester/3.0", "get", "url"], "sessionMode": "fresh"}
    assert not (await client.call_tool(afresh["tool"], afresh["params"])).is_error


@pytest.mark.parametrize(
    ("line", "category"),
    [
        (["click", "@e99999"], "stale-ref"),
        (["wait", "--download", "--timeout", "0.3"], "download-not-verified"),
        (["download", "text=Go", "--timeout", "1"], "download-not-verified"),
        (["--timeout", "0.2", "click", "#none"], "selector-not-found"),
        (["wait", "--text", "never", "--timeout", "0.3"], "timeout"),
    ],
)
def test_categories_say_what_went_wrong(program, site, line, category):
    program("open", site.page(PAGE))
    told = program.json(*line)
    assert told["category"] == told["error"]["category"] == category


def test_a_confirmation_is_for_a_person(program, site):
    program("open", site.page(PAGE))
    asked = program.json("--confirm-actions", "click", "click", "text=Go")
    assert asked["category"] == "confirmation-required"
    assert asked["change"]["kind"] == "confirmation"
    offered = {action["id"]: action["safe"] for action in asked["next"]}
    assert offered == {"approve-confirmation": False, "deny-confirmation": False}
    denied = next(action for action in asked["next"] if action["id"] == "deny-confirmation")
    assert program.json(*denied["params"]["args"])["ok"]


def test_a_snapshot_that_is_cut_names_what_matters_and_is_whole_in_a_file(program, site):
    program("open", site.page(MANY + FIELDS))
    cut = program.json("snapshot")
    assert cut["data"]["compacted"] is True
    assert cut["data"]["role_counts"]["textbox"] == 1
    assert 'left out: textbox "Email"' in cut["text"]
    assert 'left out: button "Send all"' in cut["text"]
    whole = Path(cut["data"]["full_path"]).read_text()
    assert 'heading "Part 599"' in whole
    assert 'heading "Part 599"' not in cut["text"]
    assert all(ref in whole for ref in cut["data"]["high_value_control_refs"])
    assert cut["data"]["full_path"].rpartition("/")[0] in program("snapshot").stderr
    program("open", site.page(PAGE))
    assert "compacted" not in program.json("snapshot")["data"]


def test_links_and_buttons_that_alternate_are_folded(program, site):
    program("open", site.page(PAIRS))
    assert "more links and buttons like these" in program("snapshot").stdout
    program("open", site.page("<h2>One</h2><p>Text</p>" * 40))
    assert "more headings" not in program("snapshot").stdout


def test_a_scroll_says_when_it_is_at_the_end(program, site):
    program("open", site.page("<p style='height:3000px'>Tall</p>"))
    program("scroll", "down", "9000")
    assert "it is at its end" in program("scroll", "down").stdout
    program("scroll", "up", "9000")
    assert "it is at its start" in program("scroll", "up").stdout


def test_a_new_session_that_cannot_start_offers_the_old_one(program, site):
    page = site.page(PAGE)
    program("open", page)
    told = program.json("--fresh", "--executable", "/bin/false", "get", "url")
    ids = [action["id"] for action in told["next"]]
    assert told["session_change"] == "preserved"
    assert ids == [
        "verify-current-managed-session",
        "snapshot-current-managed-session",
        "run-agent-browser-doctor",
        "retry-fresh-managed-session",
    ]
    seen = program.json(*told["next"][0]["params"]["args"])
    assert seen["data"] == page


def test_requests_are_counted_and_the_one_that_matters_is_offered(program, site):
    program("open", site.page("<script>fetch('/missing/part')</script><link rel=icon href='/favicon.ico'>"))
    program("wait", "for", "response", "/missing/part", "--timeout", "5")
    told = program.json("requests", "--current-page")
    [count] = [finding for finding in told["diagnostics"] if finding["kind"] == "network-requests"]
    ids = {action["id"]: action["params"]["args"] for action in told["next"]}
    assert count["actionable"] == 1
    assert ids["filter-network-requests-by-path"] == ["requests", "/missing/part"]
    assert {"trace-actionable-network-source", "start-network-har-capture"} <= ids.keys()
    assert "/missing/part" in program(*ids["inspect-actionable-network-request"]).stdout
    assert "1 actionable" in program("requests", "--current-page").stderr


async def test_an_attached_browser_is_verified_next(program, foreign_address):
    told = program.json("connect", foreign_address)
    assert [action["id"] for action in told["next"]] == [
        "verify-connected-session-url",
        "list-connected-session-tabs",
    ]
    assert all(program.json(*action["params"]["args"])["ok"] for action in told["next"])


async def test_the_tool_for_command_lines_names_its_guide_and_no_other_tool(client_with):
    client = await client_with("--tools", "argv", "--structured")
    [tool] = (await client.list_tools()).tools
    assert '["skills", "get"]' in tool.description
    guide = await client.call_tool("agent_browser", {"args": ["skills", "get"]})
    assert not guide.is_error
    assert "`act`" not in client.instructions
    assert "`dialog`" not in client.instructions
