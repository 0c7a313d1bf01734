"""The machine: what browsers need, and getting one."""

from __future__ import annotations

from typing import Annotated

from boathook.commands.context import Finding, HostScope
from boathook.commands.registry import Doc, Effect, Scope, command


@command(group="machine", scope=Scope.HOST, effect=Effect.CHANGES_MACHINE, examples=("install",))
async def install(host: HostScope) -> str:
    """Get a browser when the machine has none."""
    return await host.install()


@command(group="machine", scope=Scope.HOST, examples=("doctor", "doctor --fix"))
async def doctor(
    host: HostScope, *, fix: Annotated[bool, Doc("repair what can be repaired safely")] = False
) -> list[Finding]:
    """Look for whatever keeps browsers from working, and say what would help."""
    return await host.examine(fix=fix)
