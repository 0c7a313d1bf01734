"""The relay's credentials: a token per client and the key shared with the extension, in a folder that only the user can access."""

from __future__ import annotations

import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.errors import BadRequest, BadSetting
from boathook.private_files import replace_file
from boathook.runtime_folder import state_folder, why_not_private

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST = 65_536
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
DEFAULT_CLIENT = "default"
DEFAULT_PORT = 19377
_PORT_FILE = "port"
_TICK_NS = 1_000_000_000


def relay_folder() -> Path:
    """The default folder of the credentials."""
    return Path(os.environ.get("BOATHOOK_RELAY_FOLDER") or Path(state_folder(), "relay"))


def proof(key: str, text: str) -> str:
    """The HMAC of some text: only a party that has the key can compute it."""
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


class RelayCredentials:
    """Reads and creates them; each is stable over restarts, since clients and the extension store them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._seen: tuple[int, int] | None = None
        self._tokens: dict[str, str] = {}
        why_not = why_not_private(str(folder))
        if why_not is not None:
            raise BadSetting(f"the relay's folder {folder} cannot be used: it {why_not}", path=str(folder))

    @property
    def is_usual(self) -> bool:
        """Whether this is the folder of a user who has chosen no other."""
        return self.folder == Path(state_folder(), "relay")

    @property
    def key(self) -> str:
        """The key that the extension's pairing file contains too."""
        return self._read_or_make("extension-key", lambda: secrets.token_urlsafe(32))

    def token(self, client: str = DEFAULT_CLIENT) -> str:
        """A client's token, created on first use."""
        return self._read_or_make(_token_file(client), lambda: secrets.token_urlsafe(32))

    def known_token(self, client: str) -> str | None:
        """A client's token, if there is one."""
        return self._read(_token_file(client))

    def replace_token(self, client: str) -> None:
        """Create another token for a client."""
        self.token(client)
        self._put(_token_file(client), secrets.token_urlsafe(32))

    def remove_token(self, client: str) -> bool:
        """Remove a client's token; False if it has none."""
        known = self.known_token(client) is not None
        self.remove(_token_file(client))
        return known

    @property
    def usual_port(self) -> int:
        """The port that the extension was last installed for: the default."""
        text = self._read(_PORT_FILE) or ""
        return int(text) if text.isdecimal() else DEFAULT_PORT

    def keep_port(self, port: int) -> None:
        """Remember the port of the extension's relay."""
        self.write(_PORT_FILE, port)

    def whose(self, token: str) -> str | None:
        """The client of a token; it is compared with every known one, so that timing reveals nothing."""
        found = None
        for client, known in self._all_tokens().items():
            if hmac.compare_digest(known.encode(), token.encode()):
                found = client
        return found

    def _all_tokens(self) -> dict[str, str]:
        facts = self.folder.stat()
        stamp = (facts.st_mtime_ns, facts.st_ino)
        if stamp != self._seen:
            names = sorted(path.name for path in self.folder.glob("token-*"))
            self._tokens = {name.removeprefix("token-"): text for name in names if (text := self._read(name))}
            # Clocks of file systems tick slowly: another change within the same tick would not be seen.
            has_settled = time.time_ns() - facts.st_mtime_ns > _TICK_NS
            self._seen = stamp if has_settled else None
        return self._tokens

    def write(self, name: str, value: object) -> None:
        """Replace a file atomically."""
        self._put(name, json.dumps(value))

    def read_value(self, name: str) -> object:
        """What `write` has stored; None if there is nothing."""
        text = self._read(name)
        try:
            return None if text is None else json.loads(text)
        except ValueError:
            return None

    def _put(self, name: str, text: str) -> None:
        replace_file(self.folder / name, text.encode(), durable=False)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """A lock across all processes and threads."""
        descriptor = os.open(self.folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def remove(self, name: str) -> None:
        """Remove a file that may not exist."""
        with suppress(FileNotFoundError):
            Path(self.folder, name).unlink()

    def _read_or_make(self, name: str, make: object) -> str:
        text = self._read(name)
        if text is not None:
            return text
        with self._alone():  # another process may be faster: what it wrote counts
            if not os.path.lexists(self.folder / name):
                self._put(name, make() if callable(make) else "")
        text = self._read(name)
        if text is None:
            raise BadSetting(
                f"{self.folder / name} is not a file that only you can read",
                hint="remove it; a new one is created",
                path=str(self.folder / name),
            )
        return text

    def _read(self, name: str) -> str | None:
        try:
            descriptor = os.open(
                self.folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            )
        except OSError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            facts = os.fstat(descriptor)
            private = stat.S_ISREG(facts.st_mode) and facts.st_uid == os.geteuid()
            if not private or stat.S_IMODE(facts.st_mode) & 0o077 or facts.st_nlink != 1:
                return None
            text = file.read(_LARGEST).decode("ascii", "replace").strip()
        return text or None


def _token_file(client: str) -> str:
    if _NAME.fullmatch(client) is None:
        raise BadRequest(
            f"invalid client name: {client[:80]!r}", hint="use letters, digits, dots and hyphens"
        )
    return f"token-{client}"
