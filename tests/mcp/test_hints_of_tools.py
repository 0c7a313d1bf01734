"""Hints over MCP use the terms of the offered tools."""

import pytest

from tests.mcp.clients import text_of

ASK = "<button onclick=\"document.title = confirm('sure?')\">Ask</button>"


@pytest.mark.parametrize(
    ("tools", "call", "said", "unsaid"),
    [
        ("core", ("close", {"kind": "session", "session": "nobody"}), "is not running", "session list"),
        (
            "core",
            ("close", {"kind": "session", "session": "nobody"}),
            'goto {"url": "URL"} starts one',
            "boathook",
        ),
        ("full", ("session_close", {"session": "nobody"}), "starts one", "boathook open"),
        (
            "argv",
            ("agent_browser", {"args": ["--session", "nobody", "close"]}),
            '{"args": ["open", "URL"]}',
            "boathook",
        ),
        ("core", ("act", {"kind": "click"}), "click needs target", "usage: boathook"),
        ("core", ("act", {"kind": "click"}), "act takes button, count", "usage: boathook"),
        ("argv", ("agent_browser", {"args": ["click"]}), "args: click <target> [options]", "usage: boathook"),
        ("argv", ("agent_browser", {"args": ["clik", "x"]}), "did you mean", "boathook"),
        ("core", ("wait", {}), "a time, text, url, load)", "--text"),
    ],
)
async def test_a_hint_names_the_tools_of_the_set(client_with, tools, call, said, unsaid):
    client = await client_with("--tools", tools)
    refused = await client.call_tool(*call)
    assert refused.is_error
    assert said in text_of(refused)
    assert unsaid not in text_of(refused)


async def test_a_dialog_is_answered_with_the_words_of_each_surface(home, site):
    page = site.page(ASK)
    home.say("--session", "asked", "open", page)
    home.say("--session", "asked", "click", "text=Ask")
    assert (
        "boathook dialog accept or boathook dialog dismiss"
        in home.say("--session", "asked", "get", "title").stderr
    )
    async with home.client("--session", "asked") as client:
        assert 'dialog {"accept": true}' in text_of(await client.call_tool("read", {}))
    async with home.client("--session", "asked", "--tools", "single") as client:
        blocked = text_of(await client.call_tool("browser", {"action": "content"}))
        assert "answer it first" in blocked
        assert "dialog accept" not in blocked
        assert "accept_dialog" not in blocked
    home.say("--session", "asked", "dialog", "dismiss")
    home.say("--session", "asked", "close")
