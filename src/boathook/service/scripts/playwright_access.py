"""Playwright in jailed scripts: whether a script may have it, where its package is, and its connection to the CDP endpoint."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.service.scripts.find_monty import packages_of

if TYPE_CHECKING:
    import socket

    from boathook.service.endpoint.endpoint_server import CdpEndpoint

PACKAGE = "playwright-core"
CHUNK = 1 << 16
_NOT_INSTALLED = "Playwright is not installed: npm install playwright-core in the project, or pip install 'boathook[playwright]'"
_NO_SCRIPTS = "scripts in pages are disabled, and Playwright needs them"
_GUARDED = "rules apply that can decide about commands but not about CDP messages (an action policy, confirmations, or limits on hosts in an attached browser)"


@dataclass(frozen=True, slots=True, kw_only=True)
class CdpAccess:
    """Whether a script may send CDP messages, and what they may open."""

    evaluate: bool = True
    """Whether scripts in pages are allowed."""
    guarded: bool = False
    """Whether rules about commands apply, which a jailed script must not get around."""
    schemes: frozenset[str] = DEFAULT_SCHEMES

    def why_not_in_jail(self, folder: str) -> str:
        """Why a jailed script does not have Playwright; empty if it has."""
        if not self.evaluate:
            return _NO_SCRIPTS
        if self.guarded:
            return _GUARDED
        return "" if find_package(folder) else _NOT_INSTALLED


FULL_ACCESS = CdpAccess()


def find_package(folder: str) -> str:
    """The folder of Playwright for Node: the project's own, or that of the Python package; empty if there is neither."""
    for parent in (Path(folder), *Path(folder).parents):
        found = parent / "node_modules" / PACKAGE
        if (found / "package.json").is_file():
            return str(found.resolve())
    packages = packages_of("playwright")
    driver = Path(packages, "playwright", "driver", "package") if packages else None
    return str(driver.resolve()) if driver is not None and (driver / "package.json").is_file() else ""


class EndpointLine:
    """The connection of a jailed script to the endpoint: its process has one end of a socket pair."""

    def __init__(self, line: socket.socket, endpoint: CdpEndpoint) -> None:
        self._line = line
        self._endpoint = endpoint
        self._pumps: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self) -> str:
        """Connect both ends, once; returns the URL of the endpoint."""
        url = await self._endpoint.address()
        if not self._pumps:
            where = urlsplit(url)
            line = await asyncio.open_unix_connection(sock=self._line.dup())
            self._writers.append(line[1])  # closed also if the next step fails
            server = await asyncio.open_connection(where.hostname, where.port)
            self._writers.append(server[1])
            self._pumps = [
                asyncio.create_task(_pump(line[0], server[1]), name="CDP of a script"),
                asyncio.create_task(_pump(server[0], line[1]), name="CDP for a script"),
            ]
        return url

    async def close(self) -> None:
        """Disconnect, and close the endpoint; may be called twice."""
        for pump in self._pumps:
            pump.cancel()
        for writer in self._writers:
            writer.close()
        await self._endpoint.close()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes until one side is closed; a side that does not read stops the other."""
    with suppress(OSError):
        while chunk := await reader.read(CHUNK):
            writer.write(chunk)
            await writer.drain()
    writer.close()
