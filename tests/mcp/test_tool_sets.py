"""Tool sets follow from the commands: their schemas are the commands' parameters, and the small one stays small."""

import json
import re

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest
from boathook.registry.tool_schemas import catalogue_of_tools, parameter_schema
from boathook.registry.tool_sets import CORE
from boathook.surfaces.mcp.instructions import instructions_for
from boathook.surfaces.mcp.prompts import PROMPTS
from boathook.surfaces.mcp.tool_catalog import CATALOGUE, read_tool_catalog, resolve_call
from tests.mcp.clients import tokens

COMMANDS = catalogue()
TOOLS = catalogue_of_tools(COMMANDS)
CORE_NAMES = [
    "open",
    "tabs",
    "close",
    "goto",
    "snapshot",
    "act",
    "batch",
    "wait",
    "read",
    "screenshot",
    "dialog",
    "logs",
]


def tool_catalog(*words, scripts=True):
    return read_tool_catalog(words, scripts=scripts)


def test_the_catalogue_on_disk_is_current():
    assert json.loads(CATALOGUE.read_text()) == TOOLS


def test_core_has_twelve_tools_in_this_order():
    assert [tool.name for tool in tool_catalog("core")] == CORE_NAMES


def test_full_has_a_tool_for_every_command_but_those_that_speak_for_a_person():
    everything = read_tool_catalog(["full"], scripts=True, programs=True)
    behind = {name for tool in everything for name in tool.kinds.values()}
    reachable = {name for name, command in COMMANDS.items() if not command.cli_only and not command.tool_set}
    for_people = {"auth_delete", "auth_save", "clean", "install", "state_rotate"}
    assert reachable - behind == {"confirm", "deny", "inspect", *for_people}
    assert len(tool_catalog("full")) > 80


def test_families_and_single_tools_are_taken_together_and_in_a_lasting_order():
    names = [tool.name for tool in tool_catalog("upload", "storage", "core")]
    assert names[:12] == CORE_NAMES
    assert {"upload", "cookies", "set_storage"} <= set(names)
    assert names == [tool.name for tool in tool_catalog("core", "upload", "storage", "core")]
    assert [tool.name for tool in tool_catalog("console")] == [tool.name for tool in tool_catalog("watch")]
    assert {"requests", "network_route", "har_start"} <= {tool.name for tool in tool_catalog("network")}


def test_an_unknown_set_is_named():
    with pytest.raises(BadRequest, match=r"no such tool set: 'cores'.*did you mean core"):
        tool_catalog("cores")


@pytest.mark.parametrize("tool", TOOLS["tools"].values(), ids=lambda tool: tool["name"])
def test_a_tool_shows_parameters_of_its_commands_and_no_others(tool):
    schema = tool["inputSchema"]
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema.get("required", ())) <= set(schema["properties"])
    assert tool["title"]
    assert set(tool["annotations"]) == {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
    if "kinds" not in tool:
        return
    members = [COMMANDS[name] for name in tool["kinds"].values()]
    own = {"session", "tab"} | ({"kind"} if "" not in tool["kinds"] else set())
    for name, shown in schema["properties"].items():
        if name in own:
            continue
        declared = [member.parameter(name) for member in members if member.parameter(name) is not None]
        assert shown == parameter_schema(declared[0])
    for member in members:
        missing = {p.name for p in member.parameters if p.required} - set(schema["properties"])
        assert not missing, f"{member.name} could not be called"


def test_a_schema_says_types_bounds_choices_and_defaults():
    act = TOOLS["tools"]["act"]["inputSchema"]["properties"]
    assert act["count"]["minimum"] == 1
    assert act["count"]["type"] == "integer"
    assert act["button"]["enum"] == ["left", "right", "middle"]
    assert act["wanted"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": act["wanted"]["description"],
    }
    assert TOOLS["tools"]["click"]["inputSchema"]["required"] == ["target"]
    assert TOOLS["tools"]["snapshot"]["annotations"]["readOnlyHint"] is True
    assert TOOLS["tools"]["act"]["annotations"]["readOnlyHint"] is False


def test_tools_that_run_scripts_are_left_out_where_scripts_are_off():
    off, on = tool_catalog("full", scripts=False), tool_catalog("full", scripts=True)
    left_out = {tool.name for tool in on} - {tool.name for tool in off}
    assert left_out == {"evaluate", "wait_for_function", "add_init_script"}
    programs = {tool.name for tool in read_tool_catalog(["full"], scripts=True, programs=True)} - {
        tool.name for tool in on
    }
    assert programs == {command.name for command in COMMANDS.values() if command.group == "scripts"} != set()


def test_what_a_call_means():
    tools = tool_catalog("core")
    act = tools.get("act")
    click = resolve_call(act, {"kind": "click", "target": "@e1", "session": "shop", "tab": "t2"})
    assert (click.command, click.arguments, click.settings) == (
        "click",
        {"target": "@e1"},
        {"session": "shop", "tab": "t2"},
    )
    assert resolve_call(tools.get("goto"), {"kind": "back"}).command == "back"
    assert resolve_call(tools.get("goto"), {"url": "x"}).command == "goto"
    assert resolve_call(tools.get("screenshot"), {}).arguments == {"for_model": True}
    assert resolve_call(tools.get("close"), {"kind": "session"}).command == "session_close"


@pytest.mark.parametrize(
    ("name", "given", "words"),
    [
        ("act", {"kind": "click", "tarhet": "x"}, "did you mean target"),
        ("act", {"target": "x"}, "kind must be one of .* missing"),
        ("act", {"kind": "explode"}, "not 'explode'"),
        ("act", {"kind": ["click"]}, "kind must be one of"),
        ("snapshot", {"session": 7}, "session must be a string"),
        ("snapshot", {"kind": "x"}, "unknown parameter 'kind'"),
        ("snapshot", {"for_model": True}, "unknown parameter 'for_model'"),
        ("snapshot", {"search": "x" * (5 << 20)}, "arguments too long"),
    ],
)
def test_arguments_that_are_not_of_the_tool_are_named(name, given, words):
    with pytest.raises(BadRequest, match=words):
        resolve_call(tool_catalog("core").get(name), given)


def test_words_are_taken_as_they_are():
    tool = tool_catalog("argv").get("agent_browser")
    assert resolve_call(tool, {"args": ["open", "a;b"]}).argv == ["open", "a;b"]
    assert resolve_call(tool, {"args": ["batch"], "stdin": "[]"}).stdin == "[]"
    assert resolve_call(tool, {"args": ["open"], "sessionMode": "fresh"}).settings == {"fresh": True}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "an input is missing"),
        ({"args": []}, "args must be a list"),
        ({"args": "open x"}, "args must be a list"),
        ({"args": ["open", 1]}, "args must be a list"),
        ({"args": ["open", "x", "&&", "snapshot"]}, "shell operator"),
        ({"args": ["snapshot", ">", "file"]}, "shell operator"),
        ({"args": ["boathook", "open"]}, "omit it"),
        ({"args": ["open"], "sessionMode": "new"}, "sessionMode must be one of auto, fresh"),
        ({"args": ["batch"], "stdin": ["x"]}, "stdin must be a string"),
        ({"args": ["open"], "script": "x"}, "unknown parameter 'script'"),
    ],
)
def test_words_that_are_none_are_refused(given, words):
    with pytest.raises(BadRequest, match=words):
        resolve_call(tool_catalog("argv").get("agent_browser"), given)


def test_every_tool_of_core_is_named_once():
    assert len({tool.name for tool in CORE}) == len(CORE)


def test_core_costs_a_model_at_most_1800_tokens():
    seen = [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.input_schema}
        for tool in tool_catalog("core", scripts=False)
    ]
    cost = tokens(json.dumps(seen, ensure_ascii=False, separators=(",", ":")))
    assert 500 < cost <= 1_800


@pytest.mark.parametrize(
    "words", ["core", "full", "argv", "single", "direct", "named", "scripted", "storage"]
)
def test_the_instructions_name_only_tools_that_are_offered_and_cost_at_most_300_tokens(words):
    tools = read_tool_catalog([words], scripts=True, programs=True)
    said = instructions_for(tools)
    assert 50 < tokens(said) <= 300
    known = {tool.name for tool in tools} | {name for tool in tools for name in tool.parameters} | {"state"}
    assert set(re.findall(r"`(\w+)`", said)) <= known
    for args in re.findall(r'\["(\w+)"', said):
        assert "args" in known, args


@pytest.mark.parametrize(
    ("words", "said"),
    [("core", "`dialog`"), ("single", "the action dialog"), ("direct", "`browser_dialog`"), ("named", None)],
)
def test_instructions_say_how_to_answer_dialogs_where_a_tool_can(words, said):
    told = instructions_for(tool_catalog(words))
    assert ("An open dialog blocks its page" in told) is (said is not None)
    assert said is None or f"answer it with {said}." in told


@pytest.mark.parametrize("prompt", PROMPTS.values(), ids=lambda prompt: prompt.name)
def test_a_prompt_needs_the_tools_that_its_text_names(prompt):
    words = set(re.findall(r"`(\w+)`", prompt.text)) - {"tables"}
    assert words <= set(prompt.tools)
