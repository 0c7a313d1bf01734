"""Screenshots on disk: where the caller wants them, or in a private folder that is removed with the browser."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from boathook.errors import BadSetting
from boathook.private_files import create_file

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.capture.images.screenshot import Picture
    from boathook.engine.files.private_dir import PrivateDirectory


def save_picture(picture: Picture, path: Path) -> Path:
    """Write a screenshot to the given path."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture.data)
    except IsADirectoryError as error:
        raise BadSetting(
            f"the screenshot cannot be written to {path}: it is a folder",
            hint=f"pass the path of a file, such as {path / 'page.png'}",
        ) from error
    except OSError as error:
        raise BadSetting(f"the screenshot cannot be written to {path}: {error.strerror}") from error
    return path


def save_privately(picture: Picture, folder: PrivateDirectory) -> Path:
    """Write a screenshot to a new file that only its owner can read."""
    path = folder.path / "screenshots" / f"{secrets.token_hex(8)}.{picture.format}"
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with create_file(path) as file:
        file.write(picture.data)
    return path
