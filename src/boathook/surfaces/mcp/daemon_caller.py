"""Runs commands in the daemon for MCP clients, with progress and a result."""

from __future__ import annotations

import asyncio
import os
import secrets
from typing import TYPE_CHECKING, Any

from boathook.wire import messages

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping

    from boathook.client.async_client import DaemonClient
    from boathook.surfaces.mcp.tool_catalog import ToolCall

    Tell = Callable[[float, str], Awaitable[None]]

NOT_HANDED_ON = {"BOATHOOK_MCP_TOKEN"}


class DaemonCaller:
    """Runs commands in the daemon as one of its clients."""

    def __init__(
        self,
        link: DaemonClient,
        *,
        surface: str,
        settings: Mapping[str, Any],
        tools: Collection[str] = (),
        agent: str = "",
        secret_names: Collection[str] = (),
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._link = link
        self._surface = surface
        self._tools = list(tools)
        self._agent = agent
        self._settings = dict(settings)
        self._secret_names = frozenset(secret_names)
        self._environ = environ
        given = self._settings.pop("session", None) or environ.get("BOATHOOK_SESSION")
        self._kept: str | None = given
        """A session that outlives this process."""
        self.session: str = given or f"mcp-{secrets.token_hex(4)}"

    async def run(
        self, meant: ToolCall, *, client: str, tell: Tell | None = None, part: str = "", confirmed: str = ""
    ) -> dict[str, Any]:
        """Run one command; returns its outcome. `part` separates the sessions of several clients."""
        own_session = f"{self.session}{part}"
        settings = {"session": own_session, **self._settings, **meant.settings}
        if settings["session"] != self._kept:
            settings["ends_with"] = os.getpid()
        run = messages.run(
            "",
            command=meant.command,
            arguments=meant.arguments,
            argv=meant.argv,
            stdin=meant.stdin,
            settings=settings,
            cwd=_working_directory(),
            environment=self._environment(),
            owner=messages.owner(pid=os.getpid(), start_time=None),
            surface=self._surface,
            client=client,
            agent=self._agent,
            confirmed=confirmed,
            tools=self._tools,
            own_session=own_session,
        )
        if tell is None:
            return await self._link.run(run, on_progress=_latest_unsent)
        return await self._run_with_progress(run, tell)

    async def _run_with_progress(self, run: dict[str, Any], tell: Tell) -> dict[str, Any]:
        """Run it and forward its progress, in order and without blocking the daemon's messages."""
        said: asyncio.Queue[str | None] = asyncio.Queue()
        telling = asyncio.create_task(_send_progress(said, tell), name="progress")
        try:
            outcome = await self._link.run(run, on_progress=said.put_nowait)
            said.put_nowait(None)
            await telling
        finally:
            telling.cancel()
        return outcome

    def _environment(self) -> dict[str, str]:
        """Variables for boathook, and those that the user's settings file names as secrets."""
        return {
            name: value
            for name, value in self._environ.items()
            if (name.startswith(messages.PASSED_ON) and name not in NOT_HANDED_ON)
            or name in self._secret_names
            or name == "NO_COLOR"
        }


async def _send_progress(said: asyncio.Queue[str | None], tell: Tell) -> None:
    began = asyncio.get_running_loop().time()
    while (text := await said.get()) is not None:
        await tell(asyncio.get_running_loop().time() - began, text)


def _latest_unsent(text: str) -> None:
    """Discard progress that the client did not request."""


def _working_directory() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 (sent as a string)
    except OSError:  # it was removed under our feet
        return "/"
