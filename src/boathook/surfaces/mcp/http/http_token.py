"""The token of the HTTP door: given by the user, or a file that only they can read."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import BadSetting, BoathookError
from boathook.private_files import private_folder, read_whole, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "BOATHOOK_MCP_TOKEN"
FILE_NAME = "mcp-token"
SHORTEST = 32
"""Characters: a shorter token could be guessed."""


def http_token(folder: str, *, port: int, environ: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """The token, and where it comes from in words."""
    given = environ.get(VARIABLE)
    if given is not None:
        if len(given) < SHORTEST or not given.isascii() or not given.isprintable() or " " in given:
            raise BadSetting(
                f"{VARIABLE} is too short or has characters that no header can carry",
                hint=f"use at least {SHORTEST} letters and digits: python -c 'import secrets; print(secrets.token_hex())'",
            )
        return given, f"the value of {VARIABLE}"
    name = f"{FILE_NAME}-{port}"
    token = secrets.token_urlsafe(32)
    with private_folder(Path(folder)) as place:
        # A new one each time, so that no earlier client keeps its way in.
        replace(place, name, token.encode())
    return token, str(Path(folder, name))


def take_back(folder: str, *, port: int, token: str) -> None:
    """Remove the file of a token that opens nothing any more; one that another server has written stays."""
    name = f"{FILE_NAME}-{port}"
    with suppress(OSError, BoathookError), private_folder(Path(folder)) as place:
        if read_whole(place, name, largest=len(token)) == token.encode():
            os.unlink(name, dir_fd=place)
