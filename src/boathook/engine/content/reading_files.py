"""Files with the full text of a reading: private, in the folder that is removed with the browser."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

from boathook.errors import BadSetting

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
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise BadSetting(f"the full text cannot be saved: {error.strerror}") from error
    return path
