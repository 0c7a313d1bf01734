"""The host: what the daemon serves. It reads a command line, runs it in its session, and words the answer."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.clock import now
from boathook.commands import catalogue
from boathook.commands.context import Done, SessionInfo, Step
from boathook.engine.launch.install import install_browser
from boathook.errors import BoathookError
from boathook.presentation.help import help_for, overview
from boathook.presentation.values import as_data
from boathook.service.command_line import read_line, table_of
from boathook.service.configuration import merged
from boathook.service.daemon.hosting import Answer
from boathook.service.diagnostics import examine
from boathook.service.gate import Gate, error_data
from boathook.service.keeping import Keeper
from boathook.service.runner import Call, Runner
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boathook.commands.context import Finding
    from boathook.service.daemon.hosting import CommandLine
    from boathook.service.journal import Record
    from boathook.service.outcome import Outcome
    from boathook.service.sessions import Session

BATCH_FAILED = 1
IDLE_SECONDS = 30 * 60
SWEEP_SECONDS = 60


class Host:
    """Answers command lines of one user."""

    def __init__(self) -> None:
        self._commands = catalogue()
        self._table = table_of(self._commands)
        self.keeper = Keeper()
        self.runner = Runner(host_of=lambda call: HostView(host=self, call=call), keeper=self.keeper)
        self._running: dict[int, str] = {}
        self._calls = 0
        self._last = now()
        self._sweeping = asyncio.create_task(self._close_idle_sessions(), name="close idle sessions")

    async def _close_idle_sessions(self) -> None:
        """Sessions end when nobody uses them; what cannot be closed now is tried again."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            with suppress(BoathookError):
                await self.runner.sessions.close_idle(IDLE_SECONDS, busy=self.busy())

    async def answer(self, line: CommandLine, progress: Callable[[str], None]) -> Answer:
        """Run one command line; mistakes in it are answered without touching any page."""
        del progress
        self._calls += 1
        number = self._calls
        self._running[number] = line.argv[0][:100] if line.argv else ""
        try:
            return await self._answered(line)
        except BoathookError as error:
            gate = Gate()
            if "--json" in line.argv:
                told = {"ok": False, "category": error.category, "error": error_data(error)}
                return Answer(out=gate.data(told), err="", exit=error.exit_status)
            return Answer(out="", err=gate.error_in_text(error), exit=error.exit_status)
        finally:
            self._running.pop(number, None)
            self._last = now()

    async def _answered(self, line: CommandLine) -> Answer:
        if not line.argv or line.argv[0] in {"help", "--help", "-h"}:
            return self._help(line.argv[1:])
        read = read_line(line.argv, self._table)
        if read.wants_help:
            return Answer(out=help_for(read.command), err="", exit=0)
        environment = {**_own_environment(), **line.environment}
        settings = _with_whole_paths(
            merged(read.settings, environment=environment, folder=line.cwd), line.cwd
        )
        call = Call(
            command=read.command,
            arguments=read.arguments,
            settings=settings,
            folder=line.cwd,
            program="process",
            pid=line.owner.pid,
            environment=environment,
            stdin=line.stdin,
        )
        outcome = await self.runner.run(call)
        gate = self._gate(outcome, settings, is_tty=line.terminal.is_tty)
        if settings.get("json"):
            return Answer(out=gate.in_json(outcome), err="", exit=_exit_of(outcome))
        out, err = gate.in_text(outcome)
        return Answer(out=out, err=err, exit=_exit_of(outcome))

    def _gate(self, outcome: Outcome, settings: Mapping[str, Any], *, is_tty: bool) -> Gate:
        wanted = settings.get("boundaries")
        return Gate(
            secrets=outcome.secrets,
            spills=self.keeper.spills(outcome.session),
            boundaries=not is_tty if wanted is None else bool(wanted),
            characters=settings.get("max_output"),
        )

    def _help(self, words: Sequence[str]) -> Answer:
        if words:
            return Answer(out=help_for(read_line([*words, "--help"], self._table).command), err="", exit=0)
        return Answer(out=overview(self._commands.values()), err="", exit=0)

    async def run_step(self, call: Call, argv: Sequence[str]) -> Step:
        """One step of a batch: another line in the same place."""
        try:
            read = read_line(argv, self._table)
        except BoathookError as error:
            text = Gate().error_in_text(error).rstrip()
            return Step(argv=tuple(argv), ok=False, text=text, code=error.code)
        # The batch as a whole starts afresh, not each of its steps.
        settings = {**call.settings, "fresh": False, **read.settings}
        outcome = await self.runner.run(
            replace(call, command=read.command, arguments=read.arguments, settings=settings, stdin=None)
        )
        gate = self._gate(outcome, settings, is_tty=False)
        out, err = gate.in_text(outcome)
        return Step(
            argv=tuple(gate.redactor.argv(list(argv))),
            ok=outcome.ok,
            text=(out or err).rstrip(),
            data=gate.redactor.value(as_data(outcome.value)) if outcome.ok else None,
            code=outcome.error.code if outcome.error is not None else "",
        )

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
        self._sweeping.cancel()
        await self.runner.sessions.close_all()


def _done(record: Record) -> Done:
    at = datetime.fromtimestamp(record.time, tz=UTC).isoformat(timespec="seconds")
    return Done(
        time=at,
        who=f"{record.program} {record.pid}",
        command=record.command,
        arguments=record.arguments,
        outcome=record.code or record.outcome,
        seconds=record.seconds,
    )


def _with_whole_paths(settings: dict[str, Any], folder: str) -> dict[str, Any]:
    """Settings that are paths are meant from where the caller stands."""
    return {
        name: str(Path(folder, value)) if SETTINGS[name].kind == "path" else value
        for name, value in settings.items()
    }


def _own_environment() -> dict[str, str]:
    """Where the user's own files are, as the daemon knows it: clients send only what is meant for us."""
    return {name: os.environ[name] for name in ("HOME", "XDG_CONFIG_HOME") if name in os.environ}


def _exit_of(outcome: Outcome) -> int:
    """A batch with a failure in it has failed."""
    if isinstance(outcome.value, list) and any(isinstance(one, Step) and not one.ok for one in outcome.value):
        return BATCH_FAILED
    return outcome.exit_status


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

    async def connect(self, endpoint: str) -> SessionInfo:
        """Work in a browser that listens, in the session that the call means."""
        name = self.session_name
        session = await self.host.runner.sessions.use(
            name, {**self.call.settings, "cdp": endpoint}, owner=self.call.who
        )
        return self._info(session, name)

    def clean(self, *, older_than: float) -> str:
        """Remove what is kept and older than so many seconds."""
        return self.host.keeper.clean(older_than=older_than)

    async def examine(self, *, fix: bool) -> list[Finding]:
        """Look for whatever keeps browsers from working."""
        return await examine(fix=fix)

    async def install(self) -> str:
        """Get a browser; where it is."""
        return str((await asyncio.to_thread(install_browser)).path)

    def history(self, *, limit: int) -> list[Done]:
        """What was done in the session that the call means, oldest first."""
        return [_done(one) for one in self.host.keeper.history(self.session_name, limit=limit).records]

    async def start_afresh(self) -> None:
        """End the session that the call means, when the caller wants a new one."""
        names = {session.name for session in self.host.runner.sessions}
        if self.call.settings.get("fresh") and self.session_name in names:
            await self.close_session(self.session_name)

    async def run_line(self, argv: Sequence[str]) -> Step:
        """Run another command line in the same place."""
        return await self.host.run_step(self.call, argv)
