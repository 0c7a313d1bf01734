"""Setup: add the MCP server and skill to the configuration of other programs."""

from __future__ import annotations

from typing import Annotated, Literal

from boathook.effects import Effect, SideEffect
from boathook.mcp_clients.known_clients import CLIENTS
from boathook.registry.context import HostApi
from boathook.registry.registry import Doc, Scope, command


@command(
    group="machine",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    human_only=True,
    side_effects=(SideEffect.CHANGES_MACHINE,),
    own_text=True,
    examples=("setup claude", "setup cursor --place project --dry-run", "setup codex --undo"),
)
async def setup(
    host: HostApi,
    client: Annotated[
        str,
        Doc(f"{', '.join(sorted(CLIENTS)[:-1])} or {max(CLIENTS)}"),
    ],
    *,
    place: Annotated[Literal["user", "project"], Doc("user configuration or project configuration")] = "user",
    tools: Annotated[str, Doc("tool sets to offer, such as core,storage")] = "",
    dry_run: Annotated[bool, Doc("show the changes without writing")] = False,
    undo: Annotated[bool, Doc("remove the entry")] = False,
    show: Annotated[bool, Doc("print the entry without writing")] = False,
) -> str:
    """Add the MCP server and skill to a client's configuration. Prints a diff and keeps a backup."""
    return host.set_up(client, place=place, tools=tools, undo=undo, dry_run=dry_run, show=show)
