"""Display names of browser profiles: what the user has set, or the browser's name with a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.relay.server.credentials import RelayCredentials

_FILE = "profiles.json"
_MOST = 200
LONGEST_NAME = 40
DEFAULT_BROWSER = "Chrome"


def clean_name(given: object) -> str:
    """A name as one short line; empty if there is none."""
    text = given if isinstance(given, str) else ""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:LONGEST_NAME].strip()


class ProfileNames:
    """Default names by installation; stored, so that a name stands for the same profile after a restart."""

    def __init__(self, files: RelayCredentials) -> None:
        self._files = files
        self._names = self._load()

    def default_name(self, install_id: str, browser: str) -> str:
        """The name of an installation; a new one gets the first number that is free."""
        known = self._names.get(install_id)
        if known is not None:
            return known
        base = clean_name(browser) or DEFAULT_BROWSER
        taken = {name.casefold() for name in self._names.values()}
        number = 1
        while (name := base if number == 1 else f"{base} {number}").casefold() in taken:
            number += 1
        self._names = {**dict(list(self._names.items())[1 - _MOST :]), install_id: name}
        self._files.write(_FILE, self._names)
        return name

    def _load(self) -> dict[str, str]:
        found = self._files.read_value(_FILE)
        pairs = found.items() if isinstance(found, dict) else ()
        return {install_id: name for install_id, given in pairs if (name := clean_name(given))}
