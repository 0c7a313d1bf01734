"""Confirmations: approve or deny an action that the policy holds back."""

from __future__ import annotations

from typing import Annotated

from boathook.registry.context import HostApi
from boathook.registry.effects import Effect
from boathook.registry.registry import Doc, Scope, command

Number = Annotated[str, Doc("the id of the confirmation")]


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    human_only=True,
    answers_confirmation=True,
    examples=("confirm 0123456789abcdef0123456789abcdef",),
)
async def confirm(host: HostApi, number: Number) -> str:
    """Approve a pending action and run it once. Requests expire after 60 seconds."""
    return host.confirm(number)


@command(
    group="session",
    scope=Scope.HOST,
    human_only=True,
    examples=("deny 0123456789abcdef0123456789abcdef",),
)
async def deny(host: HostApi, number: Number) -> str:
    """Deny a pending action. It is not run."""
    return f"denied: {host.deny(number)} was not run"
