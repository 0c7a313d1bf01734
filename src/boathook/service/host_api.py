"""The host API for commands about sessions and the machine: one call's context, and what is around it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from boathook.clock import now
from boathook.engine.launch.install import install_browser
from boathook.engine.launch.network_limits import upstream_of
from boathook.engine.launch.options import Proxy
from boathook.engine.network.proxy import fetch_url
from boathook.errors import BadRequest, BoathookError, CleanupFailed, NoSuchSession
from boathook.redaction.redactor import Redactor
from boathook.registry.context import HistoryEntry, KeptFile, SessionInfo, Step
from boathook.service.doctor.diagnostics import Examination, examine
from boathook.service.policy.enforcement import all_guards, lock_of
from boathook.service.policy.explain_policy import explain_policy
from boathook.service.policy.policy import policy_of
from boathook.service.policy.session_guards import NO_GUARDS, guards_of
from boathook.service.scripts.playwright_access import CdpAccess
from boathook.service.scripts.script_engines import choose_engine
from boathook.service.scripts.script_files import FileRules
from boathook.service.secrets.secret_values import value_of
from boathook.service.sessions.browser_launch import display_of, executable_of, shown_display
from boathook.service.sessions.session import DEFAULT_NAME
from boathook.service.sessions.session_manager import name_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from boathook.clock import Deadline
    from boathook.commands.results import ScriptResult
    from boathook.engine.network.proxy.fetch_url import FetchedBody
    from boathook.engine.tab import Tab
    from boathook.registry.context import CheckResult, PolicyRule, SessionScope
    from boathook.service.call import Call
    from boathook.service.host import Host
    from boathook.service.policy.policy import Policy
    from boathook.service.records.journal import JournalRecord
    from boathook.service.scripts.script_files import ScriptFiles
    from boathook.service.sessions.session import Session

SHOWN_WORD = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class CallHostApi:
    """The host as one call's command sees it."""

    host: Host
    call: Call
    progress: Callable[[str], None]

    @property
    def stdin(self) -> str | None:
        """The caller's environment."""
        return self.call.stdin

    def session_id(self) -> str:
        """The internal name of the call's session."""
        return self.host.runner.name_of(self.call)

    @property
    def caller_pid(self) -> int:
        """The process of the caller."""
        return self.call.pid

    def name_for(self, scope: SessionScope, *, prefix: str) -> str:
        """A session name that belongs to a folder around the call's working directory."""
        return name_in(self.call.folder, scope=scope, prefix=prefix)

    def sessions(self) -> list[SessionInfo]:
        """All sessions of the user, except those whose browser was another program's and has exited."""
        sessions = self.host.runner.sessions
        return [self._info(session) for session in sessions if session.alive or session.browser.managed]

    def session(self, name: str | None = None) -> SessionInfo:
        """One running session; without a name that of the call."""
        return self._info(self._find_session(name))

    def _find_session(self, name: str | None) -> Session:
        kept = self.session_id() if name in {None, DEFAULT_NAME} else str(name)
        session = self.host.runner.sessions.get(kept)
        if session is None:
            shown = name or self.call.settings.get("session") or DEFAULT_NAME
            raise NoSuchSession(f"session {shown} is not running", hint="`open URL` starts one")
        return session

    def _info(self, session: Session) -> SessionInfo:
        held = [hold for tab in session.tabs if (hold := self.host.runner.tab_locks.of(tab)) is not None]
        present = session.name == self.session_id()
        return SessionInfo(
            name=session.shown if present else session.name,
            present=present,
            project=session.project,
            browser=session.browser.product if session.alive else f"{session.browser.product} (exited)",
            # Its own secrets: the answer may be for another session, which does not know them.
            tabs=tuple(f"{tab.id} {Redactor(session.secrets).text(tab.url)}" for tab in session.tabs)
            if session.alive
            else (),
            owner=session.owner,
            age_seconds=now() - session.began,
            idle_seconds=now() - session.used,
            busy=tuple(f"{hold.who}: {hold.doing}" for hold in held),
            address=session.browser.address,
            restore=session.restoring.status if session.restoring is not None else "",
        )

    async def close_session(self, name: str | None = None, *, kill: bool = False) -> SessionInfo:
        """Close one session, and with `kill` the app that was started for it; returns its last state."""
        session = self._find_session(name)
        info = self._info(session)
        try:
            await self.host.runner.sessions.close(session.name, kill=kill)
        except BoathookError as error:
            raise CleanupFailed(f"session {info.name} is closed, but {error.message}") from error
        return info

    async def fetch(
        self, url: str, *, accept: str, headers: Mapping[str, str] | None = None, seconds: float
    ) -> FetchedBody:
        """Fetch a URL without a browser; the limits of the session apply, whether it is running or not."""
        settings = {**self.host.runner.sessions.limits(self.session_id()), **self.call.settings}
        policy = policy_of(settings, surface=self.call.surface, folder=self.call.folder)
        proxy = settings.get("proxy")
        upstream = upstream_of(Proxy(server=str(proxy))) if proxy else None
        return await fetch_url.fetch(
            url,
            host_policy=policy.host_policy,
            accept=accept,
            headers=headers,
            upstream=upstream,
            seconds=seconds,
        )

    def confirm(self, number: str) -> str:
        """The runner makes the call of a confirmation, so there is none of this number, or this process may not approve it."""
        return self.host.runner.confirmations.confirm(number, peer=self.call.peer).command.cli_name

    def pending_confirmations(self) -> dict[str, str]:
        """What waits for a confirmation, by id."""
        return self.host.runner.confirmations.pending()

    def deny(self, number: str) -> str:
        """Deny the confirmation of this number; returns the command that is not run."""
        return self.host.runner.confirmations.deny(number).command.cli_name

    async def secret(self, source: str, *, origin: str) -> str:
        """The value of a source such as env:NAME, if pages of this origin may receive it."""
        return await asyncio.to_thread(
            value_of, source, origin=origin, environment=self.call.environment, surface=self.call.surface
        )

    def whole_path(self, path: str) -> Path:
        """A path relative to the call's working directory."""
        return Path(self.call.folder, path)

    def memory(self) -> dict[str, Any]:
        """Data that tools keep between two calls in the call's session."""
        running, own = [session.name for session in self.host.runner.sessions], self.session_id()
        for name in [memory for memory in self.host.memories if memory != own]:
            if not any(session.startswith(name) for session in running):
                del self.host.memories[name]  # its session has ended, and those that belonged to it
        return self.host.memories.setdefault(own, {})

    async def present_target(self) -> str:
        """The CDP target of the current tab."""
        session = await self.host.runner.session_of(self.call)
        return (await session.present()).target_id

    def artifacts(self) -> list[KeptFile]:
        """The artifacts of the call's session."""
        return [
            KeptFile(
                path=str(artifact.path),
                kind=artifact.kind.value,
                state=artifact.state.value,
                size=artifact.size,
                reason=artifact.reason,
            )
            for artifact in self.host.recorder.artifacts(self.session_id())
        ]

    def files_to_keep(self, name: str | None = None, *, all: bool = False) -> list[Path]:
        """Files that calls of a session, or of all, saved outside our own folders and that still exist."""
        sessions = list(self.host.runner.sessions) if all else [self._find_session(name)]
        recorder = self.host.recorder
        return [
            path
            for session in sessions
            for path in recorder.files_to_keep(session.name, seconds=now() - session.began)
        ]

    async def close_all(self) -> int:
        """Close all of them."""
        return await self.host.runner.sessions.close_all()

    async def show_window(self, *, shown: bool) -> list[str]:
        """Restart the session's browser with or without a window; returns the URLs that are lost with it."""
        session = self._find_session(None)
        if not session.browser.managed:
            raise BadRequest("this browser was not started by boathook, so it is not restarted")
        if (("headed", True) in session.key) is shown:
            return []
        lost = [tab.url for tab in session.tabs]
        await self.host.runner.sessions.restart(
            session, headed=shown, display=display_of(self.call.environment)
        )
        return lost

    async def connect(self, endpoint: str) -> SessionInfo:
        """Attach the call's session to a running browser."""
        call = replace(self.call, settings={**self.call.settings, "cdp": endpoint})
        return self._info(await self.host.runner.session_of(call))

    def clean(self, *, older_than: float) -> str:
        """Remove stored files that are older than so many seconds."""
        return self.host.recorder.clean(older_than=older_than)

    async def examine(self, *, fix: bool, quick: bool = False) -> list[CheckResult]:
        """Check for problems that keep browsers from working."""
        settings, environment = self.call.settings, self.call.environment
        profile = settings.get("profile")
        asked = Examination(
            fix=fix,
            quick=quick,
            executable=executable_of(environment, settings, locked=lock_of(self.call).sources),
            display=shown_display(environment),
            profile=Path(profile) if profile else None,
        )
        return await examine(asked)

    def policy(self) -> list[PolicyRule]:
        """The rules that apply to calls like this one, with their sources."""
        runner = self.host.runner
        limits = runner.sessions.limits(runner.name_of(self.call))
        return explain_policy(self.call, session_limits=limits, lock=lock_of(self.call))

    async def install(self) -> str:
        """Install a browser; returns its path."""
        loop = asyncio.get_running_loop()

        def tell(text: str) -> None:
            loop.call_soon_threadsafe(self.progress, text)

        return str((await asyncio.to_thread(install_browser, progress=tell)).path)

    def history(self, *, limit: int) -> list[HistoryEntry]:
        """The history of the call's session, oldest first."""
        return [
            _history_entry(record)
            for record in self.host.recorder.history(self.session_id(), limit=limit).records
        ]

    async def run_script(
        self,
        code: str,
        *,
        language: Literal["python", "js", "js-page"],
        engine: Literal["safe", "jail", "unsafe"] | None,
        seconds: float,
    ) -> ScriptResult:
        """Run code outside the page of the call's tab; the tab is locked meanwhile."""
        session = await self.host.runner.session_of(self.call)
        tab = await self._tab_in(session)
        policy = policy_of(self.call.settings, surface=self.call.surface, folder=self.call.folder)
        chosen = choose_engine(
            engine,
            language=language,
            settings=self.call.settings,
            surface=self.call.surface,
            locked="script_engine" in lock_of(self.call).sources,
        )

        async def run_command(
            name: str, arguments: Mapping[str, Any], files: ScriptFiles | None, on: Tab
        ) -> Any:
            inside = replace(self.call, tab_locks=on is not tab)
            settings = {"tab": on.id, **(files.settings() if files is not None else {})}
            return await self.host.run_inside(inside, name, arguments, settings=settings)

        with self.host.runner.tab_locks.on(tab, who=self.call.who, doing="run"):
            return await self.host.scripts.run(
                tab,
                code,
                language=language,
                engine=chosen,
                seconds=seconds,
                files=self._script_files(policy),
                run_command=run_command,
                find_tab=session.resolve_tab,
                folder=self.call.folder,
                access=CdpAccess(
                    evaluate=policy.evaluate, guarded=self._is_guarded(tab, policy), schemes=policy.schemes
                ),
            )

    def _is_guarded(self, tab: Tab, policy: Policy) -> bool:
        """Whether rules apply to the call that hold for commands only: action policies, and limits on hosts in browsers of others."""
        if policy.host_policy.limited and not tab.browser.managed:
            return True
        limits = self.host.runner.sessions.limits(self.session_id())
        return all_guards(self.call, guards=guards_of(limits), lock=lock_of(self.call)) != NO_GUARDS

    def _script_files(self, policy: Policy) -> FileRules:
        """The folders that the user has named, or else those of the surface: for a person the working directory."""
        folder, named = self.call.folder, self.call.settings
        usual = policy_of({}, surface=self.call.surface, folder=folder).output_roots or (Path(folder),)
        return FileRules(
            folder=Path(folder),
            usual=usual,
            upload_roots=policy.upload_roots if named.get("upload_roots") is not None else None,
            output_roots=policy.output_roots if named.get("output_roots") is not None else None,
            downloads=Path(folder, named["download_path"]) if named.get("download_path") else None,
        )

    async def forget_state(self) -> list[str]:
        """Remove the variables that scripts stored for that tab; returns their names."""
        session = await self.host.runner.session_of(self.call)
        return self.host.scripts.forget(await self._tab_in(session))

    async def _tab_in(self, session: Session) -> Tab:
        wanted = self.call.settings.get("tab")
        return await session.resolve_tab(str(wanted)) if wanted else await session.present()

    async def start_afresh(self) -> None:
        """Close the call's session, if the caller wants a new one."""
        names = {session.name for session in self.host.runner.sessions}
        if self.call.settings.get("fresh") and self.session_id() in names:
            await self.close_session(self.session_id())

    @property
    def timeout(self) -> float | None:
        """The caller's timeout in seconds."""
        seconds = self.call.settings.get("timeout")
        return None if seconds is None else float(seconds)

    def is_line(self, argv: Sequence[str]) -> bool:
        """Whether words are a valid command line."""
        return self.host.is_line(argv)

    async def run_line(self, argv: Sequence[str], *, deadline: Deadline | None = None) -> Step:
        """Run another command line in the same context."""
        self.progress(argv[0][:SHOWN_WORD] if argv else "")
        return await self.host.run_step(self.call, argv, deadline=deadline)

    def pending_step(self, argv: Sequence[str]) -> Step:
        """A step that was not run."""
        return self.host.pending_step(argv)

    async def run(
        self, name: str, arguments: Mapping[str, Any], *, settings: Mapping[str, Any] | None = None
    ) -> Any:
        """Run another command in the same context, or where the settings say; its value, or its error."""
        return await self.host.run_inside(self.call, name, arguments, settings=settings or {})


def _history_entry(record: JournalRecord) -> HistoryEntry:
    at = datetime.fromtimestamp(record.time, tz=UTC).isoformat(timespec="seconds")
    return HistoryEntry(
        time=at,
        who=f"{record.program} {record.pid}",
        command=record.command,
        arguments=record.arguments,
        outcome=record.code or record.outcome,
        seconds=record.seconds,
    )
