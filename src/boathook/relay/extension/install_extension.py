"""Installing the extension where Chrome can load it, with the key that pairs it with this user's relay."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import FileMissing
from boathook.private_files import create_file
from boathook.runtime_folder import home_folder, why_not_private

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.relay.server.credentials import RelayCredentials

PAIRING_FILE = "pairing.json"
VISIBLE_NAME = "Boathook extension"
_MANIFEST = "manifest.json"
_PLACE_FILE = "extension-folder"
EXTENSION_PAGES = {
    "Chrome and Chromium": "chrome://extensions",
    "Edge": "edge://extensions",
    "Brave": "brave://extensions",
}
"""The page of each browser on which an extension is loaded."""


def extension_source() -> Path:
    """The packaged extension, or the one in the repository."""
    package = Path(__file__).resolve().parents[2]
    for place in (package / "data" / "extension", package.parents[1] / "extension"):
        if (place / _MANIFEST).is_file():
            return place
    raise FileMissing("the extension is not part of this installation", hint="install boathook again")


def extension_files(source: Path) -> Iterator[Path]:
    """The files of an extension, relative to its folder; without the pairing file."""
    for path in sorted(source.rglob("*")):
        if path.is_file() and path.name != PAIRING_FILE and not path.name.startswith("."):
            yield path.relative_to(source)


def extension_folder(files: RelayCredentials) -> Path:
    """Where the extension is, or is to be installed: a folder that file dialogs show.

    One that was installed before stays where the browser has loaded it from.
    """
    noted = files.read_value(_PLACE_FILE)
    if isinstance(noted, str) and Path(noted, _MANIFEST).is_file():
        return Path(noted)
    hidden = files.folder / "extension"
    if (hidden / _MANIFEST).is_file() or not files.is_usual:
        return hidden
    return Path(home_folder(), VISIBLE_NAME)


def install(files: RelayCredentials, *, port: int, folder: Path | None = None) -> Path:
    """Copy the extension into a folder that only the user can access, and write the pairing file next to it."""
    target = folder or extension_folder(files)
    why_not = why_not_private(str(target))
    if why_not is not None:
        raise FileMissing(f"{target} cannot be used: it {why_not}", path=str(target))
    source = extension_source()
    for path in extension_files(source):
        (target / path.parent).mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(source / path, target / path)
    pairing = target / PAIRING_FILE
    pairing.unlink(missing_ok=True)
    paired = {"relay": f"ws://127.0.0.1:{port}/extension", "key": files.key}
    with create_file(pairing) as file:
        file.write(json.dumps(paired).encode())
    files.keep_port(port)
    files.write(_PLACE_FILE, str(target))
    return target


def loading_steps(place: Path) -> str:
    """What the user does in the browser; programs cannot do it for them."""
    width = max(map(len, EXTENSION_PAGES))
    pages = "".join(f"     {name:<{width}}  {page}\n" for name, page in EXTENSION_PAGES.items())
    return (
        f"the extension is in {place}\n"
        "1. type the URL of the browser's extensions page into its address bar, and turn on Developer mode\n"
        f"{pages}"
        "2. click Load unpacked and choose that folder\n"
        "3. run `boathook relay`; the page that the extension opens shows when it is connected\n"
        "Any program that can read that folder can pair with your relay: keep it where only you have access.\n"
    )
