"""The registry is the one place where commands are declared, and the Python API follows from it."""

import inspect
import json
import re
import shlex
import textwrap
from typing import Annotated

import pytest

from boathook.commands import FAMILIES, catalogue
from boathook.effects import Effect
from boathook.engine.actions.perform import Performed
from boathook.engine.tab import Tab
from boathook.presentation.help import full_help, help_for
from boathook.registry.registry import Between, Doc, Scope, Short, command, forget, registered
from boathook.service.input.argument_types import bind_arguments
from boathook.service.input.command_line import read_line, table_of
from boathook.surfaces.python import async_api, sync_api
from boathook.surfaces.python.result_views import VIEWS
from tools.generate_docs import reference
from tools.python_api.__main__ import not_current
from tools.python_api.reading import methods_of
from tools.python_api.writing import ASYNC, SYNC, family_files, written

COMMANDS = catalogue()
BY_HAND = {
    "Browser": {"close", "kind", "notes", "product"},
    "Tab": {"dialog", "id", "label", "mark", "opener", "run", "state"},
}
"""What the classes have besides commands: their life, and what is known without asking."""


def owner(one):
    return "Browser" if one.scope is Scope.BROWSER else "Tab"


def method(one, api=async_api):
    return inspect.getattr_static(getattr(api, owner(one)), one.method_name)


def in_python():
    """Commands that the Python API has."""
    return [known for known in COMMANDS.values() if known.method_name]


@pytest.fixture
def throw_away():
    """A command that lives for one test."""

    @command(group="act", effect=Effect.ACTS, examples=("polish @e2 --strokes 3",))
    async def polish(
        tab: Tab,
        target: Annotated[str, Doc("the element")],
        *,
        strokes: Annotated[int, Doc("how often"), Between(1, 9), Short("n")] = 1,
    ) -> Performed:
        """Rub an element until it shines."""
        raise NotImplementedError

    yield polish
    forget("polish")


def test_there_are_commands_in_every_family():
    homes = {known.run.__module__.removeprefix("boathook.commands.") for known in COMMANDS.values()}
    assert homes == set(FAMILIES)
    assert len(COMMANDS) > 70


@pytest.mark.parametrize("one", COMMANDS.values(), ids=lambda one: one.name)
def test_a_command_is_documented_and_short(one):
    assert one.summary.endswith(".")
    assert one.examples
    assert all(parameter.doc for parameter in one.parameters)
    assert not any(parameter.doc.endswith(".") for parameter in one.parameters), "a few words, no sentence"
    letters = [parameter.short for parameter in one.parameters if parameter.short]
    assert len(letters) == len(set(letters))


@pytest.mark.parametrize("one", COMMANDS.values(), ids=lambda one: one.name)
def test_its_examples_are_command_lines_that_mean_it(one):
    table = table_of(COMMANDS)
    if one.tool_set:
        for example in one.examples:
            assert bind_arguments(one, json.loads(example)) is not None
            assert tuple(one.name.split("_")) not in table, "command lines do not have it"
        return
    if table[tuple(one.name.split("_"))].cli_only and not one.cli_only:
        return  # lines that begin with its name are read as other tools mean them
    for example in one.examples:
        assert read_line(shlex.split(example), table).command.name == one.name


def test_a_name_that_starts_a_line_means_one_command():
    begun = {}
    ours = [known for known in COMMANDS.values() if not known.tool_set]
    for known in ours:
        for words in known.aliases:
            assert begun.setdefault(words, known.name) == known.name
    for known in COMMANDS.values():
        first = begun.get(tuple(known.name.split("_")), known.name)
        assert first == known.name or COMMANDS[first].cli_only, (
            "only what other tools call it stands before it"
        )


@pytest.mark.parametrize("api", [async_api, sync_api], ids=["async", "sync"])
@pytest.mark.parametrize("one", in_python(), ids=lambda one: one.name)
def test_the_python_api_has_its_parameters_and_defaults(one, api):
    made = method(one, api)
    if one.as_property:
        assert isinstance(made, property)
        return
    shown = [
        (parameter.name, parameter.kind, parameter.default)
        for parameter in list(inspect.signature(made).parameters.values())[1:]
    ]
    declared = [
        (parameter.name, _kind_in_python(parameter), _default_in_python(parameter))
        for parameter in _in_methods(one)
    ]
    assert shown == declared
    assert inspect.getdoc(made) == inspect.getdoc(one.run)


def _in_methods(one):
    return [parameter for parameter in one.parameters if not parameter.selects_tab]


def _kind_in_python(parameter):
    if parameter.variadic:
        return inspect.Parameter.VAR_POSITIONAL
    return inspect.Parameter.POSITIONAL_OR_KEYWORD if parameter.positional else inspect.Parameter.KEYWORD_ONLY


def _default_in_python(parameter):
    return inspect.Parameter.empty if parameter.required or parameter.variadic else parameter.default


@pytest.mark.parametrize("name", ["Browser", "Tab"])
def test_the_python_api_has_nothing_else(name):
    public = {member for member in dir(getattr(async_api, name)) if not member.startswith("_")}
    from_commands = {known.method_name for known in in_python() if owner(known) == name}
    assert public == from_commands | BY_HAND[name]


def test_values_with_a_view_are_never_handed_out_bare():
    for known in in_python():
        if known.returns in VIEWS:
            assert inspect.signature(method(known)).return_annotation == VIEWS[known.returns].__name__


def test_a_new_function_is_a_command_and_a_method(throw_away):
    one = registered()["polish"]
    assert (one.effect, one.scope) == (Effect.ACTS, Scope.TAB)
    target, strokes = one.parameters
    assert (target.kind, target.required, target.positional) == ("text", True, True)
    assert (strokes.kind, strokes.default, strokes.bounds, strokes.short) == (
        "integer",
        1,
        Between(1, 9),
        "n",
    )
    line = read_line(["polish", "@e2", "-n", "3"], table_of(registered()))
    assert line.arguments == {"target": "@e2", "strokes": 3}

    source = textwrap.dedent(inspect.getsource(throw_away))
    [made] = methods_of(source, family="act")
    assert made.owner == "Tab"
    wanted = '''
    async def polish(self, target: str, *, strokes: int=1) -> Acted:
        """Rub an element until it shines."""
        return Acted.of(await invoke(act.polish, self._engine, target, strokes=strokes))
'''
    assert written(made, ASYNC) == wanted
    assert "self._portal.call(self._inner.polish(target, strokes=strokes))" in written(made, SYNC)


@pytest.mark.parametrize("one", COMMANDS.values(), ids=lambda one: one.name)
def test_paths_are_declared_so_that_they_mean_the_callers_folder(one):
    paths = {parameter.name for parameter in one.parameters if parameter.kind in {"path", "paths"}}
    assert paths <= {*one.reads_files, *one.writes_files}


def test_a_new_function_is_in_help_and_reference(throw_away):
    one = registered()["polish"]
    told = help_for(one)
    assert told.startswith("usage: boathook polish <target> [options]")
    assert "-n, --strokes <number>" in told
    assert "boathook polish @e2 --strokes 3" in told
    text = reference({"polish": one})
    assert told in text
    assert "Rub an element until it shines." in full_help([one])


def test_what_is_only_spoken_is_no_method():
    source = """
By = Literal["role", "text"]

@command(group="act", cli_only=True, examples=("find role x",))
async def find(tab: Tab, by: By) -> None:
    '''Find something.'''

@command(group="act", examples=("seek role x",))
async def seek(tab: Tab, by: Annotated[By | None, Doc("how")] = None) -> None:
    '''Seek something.'''
"""
    [made] = methods_of(source, family="act")
    assert made.name == "seek", "the positive control"
    assert "async def seek(self, by: Literal['role', 'text'] | None=None) -> None" in written(made, ASYNC)


def test_a_handle_has_a_class_per_family_and_makes_tabs_itself():
    source = """
@command(group="act", examples=("x",))
async def polish(tab: Tab) -> None:
    '''Polish it.'''

@command(group="act", examples=("x",))
async def double(tab: Tab) -> Tab:
    '''A tab like it.'''

@command(group="act", scope=Scope.HOST, examples=("x",))
async def stop(host: HostScope) -> None:
    '''Nothing for a handle.'''
"""
    made = family_files({"input.act": methods_of(source, family="input.act")}, SYNC)
    assert {path.name for path in made} == {"__init__.py", "act.py"}
    text = made[SYNC.folder / "input/act.py"]
    assert re.findall(r"^class (.*):", text, re.MULTILINE) == ["ActTab(TabBase)"]
    assert re.findall(r"def (\w+)", text) == ["polish"]


def test_a_generated_file_of_a_family_that_is_gone_is_not_current(tmp_path):
    current, changed, gone, missing = (tmp_path / f"{name}.py" for name in ("a", "b", "c", "d"))
    for path in (current, changed, gone):
        path.write_text("text")
    wanted = {current: "text", changed: "other text", missing: "text"}
    assert not_current(wanted, folders=[tmp_path]) == [changed, missing, gone]


def test_words_that_are_json_are_read_as_such():
    line = read_line(["eval", "(a, b) => a", '{"x": 1}', "2"], table_of(COMMANDS))
    assert line.arguments == {"script": "(a, b) => a", "arguments": [{"x": 1}, 2]}


def test_two_commands_of_one_name_are_refused(throw_away):
    with pytest.raises(TypeError, match="duplicate command: 'polish'"):
        command(group="act", examples=("polish",))(throw_away)


async def no_docstring(tab: Tab) -> None:
    pass


async def no_doc(tab: Tab, target: str) -> None:
    """Do something."""


async def odd_type(tab: Tab, target: Annotated[bytes, Doc("what")]) -> None:
    """Do something."""


async def fine(tab: Tab, path: Annotated[str, Doc("what")]) -> None:
    """Do something."""


@pytest.mark.parametrize(
    ("function", "facts", "words"),
    [
        (no_docstring, {}, "no docstring"),
        (no_doc, {}, "parameter 'target' has no Doc"),
        (odd_type, {}, "invalid parameter type"),
        (fine, {"examples": ()}, "no example"),
        (fine, {"mood": "good"}, "mood"),
        (fine, {"writes_files": ("file",)}, "writes_files names 'file', which is not a parameter"),
        (fine, {"secrets": ("password",)}, "secrets names 'password', which is not a parameter"),
    ],
)
def test_a_wrong_declaration_is_an_error_when_it_is_made(function, facts, words):
    with pytest.raises(TypeError, match=words):
        command(**{"group": "act", "examples": ("x",), **facts})(function)
    assert function.__name__ not in registered()


def test_a_right_declaration_beside_them_is_none():
    command(group="act", examples=("fine x",), writes_files=("path",), secrets=("path",))(fine)
    assert registered()["fine"].writes_files == ("path",)
    forget("fine")
