"""The daemon's log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.registry.context import HostApi
from boathook.registry.registry import Between, Doc, Scope, command
from boathook.wire.socket_address import LOG_NAME, daemon_folder

MOST_BYTES = 1 << 20
"""Limit for each of the two log files."""


@command(group="machine", scope=Scope.HOST, category="", own_text=True, examples=("logs", "logs --lines 200"))
async def logs(
    host: HostApi,
    *,
    lines: Annotated[int, Doc("number of lines, most recent ones"), Between(1, 10_000)] = 50,
) -> str:
    """Show the daemon's log, newest last. Calls are in `history`."""
    del host
    folder = Path(daemon_folder())
    kept: list[str] = []
    for name in (f"{LOG_NAME}.1", LOG_NAME):
        kept += _lines_of(folder / name)
    return "\n".join(kept[-lines:])


def _lines_of(path: Path) -> list[str]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - MOST_BYTES))
            return file.read(MOST_BYTES).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
