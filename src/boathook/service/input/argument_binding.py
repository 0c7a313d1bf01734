"""Argument binding: the right types, paths relative to the caller, content of standard input."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.state.state_store import is_name
from boathook.errors import BadRequest
from boathook.service.input.argument_types import bind_arguments

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.registry.registry import Parameter
    from boathook.service.call import Call

FROM_SETTINGS = {"timeout": "timeout", "encrypt": "encrypt_states"}
"""Parameters, with the setting that is their default."""


def prepare_arguments(call: Call) -> dict[str, Any]:
    """The arguments of a call as its command takes them; secrets are still references."""
    if output := call.settings.get("output"):
        _file_at(call.folder, output)  # before anything is done
    arguments = _with_settings(call, bind_arguments(call.command, _for_reader(call)))
    return _with_stdin(call, _with_whole_paths(call, arguments))


def _for_reader(call: Call) -> Mapping[str, Any]:
    """The arguments as given; a model gets images that it can process, whichever tool was called."""
    if call.surface.is_model and call.command.parameter("for_model") is not None:
        return {"for_model": True, **call.arguments}
    return call.arguments


def _with_settings(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """A setting may provide what a call does not."""
    said = {
        name: call.settings.get(setting)
        for name, setting in FROM_SETTINGS.items()
        if name not in arguments and call.command.parameter(name) is not None
    }
    given = {**arguments, **{name: value for name, value in said.items() if value is not None}}
    folder, place = call.settings.get("download_path"), call.command.parameter(call.command.saves_download)
    if folder and place is not None and given.get(place.name) == _without_name(place):
        given[place.name] = folder
    return given


def _without_name(place: Parameter) -> Any:
    """What a parameter is if no place was named: its flag alone may stand for one."""
    return next((also.value for also in place.also if also.value is not None), place.default)


def _with_stdin(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """The content of standard input, where the line asks for it."""
    named = [name for name in call.command.from_stdin if arguments.get(name) == "-"]
    if named and not call.stdin:
        raise BadRequest(f"{call.command.cli_name}: standard input is empty")
    return {**arguments, **dict.fromkeys(named, call.stdin)}


def _with_whole_paths(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """Paths are relative to the caller's working directory, not to the daemon's."""
    whole = _with_default_paths(call, arguments)
    for name in (*call.command.reads_files, *call.command.writes_files):
        given = whole.get(name)
        if name in call.command.stored_by_name and is_name(given):
            continue
        if name in call.command.from_stdin and given == "-":
            continue
        if isinstance(given, list):
            whole[name] = [_file_at(call.folder, path) for path in given]
        elif given is not None:
            whole[name] = _file_at(call.folder, given)
    return whole


def _with_default_paths(call: Call, arguments: dict[str, Any]) -> dict[str, Any]:
    """A file that a command uses if none is named is relative to the caller too, and policies decide on it."""
    named = {*call.command.reads_files, *call.command.writes_files}
    usual = {
        parameter.name: parameter.default
        for parameter in call.command.parameters
        if parameter.name in named and isinstance(parameter.default, str | Path)
    }
    return {**usual, **arguments}


def _file_at(folder: str, given: str | Path) -> Path:
    """The absolute path; devices and pipes are refused, since some are endless and others block."""
    path = Path(folder, given)
    try:
        kind = path.stat().st_mode
    except OSError:
        return path  # the command reports what is wrong with it
    if not stat.S_ISREG(kind) and not stat.S_ISDIR(kind):
        raise BadRequest(
            f"{path} is a device, a pipe or a socket, not a file", hint="pass the path of a file"
        )
    return path
