"""What the daemon serves: a host that answers command lines and runs commands by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boathook.service.surface import Surface


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """The terminal of the output."""

    is_tty: bool
    columns: int
    colour: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The client's process; pid and start time together identify one process permanently."""

    pid: int
    start_time: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A command line as it was typed, and its context."""

    argv: tuple[str, ...]
    cwd: str
    terminal: Terminal
    environment: Mapping[str, str]
    stdin: str | None
    owner: Owner
    peer: int | None = None
    """The client's process as the kernel reports it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRequest:
    """A command by its name with JSON arguments, or a command line, and its caller."""

    command: str
    arguments: Mapping[str, Any]
    settings: Mapping[str, Any]
    cwd: str
    environment: Mapping[str, str]
    owner: Owner
    surface: Surface
    client: str
    peer: int | None = None
    argv: tuple[str, ...] | None = None
    """A command line, instead of command and arguments."""
    stdin: str | None = None
    agent: str = ""
    """The agent whose configuration applies."""
    confirmed: str = ""
    """The confirmation that a person has approved."""
    tools: tuple[str, ...] | None = None
    """The keys of the tools that the client is offered; None if it is not an MCP client."""
    own_session: str = ""
    """The default session of its calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of a command line: text for both streams, and the exit status."""

    out: str
    err: str
    exit: int


class HostProtocol(Protocol):
    """What the daemon serves."""

    async def answer(self, line: CommandLine, progress: Callable[[str], None]) -> Answer:
        """Run one command line; cancelled if its client disconnects or gives up."""

    async def run(self, request: CallRequest, progress: Callable[[str], None]) -> dict[str, Any]:
        """Run one command; returns its result as data. Cancelled like a command line."""

    def busy(self) -> list[str]:
        """What is running now, one line each, for `daemon status`."""

    def idle_seconds(self) -> float:
        """How long there has been neither a call nor a live session; 0 while there is one."""

    async def close(self) -> None:
        """Release everything; not called again afterwards."""
