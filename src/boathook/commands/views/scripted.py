"""The tool set `scripted`: two tools, `execute` and `reset`, for agents that work by code alone."""

from __future__ import annotations

from typing import Annotated, Literal

from boathook.commands.results import ScriptResult
from boathook.effects import Effect
from boathook.registry.context import HostApi
from boathook.registry.registry import Between, Doc, Scope, command

SCRIPTED = "scripted"
MOST_MS = 300_000
DEFAULT_MS = 30_000


@command(
    group="scripted",
    scope=Scope.HOST,
    tool_set=SCRIPTED,
    effect=Effect.ACTS,
    may_navigate=True,
    aliases=("execute",),
    examples=('{"code": "await page.goto(\'https://example.org\'); return await page.title()"}',),
)
async def scripted_execute(
    host: HostApi,
    code: Annotated[str, Doc("the body of an async function, with page, tab, browser, display and state")],
    *,
    timeout: Annotated[int, Doc("timeout in milliseconds"), Between(1_000, MOST_MS)] = DEFAULT_MS,
    language: Annotated[Literal["js", "python"], Doc("language of the code")] = "js",
) -> ScriptResult:
    """Run code with the tab. Returns what it displays and returns; `state` is kept until `reset`."""
    wanted = {"code": code, "language": language, "timeout": timeout / 1_000}
    ran: ScriptResult = await host.run("run", wanted)
    return ran


@command(
    group="scripted",
    scope=Scope.HOST,
    tool_set=SCRIPTED,
    effect=Effect.ACTS,
    aliases=("reset",),
    own_text=True,
    examples=("{}",),
)
async def scripted_reset(host: HostApi) -> str:
    """Clear the `state` of code on this tab."""
    said: str = await host.run("reset", {})
    return said
