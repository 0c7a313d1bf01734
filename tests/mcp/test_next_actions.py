"""Next actions over MCP are calls that the client can make, with their ids; what its tools cannot express is left out."""

import json
import re

import pytest

from tests.mcp.clients import tab_of, text_of

TWO = "<button>Go</button><button>Go</button>"
ASK = "<button onclick=\"document.title = confirm('sure?')\">Ask</button>"
POPUP = "<a href='/given/0' target=_blank>Elsewhere</a>"
NEXT = re.compile(r"^next: (?:(\w+) ?)?(\{.*\})? ?\[([\w-]+)(, unsafe)?\]$", re.MULTILINE)
AMBIGUOUS: dict[str, tuple[str, dict[str, object]]] = {
    "core": ("act", {"kind": "click", "target": "text=Go"}),
    "full": ("click", {"target": "text=Go"}),
    "argv": ("agent_browser", {"args": ["click", "text=Go"]}),
    "single": ("browser", {"action": "act", "act_kind": "click", "element_ref": "e99999"}),
}
OPENING = {
    "core": lambda url: ("open", {"url": url}),
    "full": lambda url: ("open", {"url": url}),
    "argv": lambda url: ("agent_browser", {"args": ["open", url]}),
    "single": lambda url: ("browser", {"action": "navigate", "url": url}),
}


def actions_of(result, *, only_tool=""):
    """The calls that an answer proposes, by their ids: tool, arguments, and whether they are marked as unsafe."""
    return {
        id: (tool or only_tool, json.loads(arguments or "{}"), bool(unsafe))
        for tool, arguments, id, unsafe in NEXT.findall(text_of(result))
    }


@pytest.mark.parametrize("tools", list(AMBIGUOUS))
async def test_every_proposed_call_is_one_that_the_server_takes(client_with, site, tools):
    client = await client_with("--tools", tools)
    opened = await client.call_tool(*OPENING[tools](site.page(TWO)))
    assert not opened.is_error, text_of(opened)
    failed = await client.call_tool(*AMBIGUOUS[tools])
    assert failed.is_error
    proposed = actions_of(failed, only_tool="agent_browser" if tools == "argv" else "")
    assert "refresh-interactive-refs" in proposed, text_of(failed)
    assert text_of(failed).count("next: ") == len(proposed), "each line is a call with an id"
    for id, (tool, arguments, unsafe) in proposed.items():
        assert unsafe is id.startswith("try-"), "what acts is marked"
        answer = await client.call_tool(tool, arguments)
        assert not answer.is_error, (tool, arguments, text_of(answer))


async def test_a_misspelled_target_is_followed_by_the_call_with_the_nearest_element(home, site):
    async with home.client() as client:
        page = site.page("<button onclick=\"this.textContent = 'Done'\">Save order</button>")
        await client.call_tool("open", {"url": page})
        failed = await client.call_tool("act", {"kind": "click", "target": "text=Svae order"})
        tool, arguments, unsafe = actions_of(failed)["try-button-name-candidate"]
        assert unsafe
        assert "Done" in text_of(await client.call_tool(tool, arguments))


async def test_the_same_call_is_offered_on_each_candidate_with_the_tools_own_parameters(home, site):
    async with home.client() as core, home.client("--tools", "argv") as words:
        await core.call_tool("open", {"url": site.page(TWO)})
        offered = actions_of(await core.call_tool(*AMBIGUOUS["core"]))
        tool, arguments, unsafe = offered["try-current-visible-ref-2"]
        assert (tool, arguments["kind"], unsafe) == ("act", "click", True)
        assert re.fullmatch(r"@e\d+", arguments["target"])
        await words.call_tool("agent_browser", {"args": ["open", site.page(TWO)]})
        failed = await words.call_tool(*AMBIGUOUS["argv"])
        _, arguments, _ = actions_of(failed)["try-current-visible-ref-1"]
        assert arguments["args"][0] == "click"


async def test_a_direct_tool_is_proposed_with_the_browser_that_was_meant(client_with, site, foreign_address):
    client = await client_with("--tools", "direct")
    place = {"browser_url": foreign_address}
    await client.call_tool("browser_navigate", {**place, "url": site.page(TWO)})
    failed = await client.call_tool("browser_click", {**place, "uid": 99_999})
    proposed = actions_of(failed)
    tool, arguments, _ = proposed["refresh-interactive-refs"]
    assert (tool, arguments) == ("browser_snapshot", place)
    assert not (await client.call_tool(tool, arguments)).is_error


async def test_an_open_dialog_is_answered_by_the_tool_for_it(home, site):
    page = site.page(ASK)
    async with home.client() as client:
        await client.call_tool("open", {"url": page})
        asked = await client.call_tool("act", {"kind": "click", "target": "text=Ask"})
        assert actions_of(asked) == {
            "accept-dialog": ("dialog", {"accept": True}, True),
            "dismiss-dialog": ("dialog", {"accept": False}, True),
        }
        blocked = await client.call_tool("act", {"kind": "click", "target": "text=Ask"})
        assert "[dialog_open]" in text_of(blocked)
        assert set(actions_of(blocked)) == {"accept-dialog", "dismiss-dialog"}
        assert not (await client.call_tool("dialog", {"accept": False})).is_error
    async with home.client("--tools", "single") as client:
        await client.call_tool("browser", {"action": "navigate", "url": page})
        listed = text_of(await client.call_tool("browser", {"action": "snapshot"}))
        button = re.search(r"(e\d+): \[button\]", listed)[1]
        asked = await client.call_tool(
            "browser", {"action": "act", "act_kind": "click", "element_ref": button}
        )
        assert "sure?" in text_of(asked), "the control: the dialog is told"
        assert actions_of(asked) == {
            "accept-dialog": ("browser", {"action": "dialog", "accept": True}, True),
            "dismiss-dialog": ("browser", {"action": "dialog", "accept": False}, True),
        }


async def test_a_page_or_a_tab_that_was_opened_is_looked_at_next(home, site):
    async with home.client() as client:
        opened = await client.call_tool("open", {"url": site.page(POPUP)})
        assert actions_of(opened) == {"inspect-opened-page": ("snapshot", {}, False)}
        clicked = await client.call_tool("act", {"kind": "click", "target": "text=Elsewhere"})
        tool, arguments, _ = actions_of(clicked)["switch-to-opened-tab"]
        assert tool == "snapshot"
        assert arguments["tab"] != tab_of(opened)
        assert f"tab={arguments['tab']} " in text_of(await client.call_tool(tool, arguments))


async def test_a_call_in_a_session_of_another_name_proposes_calls_in_that_session(client_with, site):
    client = await client_with()
    await client.call_tool("open", {"url": site.page(TWO), "session": "elsewhere"})
    failed = await client.call_tool("act", {**AMBIGUOUS["core"][1], "session": "elsewhere"})
    assert actions_of(failed)["refresh-interactive-refs"][1] == {"session": "elsewhere"}
    await client.call_tool("close", {"kind": "session", "session": "elsewhere"})


async def test_structured_content_proposes_the_same_calls(client_with, site):
    client = await client_with("--structured")
    await client.call_tool("open", {"url": site.page(TWO)})
    failed = await client.call_tool(*AMBIGUOUS["core"])
    told = {
        item["id"]: (item["tool"], item["params"], not item["safe"])
        for item in failed.structured_content["next"]
    }
    assert told == actions_of(failed)
    assert all(item["reason"] for item in failed.structured_content["next"])
    busy = await client.call_tool("close", {"kind": "session", "session": "missing"})
    assert busy.structured_content["error"]["code"] == "no_such_session"
    assert "next" not in busy.structured_content, "core has no tool that lists sessions"


def test_on_the_command_line_a_next_line_has_the_reason_and_the_id(home, site):
    home.say("--session", "lines", "open", site.page(TWO))
    said = home.say("--session", "lines", "click", "text=Go").stderr
    home.say("--session", "lines", "close")
    assert re.search(
        r"^next: boathook --session lines snapshot   \(see what is on the page now\) \[refresh-interactive-refs\]$",
        said,
        re.MULTILINE,
    )
