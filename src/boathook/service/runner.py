"""The runner: the one way that every call takes, whichever door it came through."""

from __future__ import annotations

import logging
import time
import traceback
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.commands.registry import Effect, Scope
from boathook.commands.storage import load_state
from boathook.errors import BoathookError, Unforeseen
from boathook.service.advice import next_actions
from boathook.service.arguments import checked
from boathook.service.holds import Holds
from boathook.service.keeping import artifacts_of, category_of
from boathook.service.outcome import Outcome, PageState
from boathook.service.private_files import plain_name
from boathook.service.secret_values import resolved
from boathook.service.sessions import DEFAULT_NAME, Sessions, default_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boathook.commands.context import HostScope
    from boathook.commands.registry import Command
    from boathook.engine.tab import Tab
    from boathook.service.keeping import Keeper
    from boathook.service.sessions import Session


log = logging.getLogger("boathook")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call, as a door hands it in."""

    command: Command
    arguments: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)
    folder: str = "/"
    """The caller's working directory: paths are relative to it."""
    door: str = "command line"
    program: str = ""
    pid: int = 0
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    stdin: str | None = None

    @property
    def who(self) -> str:
        """The caller in words."""
        return f"{self.program or 'process'} {self.pid}".strip()


@dataclass(slots=True)
class _Place:
    """Where a call works."""

    session: Session | None = None
    tab: Tab | None = None
    secrets: frozenset[str] = frozenset()


class Runner:
    """Runs commands in sessions."""

    def __init__(self, *, host_of: Callable[[Call], HostScope], keeper: Keeper) -> None:
        self.sessions = Sessions(keeper.session_records)
        self.keeper = keeper
        self.holds = Holds()
        self._host_of = host_of
        """What commands about sessions and the machine are given."""

    async def run(self, call: Call) -> Outcome:
        """Run one call; typed errors become outcomes, so that every door shows them alike."""
        place, began = _Place(), time.time()
        try:
            value = await self._safely_done(call, place)
            artifacts = artifacts_of(value, began=began)
        except BoathookError as error:
            outcome = _outcome(
                call, place, category=error.category, error=error, next_actions=next_actions(error)
            )
        else:
            outcome = _outcome(call, place, category=category_of(artifacts), value=value, artifacts=artifacts)
        if place.session is not None:
            self.sessions.keep(place.session)
        trouble = self.keeper.note(call, outcome, began=began)
        return replace(outcome, notes=(*outcome.notes, trouble)) if trouble else outcome

    async def _safely_done(self, call: Call, place: _Place) -> Any:
        """No call ends in a traceback: what nobody thought of is an error like others, and is in the log."""
        try:
            return await self._done(call, place)
        except BoathookError:
            raise
        except Exception as error:
            kind = type(error).__name__
            # Where, but not what: the words of an exception may hold what must not be written down.
            places = [
                f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)
            ]
            log.error("runner.unforeseen command=%s kind=%s at=%s", call.command.name, kind, places[-3:])  # noqa: TRY400
            raise Unforeseen(f"{call.command.spoken} met with something unforeseen ({kind})") from error

    async def _done(self, call: Call, place: _Place) -> Any:
        arguments = _with_timeout(call, checked(call.command, call.arguments))
        arguments, place.secrets = resolved(call.command, arguments, call.environment)
        arguments = _with_whole_paths(call, arguments)
        if call.command.scope is Scope.HOST:
            return await _run(call.command, self._host_of(call), arguments)
        place.session = await self.session_of(call)
        place.session.secrets |= place.secrets
        if call.command.scope is Scope.BROWSER:
            return await _run(call.command, place.session, arguments)
        wanted = call.settings.get("tab")
        place.tab = place.session.find(str(wanted)) if wanted else await place.session.present()
        with ExitStack() as held:
            if call.command.effect is not Effect.READS:
                doing = call.command.spoken
                held.enter_context(self.holds.on(place.tab, who=call.who, doing=doing))
            return await _run(call.command, place.tab, arguments)

    async def session_of(self, call: Call) -> Session:
        """The session that a call works in, started when it does not run."""
        name = self.name_of(call)
        runs = any(session.name == name for session in self.sessions)
        if runs and call.settings.get("fresh"):
            await self.sessions.close(name)
            runs = False
        session = await self.sessions.use(name, call.settings, owner=call.who)
        if not runs and call.settings.get("state"):
            await load_state(await session.present(), Path(call.settings["state"]))
        return session

    def name_of(self, call: Call) -> str:
        """The name of the session that a call means."""
        given = call.settings.get("session")
        if not given or given == DEFAULT_NAME:
            return default_name(call.folder)
        return plain_name(str(given))


async def _run(command: Command, subject: Any, arguments: dict[str, Any]) -> Any:
    """Call the handler; what takes all the words that are left is given as such."""
    left = next((one.name for one in command.parameters if one.variadic), None)
    if left is None or left not in arguments:
        return await command.run(subject, **arguments)
    before = [one.name for one in command.parameters if one.positional and not one.variadic]
    named = {name: value for name, value in arguments.items() if name != left and name not in before}
    first = [arguments.get(one.name, one.default) for one in command.parameters if one.name in before]
    return await command.run(subject, *first, *arguments[left], **named)


def _with_timeout(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    seconds = call.settings.get("timeout")
    if seconds is None or "timeout" in arguments or call.command.parameter("timeout") is None:
        return arguments
    return {**arguments, "timeout": seconds}


def _with_whole_paths(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Paths are meant from where the caller stands, not from where the daemon does."""
    whole = dict(arguments)
    for name in (*call.command.reads_files, *call.command.writes_files):
        given = whole.get(name)
        if isinstance(given, list):
            whole[name] = [Path(call.folder, one) for one in given]
        elif given is not None:
            whole[name] = Path(call.folder, given)
    return whole


def _outcome(call: Call, place: _Place, **facts: Any) -> Outcome:
    page = None
    notes: tuple[str, ...] = ()
    if place.tab is not None and place.tab.state != "closed":
        page = PageState(tab=place.tab.id, url=place.tab.url)
    if place.session is not None:
        notes, place.session.news = tuple(place.session.news), []
    name, secrets = "", place.secrets
    if place.session is not None:
        name, secrets = place.session.name, secrets | place.session.secrets
    return Outcome(command=call.command.name, session=name, page=page, notes=notes, secrets=secrets, **facts)
