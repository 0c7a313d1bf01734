"""The environment variables that agents may use by name as secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.service.input.configuration import user_file
from boathook.service.input.configuration_file import read_file

if TYPE_CHECKING:
    from collections.abc import Mapping


def variables_of_secrets(environ: Mapping[str, str]) -> set[str]:
    """The variables in `[secrets]` of the user's settings file; the daemon checks who may use which."""
    entries = read_file(user_file(environ)).secrets.values()
    return {str(entry["env"]) for entry in entries if isinstance(entry, dict) and "env" in entry}
