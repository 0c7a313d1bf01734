"""What the daemon serves: a host that answers command lines and runs commands by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """Where the output will be seen."""

    is_tty: bool
    columns: int
    colour: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """The client's process; pid and start time together name one process for ever."""

    pid: int
    start_time: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandLine:
    """A command line as it was typed, and where."""

    argv: tuple[str, ...]
    cwd: str
    terminal: Terminal
    environment: Mapping[str, str]
    stdin: str | None
    owner: Owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A command by its name with arguments as JSON holds them, or a command line, and who asks."""

    command: str
    arguments: Mapping[str, Any]
    settings: Mapping[str, Any]
    cwd: str
    environment: Mapping[str, str]
    owner: Owner
    door: str
    client: str
    argv: tuple[str, ...] | None = None
    """Words that stand for command and arguments."""
    stdin: str | None = None
    agent: str = ""
    """Whose part of the configuration holds."""
    confirmed: str = ""
    """The question to which a person has said yes."""
    tools: tuple[str, ...] | None = None
    """The keys of the tools that the client is offered; None when it is not a client of tools."""
    own_session: str = ""
    """The session of its calls that name none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command line came to: text for both streams, and the exit status."""

    out: str
    err: str
    exit: int


class Host(Protocol):
    """What the daemon serves."""

    async def answer(self, line: CommandLine, progress: Callable[[str], None]) -> Answer:
        """Run one command line; cancelled when its client is gone or gives up."""

    async def run(self, request: Request, progress: Callable[[str], None]) -> dict[str, Any]:
        """Run one command; what it came to, as data. Cancelled like a command line."""

    def busy(self) -> list[str]:
        """What is running now, a line each, for `daemon status`."""

    def idle_seconds(self) -> float:
        """For how long there has been neither a call nor a living session; 0 while there is one."""

    async def close(self) -> None:
        """Give everything back; nothing is asked afterwards."""
