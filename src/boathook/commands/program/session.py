"""Sessions: which run, and their end; many commands in one call."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import replace
from typing import Annotated, Literal

from boathook.errors import BadRequest, StaleRef
from boathook.registry.context import Done, HostScope, KeptFile, SessionInfo, SessionScope, Step
from boathook.registry.registry import Between, Doc, Effect, Scope, command
from boathook.values import counted

MOST_STEPS = 500
LOADS = frozenset({"open", "goto", "navigate", "reload"})
"""Words of commands after which there is another document."""
REF = re.compile(r"@e\d+")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,40}")
DAY_SECONDS = 86_400


@command(group="session", scope=Scope.HOST, examples=("session list",))
async def session_list(host: HostScope) -> list[SessionInfo]:
    """The sessions that run."""
    return host.sessions()


@command(
    group="session",
    scope=Scope.HOST,
    examples=("session info", "session info --name shop"),
    words=("session info", "session"),
)
async def session_info(
    host: HostScope, *, name: Annotated[str | None, Doc("another session than the present one")] = None
) -> SessionInfo:
    """One session: its browser, its tabs, who works in it."""
    return host.session(name)


@command(
    group="session",
    scope=Scope.HOST,
    examples=("session id", "session id --scope cwd --prefix shop"),
)
async def session_id(
    host: HostScope,
    *,
    scope: Annotated[
        SessionScope | None, Doc("a name of its own for the checkout, this folder or the repository")
    ] = None,
    prefix: Annotated[str, Doc("what such a name begins with")] = "",
) -> str:
    """The name under which the session of calls from here is kept; it lasts, and `--session` takes it anywhere."""
    if scope is None and not prefix:
        return host.session_id()
    if prefix and not NAME.fullmatch(prefix):
        raise BadRequest(
            f"{prefix[:40]!r} begins no name", hint="letters, digits, dots, hyphens and underscores"
        )
    return host.name_for(scope or "worktree", prefix=prefix or "session")


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_BROWSER,
    closes_session=True,
    examples=("close", "close --all"),
    words=("close", "session close", "quit", "exit"),
)
async def session_close(
    host: HostScope,
    *,
    name: Annotated[str | None, Doc("another session than the present one")] = None,
    all: Annotated[bool, Doc("every session of yours")] = False,
    kill: Annotated[bool, Doc("also end an app that was started for it")] = False,
) -> str:
    """End a session with its tabs and cookies; its browser ends when nobody else uses it."""
    if all:
        return f"closed {counted(await host.close_all(), 'session')}"
    closed = await host.close_session(name, kill=kill)
    return f"closed session {closed.name}"


@command(group="session", scope=Scope.HOST, examples=("artifacts",))
async def artifacts(host: HostScope) -> list[KeptFile]:
    """The files that were saved in this session, newest last, each looked for again; they are yours and stay."""
    return host.artifacts()


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_BROWSER,
    examples=("set headless off", "set headless on"),
)
async def set_headless(
    host: HostScope, state: Annotated[Literal["on", "off"], Doc("without a window, or with one")]
) -> str:
    """Start the session's browser again without a window or with one; its tabs and cookies are lost, and named."""
    lost = await host.show_window(shown=state == "off")
    how = "without a window" if state == "on" else "with a window"
    if not lost:
        return f"the browser runs {how}"
    return f"the browser was started again {how}; lost: {', '.join(lost)}"


@command(group="session", scope=Scope.HOST, examples=("history", "history --limit 5"))
async def history(
    host: HostScope,
    *,
    limit: Annotated[int, Doc("how many calls, the latest ones"), Between(1, 1_000)] = 20,
) -> list[Done]:
    """What was done in this session, by whom, and what it came to; secrets are not in it."""
    return host.history(limit=limit)


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    may_navigate=True,
    reads_stdin=True,
    # Its steps are written down one by one, each without what it typed.
    secrets=("lines",),
    examples=("batch 'open example.org' 'snapshot'", "batch --bail < steps.json"),
)
async def batch(
    host: HostScope,
    *lines: Annotated[str, Doc("commands, each as one word; without any, JSON from standard input")],
    bail: Annotated[bool, Doc("stop at the first failure")] = False,
    omit_command: Annotated[bool, Doc("do not repeat the words of each step in the data")] = False,
) -> list[Step]:
    """Run several commands, one after the other, in one call."""
    steps: list[Step] = []
    given = _steps(lines, host.stdin)
    await host.start_afresh()
    for argv in given:
        done = await host.run_line(argv)
        steps.append(replace(done, argv=()) if omit_command else done)
        if bail and not steps[-1].ok:
            break
    return steps


def _steps(lines: tuple[str, ...], stdin: str | None) -> list[list[str]]:
    """The steps as words; nothing is run when one of them cannot be read."""
    try:
        given = [shlex.split(line) for line in lines] or json.loads(stdin or "null")
    except ValueError as error:
        raise BadRequest(
            f"the batch cannot be read: {error}", hint='JSON is a list such as [["open", "example.org"]]'
        ) from None
    if not isinstance(given, list) or not given:
        raise BadRequest("the batch is empty", hint="such as `batch 'open example.org' snapshot`")
    if len(given) > MOST_STEPS:
        raise BadRequest(f"the batch has {len(given)} steps", hint=f"at most {MOST_STEPS}")
    steps = [shlex.split(step) if isinstance(step, str) else step for step in given]
    for number, step in enumerate(steps, 1):
        if not isinstance(step, list) or not step or not all(isinstance(word, str) for word in step):
            raise BadRequest(f"step {number} is no list of words")
        if step[0] == "batch":
            raise BadRequest(f"step {number} is a batch itself", hint="put its steps into this one")
    _check_refs(steps)
    return steps


def _check_refs(steps: list[list[str]]) -> None:
    """Refs belong to a document: after a step that loads another one, those from before it lead nowhere."""
    left = 0
    for number, step in enumerate(steps, 1):
        used = next((word for word in step[1:] if REF.fullmatch(word)), None)
        if left and used:
            raise StaleRef(
                f"step {number} uses {used}, but step {left} loads another document; nothing was run",
                hint="name the element by role, label or text, or take a snapshot in between",
            )
        if step[0] in LOADS and not any("#" in word for word in step):
            left = number
        elif step[0] == "snapshot":
            left = 0


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.CHANGES_BROWSER,
    examples=("connect 9222", "connect http://127.0.0.1:9222"),
)
async def connect(
    host: HostScope, endpoint: Annotated[str, Doc("a port, http://host:port or ws://…")]
) -> SessionInfo:
    """Work in a browser that somebody else started; it is never closed by us."""
    return await host.connect(endpoint)


@command(
    group="session", scope=Scope.HOST, effect=Effect.CHANGES_MACHINE, examples=("clean", "clean --days 1")
)
async def clean(
    host: HostScope, *, days: Annotated[float, Doc("how old something must be"), Between(0, 3_650)] = 30
) -> str:
    """Remove old histories, long texts, and pictures and other files that nobody named."""
    return host.clean(older_than=days * DAY_SECONDS)
