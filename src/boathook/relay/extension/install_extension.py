"""Installing the extension where Chrome can load it, with the key that pairs it with this user's relay."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import FileMissing
from boathook.private_files import create_file
from boathook.runtime_folder import why_not_private

if TYPE_CHECKING:
    from boathook.relay.server.credentials import RelayCredentials

PAIRING_FILE = "pairing.json"


def extension_source() -> Path:
    """The packaged extension, or the one in the repository."""
    package = Path(__file__).resolve().parents[2]
    for place in (package / "data" / "extension", package.parents[1] / "extension"):
        if (place / "manifest.json").is_file():
            return place
    raise FileMissing("the extension is not part of this installation", hint="install boathook again")


def install(files: RelayCredentials, *, port: int, folder: Path | None = None) -> Path:
    """Copy the extension into a folder that only the user can access, and write the pairing file next to it."""
    target = folder or files.folder / "extension"
    why_not = why_not_private(str(target))
    if why_not is not None:
        raise FileMissing(f"{target} cannot be used: it {why_not}", path=str(target))
    for path in extension_source().iterdir():
        if path.is_file():
            shutil.copyfile(path, target / path.name)
    pairing = target / PAIRING_FILE
    pairing.unlink(missing_ok=True)
    paired = {"relay": f"ws://127.0.0.1:{port}/extension", "key": files.key}
    with create_file(pairing) as file:
        file.write(json.dumps(paired).encode())
    files.keep_port(port)
    return target
