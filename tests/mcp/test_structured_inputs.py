"""The tool `agent_browser` takes one of several inputs; each has a closed schema, and errors name the field."""

import json

import pytest

from boathook.errors import BadRequest
from boathook.surfaces.mcp.tool_catalog import read_tool_catalog, resolve_call
from tests.mcp.clients import code_of, text_of

TOOL = "agent_browser"
FORM = """<title>Form</title>
<label>Email <input id=e></label><label>Password <input type=password id=p></label>
<label>Country <select id=c><option>Germany<option>France</select></label>
<label><input type=checkbox id=t> I agree</label>
<button onclick="document.title = 'saved'">  Save   All </button><button hidden>Save all</button>
<button>Save all items</button><button title=Twice>Twin</button><button>TWIN</button>
<a href="#top"><img alt="Home page" src="data:,"></a><p data-testid=Box>box</p><input placeholder="Search here">"""


def resolved(given):
    return resolve_call(read_tool_catalog(["argv"], scripts=False).get(TOOL), given)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "an input is missing: pass one of args, semanticAction"),
        ({"stdin": "x"}, "an input is missing"),
        ({"args": ["open"], "semanticAction": {"action": "click"}}, "args and semanticAction are mutually"),
        ({"semanticAction": "click"}, "semanticAction must be an object: 'click'"),
        ({"semanticAction": {}}, "semanticAction.action is missing"),
        ({"semanticAction": {"action": "press"}}, "semanticAction.action must be one of click, fill"),
        (
            {"semanticAction": {"action": "click", "locater": "role"}},
            "semanticAction: unknown field 'locater'",
        ),
        ({"semanticAction": {"action": "click", "locator": "css"}}, "semanticAction.locator must be one of"),
        ({"semanticAction": {"action": "select", "values": []}}, "semanticAction.values is empty"),
        (
            {"semanticAction": {"action": "select", "values": [1]}},
            r"semanticAction.values\[0\] must be a str",
        ),
        ({"semanticAction": {"action": "click", "selector": "a"}, "stdin": "x"}, "stdin is only for args"),
        ({"job": {"steps": []}}, "job.steps is empty"),
        ({"job": {}}, "job.steps is missing"),
        ({"job": {"steps": [{"action": "open", "href": "x"}]}}, r"job.steps\[0\]: unknown field 'href'"),
        (
            {"job": {"steps": [{"action": "wait", "milliseconds": 0}]}},
            r"steps\[0\].milliseconds must be 1 or more",
        ),
        ({"qa": {"attached": True}, "sessionMode": "fresh"}, "sessionMode must not be fresh"),
        ({"qa": {"expectedText": 1}}, "qa.expectedText must be a string or a list: 1"),
        ({"qa": {"loadState": "commit"}}, "qa.loadState must be one of domcontentloaded, load, networkidle"),
        ({"sourceLookup": {"maxWorkspaceFiles": 5_001}}, "sourceLookup.maxWorkspaceFiles must be 1 to 5000"),
        ({"networkSourceLookup": {}}, "networkSourceLookup needs requestId, filter or url"),
        ({"args": ["open"], "outputPath": 1}, "outputPath must be a string: 1"),
        ({"args": ["open"], "timeoutMs": 0}, "timeoutMs must be 1 or more: 0"),
        ({"args": ["open"], "timeoutMs": "9"}, "timeoutMs must be an integer: '9'"),
        ({"args": ["open"], "timeoutMs": True}, "timeoutMs must be an integer: True"),
    ],
)
def test_a_wrong_input_is_refused_with_the_name_of_its_field(given, words):
    with pytest.raises(BadRequest, match=words):
        resolved(given)


def test_a_structured_input_stands_for_a_command_with_settings():
    action = {"action": "click", "locator": "text", "value": "Go", "session": "other"}
    call = resolved({"semanticAction": action, "timeoutMs": 1500, "sessionMode": "fresh"})
    assert call.argv is None
    assert (call.command, call.arguments) == ("do", {"action": "click", "locator": "text", "value": "Go"})
    assert call.settings == {"fresh": True, "timeout": 1.5, "session": "other"}


def test_the_filter_of_a_network_lookup_counts_before_its_url():
    call = resolved({"networkSourceLookup": {"url": "/b", "filter": "/a", "session": "s"}})
    assert (call.command, call.arguments) == ("source_requests", {"pattern": "/a"})
    assert call.settings == {"session": "s"}


async def act(client, **fields):
    return await client.call_tool(TOOL, {"semanticAction": fields})


async def test_a_semantic_action_takes_the_one_visible_element_with_that_whole_name(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    await client.call_tool(TOOL, {"args": ["open", site.page(FORM)]})
    saved = await act(client, action="click", locator="role", role="button", name=" save  all ")
    assert 'title is now "saved"' in text_of(saved)
    assert saved.structured_content["data"]["compiled"] == [
        "find", "role", "button", "click", "--name", " save  all ",
    ]  # fmt: skip
    steps = (
        ({"action": "fill", "locator": "label", "value": "email", "text": "ada@example.org"}, "ada@example.org"),
        ({"action": "fill", "locator": "placeholder", "value": "search HERE", "text": "ink"}, '= "ink"'),
        ({"action": "select", "locator": "label", "value": "Country", "values": ["France"]}, '= "France"'),
        ({"action": "select", "locator": "role", "role": "combobox", "name": "country", "values": ["Germany"]}, "Germany"),
        ({"action": "select", "selector": "#c", "value": "France"}, '= "France"'),
        ({"action": "check", "locator": "label", "value": "I agree"}, "= on"),
        ({"action": "uncheck", "locator": "role", "value": "checkbox", "name": "i agree"}, "= off"),
        ({"action": "click", "locator": "alt", "value": "home page"}, "click:"),
        ({"action": "click", "locator": "testid", "value": "Box"}, "click:"),
        ({"action": "click", "locator": "title", "value": "twice"}, "Twin"),
        ({"action": "click", "locator": "text", "value": "save all items"}, "Save all items"),
    )  # fmt: skip
    for fields, words in steps:
        done = await act(client, **fields)
        assert not done.is_error, (fields, text_of(done))
        assert words in text_of(done), fields


async def test_a_semantic_action_that_fits_no_element_or_several_does_nothing(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    await client.call_tool(TOOL, {"args": ["open", site.page(FORM)]})
    wanted = {"action": "click", "locator": "role", "role": "button", "name": "Save"}
    part = await client.call_tool(TOOL, {"semanticAction": wanted, "timeoutMs": 1_000})
    assert code_of(part) == "target_not_found", "a part of a name is not enough"
    both = await client.call_tool(
        TOOL, {"args": ["--matches", "first", "do", "click", "role", "button", "--name", "twin"]}
    )
    assert code_of(both) == "ambiguous_target", "also for a caller that usually takes the first"
    await client.call_tool(TOOL, {"args": ["open", site.page(FORM + "<button>Email</button>")]})
    field = await act(client, action="fill", locator="label", value="email", text="x")
    assert not field.is_error, "a button that is named like the label of a field is not meant"
    assert code_of(await act(client, action="click", locator="label", value="email")) == "ambiguous_target"
    secret = await act(client, action="fill", locator="label", value="Password", text="swordfish-7")
    assert not secret.is_error
    assert "swordfish-7" not in repr(secret)


WRONG_FIELDS = (
        ({"action": "click", "locator": "text", "value": "x", "text": "y"}, "text is only for fill, not for click"),
        ({"action": "fill", "locator": "label", "value": "x"}, "fill needs text"),
        ({"action": "click"}, "locator is missing"),
        ({"action": "click", "locator": "label"}, "value is empty"),
        ({"action": "click", "locator": "label", "value": "  "}, "value is empty"),
        ({"action": "click", "locator": "label", "value": "x", "role": "y"}, "role is only for locator role"),
        ({"action": "click", "locator": "label", "value": "x", "name": "y"}, "name is only for locator role"),
        ({"action": "click", "locator": "role", "value": "x", "role": "y"}, "role and value differ"),
        ({"action": "click", "locator": "role", "value": "button", "name": " "}, "name is empty"),
        ({"action": "click", "selector": "a", "locator": "text"}, "locator and selector are mutually exclusive"),
        ({"action": "click", "selector": "a", "value": "x"}, "value and selector are mutually exclusive"),
        ({"action": "click", "selector": " "}, "selector is empty"),
        ({"action": "click", "selector": "a", "values": ["x"]}, "values is only for select"),
        ({"action": "select", "selector": "a"}, "select needs value or values"),
        ({"action": "select", "selector": "a", "value": "x", "values": ["y"]}, "value and values are mutually"),
        ({"action": "select", "locator": "text", "value": "x", "values": ["y"]}, "locator text is not for select"),
        ({"action": "select", "locator": "role", "role": "button", "name": "x", "values": ["y"]}, "role must be"),
        ({"action": "select", "locator": "role", "role": "listbox", "values": ["y"]}, "name is missing"),
        ({"action": "select", "locator": "label", "value": "x"}, "values is missing"),
)  # fmt: skip


async def test_fields_that_do_not_go_together_are_named(client_with):
    client = await client_with("--tools", "argv", "--structured")
    for fields, words in WRONG_FIELDS:
        refused = await act(client, **fields)
        assert code_of(refused) == "bad_request", fields
        assert words in text_of(refused)


async def test_a_job_is_run_as_one_call_and_ends_in_time(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    steps = [{"action": "open", "url": site.page(FORM)}, {"action": "assertText", "text": "Country"}]
    done = await client.call_tool(TOOL, {"job": {"steps": steps}})
    assert not done.is_error, text_of(done)
    assert text_of(done).count("== ") == len(steps)
    late = {"job": {"steps": [{"action": "assertText", "text": "Never"}, *steps]}, "timeoutMs": 300}
    stopped = await client.call_tool(TOOL, late)
    assert stopped.is_error
    assert "timed_out" in text_of(stopped)
    assert text_of(stopped).count(": not run") == len(steps)
    wrong = await client.call_tool(TOOL, {"job": {"steps": [{"action": "open", "url": "x", "text": "y"}]}})
    assert "step 1: open has no field 'text'" in text_of(wrong)


async def test_qa_returns_a_verdict_and_a_failed_one_is_an_error(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    page = site.page(FORM)
    passed = await client.call_tool(
        TOOL, {"qa": {"url": page, "expectedText": "Country", "loadState": "load"}}
    )
    assert not passed.is_error, text_of(passed)
    assert passed.structured_content["data"]["passed"] is True
    wanted = {"attached": True, "expectedText": ["Country", "Nowhere"], "expectedSelector": "#e"}
    failed = await client.call_tool(TOOL, {"qa": wanted, "timeoutMs": 1_200})
    assert failed.is_error
    assert failed.structured_content["category"] == "qa-failure"
    verdict = failed.structured_content["data"]
    assert [check["check"] for check in verdict["failedChecks"]] == ["text 'Nowhere'"]
    assert verdict["summary"] == "1 of 3 checks failed"
    both = await client.call_tool(TOOL, {"qa": {"attached": True, "url": page}})
    assert "url and attached are mutually exclusive" in text_of(both)


async def test_sources_are_looked_up_in_the_working_directory(client_with, home, site):
    client = await client_with("--tools", "argv", "--structured")
    (home.work / "Found.tsx").write_text("export const Found = () => fetch('/api/lookup');")
    page = site.page(
        "<b data-file=Found.tsx:1>x</b><script>fetch('/api/lookup').then((got) => got.text())</script>"
    )
    await client.call_tool(TOOL, {"args": ["open", page]})
    await client.call_tool(TOOL, {"args": ["wait", "for", "response", "/api/lookup", "--since", "0"]})
    element = await client.call_tool(TOOL, {"sourceLookup": {"selector": "b"}})
    found = element.structured_content["data"]
    assert (found["status"], found["candidates"][0]["file"]) == ("candidates-found", "Found.tsx")
    named = await client.call_tool(TOOL, {"sourceLookup": {"componentName": "Found"}})
    assert named.structured_content["data"]["candidates"][0]["source"] == "workspace-search"
    request = await client.call_tool(TOOL, {"networkSourceLookup": {"url": "/api/lookup"}})
    assert request.structured_content["data"]["status"] == "failed-requests-found"
    nothing = await client.call_tool(TOOL, {"sourceLookup": {}})
    assert code_of(nothing) == "bad_request"


async def test_a_request_is_looked_up_by_its_id(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    await client.call_tool(
        TOOL,
        {
            "args": [
                "open",
                site.page(
                    "<script>for (const name of ['one', 'two']) fetch('/api/' + name).then((got) => got.text())</script>"
                ),
            ]
        },
    )
    await client.call_tool(TOOL, {"args": ["wait", "for", "response", "/api/two", "--since", "0"]})
    listed = await client.call_tool(TOOL, {"args": ["requests", "/api/two"]})
    number = listed.structured_content["data"][0]["number"]
    found = await client.call_tool(TOOL, {"networkSourceLookup": {"requestId": number}})
    [request] = found.structured_content["data"]["failedRequests"]
    assert request["url"].endswith("/api/two")


async def test_the_result_is_also_written_to_a_file_that_the_policy_allows(client_with, home, site):
    client = await client_with("--tools", "argv", "--structured")
    await client.call_tool(TOOL, {"args": ["open", site.page(FORM, title="Form")]})
    done = await client.call_tool(TOOL, {"args": ["snapshot"], "outputPath": "@out/page.json"})
    file = done.structured_content["outputFile"]
    written = (home.work / "out/page.json").read_bytes()
    assert (file["status"], file["source"], file["bytes"]) == ("saved", "data", len(written))
    assert file["absolutePath"] == str(home.work / "out/page.json")
    assert "Save All" in json.loads(written)["text"]
    for given in (
        {"args": ["get", "title"], "outputPath": "/var/outside.txt"},
        {"args": ["get", "title", "--output", "/var/outside.txt"]},
        {"qa": {"attached": True}, "outputPath": "../../../../../../../var/outside.txt"},
    ):
        refused = await client.call_tool(TOOL, given)
        assert code_of(refused) == "policy_blocked", text_of(refused)


async def test_standard_input_is_refused_where_it_would_be_ignored(client_with, site):
    client = await client_with("--tools", "argv", "--evaluate-enabled")
    await client.call_tool(TOOL, {"args": ["open", site.page("x", title="Input")]})
    for args in (["open", "about:blank"], ["eval", "1"], ["get", "title"]):
        refused = await client.call_tool(TOOL, {"args": args, "stdin": "2"})
        assert "does not read standard input" in text_of(refused), args
    read = await client.call_tool(TOOL, {"args": ["eval", "--stdin"], "stdin": "6 * 7"})
    assert text_of(read) == "42"
    moved = await client.call_tool(TOOL, {"args": ["eval", "--stdin", "6", "*", "8"]})
    assert text_of(moved) == "48"
    steps = await client.call_tool(TOOL, {"args": ["batch"], "stdin": '[["get", "title"]]'})
    assert "== get title: ok" in text_of(steps)


async def test_version_help_and_json_are_answered_as_they_are_asked_for(client_with, site):
    client = await client_with("--tools", "argv", "--structured")
    for word in ("--version", "-V"):
        version = await client.call_tool(TOOL, {"args": [word]})
        assert text_of(version).startswith("boathook ")
        assert version.structured_content["category"] == "inspection"
    await client.call_tool(TOOL, {"args": ["open", site.page("x", title="Data")]})
    answer = json.loads(text_of(await client.call_tool(TOOL, {"args": ["--json", "get", "title"]})))
    assert (answer["ok"], answer["data"]) == (True, "Data")
    failed = await client.call_tool(TOOL, {"args": ["get", "text", "#none", "--json", "--timeout", "1"]})
    assert failed.is_error
    assert json.loads(text_of(failed))["error"]["code"] == "target_not_found"
