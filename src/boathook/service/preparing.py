"""Arguments made ready: of the right types, paths from where the caller stands, what came on standard input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.state_store import is_name
from boathook.errors import BadRequest
from boathook.service.arguments import checked

if TYPE_CHECKING:
    from boathook.service.runner import Call


def prepared(call: Call) -> dict[str, Any]:
    """The arguments of a call as its command takes them; secrets stand in them by name still."""
    arguments = _with_timeout(call, checked(call.command, call.arguments))
    return _with_whole_paths(call, _with_stdin(call, arguments))


def _with_timeout(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    seconds = call.settings.get("timeout")
    if seconds is None or "timeout" in arguments or call.command.parameter("timeout") is None:
        return arguments
    return {**arguments, "timeout": seconds}


def _with_stdin(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """What comes on standard input, where the line says so."""
    named = [name for name in call.command.from_stdin if arguments.get(name) == "-"]
    if named and not call.stdin:
        raise BadRequest(f"{call.command.spoken}: nothing came on standard input")
    return {**arguments, **dict.fromkeys(named, call.stdin)}


def _with_whole_paths(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Paths are meant from where the caller stands, not from where the daemon does."""
    whole = dict(arguments)
    for name in (*call.command.reads_files, *call.command.writes_files):
        given = whole.get(name)
        if name in call.command.kept_by_name and is_name(given):
            continue
        if isinstance(given, list):
            whole[name] = [Path(call.folder, one) for one in given]
        elif given is not None:
            whole[name] = Path(call.folder, given)
    return whole
