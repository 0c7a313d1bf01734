"""Running a command line of agent-browser: read it, run our command, answer in its form."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from boathook.commands.results import SnapshotResult
from boathook.errors import BoathookError
from boathook.registry.registry import registered
from boathook.service.agent_browser import mode
from boathook.service.agent_browser.answers import Reply, answer, refuse, reply_to
from boathook.service.agent_browser.read_line import TheirLine, read_their_line
from boathook.service.call import Call
from boathook.service.input.configuration import settings_of_call, with_flags
from boathook.service.output.output_guard import OutputGuard
from boathook.service.policy.enforcement import within_policy_files
from boathook.service.secrets.typed_secrets import find_typed_secrets

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boathook.engine.snapshot.take import Snapshot
    from boathook.registry.context import Step
    from boathook.registry.registry import Command
    from boathook.service.daemon.host_protocol import Answer, CommandLine
    from boathook.service.output.outcome import Outcome
    from boathook.service.runner import Runner
    from boathook.service.sessions.session import Session

TITLE_SECONDS = 2.0
MARKED_ELEMENTS: Mapping[str, Any] = {"mode": "compact", "boxes": True, "budget": None, "fold": False}


class _GuardMaker(Protocol):
    def __call__(self, outcome: Outcome, settings: Mapping[str, Any], *, is_tty: bool) -> OutputGuard:
        """The output guard for an outcome."""


class AgentBrowserLines:
    """Answers command lines that are written for agent-browser."""

    def __init__(
        self,
        *,
        runner: Runner,
        table: Mapping[tuple[str, ...], Command],
        guard_of: _GuardMaker,
        settings_of: Callable[[Mapping[str, Any], Mapping[str, str], str], dict[str, Any]],
    ) -> None:
        self._runner = runner
        self._table = table
        self._guard_of = guard_of
        self._settings_of = settings_of

    async def answer(self, line: CommandLine, environment: Mapping[str, str]) -> Answer:
        """Run one line; mistakes in it are answered without touching any page."""
        words = mode.without_flag(line.argv)
        environment = mode.our_variables(environment)
        try:
            read = read_their_line(words, self._table)
            given = self._settings_of(read.parsed.settings, environment, line.cwd)
        except BoathookError as error:
            guard = OutputGuard()
            as_json = "--json" in words or environment.get("BOATHOOK_JSON", "") not in {"", "0", "false"}
            return answer(
                refuse(error, guard), guard, as_json=as_json, characters=None, boundaries=False, origin=""
            )
        settings: Mapping[str, Any] = {**mode.DEFAULTS, **given, mode.SETTING.name: mode.NAME}
        call = Call(
            command=read.parsed.command,
            arguments=read.parsed.arguments,
            settings=settings,
            own_settings=settings_of_call(read.parsed.settings, environment, line.cwd),
            folder=line.cwd,
            program="process",
            pid=line.owner.pid,
            peer=line.peer,
            environment=environment,
            stdin=line.stdin,
        )
        call = within_policy_files(call)
        settings = call.settings
        reply, guard, outcome = await self._run(call, read)
        return answer(
            reply,
            guard,
            as_json=bool(settings.get("json")),
            characters=settings.get("max_output"),
            boundaries=bool(settings.get("boundaries")),
            origin=outcome.page.url if outcome.page is not None else "",
        )

    async def run_step(self, call: Call, argv: Sequence[str]) -> Step:
        """One step of a batch."""
        settings = {**call.settings, "fresh": False}
        try:
            read = read_their_line(argv, self._table)
            settings = with_flags(settings, read.parsed.settings, folder=call.folder, trusted=True)
        except BoathookError as error:
            return refuse(error, OutputGuard()).step(tuple(argv))
        inner = replace(
            call,
            command=read.parsed.command,
            arguments=read.parsed.arguments,
            settings=settings,
            own_settings=call.own_settings | frozenset(read.parsed.settings),
            stdin=None,
        )
        reply, guard, outcome = await self._run(within_policy_files(inner), read)
        typed = find_typed_secrets(read.parsed, outcome)
        return reply.step(tuple(guard.redactor.argv(list(argv), secret_words=typed)))

    async def _run(self, call: Call, read: TheirLine) -> tuple[Reply, OutputGuard, Outcome]:
        sessions, name = self._runner.sessions, self._runner.name_of(call)
        running = sessions.get(name)
        before = running.tabs if running is not None else []
        outcome = await self._runner.run(call)
        guard = self._guard_of(outcome, call.settings, is_tty=False)
        session = sessions.get(name)
        title = await _title(session) if read.shape == "tab" and session is not None else ""
        marks = read.shape == "screenshot" and bool(read.parsed.arguments.get("annotate"))
        marked = await self._marked(call) if marks and outcome.ok else None
        reply = reply_to(
            outcome, read, guard, session=session, before=before, call=call, title=title, marked=marked
        )
        return reply, guard, outcome

    async def _marked(self, call: Call) -> Snapshot | None:
        """The elements that an annotated screenshot marks: those with a ref, with their boxes."""
        seen = await self._runner.run(
            replace(call, command=registered()["snapshot"], arguments=MARKED_ELEMENTS)
        )
        return seen.value.snapshot if isinstance(seen.value, SnapshotResult) else None


async def _title(session: Session) -> str:
    """The title of the current page; a page that does not respond has none."""
    with suppress(BoathookError, TimeoutError):
        async with asyncio.timeout(TITLE_SECONDS):
            return await session.current.title() if session.current is not None else ""
    return ""
