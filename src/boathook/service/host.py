"""The host: what the daemon serves. It reads a command line, runs it in its session, and words the answer."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boathook.clock import now
from boathook.commands import catalogue
from boathook.commands.context import SessionInfo, Step
from boathook.engine.launch.install import install_browser
from boathook.errors import BoathookError
from boathook.presentation.help import help_for, overview
from boathook.presentation.values import as_data
from boathook.service import answers
from boathook.service.command_line import read_line, table_of
from boathook.service.configuration import merged
from boathook.service.daemon.hosting import Answer
from boathook.service.diagnostics import examine
from boathook.service.runner import Call, Runner

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from boathook.commands.context import Finding
    from boathook.service.daemon.hosting import CommandLine
    from boathook.service.outcome import Outcome
    from boathook.service.sessions import Session


class Host:
    """Answers command lines of one user."""

    def __init__(self) -> None:
        self._commands = catalogue()
        self._table = table_of(self._commands)
        self.runner = Runner(host_of=lambda call: HostView(host=self, call=call))
        self._running: dict[int, str] = {}
        self._calls = 0
        self._last = now()

    async def answer(self, line: CommandLine, progress: Callable[[str], None]) -> Answer:
        """Run one command line; mistakes in it are answered without touching any page."""
        del progress
        self._calls += 1
        number = self._calls
        self._running[number] = " ".join(line.argv)[:200]
        wants_json = "--json" in line.argv
        try:
            return await self._answered(line)
        except BoathookError as error:
            if wants_json:
                told = {"ok": False, "category": error.category, "error": answers.error_data(error)}
                return Answer(out=json.dumps(told, ensure_ascii=False) + "\n", err="", exit=error.exit_status)
            return Answer(out="", err=answers.error_in_text(error), exit=error.exit_status)
        finally:
            self._running.pop(number, None)
            self._last = now()

    async def _answered(self, line: CommandLine) -> Answer:
        if not line.argv or line.argv[0] in {"help", "--help", "-h"}:
            return self._help(line.argv[1:])
        read = read_line(line.argv, self._table)
        if read.wants_help:
            return Answer(out=help_for(read.command), err="", exit=0)
        settings = merged(read.settings, environment=line.environment, folder=line.cwd)
        call = Call(
            command=read.command,
            arguments=read.arguments,
            settings=settings,
            folder=line.cwd,
            who=f"process {line.owner.pid}",
            stdin=line.stdin,
        )
        outcome = await self.runner.run(call)
        if settings.get("json"):
            return Answer(out=answers.in_json(outcome), err="", exit=outcome.exit_status)
        out, err = answers.in_text(outcome)
        return Answer(out=out, err=err, exit=outcome.exit_status)

    def _help(self, words: Sequence[str]) -> Answer:
        if words:
            return Answer(out=help_for(read_line([*words, "--help"], self._table).command), err="", exit=0)
        return Answer(out=overview(self._commands.values()), err="", exit=0)

    async def run_step(self, call: Call, argv: Sequence[str]) -> Step:
        """One step of a batch: another line in the same place."""
        try:
            read = read_line(argv, self._table)
            step = replace(
                call,
                command=read.command,
                arguments=read.arguments,
                settings={**call.settings, **read.settings},
                stdin=None,
            )
            outcome = await self.runner.run(step)
        except BoathookError as error:
            return Step(
                argv=tuple(argv), ok=False, text=answers.error_in_text(error).rstrip(), code=error.code
            )
        return _step(tuple(argv), outcome)

    def busy(self) -> list[str]:
        """What is running now."""
        return list(self._running.values())

    def idle_seconds(self) -> float:
        """For how long nobody has used anything here."""
        if self._running or list(self.runner.sessions):
            return 0.0
        return now() - self._last

    async def close(self) -> None:
        """End all sessions."""
        await self.runner.sessions.close_all()


def _step(argv: tuple[str, ...], outcome: Outcome) -> Step:
    out, err = answers.in_text(outcome)
    code = outcome.error.code if outcome.error is not None else ""
    data = as_data(outcome.value) if outcome.error is None else answers.error_data(outcome.error)
    return Step(argv=argv, ok=outcome.ok, text=(out or err).rstrip(), data=data, code=code)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostView:
    """The host as one call's command sees it."""

    host: Host
    call: Call

    @property
    def session_name(self) -> str:
        """The session that the call means."""
        return self.host.runner.name_of(self.call)

    @property
    def stdin(self) -> str | None:
        """What the caller sent along."""
        return self.call.stdin

    def sessions(self) -> list[SessionInfo]:
        """All sessions of the user."""
        present = self.session_name
        return [self._info(session, present) for session in self.host.runner.sessions]

    def _info(self, session: Session, present: str) -> SessionInfo:
        held = {tab: f"{hold.who}: {hold.doing}" for tab, hold in self.host.runner.holds.all()}
        return SessionInfo(
            name=session.name,
            present=session.name == present,
            browser=session.browser.product,
            tabs=tuple(f"{tab.id} {tab.url}" for tab in session.tabs),
            owner=session.owner,
            age_seconds=now() - session.began,
            idle_seconds=now() - session.used,
            busy=tuple(held[tab.id] for tab in session.tabs if tab.id in held),
        )

    async def close_session(self, name: str) -> None:
        """End one session."""
        await self.host.runner.sessions.close(name)

    async def close_all(self) -> int:
        """End all of them."""
        return await self.host.runner.sessions.close_all()

    async def examine(self, *, fix: bool) -> list[Finding]:
        """Look for whatever keeps browsers from working."""
        return await examine(fix=fix)

    async def install(self) -> str:
        """Get a browser; where it is."""
        return str((await asyncio.to_thread(install_browser)).path)

    async def run_line(self, argv: Sequence[str]) -> Step:
        """Run another command line in the same place."""
        return await self.host.run_step(self.call, argv)
