"""Answers to questions: what a policy wants confirmed is done after a yes, and forgotten after a no."""

from __future__ import annotations

from typing import Annotated

from boathook.registry.context import HostScope
from boathook.registry.registry import Doc, Effect, Scope, command

Number = Annotated[str, Doc("the number that the question was given")]


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    for_people=True,
    examples=("confirm 0123456789abcdef0123456789abcdef",),
)
async def confirm(host: HostScope, number: Number) -> str:
    """Say yes to what is to be confirmed: the call that was asked about is made, once; a question lasts 60 seconds."""
    return host.confirm(number)


@command(
    group="session",
    scope=Scope.HOST,
    for_people=True,
    examples=("deny 0123456789abcdef0123456789abcdef",),
)
async def deny(host: HostScope, number: Number) -> str:
    """Say no to what is to be confirmed: it is not done."""
    return f"denied: {host.deny(number)} was not run"
