"""A session in the daemon, used from Python and shared with the command line and MCP clients."""

from __future__ import annotations

import base64
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from boathook import errors
from boathook.client.async_client import DaemonClient
from boathook.commands import catalogue
from boathook.wire import messages
from boathook.wire.failures import WireFailure

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from types import TracebackType

    from boathook.registry.registry import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The result of a call; printing it shows the text."""

    text: str
    data: Any = None
    page: Mapping[str, str] = field(default_factory=dict)
    """Where it ended: tab and url."""
    change: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    pictures: tuple[bytes, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text


class Remote:
    """A session of the daemon. Commands are methods; failures raise the same errors as in a launched browser."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._settings = {name: value for name, value in settings.items() if value is not None}
        self._commands = catalogue()
        self._link = DaemonClient()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.disconnect()

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Reply]]:
        known = self._commands.get(name)
        if known is None or known.tool_set or known.cli_only:
            raise AttributeError(f"no such command: {name!r}")
        return _method(self, known)

    def __dir__(self) -> list[str]:
        ours = (
            command.name
            for command in self._commands.values()
            if not command.tool_set and not command.cli_only
        )
        return sorted([*super().__dir__(), *ours])

    async def run(self, command: str, /, **arguments: Any) -> Reply:
        """Run a command by its name in the reference."""
        run = messages.run(
            "",
            command=command,
            arguments={name: _sendable(value) for name, value in arguments.items()},
            settings=self._settings,
            cwd=str(Path.cwd()),
            environment={
                name: value for name, value in os.environ.items() if name.startswith(messages.PASSED_ON)
            },
            owner=messages.owner(pid=os.getpid(), start_time=None),
            surface="python",
            client="python",
        )
        try:
            outcome = await self._link.run(run, on_progress=lambda _text: None)
        except WireFailure as failure:
            raise errors.BrowserGone(failure.message, hint=failure.marked_hint) from failure
        self._settings.pop("fresh", None)  # it is fresh now
        return _reply(outcome)

    async def disconnect(self) -> None:
        """Disconnect; the session keeps running."""
        await self._link.close()


def connect(
    *, session: str | None = None, tab: str | None = None, fresh: bool = False, **settings: Any
) -> Remote:
    """Use a session of the daemon, started if necessary; `settings` are those of the command line."""
    return Remote({"session": session, "tab": tab, "fresh": fresh or None, **settings})


def _method(remote: Remote, command: Command) -> Callable[..., Awaitable[Reply]]:
    positional = [parameter for parameter in command.parameters if parameter.positional]

    async def call(*given: Any, **named: Any) -> Reply:
        arguments = dict(named)
        for number, parameter in enumerate(positional):
            if parameter.variadic and given[number:]:
                arguments[parameter.name] = list(given[number:])
            elif number < len(given) and not parameter.variadic:
                arguments[parameter.name] = given[number]
        if len(given) > len(positional) and not any(parameter.variadic for parameter in positional):
            raise TypeError(f"{command.name} takes {len(positional)} positional arguments, not {len(given)}")
        return await remote.run(command.name, **arguments)

    call.__name__ = command.name
    call.__doc__ = command.summary
    return call


def _sendable(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple | list | set | frozenset):
        return [_sendable(part) for part in value]
    return value


def _reply(outcome: Mapping[str, Any]) -> Reply:
    if not outcome.get("ok"):
        raise _error(outcome.get("error") or {})
    return Reply(
        text=outcome.get("text", ""),
        data=outcome.get("data"),
        page=outcome.get("page") or {},
        change=outcome.get("change") or {},
        notes=tuple(outcome.get("notes", ())),
        pictures=tuple(base64.b64decode(image["base64"]) for image in outcome.get("images", ())),
    )


def _error(told: Mapping[str, Any]) -> errors.BoathookError:
    """The daemon's error, as the class with its code."""
    kinds: dict[str, type[errors.BoathookError]] = {
        kind.code: kind for kind in vars(errors).values() if _is_error(kind)
    }
    kind = kinds.get(str(told.get("code")), errors.BoathookError)
    made: errors.BoathookError = kind.__new__(kind)
    # Some take other arguments to make their message of; here it is made already.
    errors.BoathookError.__init__(made, str(told.get("message", "")), hint=told.get("hint"))
    made.evidence = dict(told.get("evidence") or {})
    return made


def _is_error(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, errors.BoathookError)
