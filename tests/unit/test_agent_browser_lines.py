"""Lines of agent-browser, as they are written by agents, and what they run here."""

import shlex

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest
from boathook.service.agent_browser.mode import our_variables
from boathook.service.agent_browser.read_line import read_their_line
from boathook.service.agent_browser.rules import PLAIN_SNAPSHOT
from boathook.service.input.command_line import table_of

TABLE = table_of(catalogue())
LINES = {
    "fill @e2 hello world": ("fill", {"target": "@e2", "value": "hello world"}, {}),
    "fill e2 '--json-ish -x'": ("fill", {"target": "@e2", "value": "--json-ish -x"}, {}),
    "fill '#q' help": ("fill", {"target": "#q", "value": "help"}, {}),
    "type ref=e2 abc --delay 5 --clear": (
        "type",
        {"target": "@e2", "text": "abc", "delay": 5, "clear": True},
        {},
    ),
    "wait 1500": ("wait_until", {"what": "1500ms"}, {}),
    "wait --load networkidle --timeout 50": ("wait_until", {"load": "networkidle", "timeout": 0.05}, {}),
    "wait '#spinner' --state hidden": ("wait_until", {"what": "#spinner", "state": "hidden"}, {}),
    "get html main": ("get_html", {"target": "main", "inner": True}, {}),
    "--session shop --json get title": ("title", {}, {"session": "shop", "json": True}),
    "get title --json --session shop": ("title", {}, {"session": "shop", "json": True}),
    "--restore shop open example.org": ("goto", {"url": "example.org"}, {"restore": "shop"}),
    "--restore open example.org": ("goto", {"url": "example.org"}, {"restore": "@session"}),
    "--headed false open example.org": ("goto", {"url": "example.org"}, {"headed": False}),
    "--tab t2 get url": ("url", {}, {"tab": "t2"}),
    "open example.org --state login.json": ("goto", {"url": "example.org"}, {"state": "login.json"}),
    '--headers \'{"A": "1"}\' open example.org': ("goto", {"url": "example.org", "headers": {"A": "1"}}, {}),
    "find role button click --name Submit --exact": (
        "find",
        {"by": "role", "value": "button", "words": ["click"], "name": "Submit", "exact": True},
        {},
    ),
    "snapshot @e9 -i": ("snapshot", {"root": "@e9", **PLAIN_SNAPSHOT}, {}),
    "eval document.title": ("evaluate", {"script": "document.title", "world": "main"}, {}),
    "eval --stdin": ("evaluate", {"script": "-", "world": "main"}, {}),
    "tab": ("pages", {}, {}),
    "tab t2": ("tab_or_list", {"name": "t2"}, {}),
    "state list": ("state_list", {}, {}),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_runs_the_command_that_does_the_same(line):
    parsed = read_their_line(shlex.split(line), TABLE).parsed
    assert (parsed.command.name, parsed.arguments, parsed.settings) == LINES[line]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("goto", "missing_arguments"),
        ("get", "missing_arguments"),
        ("get nothing", "unknown_subcommand"),
        ("bogus", "unknown_command"),
        ("find bogus x", "unknown_subcommand"),
        ("--json", "unknown_command"),
    ],
)
def test_a_mistake_has_its_kind(line, kind):
    with pytest.raises(BadRequest) as refused:
        read_their_line(shlex.split(line), TABLE)
    assert refused.value.evidence["type"] == kind


def test_variables_are_translated_and_ours_win():
    given = {
        "AGENT_BROWSER_SESSION": "a",
        "AGENT_BROWSER_EXECUTABLE_PATH": "/x",
        "AGENT_BROWSER_DEFAULT_TIMEOUT": "2500",
        "AGENT_BROWSER_ARGS": "--no-sandbox",
        "BOATHOOK_SESSION": "b",
    }
    ours = {name: value for name, value in our_variables(given).items() if name.startswith("BOATHOOK_")}
    assert ours == {"BOATHOOK_SESSION": "b", "BOATHOOK_EXECUTABLE": "/x", "BOATHOOK_TIMEOUT": "2500ms"}
