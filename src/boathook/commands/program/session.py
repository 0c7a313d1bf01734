"""Sessions: list and close them; run many commands in one call."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from typing import Annotated, Literal

from boathook.clock import Deadline
from boathook.commands.results import ClosedSessions
from boathook.effects import Effect, SideEffect
from boathook.errors import BadRequest, StaleRef
from boathook.registry.context import HistoryEntry, HostApi, KeptFile, SessionInfo, SessionScope, Step
from boathook.registry.registry import Between, Doc, Scope, command

MOST_STEPS = 500
LOADS = frozenset({"open", "goto", "navigate", "reload"})
"""Commands that load another document."""
REF = re.compile(r"@e\d+")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}")
DAY_SECONDS = 86_400


@command(group="session", scope=Scope.HOST, examples=("session list",))
async def session_list(host: HostApi) -> list[SessionInfo]:
    """List running sessions."""
    return host.sessions()


@command(
    group="session",
    scope=Scope.HOST,
    examples=("session info", "session info --name shop"),
    aliases=("session info", "session"),
)
async def session_info(
    host: HostApi, *, name: Annotated[str | None, Doc("a session other than the current one")] = None
) -> SessionInfo:
    """Show a session: its browser, tabs and clients."""
    return host.session(name)


@command(
    group="session",
    scope=Scope.HOST,
    own_text=True,
    examples=("session id", "session id --scope cwd --prefix shop"),
)
async def session_id(
    host: HostApi,
    *,
    scope: Annotated[
        SessionScope | None, Doc("a stable name for the worktree, the working directory or the repository")
    ] = None,
    prefix: Annotated[str, Doc("prefix of that name")] = "",
) -> str:
    """Print the stable name of the current session, for use with `--session`."""
    if scope is None and not prefix:
        return host.session_id()
    if prefix and not NAME.fullmatch(prefix):
        raise BadRequest(
            f"invalid session name prefix: {prefix[:40]!r}",
            hint="use letters, digits, dots, hyphens and underscores",
        )
    return host.name_for(scope or "worktree", prefix=prefix or "session")


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_BROWSER,
    closes_session=True,
    core=True,
    own_text=True,
    examples=("close", "close --all"),
    aliases=("close", "session close", "quit", "exit"),
)
async def session_close(
    host: HostApi,
    *,
    name: Annotated[str | None, Doc("a session other than the current one")] = None,
    all: Annotated[bool, Doc("close all your sessions")] = False,
    kill: Annotated[bool, Doc("also quit an app that was started for it")] = False,
) -> ClosedSessions:
    """Close a session with its tabs and cookies. Its browser is closed if no other session uses it."""
    files = tuple(host.files_to_keep(name, all=all))
    if all:
        return ClosedSessions(count=await host.close_all(), files=files)
    closed = await host.close_session(name, kill=kill)
    return ClosedSessions(name=closed.name, files=files)


@command(group="session", scope=Scope.HOST, examples=("artifacts",))
async def artifacts(host: HostApi) -> list[KeptFile]:
    """List the files saved in this session, newest last, and whether each still exists."""
    return host.artifacts()


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_BROWSER,
    category="machine",
    own_text=True,
    examples=("set headless off", "set headless on"),
)
async def set_headless(
    host: HostApi, state: Annotated[Literal["on", "off"], Doc("headless or headed")]
) -> str:
    """Restart the session's browser headless or headed. Its tabs and cookies are lost; prints the lost URLs."""
    lost = await host.show_window(shown=state == "off")
    how = "headless" if state == "on" else "headed"
    if not lost:
        return f"the browser is running {how}"
    return f"the browser was restarted {how}; lost: {', '.join(lost)}"


@command(group="session", scope=Scope.HOST, examples=("history", "history --limit 5"))
async def history(
    host: HostApi,
    *,
    limit: Annotated[int, Doc("number of calls, most recent ones"), Between(1, 1_000)] = 20,
) -> list[HistoryEntry]:
    """Show the calls of this session with caller and result. Secrets are removed."""
    return host.history(limit=limit)


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    may_navigate=True,
    reads_stdin=True,
    # Its steps are written down one by one, each without what it typed.
    secrets=("lines",),
    runs_commands=True,
    core=True,
    examples=("batch 'open example.org' 'snapshot'", "batch --bail < steps.json"),
)
async def batch(
    host: HostApi,
    *lines: Annotated[str, Doc("commands, one argument each; without any, JSON from standard input")],
    bail: Annotated[bool, Doc("stop at the first failure")] = False,
    stdin: Annotated[bool, Doc("read the commands from standard input, as without arguments")] = False,
    omit_command: Annotated[bool, Doc("omit the command line of each step from the data")] = False,
) -> list[Step]:
    """Run several commands in sequence in one call. The timeout of the call is for all of them together."""
    if lines and stdin:
        raise BadRequest(
            "batch takes its commands from arguments or from standard input", hint="omit `--stdin`"
        )
    steps: list[Step] = []
    given = _steps(lines, host.stdin)
    _require_whole_lines(host, lines, given)
    deadline = None if host.timeout is None else Deadline.after(host.timeout)
    await host.start_afresh()
    for number, argv in enumerate(given, 1):
        done = await host.run_line(argv, deadline=deadline)
        steps.append(done)
        is_over = deadline is not None and deadline.remaining() == 0
        if not done.ok and (bail or is_over):
            steps += [host.pending_step(pending) for pending in given[number:]]
            break
    return [replace(step, argv=()) for step in steps] if omit_command else steps


def _require_whole_lines(host: HostApi, lines: tuple[str, ...], steps: list[list[str]]) -> None:
    """Refuse the words of one command as separate arguments: `batch open example.org` would open a blank page."""
    together = list(lines)
    if len(lines) > 1 and host.is_line(together) and not all(map(host.is_line, steps)):
        raise BadRequest(
            f"each argument of batch is a whole command, not {lines[0]!r}; nothing was run",
            hint="quote each command: `batch 'open example.org' snapshot`",
        )


def _steps(lines: tuple[str, ...], stdin: str | None) -> list[list[str]]:
    """The steps as argument lists; nothing is run if one of them cannot be parsed."""
    try:
        is_json = len(lines) == 1 and lines[0].lstrip().startswith("[")
        text = lines[0] if is_json else stdin
        given = [shlex.split(line) for line in lines] if lines and not is_json else json.loads(text or "null")
    except ValueError as error:
        raise BadRequest(
            f"cannot parse the batch: {error}", hint='use a JSON list such as [["open", "example.org"]]'
        ) from None
    if not isinstance(given, list) or not given:
        raise BadRequest("the batch is empty", hint="for example `batch 'open example.org' snapshot`")
    if len(given) > MOST_STEPS:
        raise BadRequest(f"too many steps in the batch: {len(given)}", hint=f"use at most {MOST_STEPS}")
    steps = [shlex.split(step) if isinstance(step, str) else step for step in given]
    for number, step in enumerate(steps, 1):
        if not isinstance(step, list) or not step or not all(isinstance(word, str) for word in step):
            raise BadRequest(f"step {number} is not a list of strings")
        if step[0] == "batch":
            raise BadRequest(f"nested batch in step {number}", hint="add its steps to this batch")
    _check_refs(steps)
    return steps


def _check_refs(steps: list[list[str]]) -> None:
    """Refs belong to a document: after a step that loads another one, earlier refs are stale."""
    left = 0
    for number, step in enumerate(steps, 1):
        used = next((word for word in step[1:] if REF.fullmatch(word)), None)
        if left and used:
            raise StaleRef(
                f"step {number} uses {used}, but step {left} loads another document; nothing was run",
                hint="use a role, label or text selector, or take a snapshot in between",
            )
        if step[0] in LOADS and not any("#" in word for word in step):
            left = number
        elif step[0] == "snapshot":
            left = 0


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_BROWSER,
    side_effects=(SideEffect.ATTACHES_BROWSER,),
    examples=("connect 9222", "connect http://127.0.0.1:9222"),
)
async def connect(
    host: HostApi, endpoint: Annotated[str, Doc("CDP port, http://host:port or ws://…")]
) -> SessionInfo:
    """Attach to a running browser. Boathook never closes it."""
    return await host.connect(endpoint)


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    side_effects=(SideEffect.CHANGES_MACHINE,),
    own_text=True,
    examples=("clean", "clean --days 1"),
)
async def clean(host: HostApi, *, days: Annotated[float, Doc("minimum age"), Between(0, 3_650)] = 30) -> str:
    """Remove old histories, spilled text and files with generated names."""
    return host.clean(older_than=days * DAY_SECONDS)
