"""Policy decisions: a table of settings, surfaces and commands; no browser is needed."""

import time
from pathlib import Path

import pytest

from boathook.commands import catalogue
from boathook.errors import BadRequest, BadSetting, ConfirmationRequired, PolicyBlocked
from boathook.service.call import Call
from boathook.service.policy.confirmation_scene import NOWHERE
from boathook.service.policy.confirmations import Confirmations
from boathook.service.policy.decision import Allow, Ask, Deny, check_words, decide
from boathook.service.policy.enforcement import check, require_confirmation
from boathook.service.policy.policy import policy_of
from boathook.service.surface import Surface

COMMANDS = catalogue()
CLI, STDIO, HTTP, LIBRARY = Surface.COMMAND_LINE, Surface.MCP_STDIO, Surface.MCP_HTTP, Surface.PYTHON
HERE = "/home/you/project"


def decided(name, arguments=None, surface=CLI, **settings):
    policy = policy_of(settings, surface=surface, folder=HERE)
    return decide(policy, COMMANDS[name], arguments or {}, surface=surface)


@pytest.mark.parametrize(
    ("name", "arguments", "surface", "settings", "kind"),
    [
        ("goto", {"url": "https://example.org/"}, CLI, {}, Allow),
        ("goto", {"url": "https://example.org/"}, CLI, {"allowed_domains": ("example.org",)}, Allow),
        ("goto", {"url": "example.org"}, CLI, {"allowed_domains": ("example.org",)}, Allow),
        ("goto", {"url": "https://evil.example/"}, CLI, {"allowed_domains": ("example.org",)}, Deny),
        (
            "goto",
            {"url": "https://example.org@evil.example/"},
            CLI,
            {"allowed_domains": ("example.org",)},
            Deny,
        ),
        (
            "goto",
            {"url": "https://evil.example\\@example.org/"},
            CLI,
            {"allowed_domains": ("example.org",)},
            Deny,
        ),
        ("goto", {"url": "https://example.org/"}, CLI, {"allowed_domains": ()}, Deny),
        ("goto", {"url": "about:blank"}, CLI, {"allowed_domains": ()}, Allow),
        ("tab_new", {"url": "https://evil.example/"}, CLI, {"allowed_domains": ("example.org",)}, Deny),
        ("window_new", {"url": "https://evil.example/"}, CLI, {"allowed_domains": ("example.org",)}, Deny),
        ("pushstate", {"url": "/orders"}, CLI, {"allowed_domains": ("example.org",)}, Allow),
        ("wait_for_url", {"url": "evil.example"}, CLI, {"allowed_domains": ("example.org",)}, Allow),
        ("goto", {"url": "https://ads.example/"}, CLI, {"denied_domains": ("ads.example",)}, Deny),
        ("goto", {"url": "http://localhost:3000"}, CLI, {}, Allow),
        ("goto", {"url": "http://localhost:3000"}, LIBRARY, {}, Allow),
        ("goto", {"url": "http://10.0.0.5/"}, STDIO, {}, Allow),
        ("goto", {"url": "http://localhost:3000"}, HTTP, {}, Deny),
        ("goto", {"url": "http://0x7f.1/"}, HTTP, {}, Deny),
        ("goto", {"url": "http://[::ffff:10.0.0.1]/"}, HTTP, {}, Deny),
        ("goto", {"url": "https://example.org/"}, HTTP, {}, Allow),
        ("goto", {"url": "http://localhost:3000"}, HTTP, {"allow_private": True}, Allow),
        ("goto", {"url": "http://localhost:3000"}, HTTP, {"allowed_domains": ("localhost:3000",)}, Allow),
        ("goto", {"url": "http://169.254.169.254/latest"}, CLI, {}, Deny),
        ("goto", {"url": "http://169.254.169.254/latest"}, CLI, {"allow_private": True}, Deny),
        ("goto", {"url": "http://0xa9fea9fe/latest"}, STDIO, {}, Deny),
        ("goto", {"url": "http://metadata.google.internal/"}, LIBRARY, {}, Deny),
        ("goto", {"url": "http://169.254.169.254/"}, CLI, {"allowed_domains": ("169.254.169.254",)}, Allow),
        ("connect", {"endpoint": "9222"}, CLI, {"allowed_domains": ("example.org",)}, Allow),
        ("connect", {"endpoint": "9222"}, STDIO, {}, Allow),
        ("connect", {"endpoint": "9222"}, STDIO, {"allowed_domains": ("example.org",)}, Deny),
        ("connect", {"endpoint": "9222"}, HTTP, {}, Deny),
        ("evaluate", {"script": "1"}, CLI, {}, Allow),
        ("evaluate", {"script": "1"}, LIBRARY, {}, Allow),
        ("evaluate", {"script": "1"}, STDIO, {}, Deny),
        ("evaluate", {"script": "1"}, HTTP, {}, Deny),
        ("evaluate", {"script": "1"}, STDIO, {"evaluate_enabled": True}, Allow),
        ("evaluate", {"script": "1"}, CLI, {"evaluate_enabled": False}, Deny),
        ("wait_for_function", {"script": "1"}, STDIO, {}, Deny),
        ("wait_until", {"fn": "1"}, STDIO, {}, Deny),
        ("wait_until", {"text": "x"}, STDIO, {}, Allow),
        ("snapshot", {}, STDIO, {}, Allow),
        ("snapshot", {}, CLI, {"enabled": False}, Deny),
        ("screenshot", {"path": Path(HERE, "a.png")}, STDIO, {}, Allow),
        ("screenshot", {"path": Path(HERE, "../a.png")}, STDIO, {}, Deny),
        ("screenshot", {"path": Path("/etc/a.png")}, STDIO, {}, Deny),
        ("screenshot", {"path": Path("/etc/a.png")}, CLI, {}, Allow),
        ("screenshot", {"path": Path("/etc/a.png")}, CLI, {"output_roots": ("/srv",)}, Deny),
        ("screenshot", {}, CLI, {"output_roots": ()}, Allow),
        ("screenshot", {"path": Path("/srv/a.png")}, CLI, {"output_roots": ()}, Deny),
        ("upload", {"paths": [Path(HERE, "a"), Path("/etc/passwd")]}, STDIO, {}, Deny),
        ("upload", {"paths": [Path("/srv/a")]}, STDIO, {"upload_roots": ("/srv",)}, Allow),
        ("save_state", {"path": "login"}, STDIO, {}, Allow),
        ("save_state", {"path": Path("/etc/login.json")}, STDIO, {}, Deny),
        ("load_state", {"path": Path("/etc/login.json")}, STDIO, {}, Deny),
        (
            "diff_url",
            {"url": "https://example.org/", "other_url": "https://evil.example/"},
            CLI,
            {"allowed_domains": ("example.org",)},
            Deny,
        ),
        ("inspect", {}, CLI, {}, Allow),
        ("inspect", {}, CLI, {"evaluate_enabled": False}, Deny),
        ("inspect", {}, STDIO, {"evaluate_enabled": True}, Deny),
        ("confirm", {"number": "x"}, STDIO, {}, Deny),
        ("click", {"target": "@e1"}, CLI, {"confirm_actions": ("acts",)}, Ask),
        ("click", {"target": "@e1"}, CLI, {"confirm_actions": ("click",)}, Ask),
        ("click", {"target": "@e1"}, CLI, {"confirm_actions": ("act",)}, Ask),
        ("snapshot", {}, CLI, {"confirm_actions": ("acts",)}, Allow),
        ("evaluate", {"script": "1"}, CLI, {"confirm_actions": ("eval",)}, Ask),
        ("set_cookie", {}, CLI, {"confirm_actions": ("storage",)}, Ask),
        ("set_cookie", {}, CLI, {"confirm_actions": ("changes-browser",)}, Ask),
        ("evaluate", {"script": "1"}, STDIO, {"confirm_actions": ("evaluate",)}, Deny),
        ("batch", {}, CLI, {"confirm_actions": ("acts",)}, Allow),
        ("session_close", {}, CLI, {"confirm_actions": ("changes browser",)}, Allow),
    ],
)
def test_the_policy_decides(name, arguments, surface, settings, kind):
    assert isinstance(decided(name, arguments, surface, **settings), kind)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=lambda one: one.name)
def test_every_command_can_be_put_under_confirmation_by_each_of_its_names(command):
    if command.runs_commands or command.closes_session:
        return
    for word in (command.name, command.cli_name, *(" ".join(words) for words in command.aliases)):
        assert isinstance(decided(command.name, {}, CLI, confirm_actions=(word,)), Ask), word


def test_a_word_that_names_nothing_is_an_error_and_not_a_rule_without_effect():
    check_words(["eval", "click", "storage", "acts", "changes-machine"], COMMANDS.values())
    with pytest.raises(BadSetting, match=r"unknown command or category in .*: 'purchases'"):
        check_words(["click", "purchases"], COMMANDS.values())


def test_a_link_out_of_a_root_is_seen_through(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside/way").symlink_to(tmp_path)
    roots = {"output_roots": (str(tmp_path / "inside"),)}
    assert isinstance(decided("screenshot", {"path": tmp_path / "inside/a.png"}, **roots), Allow)
    assert isinstance(decided("screenshot", {"path": tmp_path / "inside/way/a.png"}, **roots), Deny)


def call(name, arguments, surface=CLI, **settings):
    return Call(command=COMMANDS[name], arguments=arguments, settings=settings, folder=HERE, surface=surface)


def test_a_denial_is_a_typed_error_that_says_what_was_found_and_what_to_do():
    made = call("goto", {"url": "https://evil.example/"}, allowed_domains=("example.org",))
    with pytest.raises(PolicyBlocked, match=r"open: evil\.example is not allowed") as caught:
        check(made, made.arguments)
    assert "allowed: example.org" in caught.value.hint
    check(
        call("goto", {"url": "https://example.org/"}, allowed_domains=("example.org",)),
        {"url": "https://example.org/"},
    )


def test_a_confirmed_call_may_be_made_once_and_no_other_one():
    questions = Confirmations()
    made = call("fill", {"target": "@e5", "value": "secret:github"}, confirm_actions=("fill",))

    def attempt(arguments=made.arguments, session="s"):
        _, ask = check(made, arguments)
        assert ask is not None
        require_confirmation(ask, made, arguments, session=session, scene=NOWHERE, confirmations=questions)

    with pytest.raises(
        ConfirmationRequired, match=r"fill requires confirmation \(confirm_actions includes fill\)"
    ) as caught:
        attempt()
    number = str(caught.value.evidence["confirmation"])
    assert number in caught.value.marked_hint
    assert "@e5" in str(caught.value.evidence["would_do"])
    assert 'value="secret:github"' in str(caught.value.evidence["would_do"])
    with pytest.raises(ConfirmationRequired):
        attempt()
    questions.confirm(number)
    for other in ({"arguments": {"target": "@e6", "value": "secret:github"}}, {"session": "another"}):
        with pytest.raises(ConfirmationRequired):
            attempt(**other)
    attempt()
    with pytest.raises(ConfirmationRequired):
        attempt()


def test_a_question_that_is_denied_or_old_or_unknown_allows_nothing(monkeypatch):
    questions = Confirmations()
    number = questions.ask(call("click", {}), {}, session="s")
    questions.deny(number)
    with pytest.raises(BadRequest, match="no pending confirmation"):
        questions.confirm(number)
    with pytest.raises(BadRequest, match="no pending confirmation"):
        questions.confirm("c0")
    number = questions.ask(call("click", {}), {}, session="s")
    questions.confirm(number)
    later = time.monotonic() + 61
    monkeypatch.setattr("time.monotonic", lambda: later)
    assert questions.take(call("click", {}), {}, session="s") == "none"
