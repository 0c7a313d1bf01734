"""Every fact of the registry has an effect: it is flipped on a registered command, and something that users see changes."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any, cast

import pytest

from boathook.clock import Deadline
from boathook.commands import catalogue
from boathook.effects import Effect, SideEffect
from boathook.engine.elements.refs import RefTable
from boathook.engine.page.dialogs import Dialog
from boathook.errors import BadRequest, BoathookError, StaleRef
from boathook.presentation.help import full_help, help_for, overview
from boathook.registry.invoke import run_handler
from boathook.registry.registry import Also, Between, Command, Duration, Parameter, Requires, Scope
from boathook.registry.script_helper import ScriptHelper
from boathook.registry.tool_schemas import _handles, parameter_schema, tool_data
from boathook.registry.tool_sets import _plain
from boathook.service import host
from boathook.service.call import Call, CallContext, outcome_at
from boathook.service.input.argument_binding import prepare_arguments
from boathook.service.input.argument_types import bind_arguments
from boathook.service.input.command_line import read_line, table_of
from boathook.service.output import output_guard
from boathook.service.output.outcome import Outcome
from boathook.service.policy import confirmation_scene
from boathook.service.policy.categories import categories_of
from boathook.service.policy.decision import Deny, decide, words_of
from boathook.service.policy.policy import policy_of
from boathook.service.records.spill import Spills
from boathook.service.runner import _in_time, _tab_of
from boathook.service.scripts import script_helpers
from boathook.service.secrets.secret_values import names_any
from boathook.service.surface import Surface
from tools.python_api.reading import methods_of

COMMANDS = catalogue()
STRUCTURE = {"name", "group", "summary", "details", "parameters", "run", "returns"}
"""What every command has, and what the other facts are about."""


class RecordingTab:
    """A tab that records how calls are opened on it."""

    def __init__(self):
        self.refs = RefTable()
        self.opened = []

    @asynccontextmanager
    async def call(self, doing, **facts):
        self.opened.append({"doing": doing, **facts})
        yield Deadline.after(facts["seconds"])


def invoked(command, **named):
    """How the call of a command is opened, and what its handler receives."""
    tab, received = RecordingTab(), {}

    async def handler(_tab, **arguments):
        received.update(arguments)

    asyncio.run(run_handler(replace(command, run=handler), tab, (), named))
    return tab.opened, sorted(received)


def call_of(command, arguments=None, **more):
    return Call(command=command, arguments=arguments or {}, folder="/project", **more)


def denied(command, arguments, *, surface=Surface.COMMAND_LINE, **settings):
    policy = policy_of(settings, surface=surface, folder="/project")
    return isinstance(decide(policy, command, arguments, surface=surface), Deny)


def line(command, *words):
    read = read_line([*command.cli_name.split(), *words], {tuple(command.cli_name.split()): command})
    return read.arguments


def bound(command, arguments, **more):
    return prepare_arguments(call_of(command, arguments, **more))


def with_parameter(command, name, **facts):
    changed = tuple(
        replace(command, **facts) if command.name == name else command for command in command.parameters
    )
    return replace(command, parameters=changed)


def source(**facts):
    given = "".join(f", {name}={value!r}" for name, value in facts.items())
    return f"@command(group='act', examples=('x',){given})\nasync def polish(tab: Tab) -> None:\n    '''Polish.'''\n"


def in_python(**facts):
    return [(command.name, command.arguments) for command in methods_of(source(**facts), family="input.act")]


def waits_for(command):
    """Whether the call's general timeout applies to a command."""

    async def run():
        try:
            async with _in_time(call_of(command, settings={"timeout": 0.001})):
                await asyncio.wait_for(asyncio.Event().wait(), 0.05)
        except Exception as error:  # noqa: BLE001 - the kind is what is returned
            return type(error).__name__
        return "not limited"

    return asyncio.run(run())


def printed(command, value, **options):
    found = Outcome(command=command.name, category="completed", value=value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(output_guard, "registered", lambda: {command.name: command})
        with TemporaryDirectory() as folder:
            guard = output_guard.OutputGuard(spills=Spills(Path(folder) / "spills"), **options)
            return guard.in_text(found)[0].partition("full text:")[0]


def exit_of(command, parts):
    found = Outcome(command=command.name, category="completed", value=parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "registered", lambda: {command.name: command})
        return host._exit_of(found)


def helper_names(*commands):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(script_helpers, "catalogue", lambda: {command.name: command for command in commands})
        return script_helpers.helpers.__wrapped__()["tab"].keys()


CLICK, TEXT, SHOT = COMMANDS["click"], COMMANDS["get_text"], COMMANDS["screenshot"]
OPEN, EVALUATE, CLOSE = COMMANDS["goto"], COMMANDS["evaluate"], COMMANDS["session_close"]
DOWNLOAD, CHECKED = COMMANDS["download"], COMMANDS["smoke"]


class Failed:
    """A check that did not pass."""

    ok = False


FLIPS = {
    "takes_deadline": lambda: [
        invoked(command, target="x")[1] for command in (TEXT, replace(TEXT, takes_deadline=False))
    ],
    "effect": lambda: [words_of(command) for command in (CLICK, replace(CLICK, effect=Effect.READS))],
    "scope": lambda: [command.method_name for command in (CLICK, replace(CLICK, scope=Scope.HOST))],
    "doing": lambda: [invoked(command, target="x")[0] for command in (TEXT, replace(TEXT, doing=""))],
    "timeout": lambda: [invoked(command, target="x")[0] for command in (TEXT, replace(TEXT, timeout=77.0))],
    "seconds": lambda: [
        invoked(command, policy="accept")[0]
        for command in (COMMANDS["set_dialog_policy"], replace(COMMANDS["set_dialog_policy"], seconds=77.0))
    ],
    "tab_name": lambda: (
        [in_python(), in_python(tab_name="a tab")]
        and [
            _tab_of(call_of(command), {"name": "t9"})
            for command in (
                COMMANDS["tab_close"],
                with_parameter(COMMANDS["tab_close"], "name", selects_tab=False),
            )
        ]
    ),
    "waits": lambda: [invoked(command, target="x")[0] for command in (TEXT, replace(TEXT, waits=True))],
    "marks_action": lambda: [
        invoked(command, target="x")[0] for command in (CLICK, replace(CLICK, marks_action=False))
    ],
    "may_navigate": lambda: [
        categories_of(command, {"url": "https://a.test"})
        for command in (SHOT, replace(SHOT, may_navigate=True))
    ],
    "handles_dialog": lambda: [
        invoked(command, target="x")[0] for command in (TEXT, replace(TEXT, handles_dialog=True))
    ],
    "closes_session": lambda: [
        outcome_at(CallContext(), call_of(command), category="completed", value=None).session_change
        for command in (CLOSE, replace(CLOSE, closes_session=False))
    ],
    "own_timeout": lambda: [waits_for(replace(COMMANDS["doctor"], own_timeout=own)) for own in (True, False)],
    "human_only": lambda: [
        denied(command, {}, surface=Surface.MCP_STDIO) for command in (TEXT, replace(TEXT, human_only=True))
    ],
    "category": lambda: [categories_of(command) for command in (TEXT, replace(TEXT, category="machine"))],
    "side_effects": lambda: [
        denied(command, {"target": "x"}, evaluate_enabled=False)
        for command in (TEXT, replace(TEXT, side_effects=(SideEffect.RUNS_PAGE_SCRIPT,)))
    ],
    "side_effects_when": lambda: [
        denied(command, {"target": "x"}, scripts_enabled=False)
        for command in (TEXT, replace(TEXT, side_effects_when=lambda _arguments: (SideEffect.RUNS_PROGRAM,)))
    ],
    "page_scripts": lambda: [
        denied(command, {"script": "1"}, evaluate_enabled=False)
        for command in (EVALUATE, replace(EVALUATE, page_scripts=()))
    ],
    "target_of": lambda: [
        asked_about(command) for command in (COMMANDS["find"], replace(COMMANDS["find"], target_of=None))
    ],
    "acts_at_pointer": lambda: [asked_about(replace(CLICK, acts_at_pointer=acts)) for acts in (False, True)],
    "answers_dialog": lambda: [
        asked_dialog(command)
        for command in (COMMANDS["accept_dialog"], replace(COMMANDS["accept_dialog"], answers_dialog=False))
    ],
    "same_origin": lambda: [
        denied(command, {"url": "https://b.test"}, allowed_domains=["a.test"])
        for command in (OPEN, replace(OPEN, same_origin=True))
    ],
    "runs_commands": lambda: [_handles([replace(CLOSE, runs_commands=runs)]) for runs in (False, True)],
    "answers_confirmation": lambda: [
        confirmed(COMMANDS["confirm"]),
        confirmed(replace(COMMANDS["confirm"], answers_confirmation=False)),
    ],
    "reads_files": lambda: [
        denied(command, {"target": "x", "paths": ["/etc/passwd"]}, upload_roots=["/project"])
        for command in (COMMANDS["upload"], replace(COMMANDS["upload"], reads_files=()))
    ],
    "writes_files": lambda: [
        denied(command, {"path": "/etc/x.png"}, output_roots=["/project"])
        for command in (SHOT, replace(SHOT, writes_files=()))
    ],
    "default_file_name": lambda: [file_name(SHOT), file_name(replace(SHOT, default_file_name=""))],
    "leading_targets": lambda: [
        line(command, "#a", "#b", "x.png")
        for command in (SHOT, replace(SHOT, leading_targets=None))
        if not fails(command)
    ],
    "stored_by_name": lambda: [
        bound(command, {"path": "mine"})["path"]
        for command in (COMMANDS["save_state"], replace(COMMANDS["save_state"], stored_by_name=()))
    ],
    "from_stdin": lambda: [
        bound(command, {"script": "-"}, stdin="1 + 1")["script"]
        for command in (EVALUATE, replace(EVALUATE, from_stdin=()))
    ],
    "reads_stdin": lambda: [command.takes_stdin for command in (TEXT, replace(TEXT, reads_stdin=True))],
    "saves_download": lambda: [
        bound(command, {"target": "x"}, settings={"download_path": "/project/d"}).get("path")
        for command in (DOWNLOAD, replace(DOWNLOAD, saves_download=""))
    ],
    "secrets": lambda: [
        names_any(command, {"target": "x", "value": "env:NAME"})
        for command in (COMMANDS["fill"], replace(COMMANDS["fill"], secrets=()))
    ],
    "types_into": lambda: [
        bound_secret(COMMANDS["fill"]),
        bound_secret(replace(COMMANDS["fill"], types_into="")),
    ],
    "empty_answer": lambda: [
        printed(command, None) for command in (CLICK, replace(CLICK, empty_answer="none"))
    ],
    "own_text": lambda: [
        printed(command, "one\ntwo", boundaries=True).partition(" ")[0]
        for command in (TEXT, replace(TEXT, own_text=True))
    ],
    "fails_on_findings": lambda: [
        exit_of(command, [Failed()]) for command in (CHECKED, replace(CHECKED, fails_on_findings=False))
    ],
    "whole_output": lambda: [
        printed(command, "x" * 9_000) for command in (TEXT, replace(TEXT, whole_output=True))
    ],
    "script_helpers": lambda: [
        set(helper_names(command))
        for command in (CLICK, replace(CLICK, script_helpers=(ScriptHelper("tap_it"),)))
    ],
    "core": lambda: [CLICK.summary in overview([command]) for command in (CLICK, replace(CLICK, core=False))],
    "examples": lambda: [help_for(command) for command in (CLICK, replace(CLICK, examples=("click @e9",)))],
    "aliases": lambda: [
        sorted(table_of({"click": command})) for command in (CLICK, replace(CLICK, aliases=(("push",),)))
    ],
    "bare_aliases": lambda: [
        rejects_line(command) for command in (OPEN, replace(OPEN, bare_aliases=("navigate",)))
    ],
    "json_answer": lambda: [
        printed(command, "text") for command in (EVALUATE, replace(EVALUATE, json_answer=False))
    ],
    "method": lambda: [in_python(), in_python(method="shine")],
    "as_property": lambda: [in_python(), in_python(as_property=True)],
    "cli_only": lambda: [command.method_name for command in (CLICK, replace(CLICK, cli_only=True))],
    "tool_set": lambda: [
        sorted(table_of({"click": command})) for command in (CLICK, replace(CLICK, tool_set="single"))
    ],
}
"""What users see of a command as it is, and with the fact flipped."""


def asked_about(command):
    """The target that a confirmation describes."""

    async def described(_tab, target, nth):
        return target, nth

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(confirmation_scene, "_purpose", described)
        given = {"by": "text", "value": "OK"}
        looking = confirmation_scene._found(call_of(command), given, cast("Any", None), (50.0, 50.0))
        return asyncio.run(looking)


def asked_dialog(command):
    """The dialog that a confirmation describes."""
    dialogs = SimpleNamespace(pending=Dialog(kind="confirm", message="Sure?"), pending_number=1)
    return confirmation_scene._dialog(call_of(command), cast("Any", SimpleNamespace(dialogs=dialogs)))


def confirmed(command):
    """What an approval runs: the pending action, or the command itself."""
    from boathook.service.runner import Runner

    class Pending:
        def confirm(self, number, *, peer):
            assert peer is None
            return f"the action of {number}"

    runner = Runner.__new__(Runner)
    runner.confirmations = cast("Any", Pending())
    found, _ = runner._resolve_confirmation(call_of(command, {"number": "7"}))
    return found if isinstance(found, str) else found.command.name


def file_name(command):
    from boathook.service.runner import Runner

    class Recorder:
        def fresh_picture(self, name, format, *, folder):
            return f"{name}.{format}"

    runner = Runner.__new__(Runner)
    runner.recorder = cast("Any", Recorder())
    return runner._with_file_name(call_of(command), {}).get("path")


def fails(command):
    try:
        line(command, "#a", "#b", "x.png")
    except BadRequest:
        return True
    return False


def bound_secret(command):
    """Whether a secret that is bound to an origin may be typed by a command at all."""
    from boathook.service.secrets.secret_values import Resolved, require_origins

    class Bound:
        name = "secret:bank"

        def fits(self, _origin):
            return True

    class Frames:
        frames = ()

    given = Resolved(arguments={"value": "x"}, values=frozenset(), bound=(cast("Any", Bound()),))
    try:
        asyncio.run(require_origins(given, command, cast("Any", Frames())))
    except BoathookError as error:
        return error.code
    return "allowed"


def test_every_fact_is_flipped():
    assert set(FLIPS) == {field.name for field in fields(Command)} - STRUCTURE


@pytest.mark.parametrize("fact", sorted(FLIPS))
def test_a_fact_has_an_effect(fact):
    seen = FLIPS[fact]()
    if fact == "leading_targets":
        assert len(seen) == 1, "without the fact, the words before the file are one too many"
        return
    as_declared, flipped = seen
    assert as_declared != flipped


TARGET = CLICK.parameter("target")
COUNT = CLICK.parameter("count")
PARAMETER_FLIPS = {
    "kind": lambda: [parameter_schema(command)["type"] for command in (COUNT, replace(COUNT, kind="text"))],
    "doc": lambda: [help_for(with_parameter(CLICK, "count", doc=doc)) for doc in ("a", "b")],
    "required": lambda: [missing(CLICK), missing(with_parameter(CLICK, "target", required=False))],
    "default": lambda: [parameter_schema(command) for command in (COUNT, replace(COUNT, default=2))],
    "positional": lambda: [help_for(CLICK), help_for(with_parameter(CLICK, "count", positional=True))],
    "variadic": lambda: [help_for(CLICK), help_for(with_parameter(CLICK, "target", variadic=True))],
    "choices": lambda: [
        rejects(CLICK, "button", "fourth"),
        rejects(with_parameter(CLICK, "button", choices=("fourth",)), "button", "fourth"),
    ],
    "bounds": lambda: [
        rejects(CLICK, "count", 99),
        rejects(with_parameter(CLICK, "count", bounds=Between(1, 100)), "count", 99),
    ],
    "short": lambda: [
        rejects_line(CLICK, "@e1", "-n", "2"),
        rejects_line(with_parameter(CLICK, "count", short="n"), "@e1", "-n", "2"),
    ],
    "also": lambda: [
        rejects_line(CLICK, "@e1", "--times", "2"),
        rejects_line(with_parameter(CLICK, "count", also=(Also("--times"),)), "@e1", "--times", "2"),
    ],
    "duration": lambda: [
        line(CLICK, "@e1", "--timeout", "500ms")["timeout"],
        rejects_line(with_parameter(CLICK, "timeout", duration=None), "@e1", "--timeout", "500ms"),
    ],
    "selects_tab": lambda: [
        _tab_of(call_of(command), {"name": "t9"})
        for command in (
            COMMANDS["tab_close"],
            with_parameter(COMMANDS["tab_close"], "name", selects_tab=False),
        )
    ],
    "requires": lambda: [
        tool_data(_plain(command, name="click"), {"click": command}).get("needs")
        for command in (CLICK, with_parameter(CLICK, "target", requires=Requires("evaluate_enabled")))
    ],
    "free_text": lambda: [
        rejects_line(command, "#s", "two", "--words")
        for command in (COMMANDS["fill"], with_parameter(COMMANDS["fill"], "value", free_text=False))
    ],
    "element": lambda: [unknown_ref(TEXT), unknown_ref(with_parameter(TEXT, "target", element=False))],
}


def missing(command):
    try:
        bind_arguments(command, {})
    except BadRequest:
        return True
    return False


def rejects(command, name, value):
    try:
        bind_arguments(command, {"target": "x", name: value})
    except BadRequest:
        return True
    return False


def rejects_line(command, *words):
    try:
        line(command, *words)
    except BadRequest:
        return True
    return False


def unknown_ref(command):
    try:
        return invoked(command, target="@e99")[1]
    except StaleRef:
        return "refused before anything is done"


def test_every_fact_of_a_parameter_is_flipped():
    assert set(PARAMETER_FLIPS) == {field.name for field in fields(Parameter)} - {"name"}


@pytest.mark.parametrize("fact", sorted(PARAMETER_FLIPS))
def test_a_fact_of_a_parameter_has_an_effect(fact):
    as_declared, flipped = PARAMETER_FLIPS[fact]()
    assert as_declared != flipped


@pytest.mark.parametrize(
    ("given", "unit", "value"),
    [
        ("500ms", "s", 0.5),
        ("2s", "s", 2.0),
        ("1m", "s", 60.0),
        ("1.5h", "s", 5400.0),
        ("250ms", "ms", 250.0),
        ("2s", "ms", 2000.0),
    ],
)
def test_durations_are_written_with_units(given, unit, value):
    command = with_parameter(CLICK, "timeout", duration=Duration(unit))
    assert line(command, "@e1", "--timeout", given)["timeout"] == value
    assert bind_arguments(command, {"target": "x", "timeout": given})["timeout"] == value


def test_a_bare_number_keeps_its_unit():
    assert line(CLICK, "@e1", "--timeout", "5")["timeout"] == 5
    assert line(CLICK, "@e1", "--timeout", "5000")["timeout"] == 5, "milliseconds, as in other tools"
    assert bind_arguments(CLICK, {"target": "x", "timeout": 5000})["timeout"] == 5000


def test_no_table_is_keyed_by_command_names():
    """Lists of tool sets and of other programs' commands are the exceptions."""
    from tools.count_structure import name_tables

    assert name_tables(Path(__file__).parents[2]) == []


async def test_a_stale_ref_an_open_dialog_and_a_timeout_fail_alike_on_every_surface(tab, site, program):
    page = site.page("<button onclick=\"setTimeout(() => confirm('sure?'))\">Ask</button><p>text</p>")
    program("open", page)
    await tab.goto(page)
    for name, words in {"get_text": ["get", "text"], "click": ["click"]}.items():
        assert await code_of(getattr(tab, name)("@e999")) == program.json(*words, "@e999")["error"]["code"]
    assert (
        await code_of(tab.wait_for("#never", timeout=0.3))
        == (program.json("wait", "#never", "--timeout", "300ms")["error"]["code"])
    )
    await tab.click("text=Ask")
    program("click", "text=Ask")
    assert (
        await code_of(tab.get_text("p")) == program.json("get", "text", "p")["error"]["code"] == "dialog_open"
    )
    await tab.dismiss_dialog()
    program.stop()


async def code_of(call):
    with pytest.raises(BoathookError) as raised:
        await call
    return raised.value.code


def test_the_short_help_fits_a_screen_and_the_long_one_has_everything():
    assert len(overview(COMMANDS.values()).splitlines()) <= 45
    assert all(
        command.cli_name in full_help(COMMANDS.values())
        for command in COMMANDS.values()
        if not command.tool_set
    )
