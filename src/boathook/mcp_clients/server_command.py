"""The command line with which clients start our server: absolute, so that it works without this shell's PATH."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

_PROGRAMS = ("boathook", "bh")
_UV_CACHE = ("archive-v", "environments-v", "builds-v")
"""Folders of environments that `uvx` makes for a run, and that uv may remove afterwards."""


def server_command(
    *,
    tools: str = "",
    given: str = "",
    environment: Mapping[str, str],
    program: str,
    prefix: str = sys.prefix,
) -> list[str]:
    """The words to start the server with; `given` replaces the program that is found."""
    options = ["--tools", tools] if tools else []
    return [*(_given(given, environment) if given else _own(program, prefix, environment)), "mcp", *options]


def _given(text: str, environment: Mapping[str, str]) -> list[str]:
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadRequest(f"invalid command: {text!r:.80} ({error})") from None
    found = shutil.which(words[0], path=environment.get("PATH", os.defpath)) if words else None
    if found is None:
        raise BadRequest(f"no such program: {text!r:.80}")
    return [os.path.abspath(found), *words[1:]]  # noqa: PTH100 (links stay: updates change what they point to)


def _own(program: str, prefix: str, environment: Mapping[str, str]) -> list[str]:
    """The program that is running, by the path that stays valid after an update."""
    if (runner := _runner(prefix, environment)) is not None:
        return runner
    name = Path(program).name
    if name in _PROGRAMS:
        found = (
            program if os.sep in program else shutil.which(program, path=environment.get("PATH", os.defpath))
        )
        if found and os.access(found, os.X_OK):
            return [os.path.abspath(found)]  # noqa: PTH100
    beside = Path(sys.executable).parent / _PROGRAMS[0]
    if beside.is_file() and os.access(beside, os.X_OK):
        return [str(beside)]
    return [sys.executable, "-m", _PROGRAMS[0]]


def _runner(prefix: str, environment: Mapping[str, str]) -> list[str] | None:
    """`uvx` or `pipx run`, if this environment was made for one run by them."""
    parts = Path(prefix).parts
    runners = {
        "uvx": (["boathook"], any(part.startswith(_UV_CACHE) for part in parts)),
        "pipx": (["run", "boathook"], "pipx" in parts and ".cache" in parts and "venvs" not in parts),
    }
    for runner, (words, is_it) in runners.items():
        if is_it and (found := shutil.which(runner, path=environment.get("PATH", os.defpath))):
            return [os.path.abspath(found), *words]  # noqa: PTH100
    return None
