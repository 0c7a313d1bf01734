"""Files with the full text of a reading: private, in the folder that is removed with the browser."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from boathook.errors import BadSetting
from boathook.private_files import create_file

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.files.private_dir import PrivateDirectory

SUFFIXES = {"markdown": ".md", "html": ".html", "tables": ".md"}


def save_reading(folder: PrivateDirectory, text: str, *, format: str) -> Path:
    """Write the text to a file that only its owner can open, and return its path."""
    try:
        place = folder.path / "readings"
        place.mkdir(mode=0o700, exist_ok=True)
        path = place / f"{secrets.token_hex(8)}{SUFFIXES.get(format, '.txt')}"
        with create_file(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise BadSetting(f"the full text cannot be saved: {error.strerror}") from error
    return path
