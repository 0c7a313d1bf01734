"""Setting up: our MCP server and skill in the configuration of other programs."""

from __future__ import annotations

from typing import Annotated, Literal

from boathook.registry.context import HostScope
from boathook.registry.registry import Doc, Effect, Scope, command


@command(
    group="machine",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    for_people=True,
    examples=("setup claude", "setup cursor --place project --dry-run", "setup codex --undo"),
)
async def setup(
    host: HostScope,
    client: Annotated[
        str,
        Doc(
            "claude, claude-desktop, codex, copilot, cursor, gemini, kiro, lmstudio, opencode, qwen, vscode or windsurf"
        ),
    ],
    *,
    place: Annotated[Literal["user", "project"], Doc("your own files, or those of this project")] = "user",
    tools: Annotated[str, Doc("tool sets that the client gets, such as core,storage")] = "",
    dry_run: Annotated[bool, Doc("only show what would change")] = False,
    undo: Annotated[bool, Doc("take it out again")] = False,
    show: Annotated[bool, Doc("only show the entry, to be added by hand")] = False,
) -> str:
    """Write our MCP server and skill into a client's configuration; shows the difference and keeps a backup."""
    return host.set_up(client, place=place, tools=tools, undo=undo, dry_run=dry_run, show=show)
