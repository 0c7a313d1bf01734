"""Confirmations: approve or deny an action that the policy holds back."""

from __future__ import annotations

from typing import Annotated

from boathook.effects import Effect
from boathook.registry.context import HostApi
from boathook.registry.registry import Doc, Scope, command

Number = Annotated[str, Doc("the id of the confirmation")]


@command(
    group="session",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    human_only=True,
    answers_confirmation=True,
    own_text=True,
    examples=("confirm", "confirm 0123456789abcdef0123456789abcdef"),
)
async def confirm(
    host: HostApi,
    number: Annotated[
        str | None, Doc("the id of the confirmation; without it, list the pending ones")
    ] = None,
) -> str:
    """Approve a pending action and run it once, in another terminal than the one that asked.

    Requests expire after 60 seconds, and when the page or the element changes.
    """
    if number is not None:
        return host.confirm(number)
    pending = [f"{id}  {text}" for id, text in host.pending_confirmations().items()]
    return "\n".join(pending) or "no pending confirmations"


@command(
    group="session",
    scope=Scope.HOST,
    human_only=True,
    own_text=True,
    examples=("deny 0123456789abcdef0123456789abcdef",),
)
async def deny(host: HostApi, number: Number) -> str:
    """Deny a pending action. It is not run."""
    return f"denied: {host.deny(number)} was not run"
