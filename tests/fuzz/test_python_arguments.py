"""Whatever values the methods of the Python API get: a result or a typed error, in time, and the page is still there afterwards."""

import asyncio
import inspect
import json
from contextlib import suppress
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boathook
from boathook.client.blocking_client import DaemonConnection
from boathook.commands import catalogue
from boathook.errors import BoathookError
from boathook.surfaces.python.portal import Portal
from boathook.wire import messages
from boathook.wire.failures import NotRunning
from boathook.wire.socket_address import daemon_folder, socket_path
from tests.fuzz.strategies import EXAMPLES, LONGEST, ODD, ODD_TEXT, tried
from tests.support.site import Site

THOROUGH = 1_000
TIMEOUT = 0.4 if EXAMPLES >= THOROUGH else 2.0
"""Many of ten thousand calls wait for something that never comes."""
LEFT_OUT = {"wait", "handoff", "set_offline", "install", "doctor", "connect", "session_close", "smoke", "set_headless"}  # fmt: skip
"""They take their time on purpose, change the machine, or end what the others need."""
PAGE = "<h1>Any value</h1><input id=i><button>Go</button><select><option>1</select>"
COMMANDS = [command for name, command in catalogue().items() if name not in LEFT_OUT and not command.tool_set]
METHODS = [
    command
    for command in COMMANDS
    if inspect.iscoroutinefunction(getattr(boathook.Tab, command.name, None)) and command.name != "run"
]
"""`run` is a method with other parameters, of tabs and of sessions."""
OVER_THE_WIRE = [command for command in COMMANDS if not command.cli_only and command.name != "run"]
TARGETS = st.sampled_from(["@e1", "#i", "text=Go", "role=button", "xpath=//h1", "css=[", "role="])

JSON = {
    "arguments": st.lists(ODD, max_size=2),
    "cookies": st.lists(
        st.dictionaries(st.sampled_from(["name", "value", "url", "x"]), ODD_TEXT), max_size=2
    ),
}
"""Of the other parameters with JSON the type is a mapping of text."""

few = partial(tried, share=1 if EXAMPLES >= THOROUGH else 5)
"""Each needs a page, so that `make test` has time for some only."""


def fitting(parameter, folder):
    """Values of the type that the method declares."""
    text = st.one_of(TARGETS, ODD_TEXT)
    kinds = {
        "text": text,
        "choice": st.sampled_from(parameter.choices or ("",)),
        "json": JSON.get(parameter.name, st.dictionaries(ODD_TEXT, ODD_TEXT, max_size=2)),
        "number": st.floats(),
        "flag": st.booleans(),
        "integer": st.integers(),
        "texts": st.lists(text, max_size=3),
        "path": st.sampled_from(["a.json", "b.png", "", "no/such/file", "x" * 300]).map(folder.joinpath),
        "paths": st.lists(st.just(folder / "a.json"), max_size=2),
        "point": st.tuples(st.floats(), st.floats()),
    }
    return kinds[parameter.kind]


@st.composite
def calls(draw, commands, folder, *, odd):
    """A command with arguments; odd ones fit now and then."""
    command = draw(st.sampled_from(commands))
    arguments = {}
    for parameter in command.parameters:
        if parameter.name == "timeout":
            arguments["timeout"] = TIMEOUT
        elif parameter.required or draw(st.integers(0, 3)) == 0:
            values = ODD if odd and draw(st.booleans()) else fitting(parameter, folder)
            arguments[parameter.name] = draw(values)
    variadic = [parameter.name for parameter in command.parameters if parameter.variadic]
    rest = [arguments.pop(name, []) for name in variadic]
    before = [
        arguments.pop(parameter.name)
        for parameter in command.parameters
        if parameter.positional and not parameter.variadic and parameter.name in arguments
    ]
    return command.name, [*before, *(rest[0] if rest and isinstance(rest[0], list) else [])], arguments


class Stage:
    """A browser and a session of a daemon, in a background loop."""

    def __init__(self, folder):
        self.folder = folder
        self.site, self.portal = Site(), Portal()
        self.page = self.site.page(PAGE, title="Any")
        self.browser = self.portal.call(boathook.launch(upload_roots=[folder]))
        self.tab = self.portal.call(self.browser.open(self.page))
        self.remote = boathook.connect(session="fuzz")

    async def call(self, subject, name, given, named):
        """Its error, or nothing; a call that does not end raises TimeoutError."""
        try:
            async with asyncio.timeout(LONGEST):
                await getattr(subject, name)(*given, **named)
        except BoathookError as error:
            return error
        return None

    async def tidy(self):
        """The page again, whatever was opened, held or emulated."""
        for tab in await self.browser.tabs():
            if tab.id != self.tab.id:
                await tab.close()
        if self.tab.state in {"closed", "dead"}:
            self.tab = await self.browser.open(self.page)
        if self.tab.dialog is not None:
            await self.tab.dismiss_dialog()
        await self.tab.goto(self.page)
        return await self.tab.title()

    def close(self):
        self.portal.call(self._end())
        self.portal.close()
        self.site.close()

    async def _end(self):
        await self.browser.close()
        with suppress(BoathookError):  # it was not used
            await self.remote.run("session_close")
        await self.remote.disconnect()


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    home = tmp_path_factory.mktemp("python")
    (home / "work").mkdir()
    (home / "run").mkdir(mode=0o700)
    (home / "work" / "a.json").write_text("{}")
    patch = pytest.MonkeyPatch()
    patch.setenv("HOME", str(home))
    patch.setenv("XDG_RUNTIME_DIR", str(home / "run"))
    patch.setenv("BOATHOOK_TIMEOUT", "3")
    patch.chdir(home / "work")
    made = Stage(home / "work")
    yield made
    made.close()
    stop_daemon()
    patch.undo()


def stop_daemon():
    with suppress(NotRunning), DaemonConnection.open(socket_path(daemon_folder())) as connection:
        connection.ask(messages.stop())
        connection.wait_for_end(LONGEST)


def check(error):
    if error is not None:
        assert error.code not in {"", "error", "unforeseen"}, repr(error)
        json.dumps(str(error))


@pytest.mark.timeout(7_200)
@few
@given(data=st.data())
def test_any_value_of_the_declared_type_is_taken_or_a_typed_error(stage, data):
    call = data.draw(calls(METHODS, stage.folder, odd=False))
    check(stage.portal.call(stage.call(stage.tab, *call)))
    assert stage.portal.call(stage.tidy()) == "Any"


@pytest.mark.timeout(7_200)
@few
@given(data=st.data())
def test_any_value_in_a_session_of_the_daemon_is_taken_or_a_typed_error(stage, data):
    name, given_values, named = data.draw(calls(OVER_THE_WIRE, stage.folder, odd=True))
    try:
        check(stage.portal.call(stage.call(stage.remote, name, given_values, named)))
    except TypeError as error:
        assert "positional argument" in str(error)  # noqa: PT017 - the only fault of this kind that callers can make
    check(stage.portal.call(stage.call(stage.remote, "goto", (stage.page,), {"timeout": 5})))
