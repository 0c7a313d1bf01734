"""The keys that files are sealed with: one that the user gives, else those in the system's keyring or in a private file.

The newest key seals; older ones stay to open what they have sealed, until somebody asks to forget them.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib
import json
import os
import secrets
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.vault.durable import write_first, write_whole
from boathook.errors import BadRequest, BadSetting, DamagedFile, WrongKey
from boathook.runtime_folder import state_folder, why_not_private

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "BOATHOOK_ENCRYPTION_KEY"
KEY_BYTES = 32
_FILE = "keys.json"
_LOCK = "keys.lock"
_SERVICE = "boathook"

given_key: ContextVar[str] = ContextVar("encryption key", default="")
"""What the caller's environment has as its key, as 64 hexadecimal digits; each call sets its own."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key. Its id may be told: it is a part of a digest."""

    value: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """Which one it is, for the files that it has sealed."""
        return hashlib.sha256(b"boathook key " + self.value).hexdigest()[:16]

    @classmethod
    def parse(cls, text: str, *, source: str) -> Key:
        """Read 64 hexadecimal digits; the error does not repeat them."""
        try:
            value = bytes.fromhex(text.strip())
        except ValueError:
            value = b""
        if len(value) != KEY_BYTES:
            raise BadSetting(
                f"{source} is no key: it has 64 hexadecimal digits", hint="openssl rand -hex 32 makes one"
            )
        return cls(value)


def vault_folder() -> Path:
    """Where keys and logins lie; only their owner can enter it."""
    path = state_folder() + "/vault"
    why_not = why_not_private(path)
    if why_not is not None:
        raise BadRequest(f"{path} cannot be used: it {why_not}", path=path)
    return Path(path)


@contextmanager
def held(*, alone: bool = False) -> Iterator[None]:
    """Nobody forgets a key while somebody seals with it."""
    descriptor = os.open(vault_folder() / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def users_key() -> Key | None:
    """The key that the caller gives, when there is one."""
    text = given_key.get() or os.environ.get(VARIABLE, "")
    return Key.parse(text, source=VARIABLE) if text else None


def sealing_key() -> Key:
    """The key to seal with now; made when there is none yet."""
    users = users_key()
    if users is not None:
        return users
    return (_kept() or _made_first())[0]


def opening_key(key_id: str) -> Key | None:
    """The key of this id, when it is here."""
    users = users_key()
    known = [*([users] if users else []), *_kept()]
    return next((key for key in known if key.id == key_id), None)


def add_key() -> Key:
    """A new key to seal with from now on; those that were there stay for what they have sealed."""
    if users_key() is not None:
        raise BadRequest(
            f"{VARIABLE} gives the key, so no other one is made",
            hint="give a new one there, and the old one's files are sealed anew when they are saved",
        )
    new = Key(secrets.token_bytes(KEY_BYTES))
    kept = _kept()
    if kept:
        _keep([new, *kept])
        return new
    return _made_first()[0]


def forget_keys(*, but: set[str]) -> int:
    """Drop all keys whose id is not named; how many went."""
    kept = _kept()
    left = [key for key in kept if key.id in but]
    if left and len(left) < len(kept):
        _keep(left)
        return len(kept) - len(left)
    return 0


def _kept() -> list[Key]:
    """Our own keys, newest first. A file that is there is used, so that a keyring that comes and goes changes nothing."""
    path = vault_folder() / _FILE
    if path.exists():
        return _read(path.read_text(encoding="utf-8"), str(path))
    keyring = _keyring()
    text = _asked(keyring, "get_password") if keyring is not None else None
    return _read(text, "the system's keyring") if text else []


def _read(text: str, source: str) -> list[Key]:
    try:
        keys = [Key.parse(one, source=source) for one in json.loads(text)["keys"]]
    except (ValueError, TypeError, KeyError, AttributeError, BadSetting) as error:
        raise DamagedFile(
            f"the keys in {source} cannot be read",
            hint="put back a copy of them; no new ones are made over them",
        ) from error
    if not keys:
        raise WrongKey(f"{source} holds no key")
    return keys


def _keep(keys: list[Key]) -> None:
    text = _written(keys)
    path = vault_folder() / _FILE
    keyring = None if path.exists() else _keyring()
    if keyring is not None:
        _asked(keyring, "set_password", text)
    else:
        write_whole(path, text.encode())


def _made_first() -> list[Key]:
    keys = [Key(secrets.token_bytes(KEY_BYTES))]
    keyring = _keyring()
    if keyring is not None:
        _asked(keyring, "set_password", _written(keys))
    elif not write_first(vault_folder() / _FILE, _written(keys).encode()):
        return _kept()  # somebody else was faster
    return keys


def _written(keys: list[Key]) -> str:
    return json.dumps({"keys": [key.value.hex() for key in keys]})


def _asked(keyring: Any, method: str, *text: str) -> Any:
    """Ask the keyring for the keys of this vault: each home has keys of its own."""
    try:
        return getattr(keyring, method)(_SERVICE, str(vault_folder()), *text)
    except keyring.errors.KeyringError as error:
        raise BadRequest(
            "the system's keyring does not answer", hint=f"unlock it, or give a key in {VARIABLE}"
        ) from error


def _keyring() -> Any:
    """The system's keyring, where the package for it is installed and something stands behind it."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    backend = keyring.get_keyring()
    return keyring if getattr(backend, "priority", 0) > 0 else None
