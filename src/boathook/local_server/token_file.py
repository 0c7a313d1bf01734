"""The token of the HTTP server: set by the user, or generated into a private file."""

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
"""The minimum length of a token."""


def http_token(folder: str, *, port: int, environ: Mapping[str, str] = os.environ) -> tuple[str, str]:
    """The token, and a description of its source."""
    given = environ.get(VARIABLE)
    if given is not None:
        if len(given) < SHORTEST or not given.isascii() or not given.isprintable() or " " in given:
            raise BadSetting(
                f"invalid {VARIABLE}: too short, or with characters that are not allowed in a header",
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
    """Remove the file of a token that is no longer valid; one that another server wrote stays."""
    name = f"{FILE_NAME}-{port}"
    with suppress(OSError, BoathookError), private_folder(Path(folder)) as place:
        if read_whole(place, name, largest=len(token)) == token.encode():
            os.unlink(name, dir_fd=place)
