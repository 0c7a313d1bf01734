"""Action policies, verb by category: every command is stopped by its own category and by no other; examples do as documented."""

import json
import os
import re
import signal
from pathlib import Path

import pytest

from boathook.commands import catalogue
from boathook.errors import BadSetting
from boathook.registry.registry import Scope
from boathook.service.call import Call
from boathook.service.policy.action_rules import ActionRules, read_rules
from boathook.service.policy.categories import ALWAYS, CATEGORIES, categories_of
from boathook.service.policy.decision import Allow, Ask, Deny, decide
from boathook.service.policy.enforcement import check
from boathook.service.policy.policy import Policy
from boathook.service.surface import Surface
from tests.support.program import Program
from tests.support.waiting import until

COMMANDS = catalogue()
NEVER_STOPPED = {
    name
    for name, command in COMMANDS.items()
    if command.runs_commands
    or (not categories_of(command) and (command.group in ALWAYS or command.scope is Scope.HOST))
}
DOCS = Path(__file__).resolve().parents[2] / "docs/policy.md"


def decided(name, arguments=None, **rules):
    policy = Policy(rules=(ActionRules(source="policy.json", **rules),))
    return decide(policy, COMMANDS[name], arguments or {}, surface=Surface.COMMAND_LINE)


@pytest.mark.parametrize("name", sorted(COMMANDS.keys() - NEVER_STOPPED))
def test_a_verb_is_stopped_by_its_category_and_only_by_it(name):
    stopping = {word for word in CATEGORIES if isinstance(decided(name, deny=frozenset({word})), Deny)}
    assert len(stopping) == (2 if name == "auth_login" else 1), "it also opens a URL"
    asking = {word for word in CATEGORIES if isinstance(decided(name, confirm=frozenset({word})), Ask)}
    assert asking == stopping
    assert isinstance(decided(name, default="deny"), Deny)
    assert isinstance(decided(name, default="deny", allow=frozenset(stopping)), Allow)
    others = frozenset(CATEGORIES) - stopping
    assert isinstance(decided(name, default="deny", allow=others), Deny)
    assert isinstance(decided(name, allow=others), Allow), "the control: nothing is said about it"


def test_what_ends_and_lists_sessions_is_never_stopped():
    assert {"session_close", "session_list", "doctor", "batch", "confirm", "deny"} <= NEVER_STOPPED
    for name in NEVER_STOPPED:
        assert isinstance(decided(name, default="deny", deny=frozenset(CATEGORIES)), Allow), name


@pytest.mark.parametrize(
    ("name", "arguments", "categories"),
    [
        ("find", {"by": "role", "value": "button", "words": ("click",)}, {"click"}),
        ("find", {"by": "role", "value": "button", "words": ()}, {"click"}),
        ("find", {"by": "label", "value": "Email", "words": ("fill", "x")}, {"fill"}),
        ("find", {"by": "nth", "value": "2", "words": (".card", "text")}, {"get"}),
        ("find", {"by": "text", "value": "x", "words": ("hover",)}, {"interact"}),
        ("wait_until", {"fn": "1"}, {"eval"}),
        ("wait_until", {"text": "Done"}, {"wait"}),
        ("wait_for_function", {"script": "1"}, {"eval"}),
        ("tab_new", {"url": "https://example.org"}, {"tabs", "navigate"}),
        ("tab_new", {"url": None}, {"tabs"}),
        ("goto", {"url": "https://example.org"}, {"navigate"}),
    ],
)
def test_what_a_command_counts_as_follows_its_arguments(name, arguments, categories):
    assert categories_of(COMMANDS[name], arguments) == categories
    for category in categories:
        assert isinstance(decided(name, arguments, deny=frozenset({category})), Deny)
    allowed = decided(name, arguments, default="deny", allow=frozenset(categories))
    assert isinstance(allowed, Allow)


def test_deny_comes_before_confirm_before_allow_and_commands_can_be_named():
    every = {"allow": frozenset({"click"}), "confirm": frozenset({"click"})}
    assert isinstance(decided("click", **every), Ask)
    assert isinstance(decided("click", **every, deny=frozenset({"click"})), Deny)
    assert isinstance(decided("type", default="deny", allow=frozenset({"type"})), Allow)
    assert isinstance(decided("fill", default="deny", allow=frozenset({"type"})), Deny)
    assert isinstance(decided("session_list", deny=frozenset({"session list"})), Deny)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        (None, "cannot be read"),
        ("{", "is not JSON"),
        ("[]", "is not an object"),
        ('{"denied": []}', "has the unknown key 'denied'"),
        ('{"default": "no"}', "default 'no'"),
        ('{"deny": "eval"}', "must be a list of strings"),
        ('{"deny": ["evaluation"]}', "policy.json: 'evaluation'"),
        ('{"deny": ["x' + "x" * 200_000, "longer than"),
    ],
)
def test_a_file_that_cannot_be_understood_stops_everything_but_closing(tmp_path, text, wrong):
    path = tmp_path / "policy.json"
    if text is not None:
        path.write_text(text)
    settings = {"action_policy": str(path)}
    with pytest.raises(BadSetting, match=re.escape(wrong)):
        check(Call(command=COMMANDS["url"], arguments={}, settings=settings), {})
    closing = Call(command=COMMANDS["session_close"], arguments={}, settings=settings)
    assert check(closing, {})[0].rules == ()


def documented():
    """The policies that the documentation shows."""
    return [
        block
        for block in re.findall(r"```json.*?\n(.*?)```", DOCS.read_text(), re.DOTALL)
        if "default" in block
    ]


def test_documented_policies_are_understood(tmp_path):
    assert len(documented()) >= 2
    for block in documented():
        path = tmp_path / "policy.json"
        path.write_text(block)
        call = Call(command=COMMANDS["url"], arguments={}, settings={"action_policy": str(path)})
        assert check(call, {})[0].rules == (read_rules(str(path)),)


def test_every_category_is_documented():
    text = DOCS.read_text()
    assert [name for name in CATEGORIES if f"| `{name}` |" not in text] == []


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = Program(tmp_path_factory.mktemp("policy"))
    (made.work / ".git").mkdir()
    yield made
    made.stop()


BUTTON = "<button onclick='document.title=\"Pressed\"'>Press</button><input aria-label=Name>"


def test_a_policy_holds_from_the_first_call_of_a_session_on(program, site):
    reading = {"default": "deny", "allow": ["navigate", "snapshot", "get"], "confirm": ["click"]}
    (program.work / "policy.json").write_text(json.dumps(reading))
    there = ("--session", "read")
    assert program(*there, "--action-policy", "policy.json", "open", site.page(BUTTON)).returncode == 0
    assert 'button "Press"' in program(*there, "snapshot").stdout
    denied = program.json(*there, "fill", "label=Name", "Ada")
    assert denied["category"] == "policy-blocked"
    assert "the action policy" in denied["error"]["message"]
    asked = json.loads(program("--json", *there, "click", "text=Press", alone=True).stdout)
    number = asked["error"]["evidence"]["confirmation"]
    assert f"boathook confirm {number}" in asked["error"]["hint"]
    assert program(*there, "get", "title").stdout == "Test page\n"
    clicked = json.loads(program.on_terminal("--json", "confirm", number).stdout)
    assert (clicked["ok"], clicked["command"]) == (True, "click")
    assert program(*there, "get", "title").stdout == "Pressed\n"
    assert "no pending confirmation" in program.on_terminal("confirm", number).stderr
    again = program.json(*there, "click", "text=Press")["error"]["evidence"]["confirmation"]
    assert program("deny", again).stdout == "denied: click was not run\n"
    assert "no pending confirmation" in program.on_terminal("confirm", again).stderr
    assert program(*there, "close").returncode == 0


async def test_limits_outlive_the_daemon_that_enforced_them(program, site):
    """Killed with -9, so that nothing could be saved."""
    there, page = ("--session", "kept"), site.page(BUTTON)
    asked = ("--allowed-domains", "127.0.0.1", "--confirm-actions", "click")
    assert program(*there, *asked, "open", page).returncode == 0
    daemon = program.json_of("daemon", "status", "--json")["pid"]
    os.kill(daemon, signal.SIGKILL)
    await until(lambda: not Path(f"/proc/{daemon}/exe").exists(), named="the daemon is gone")
    blocked = program.json(*there, "open", site.other_origin)
    assert blocked["error"]["code"] == "policy_blocked"
    assert program(*there, "open", page).returncode == 0
    assert program.json(*there, "click", "text=Press")["error"]["code"] == "confirmation_required"
    assert program(*there, "close").returncode == 0
    free = program(*there, "open", site.other_origin)
    assert free.returncode == 0, "the control: a session that was closed takes its limits with it"
