"""The host: what the daemon serves. It takes a command line or a command by name, runs it, and renders the answer.

The first line often starts the daemon and opens a page. The browser is ready before all our modules are loaded, so that
what a first line rarely needs is loaded behind its answer.
"""
# ruff: noqa: PLC0415 - see above

from __future__ import annotations

import asyncio
import os
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook import progress
from boathook._version import __version__
from boathook.clock import now
from boathook.commands import FAMILIES, catalogue, load_family
from boathook.engine.launch import early_browser
from boathook.engine.launch.profiles.user_profiles import COPY_OF, find_profile
from boathook.engine.state.state_store import is_name, place_of
from boathook.errors import BadRequest, BoathookError, BrowserError, TimedOut
from boathook.help_headings import help_on_screen, wants_colour
from boathook.presentation.help import (
    family_help,
    full_help,
    help_for,
    overview,
    related_commands,
    rest_of_group,
)
from boathook.presentation.script_cell import Screen, pictures_of
from boathook.registry.invoke import file_error
from boathook.registry.registry import registered
from boathook.service.agent_browser import mode as agent_browser
from boathook.service.call import Call
from boathook.service.daemon.host_protocol import Answer
from boathook.service.input.command_line import ParsedCommandLine as ReadLine
from boathook.service.input.command_line import read_line, table_of, without_leading_flags
from boathook.service.input.configuration import merge_settings, settings_of_call, with_flags
from boathook.service.input.stdin_rules import reads_stdin
from boathook.service.output.batch_steps import failed_step, page_after_timeout, pending_step, step_of
from boathook.service.output.outcome import Outcome
from boathook.service.output.output_file import with_output_file
from boathook.service.output.output_guard import OutputGuard, error_data, with_coloured_labels
from boathook.service.output.tool_surface import ToolSurface, require_offered, tool_templates
from boathook.service.policy.enforcement import within_policy_files
from boathook.service.records.call_recorder import CallRecorder
from boathook.service.runner import Runner
from boathook.service.surface import Surface
from boathook.service.surface_renderer import COMMAND_LINE, PYTHON
from boathook.settings import SETTINGS
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from boathook.clock import Deadline
    from boathook.registry.context import Step
    from boathook.registry.registry import Command
    from boathook.service.agent_browser.run_line import AgentBrowserLines
    from boathook.service.daemon.host_protocol import CallRequest, CommandLine
    from boathook.service.host_api import CallHostApi
    from boathook.service.scripts.script_runner import ScriptRunner
    from boathook.service.surface_renderer import SurfaceRenderer

SHOWN_WORD = 40
_OWN_PLACES = ("HOME", "XDG_CONFIG_HOME")
"""Variables that say where the user's files are."""
IDLE_SECONDS = 30 * 60
SWEEP_SECONDS = 60
FIRST_FAMILY = "pages.navigate"
"""The commands of most first lines."""
RENDERERS = "boathook.presentation.all_renderers"
HELP = ("help", "--help", "-h")
VERSION = ("--version", "-V")


class Host:
    """Answers command lines of one user."""

    def __init__(self) -> None:
        self.recorder = CallRecorder()
        self.runner = Runner(host_of=self._host_api, recorder=self.recorder)
        self.memories: dict[str, dict[str, Any]] = {}
        """Data that tools keep between calls, by session."""
        self._running: dict[int, str] = {}
        self._calls = 0
        self._last = now()
        self._sweeping = asyncio.create_task(self._close_idle_sessions(), name="close idle sessions")
        self._loading: asyncio.Task[None] | None = None

    @cached_property
    def _commands(self) -> dict[str, Command]:
        """All of them, with the renderers of their results."""
        import_module(RENDERERS)
        return catalogue()

    @cached_property
    def _cli_commands(self) -> dict[str, Command]:
        return {name: command for name, command in self._commands.items() if not command.tool_set}

    @cached_property
    def _table(self) -> dict[tuple[str, ...], Command]:
        return table_of(self._cli_commands)

    @cached_property
    def scripts(self) -> ScriptRunner:
        """What runs scripts."""
        from boathook.service.scripts.script_runner import ScriptRunner

        return ScriptRunner()

    @cached_property
    def _agent_browser(self) -> AgentBrowserLines:
        from boathook.service.agent_browser.run_line import AgentBrowserLines

        return AgentBrowserLines(
            runner=self.runner, table=self._table, guard_of=self._output_guard, settings_of=_settings
        )

    async def _load_rest(self) -> None:
        """Load everything else, a module at a time: calls go on in between."""
        for family in FAMILIES:
            load_family(family)
            await asyncio.sleep(0)
        self._table  # noqa: B018 (builds it)

    def _read_line(self, argv: Sequence[str]) -> ReadLine:
        """Parse a line. Until all commands are loaded those of the first family are tried before."""
        if "_table" not in self.__dict__ and not argv[0].startswith("-"):
            with suppress(BoathookError):
                return read_line(argv, table_of(load_family(FIRST_FAMILY)))
        return read_line(argv, self._table)

    def _host_api(self, call: Call) -> CallHostApi:
        from boathook.service.host_api import CallHostApi

        return CallHostApi(host=self, call=call, progress=progress.listener.get())

    async def _close_idle_sessions(self) -> None:
        """Closes idle sessions; what cannot be closed now is tried again."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with suppress(BoathookError):
                await self.runner.sessions.close_idle(IDLE_SECONDS, busy=self.busy())
                await early_browser.close_unused()

    async def answer(self, line: CommandLine, progress: Callable[[str], None]) -> Answer:
        """Run one command line; mistakes in it are answered without touching any page."""
        with self._register_call(line.argv[0] if line.argv else "", progress):
            try:
                return await self._answer_line(line)
            except (BoathookError, OSError) as raised:
                error, guard = _typed(raised), OutputGuard()
                if "--json" in line.argv:
                    hint = COMMAND_LINE.hint(error.marked_hint, command="")
                    told = {"ok": False, "category": error.category, "error": error_data(error, hint=hint)}
                    return Answer(out=guard.data(told), err="", exit=error.exit_status)
                said = guard.error_in_text(error)
                if wants_colour(line.argv, environment=line.environment, has_colour=line.terminal.colour):
                    said = with_coloured_labels(said)
                return Answer(out="", err=said, exit=error.exit_status)

    async def run(self, request: CallRequest, progress: Callable[[str], None]) -> dict[str, Any]:
        """Run one command by its name; returns its result as data."""
        with self._register_call(request.command, progress):
            try:
                return await self._run_request(request)
            except (BoathookError, OSError) as raised:
                error = _typed(raised)
                outcome = Outcome(command=request.command, category=error.category, error=error)
                return OutputGuard(renderer=self._renderer(request)).for_model(outcome)

    @contextmanager
    def _register_call(self, name: str, tell: Callable[[str], None]) -> Iterator[None]:
        """A running call, as others see it."""
        self._calls += 1
        number = self._calls
        self._running[number] = name[:100]
        progress.listener.set(tell)
        try:
            yield
        finally:
            self._running.pop(number, None)
            self._last = now()
            if self._loading is None:
                self._loading = asyncio.create_task(self._load_rest(), name="load the other commands")

    async def _answer_line(self, line: CommandLine) -> Answer:
        environment = _environment_of(line.environment)
        if agent_browser.is_on(line.argv, environment, line.cwd) and not agent_browser.wants_help(line.argv):
            return await self._agent_browser.answer(line, environment)
        help = self._help(line.argv) if _may_ask_for_help(line.argv) else ""
        if help:
            out = help_on_screen(
                help,
                argv=line.argv,
                environment=environment,
                has_colour=line.terminal.colour,
                columns=line.terminal.columns if line.terminal.is_tty else None,
            )
            return Answer(out=out, err="", exit=0)
        read = self._read_line(line.argv)
        call = Call(
            command=read.command,
            arguments=read.arguments,
            settings=_settings(read.settings, environment, line.cwd),
            own_settings=settings_of_call(read.settings, environment, line.cwd),
            folder=line.cwd,
            program="process",
            pid=line.owner.pid,
            peer=line.peer,
            environment=environment,
            stdin=line.stdin,
            argv=tuple(line.argv),
        )
        call = within_policy_files(call)
        settings = call.settings
        outcome = await self.runner.run(call)
        guard = self._output_guard(outcome, settings, is_tty=line.terminal.is_tty)
        outcome, _file = await with_output_file(outcome, guard, settings)
        if settings.get("json"):
            return Answer(out=guard.in_json(outcome), err="", exit=_exit_of(outcome))
        out, err = (
            guard.on_screen(outcome, _screen(line, settings))
            if line.terminal.is_tty or settings.get("color") == "always"
            else guard.in_text(outcome)
        )
        return Answer(out=out, err=err, exit=_exit_of(outcome))

    async def _run_request(self, request: CallRequest) -> dict[str, Any]:
        asks = request.argv is not None and _may_ask_for_help(request.argv)
        help = self._help(request.argv or ()) if asks else ""
        if help:
            return OutputGuard().for_model(Outcome(command="help", category="inspection", value=help))
        line = self._parse_request(request)
        renderer = self._renderer(request)
        environment = _environment_of(request.environment)
        given = merge_settings(
            _check_settings(request.settings),
            environment=environment,
            folder=request.cwd,
            agent=request.agent or None,
            surface=request.surface,
        )
        # Flags from a model may only narrow what the user has allowed.
        given = with_flags(given, line.settings, folder=request.cwd, trusted=False)
        settings = _with_whole_paths(given, request.cwd)
        call = Call(
            command=line.command,
            arguments=line.arguments,
            settings=settings,
            own_settings=frozenset({*line.settings, *(() if request.surface.is_model else request.settings)}),
            folder=request.cwd,
            surface=request.surface,
            program=request.client,
            pid=request.owner.pid,
            peer=request.peer,
            environment=environment,
            stdin=request.stdin,
            argv=tuple(request.argv or ()),
            renderer=renderer,
        )
        if request.confirmed:
            self.runner.confirmations.confirm_for_client(request.confirmed, peer=request.peer)
        call = within_policy_files(call)
        outcome = await self.runner.run(call)
        self.runner.confirmations.drop(request.confirmed)
        guard = self._output_guard(outcome, call.settings, is_tty=False, renderer=renderer)
        outcome, file = await with_output_file(outcome, guard, call.settings)
        told = guard.for_model(outcome, exit=_exit_of(outcome))
        if line.settings.get("json"):
            told["text"] = guard.in_json(outcome).rstrip("\n")
        return told | ({"outputFile": file} if file else {})

    def _renderer(self, request: CallRequest) -> SurfaceRenderer:
        """The surface of a request's client."""
        if request.tools is None:
            return PYTHON
        tools = tool_templates(request.tools)
        return ToolSurface(
            tools=tools, table=self._table, own_session=request.own_session, given=request.arguments
        )

    def _parse_request(self, request: CallRequest) -> ReadLine:
        """The command of a request with its arguments, also if it came as a command line."""
        if request.argv is None:
            return ReadLine(command=self._command(request.command), arguments=dict(request.arguments))
        line = read_line(request.argv, self._table)
        if request.stdin is not None and not reads_stdin(line):
            raise BadRequest(f"{line.command.cli_name} does not read standard input", hint="omit stdin")
        return line

    async def run_inside(
        self, call: Call, name: str, arguments: Mapping[str, Any], *, settings: Mapping[str, Any]
    ) -> Any:
        """Run another command for a running call; its value, or its error."""
        inner = {**call.settings, "fresh": False, **settings}
        outcome = await self.runner.run(
            replace(call, command=self._command(name), arguments=arguments, settings=inner, stdin=None)
        )
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    def _command(self, name: str) -> Command:
        found = self._commands.get(name)
        if found is None:
            raise BadRequest(f"unknown command: {name[:60]!r}", hint=did_you_mean(name, self._commands))
        return found

    def _output_guard(
        self,
        outcome: Outcome,
        settings: Mapping[str, Any],
        *,
        is_tty: bool,
        renderer: SurfaceRenderer = COMMAND_LINE,
    ) -> OutputGuard:
        wanted = settings.get("boundaries")
        return OutputGuard(
            secrets=outcome.secrets,
            spills=self.recorder.spills(outcome.session),
            boundaries=(None if is_tty else True) if wanted is None else bool(wanted),
            characters=settings.get("max_output"),
            renderer=renderer,
        )

    def _help(self, argv: Sequence[str]) -> str:
        """The help or version that a command line asks for; empty if it asks for something else."""
        if list(argv) in [[word] for word in VERSION]:
            return f"boathook {__version__}"
        if not argv or list(argv) in [[word] for word in HELP]:
            return overview(self._cli_commands.values())
        if argv[-1] in HELP and without_leading_flags(argv, self._table) == list(argv[-1:]):
            return overview(self._cli_commands.values())
        if argv[0] in HELP and list(argv[1:]) == ["all"]:
            return full_help(self._cli_commands.values())
        if argv[0] in HELP:
            return self._help_about([*argv[1:], "--help"], with_group=True)
        return self._help_about(argv, with_group=False)

    def _help_about(self, words: Sequence[str], *, with_group: bool) -> str:
        """The help of a command, or of the commands that a word or a group means."""
        subject = " ".join(words[:-1])
        if words[-1] in HELP and tuple(words[:-1]) not in self._table:
            family = family_help(self._cli_commands.values(), subject)
            if family:
                return family
        read = read_line(words, self._table)
        if not read.wants_help:
            return ""
        commands = self._cli_commands.values()
        group = rest_of_group(commands, read.command, subject) if with_group else ""
        return help_for(read.command) + (group or related_commands(commands, read.command, subject))

    def is_line(self, argv: Sequence[str]) -> bool:
        """Whether words are a valid command line."""
        try:
            read_line(argv, self._table)
        except BoathookError:
            return False
        return True

    async def run_step(self, call: Call, argv: Sequence[str], *, deadline: Deadline | None) -> Step:
        """One step of a batch: another line in the same context, which fails when the time of all steps is over."""
        if deadline is None:
            return await self._run_step(call, argv)
        try:
            async with deadline.stage(f"running the step {argv[0][:SHOWN_WORD]}"):
                return await self._run_step(call, argv)
        except TimedOut as error:
            page = await page_after_timeout(self.runner.sessions.get(self.runner.name_of(call)))
            return failed_step(argv, error, call=call, table=self._table, page=page)

    async def _run_step(self, call: Call, argv: Sequence[str]) -> Step:
        if call.settings.get("compat") == agent_browser.NAME and call.surface is Surface.COMMAND_LINE:
            return await self._agent_browser.run_step(call, argv)
        try:
            read = read_line(argv, self._table)
            require_offered(call.renderer, read.command, read.arguments)
        except BoathookError as error:
            return failed_step(argv, error, call=call, table=self._table)
        # The batch as a whole starts a new session and has an output file, not each of its steps.
        settings = {**call.settings, "fresh": False, "output": None}
        try:
            trusted = not call.surface.is_model
            settings = with_flags(settings, read.settings, folder=call.folder, trusted=trusted)
        except BoathookError as error:
            return failed_step(argv, error, call=call, table=self._table)
        if settings.get("output"):
            settings["output"] = str(Path(call.folder, settings["output"]))
        step = replace(
            call,
            command=read.command,
            arguments=read.arguments,
            settings=settings,
            own_settings=call.own_settings | frozenset(read.settings),
            stdin=None,
            argv=tuple(argv),
        )
        try:
            step = within_policy_files(step)
        except BoathookError as error:
            return failed_step(argv, error, call=call, table=self._table)
        outcome = await self.runner.run(step)
        guard = self._output_guard(outcome, step.settings, is_tty=False, renderer=call.renderer)
        outcome, _file = await with_output_file(outcome, guard, step.settings)
        return step_of(outcome, guard, argv=argv, read=read, call=call)

    def pending_step(self, argv: Sequence[str]) -> Step:
        """A step that was not run."""
        return pending_step(argv, self._table)

    def busy(self) -> list[str]:
        """What is running now."""
        return list(self._running.values())

    def idle_seconds(self) -> float:
        """How long there has been no activity."""
        if self._running or list(self.runner.sessions):
            return 0.0
        return now() - self._last

    async def close(self) -> None:
        """Close all sessions."""
        self._sweeping.cancel()
        if self._loading is not None:
            self._loading.cancel()
        if "scripts" in self.__dict__:
            self.scripts.close()
        await early_browser.close_unused()
        await self.runner.sessions.close_all()
        self.recorder.write_notes()


def _may_ask_for_help(argv: Sequence[str]) -> bool:
    return not argv or any(word in HELP or word in VERSION for word in argv)


def _screen(line: CommandLine, settings: Mapping[str, Any]) -> Screen:
    wanted = settings.get("color") or "auto"
    return Screen(
        columns=line.terminal.columns,
        is_tty=line.terminal.is_tty,
        colour=line.terminal.colour if wanted == "auto" else wanted == "always",
        pictures=pictures_of(line.environment),
    )


def _settings(flags: Mapping[str, Any], environment: Mapping[str, str], folder: str) -> dict[str, Any]:
    """The settings of a command line."""
    return _with_whole_paths(merge_settings(flags, environment=environment, folder=folder), folder)


def _with_whole_paths(settings: dict[str, Any], folder: str) -> dict[str, Any]:
    """Settings that are paths are relative to the caller's working directory."""
    settings = _with_relay_profile(settings)
    return {
        name: _whole(name, value, folder) if SETTINGS[name].kind == "path" and value else value
        for name, value in settings.items()
    }


def _with_relay_profile(settings: dict[str, Any]) -> dict[str, Any]:
    """`--browser relay --profile NAME`: a profile of the user's own Chrome, which is not a folder."""
    browser = str(settings.get("browser", ""))
    if browser.partition(":")[0] != "relay" or not settings.get("profile"):
        return settings
    rest = {name: value for name, value in settings.items() if name != "profile"}
    return {**rest, "browser": f"{browser}:{settings['profile']}"}


def _whole(name: str, value: Any, folder: str) -> str:
    kept = name == "state" and is_name(value)
    if name == "profile" and "/" not in str(value) and not Path(folder, value).exists():
        own = find_profile(str(value))
        if own is not None:
            return COPY_OF + own.path
    return str(place_of(value) if kept else Path(folder, value))


def _check_settings(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    for name in settings:
        if name not in SETTINGS:
            raise BadRequest(f"unknown setting: {name[:60]!r}", hint=f"use one of {', '.join(SETTINGS)}")
    return settings


def _typed(error: BoathookError | OSError) -> BoathookError:
    """Settings and other files are read before a command runs, and fail as its own files do."""
    if isinstance(error, BoathookError):
        return error
    if error.errno is None:
        raise error
    return file_error(error)


def _environment_of(given: Mapping[str, str]) -> dict[str, str]:
    """The variables of a call; where the user's files are is not for a client to say."""
    return {**_own_environment(), **{name: text for name, text in given.items() if name not in _OWN_PLACES}}


def _own_environment() -> dict[str, str]:
    """The folder of the user's files, as the daemon knows it: clients send only variables for boathook."""
    return {name: os.environ[name] for name in _OWN_PLACES if name in os.environ}


def _exit_of(outcome: Outcome) -> int:
    """That of the outcome, and of a smoke test of a browser that does not work."""
    parts = outcome.value if isinstance(outcome.value, list) else []
    command = registered().get(outcome.command)
    if command is not None and command.fails_on_findings and not all(part.ok for part in parts):
        return BrowserError.exit_status
    return outcome.exit_status
