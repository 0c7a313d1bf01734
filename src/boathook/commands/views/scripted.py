"""The tool set `scripted`: two tools, `execute` and `reset`, for agents that work by code alone."""

from __future__ import annotations

from typing import Annotated, Literal

from boathook.commands.results import Ran
from boathook.registry.context import HostScope
from boathook.registry.registry import Between, Doc, Effect, Scope, command

SCRIPTED = "scripted"
MOST_MS = 300_000
DEFAULT_MS = 30_000


@command(
    group="scripted",
    scope=Scope.HOST,
    tool_set=SCRIPTED,
    effect=Effect.ACTS,
    may_navigate=True,
    words=("execute",),
    examples=('{"code": "await page.goto(\'https://example.org\'); return await page.title()"}',),
)
async def scripted_execute(
    host: HostScope,
    code: Annotated[str, Doc("the body of an async function, with page, tab, browser, display and state")],
    *,
    timeout: Annotated[
        int, Doc("milliseconds after which it is ended"), Between(1_000, MOST_MS)
    ] = DEFAULT_MS,
    language: Annotated[Literal["js", "python"], Doc("what the code is written in")] = "js",
) -> Ran:
    """Run code beside the tab; what it displays and returns is the answer, and `state` lasts until `reset`."""
    wanted = {"code": code, "language": language, "timeout": timeout / 1_000}
    ran: Ran = await host.run("run", wanted)
    return ran


@command(
    group="scripted",
    scope=Scope.HOST,
    tool_set=SCRIPTED,
    effect=Effect.ACTS,
    words=("reset",),
    examples=("{}",),
)
async def scripted_reset(host: HostScope) -> str:
    """Forget what code on this tab has put into `state`."""
    said: str = await host.run("reset", {})
    return said
