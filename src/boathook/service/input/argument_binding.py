"""Arguments made ready: of the right types, paths from where the caller stands, what came on standard input."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.state.state_store import is_name
from boathook.errors import BadRequest
from boathook.service.input.argument_types import checked
from boathook.service.surface import is_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.service.runner import Call

FROM_SETTINGS = {"timeout": "timeout", "encrypt": "encrypt_states"}
"""Parameters, with the setting that holds where a call does not give them."""
DOWNLOADS = {"download": "path", "wait_for_download": "path", "wait_until": "download"}
"""Commands that save downloads, with the parameter that says where."""
UNNAMED = {"path": None, "download": "."}
"""What these parameters are when no place was named."""


def prepared(call: Call) -> dict[str, Any]:
    """The arguments of a call as its command takes them; secrets stand in them by name still."""
    arguments = _with_settings(call, checked(call.command, _for_reader(call)))
    return _with_stdin(call, _with_whole_paths(call, arguments))


def _for_reader(call: Call) -> Mapping[str, Any]:
    """The arguments as given; a model gets images that it can take, whichever tool asked for them."""
    if is_model(call.door) and call.command.parameter("for_model") is not None:
        return {"for_model": True, **call.arguments}
    return call.arguments


def _with_settings(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """What a call leaves open may be said by a setting."""
    said = {
        name: call.settings.get(setting)
        for name, setting in FROM_SETTINGS.items()
        if name not in arguments and call.command.parameter(name) is not None
    }
    given = {**arguments, **{name: value for name, value in said.items() if value is not None}}
    folder, name = call.settings.get("download_path"), DOWNLOADS.get(call.command.name, "")
    if folder and name and given.get(name) == UNNAMED[name]:
        given[name] = folder
    return given


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
        if name in call.command.from_stdin and given == "-":
            continue
        if isinstance(given, list):
            whole[name] = [_file_at(call.folder, one) for one in given]
        elif given is not None:
            whole[name] = _file_at(call.folder, given)
    return whole


def _file_at(folder: str, given: str | Path) -> Path:
    """The path from there; devices and pipes are refused, since some have no end and others wait for ever."""
    path = Path(folder, given)
    try:
        kind = path.stat().st_mode
    except OSError:
        return path  # whoever wants it says what is wrong with it
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise BadRequest(f"{path} is no file but a device, a pipe or a socket", hint="name a file")
    return path
