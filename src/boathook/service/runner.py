"""The runner: the one way of every call, from any surface."""

from __future__ import annotations

import asyncio
import logging
import time
import traceback
from contextlib import ExitStack, asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.clock import Deadline, now
from boathook.commands.environment.storage import load_state
from boathook.effects import Effect
from boathook.engine.actions.perform import Performed
from boathook.engine.elements import match_scope
from boathook.engine.secrets import report_secret
from boathook.engine.secrets.page_secrets import note_page_secrets
from boathook.engine.state.state_file import read_state
from boathook.engine.vault import encryption_keys
from boathook.errors import (
    BadRequest,
    BoathookError,
    InternalError,
    LaunchConflict,
    PolicyBlocked,
    TabGone,
    UsersTab,
)
from boathook.private_files import plain_name
from boathook.redaction.redactor import Redactor
from boathook.redaction.secret import Secret
from boathook.registry.invoke import call_command, file_error
from boathook.registry.registry import URL_PARAMETERS, Scope
from boathook.service.call import Call, CallContext
from boathook.service.call_outcome import completed_outcome, failed_outcome
from boathook.service.input.argument_binding import prepare_arguments
from boathook.service.output.batch_report import roll_up
from boathook.service.output.explain_error import explain_error
from boathook.service.policy.confirmation_scene import scene_of
from boathook.service.policy.confirmations import Confirmations
from boathook.service.policy.enforcement import (
    check,
    check_resolved,
    lock_of,
    require_confirmation,
    tighten_call,
)
from boathook.service.policy.prompt_guards import check_stop_boundary, require_artifacts
from boathook.service.policy.refusal_notes import refusals_so_far
from boathook.service.policy.session_guards import guards_of
from boathook.service.records.call_recorder import artifacts_of, videos
from boathook.service.records.cdp_trace import trace_connection
from boathook.service.secrets.secret_values import names_any, require_origins, resolve
from boathook.service.sessions.browser_launch import (
    VARIABLES,
    display_of,
    launch_variables,
    unused_variables,
)
from boathook.service.sessions.other_pages import describe_other_pages
from boathook.service.sessions.session import DEFAULT_NAME
from boathook.service.sessions.session_manager import Sessions, default_name, project_of
from boathook.service.sessions.session_restore import restore_session
from boathook.service.sessions.tab_locks import TabLocks
from boathook.service.surface import Surface

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from boathook.engine.secrets.report_secret import SecretOwner
    from boathook.engine.tab import Tab
    from boathook.registry.context import HostApi
    from boathook.registry.registry import Command
    from boathook.service.output.outcome import Outcome
    from boathook.service.policy.policy import Policy
    from boathook.service.records.call_recorder import CallRecorder
    from boathook.service.secrets.secret_values import Resolved
    from boathook.service.sessions.session import Session

log = logging.getLogger("boathook")
_hidden_by_parts: ContextVar[set[str] | None] = ContextVar("secrets of the calls within a call", default=None)
FOLLOW_SECONDS = 5.0
"""How long a call waits for the page in a tab that it opened."""
START_GRACE_SECONDS = 1.0
SECRETS_SECONDS = 1.0
SECRETS_AFTER_ERROR = 0.2
"""How long a page may take to report which of its values are secret; one that has just failed may not respond at all."""


class Runner:
    """Runs commands in sessions."""

    def __init__(self, *, host_of: Callable[[Call], HostApi], recorder: CallRecorder) -> None:
        self.sessions = Sessions(recorder.session_records)
        self.sessions.on_recorded = lambda session, video: recorder.remember(session.name, videos(video))
        self.recorder = recorder
        self.tab_locks = TabLocks()
        self.confirmations = Confirmations()
        self._host_of = host_of
        """The host API for commands about sessions and the machine."""

    async def run(self, call: Call) -> Outcome:
        """Run one call; what it must not show, its parent call must not show either."""
        outer, inner = _hidden_by_parts.get(), set[str]()
        token = _hidden_by_parts.set(inner)
        try:
            outcome = await self._run(call, inner)
        finally:
            _hidden_by_parts.reset(token)
        if outer is not None:
            outer |= outcome.secrets
        return outcome

    async def _run(self, call: Call, hidden_by_parts: set[str]) -> Outcome:
        """Typed errors become outcomes, so that every surface shows them alike."""
        context, began, start = CallContext(), time.time(), time.monotonic()
        approved = ""
        with suppress(BadRequest, PolicyBlocked):  # the command itself says what is wrong with it
            call, approved = self._resolve_confirmation(call)
        try:
            value = await self._run_safely(call, context)
            artifacts = artifacts_of(call.command, value, began=began)
        except BoathookError as raised:
            error = await explain_error(raised, call, context)
            outcome = await failed_outcome(error, call, context)
        else:
            outcome = roll_up(await completed_outcome(value, call, context, artifacts))
        self.confirmations.drop(approved)
        hidden = context.secrets | self._secrets_hidden_from(call, context) | hidden_by_parts
        outcome = replace(outcome, secrets=hidden)
        if context.session is not None:
            self._note_where(call, context)
            self.recorder.remember(context.session.name, outcome.artifacts)
        history, seconds = self._history_of(call, outcome), time.monotonic() - start
        trouble = self.recorder.note(call, outcome, session=history, began=began, seconds=seconds)
        return replace(outcome, notes=(*outcome.notes, trouble)) if trouble else outcome

    def _resolve_confirmation(self, call: Call) -> tuple[Call, str]:
        """Approving a confirmation runs the call that it is about; also returns its number."""
        if not call.command.answers_confirmation or call.surface.is_model:
            return call, ""
        number = prepare_arguments(call).get("number")
        if number is None:
            return call, ""
        return self.confirmations.confirm(str(number), peer=call.peer), str(number)

    def _secrets_hidden_from(self, call: Call, context: CallContext) -> frozenset[str]:
        """The secrets of the caller's session."""
        if context.session is not None:
            return context.session.secrets
        with suppress(BadRequest):  # then the session's name was what was wrong
            return self.sessions.registry.secrets_for(self.name_of(call))
        return self.sessions.registry.secrets_for("")

    def _history_of(self, call: Call, outcome: Outcome) -> str:
        """Where a call is recorded: a refused one in the session that it was for."""
        if outcome.session or call.command.scope is Scope.HOST:
            return outcome.session
        with suppress(BadRequest):  # then its name was what was wrong
            return self.name_of(call)
        return ""

    def _note_where(self, call: Call, context: CallContext) -> None:
        if context.session is not None:
            self.sessions.keep(context.session)
            if context.tab is not None and context.tab.state != "closed":
                # A call that only looks does not move the page: where it began is what its caller knows.
                looked = call.command.effect is Effect.READS
                context.session.note_where(context.tab, context.found_at if looked else context.tab.url)

    async def _run_safely(self, call: Call, context: CallContext) -> Any:
        """No call ends in a traceback: an unexpected exception becomes a typed error, and is logged."""
        try:
            return await self._run_command(call, context)
        except BoathookError:
            raise
        except OSError as error:
            if error.errno is None:
                raise self._internal_error(call, error) from error
            raise file_error(error) from error
        except RecursionError as error:
            raise BadRequest(f"{call.command.cli_name}: the data is nested too deeply") from error
        except Exception as error:
            raise self._internal_error(call, error) from error

    def _internal_error(self, call: Call, error: Exception) -> InternalError:
        """The location, but not the message, is logged: it may contain secrets."""
        kind = type(error).__name__
        places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
        log.error("runner.internal_error command=%s kind=%s at=%s", call.command.name, kind, places[-3:])
        return InternalError(f"internal error in {call.command.cli_name} ({kind})")

    async def _run_command(self, call: Call, context: CallContext) -> Any:
        lock = lock_of(call)
        call = tighten_call(call, lock)
        arguments = prepare_arguments(call)
        encryption_keys.given_key.set(call.environment.get(encryption_keys.VARIABLE, ""))
        name = self.name_of(call)
        guards = guards_of({} if call.settings.get("fresh") else self.sessions.limits(name))
        policy, ask = check(call, arguments, guards=guards, lock=lock)
        if ask is not None:
            scene = await scene_of(call, arguments, self.sessions.get(name))
            arguments = require_confirmation(
                ask, call, arguments, session=name, scene=scene, confirmations=self.confirmations
            )
        # Secrets may come from programs and keyrings, which take their time.
        look_up = partial(
            resolve, call.command, arguments, environment=call.environment, surface=call.surface
        )
        secrets = await asyncio.to_thread(look_up) if names_any(call.command, arguments) else look_up()
        check_resolved(call, arguments, secrets.arguments, guards=guards, lock=lock, asked=ask is not None)
        context.secrets = secrets.values
        self.sessions.registry.add_user_secrets(secrets.values)
        if call.command.scope is Scope.HOST:
            self._check_required_artifacts(call, name)
            arguments = await require_origins(secrets, call.command, None)
            return await call_command(call.command, self._host_of(call), arguments)
        context.session = await self._session_for(call, context)
        context.other_pages = self._other_pages(call, context.session)
        browser = context.session.browser
        context.refusals = refusals_so_far(browser)
        report_secret.on_secret.set(partial(self._on_secret, context))
        with ExitStack() as open_account:
            if call.settings.get("debug"):
                context.cdp_trace = open_account.enter_context(trace_connection(browser.connection))
            async with _in_time(call):
                return await self._run_in_session(context.session, context, call, secrets, policy)

    def _check_required_artifacts(self, call: Call, name: str) -> None:
        """Before a session is closed: the files that the user wants exist."""
        wanted, session = call.settings.get("required_artifacts"), self.sessions.get(name)
        if wanted and call.command.closes_session and session is not None:
            seconds = now() - session.began
            missing = self.recorder.missing_files(name, wanted, folder=call.folder, seconds=seconds)
            require_artifacts(missing)

    def _other_pages(self, call: Call, session: Session) -> str:
        """Where the pages of the caller's other sessions are, if this call has started a blank one."""
        prepares = call.command.effect is Effect.CHANGES_BROWSER  # before its first page is opened
        opens = prepares or any(call.arguments.get(name) for name in URL_PARAMETERS)
        blank = session.change == "created" and session.context is not None and session.restoring is None
        if opens or not blank or call.settings.get("state") or call.surface is not Surface.COMMAND_LINE:
            return ""
        return describe_other_pages(session, self.sessions, default=default_name(project_of(call.folder)))

    def _on_secret(self, context: CallContext, secret: str, owner: SecretOwner) -> None:
        """A secret that is found during a call is removed from all output afterwards."""
        if owner == "user":
            self.sessions.registry.add_user_secrets([secret])
        elif context.session is not None:
            self.sessions.registry.add_page_secret(context.session.name, secret)
        context.secrets |= {secret}

    async def _run_in_session(
        self, session: Session, context: CallContext, call: Call, secrets: Resolved, policy: Policy
    ) -> Any:
        if call.command.scope is Scope.BROWSER:
            arguments = await require_origins(secrets, call.command, None)
            return await call_command(call.command, session, arguments)
        wanted, told = _tab_of(call, secrets.arguments), len(session.news)
        opens = not wanted and call.command.may_navigate and _takes_url(call.command)
        context.tab = (
            await session.resolve_tab(str(wanted)) if wanted else await session.present(may_open=opens)
        )
        if call.command.group != "navigate":
            session.report_drift(context.tab)
        context.drift = " ".join(session.news[told:])
        try:
            return await self._run_in_tab(
                context.tab, context, call, session=session, secrets=secrets, policy=policy
            )
        except (UsersTab, TabGone) as error:
            if not opens or not _loaded_nothing(error):
                raise
            reason = "is the user's and stays as it is" if isinstance(error, UsersTab) else "was closed"
            session.news.append(f"tab {context.tab.id} {reason}; using a new tab")
            context.tab = await session.open()
            return await self._run_in_tab(
                context.tab, context, call, session=session, secrets=secrets, policy=policy
            )

    async def _run_in_tab(
        self,
        tab: Tab,
        context: CallContext,
        call: Call,
        *,
        session: Session,
        secrets: Resolved,
        policy: Policy,
    ) -> Any:
        context.found_at = tab.url
        with ExitStack() as held:
            if call.command.effect is not Effect.READS and call.tab_locks:
                doing = call.command.cli_name
                held.enter_context(self.tab_locks.on(tab, who=call.who, doing=doing))
            arguments = await require_origins(secrets, call.command, tab)
            await check_stop_boundary(call, arguments, session, call.settings.get("stop_before"))
            tab.upload_roots = policy.upload_roots
            tab.redactor = lambda: Redactor(session.secrets)
            if call.command.writes_files:
                await note_page_secrets(tab, seconds=SECRETS_SECONDS)
            match_scope.takes_first.set(call.settings.get("matches") == "first")
            known = session.tabs
            try:
                value = await call_command(call.command, tab, self._with_file_name(call, arguments))
            except BoathookError:
                await note_page_secrets(tab, seconds=SECRETS_AFTER_ERROR)
                raise
            await note_page_secrets(tab, seconds=SECRETS_SECONDS)
            if call.settings.get("follow_tabs") and call.command.effect is Effect.ACTS:
                await session.follow_new_tab(known, seconds=FOLLOW_SECONDS)
            return _hide_given(value, secrets.values)

    def _with_file_name(self, call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
        """A file without a path goes into the default folder."""
        if not call.command.default_file_name or arguments.get("path") is not None:
            return arguments
        name, _, ending = call.command.default_file_name.partition(".")
        if ending:
            return {**arguments, "path": self.recorder.fresh_file(name, ending)}
        chosen, format = call.settings.get("screenshot_dir"), arguments.get("format", "png")
        return {**arguments, "path": self.recorder.fresh_picture(name, format, folder=chosen)}

    async def _session_for(self, call: Call, context: CallContext) -> Session:
        """The session of a call; if a new one cannot be started, the outcome says whether an old one continues."""
        try:
            async with _starting_in_time(call):
                return await self.session_of(call)
        except LaunchConflict:
            raise
        except BoathookError:
            runs = self.sessions.get(self.name_of(call)) is not None
            context.session_change = "preserved" if runs else "abandoned"
            raise

    async def session_of(self, call: Call) -> Session:
        """The session of a call, started if it is not running."""
        name = self.name_of(call)
        project = "" if self._names_session(call) else project_of(call.folder)
        if call.settings.get("state") and (call.settings.get("fresh") or self.sessions.get(name) is None):
            await asyncio.to_thread(
                read_state, Path(call.settings["state"])
            )  # a file that cannot be used starts no browser
        begin = self.sessions.replace if call.settings.get("fresh") else self.sessions.use
        session = await begin(name, self._requested(call, name), owner=call.who, project=project)
        if session.change and call.settings.get("state"):
            await load_state(await session.present(), Path(call.settings["state"]))
        await restore_session(session, call.settings)
        if not session.change:
            locked = lock_of(call).sources
            session.report_unused(
                unused_variables(session.key, call.environment, call.settings, locked=locked)
            )
        return session

    def _requested(self, call: Call, name: str) -> Mapping[str, Any]:
        """The settings of a call; for a session that it starts, with those from variables of other tools."""
        running = self.sessions.get(name)
        if running is not None and running.alive and not call.settings.get("fresh"):
            display = display_of(call.environment) if call.settings.get("headed") else ()
            return {**call.settings, VARIABLES: display} if display else call.settings
        found = launch_variables(call.environment, call.settings, locked=lock_of(call).sources)
        return {**found, **call.settings}

    def name_of(self, call: Call) -> str:
        """The name of a call's session."""
        if not self._names_session(call):
            return default_name(project_of(call.folder))
        return plain_name(str(call.settings["session"]))

    def _names_session(self, call: Call) -> bool:
        return bool(call.settings.get("session")) and call.settings["session"] != DEFAULT_NAME


def _takes_url(command: Command) -> bool:
    """Whether it loads a URL that the caller gives."""
    return any(parameter.name in URL_PARAMETERS for parameter in command.parameters)


def _loaded_nothing(error: UsersTab | TabGone) -> bool:
    """Whether no request was sent: a tab may be closed between two calls, and the browser reports it a moment later."""
    return isinstance(error, UsersTab) or error.evidence.get("method") == "Page.navigate"


def _tab_of(call: Call, arguments: dict[str, Any]) -> Any:
    """The tab that a call names: as its first word, where its command takes one, or by the setting."""
    named = call.command.tab_parameter
    given = arguments.pop(named.name, None) if named is not None else None
    return given or call.settings.get("tab")


def _hide_given(value: Any, secrets: frozenset[str]) -> Any:
    """The content of a field is secret, also a short one, if it was given by reference."""
    if not isinstance(value, Performed) or not isinstance(value.value, str):
        return value
    given = any(secret in value.value for secret in secrets if secret)
    return replace(value, value=Secret(value.value, reason="given")) if given else value


@asynccontextmanager
async def _starting_in_time(call: Call) -> AsyncIterator[None]:
    """The caller's timeout applies also to the start of a session, and to waiting for another call that starts it."""
    seconds = call.settings.get("timeout")
    if seconds is None:
        yield
        return
    # A browser that cannot be reached says so within that time, which is the better error.
    async with Deadline.after(float(seconds) + START_GRACE_SECONDS).stage("starting the session"):
        yield


@asynccontextmanager
async def _in_time(call: Call) -> AsyncIterator[None]:
    """The caller's timeout applies also to commands without a timeout parameter."""
    seconds = call.settings.get("timeout")
    if seconds is None or call.command.own_timeout or call.command.parameter("timeout") is not None:
        yield
        return
    async with Deadline.after(float(seconds)).stage(f"running {call.command.cli_name}"):
        yield
