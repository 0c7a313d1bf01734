"""Decoding of `call` and `run` messages, which any process of this user may have written, to typed values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from boathook.service.daemon.host_protocol import CallRequest, CommandLine, Owner, Terminal
from boathook.service.surface import Surface
from boathook.wire.failures import BadFrame

if TYPE_CHECKING:
    from boathook.wire.messages import Message

_T = TypeVar("_T")


def command_line(message: Message, *, peer: int | None = None) -> CommandLine:
    """The command line of a call; BadFrame names the invalid field."""
    terminal = _field(message, "terminal", dict)
    return CommandLine(
        argv=tuple(_texts("argv", _field(message, "argv", list))),
        cwd=_field(message, "cwd", str),
        terminal=Terminal(
            is_tty=_field(terminal, "is_tty", bool),
            columns=_field(terminal, "columns", int),
            colour=_field(terminal, "colour", bool),
        ),
        environment=_environment(_field(message, "environment", dict)),
        stdin=None if message.get("stdin") is None else _field(message, "stdin", str),
        owner=_owner(message),
        peer=peer,
    )


def request(message: Message, *, peer: int | None = None) -> CallRequest:
    """The command of a run; BadFrame names the invalid field."""
    return CallRequest(
        command=_field(message, "command", str),
        arguments=_field(message, "arguments", dict),
        settings=_field(message, "settings", dict),
        cwd=_field(message, "cwd", str),
        environment=_environment(_field(message, "environment", dict)),
        owner=_owner(message),
        peer=peer,
        surface=Surface.parse(_field(message, "door", str)),
        client=_field(message, "client", str),
        argv=tuple(_texts("argv", _field(message, "argv", list))) if "argv" in message else None,
        stdin=None if message.get("stdin") is None else _field(message, "stdin", str),
        agent=_field(message, "agent", str) if "agent" in message else "",
        confirmed=_field(message, "confirmed", str) if "confirmed" in message else "",
        tools=tuple(_texts("tools", _field(message, "tools", list))) if "tools" in message else None,
        own_session=_field(message, "own_session", str) if "own_session" in message else "",
    )


def _owner(message: Message) -> Owner:
    owner = _field(message, "owner", dict)
    return Owner(
        pid=_field(owner, "pid", int),
        start_time=None if owner.get("start_time") is None else _field(owner, "start_time", int),
    )


def _field(message: dict[str, Any], name: str, kind: type[_T]) -> _T:
    value = message.get(name)
    if not isinstance(value, kind):
        raise BadFrame(f"invalid call: {name} must be {kind.__name__}, not {type(value).__name__}")
    return value


def _texts(name: str, values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        raise BadFrame(f"invalid call: {name} must contain only strings")
    return values


def _environment(values: dict[str, Any]) -> dict[str, str]:
    _texts("environment", list(values.values()))
    return values
