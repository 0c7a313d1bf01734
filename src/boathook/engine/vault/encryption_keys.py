"""The encryption keys: one that the user sets, otherwise those in the system's keyring or in a private file.

The newest key encrypts; older ones are kept to decrypt existing files, until they are explicitly removed.
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

from boathook.errors import BadRequest, BadSetting, DamagedFile, WrongKey
from boathook.private_files import replace_file, write_first
from boathook.runtime_folder import state_folder, why_not_private

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE = "BOATHOOK_ENCRYPTION_KEY"
KEY_BYTES = 32
_FILE = "keys.json"
_LOCK = "keys.lock"
_SERVICE = "boathook"

given_key: ContextVar[str] = ContextVar("encryption key", default="")
"""The key in the caller's environment, as 64 hexadecimal digits; each call sets its own."""


@dataclass(frozen=True, slots=True)
class SealingKey:
    """One key. Its id may be shown: it is a part of a digest."""

    value: bytes = field(repr=False)

    @property
    def id(self) -> str:
        """Its id, stored in the files that it encrypted."""
        return hashlib.sha256(b"boathook key " + self.value).hexdigest()[:16]

    @classmethod
    def parse(cls, text: str, *, source: str) -> SealingKey:
        """Read 64 hexadecimal digits; the error does not repeat them."""
        try:
            value = bytes.fromhex(text.strip())
        except ValueError:
            value = b""
        if len(value) != KEY_BYTES:
            raise BadSetting(
                f"invalid key in {source}: 64 hexadecimal digits are required",
                hint="generate one with openssl rand -hex 32",
            )
        return cls(value)


def vault_folder() -> Path:
    """The folder of keys and logins; only its owner can access it."""
    path = state_folder() + "/vault"
    why_not = why_not_private(path)
    if why_not is not None:
        raise BadRequest(f"{path} cannot be used: it {why_not}", path=path)
    return Path(path)


@contextmanager
def lock_keys(*, alone: bool = False) -> Iterator[None]:
    """No key is removed while a file is being encrypted."""
    descriptor = os.open(vault_folder() / _LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        yield
    finally:
        os.close(descriptor)


def users_key() -> SealingKey | None:
    """The key that the caller sets, if there is one."""
    text = given_key.get() or os.environ.get(VARIABLE, "")
    return SealingKey.parse(text, source=VARIABLE) if text else None


def sealing_key() -> SealingKey:
    """The key to encrypt with; generated if there is none yet."""
    users = users_key()
    if users is not None:
        return users
    return (_read_keys() or _make_first_key())[0]


def opening_key(key_id: str) -> SealingKey | None:
    """The key of this id, if it is available."""
    users = users_key()
    known = [*([users] if users else []), *_read_keys()]
    return next((key for key in known if key.id == key_id), None)


def add_key() -> SealingKey:
    """A new key to encrypt with from now on; the existing ones are kept for their files."""
    if users_key() is not None:
        raise BadRequest(
            f"{VARIABLE} sets the key, so no other key is generated",
            hint="set a new key there; existing files are encrypted again when they are saved",
        )
    new = SealingKey(secrets.token_bytes(KEY_BYTES))
    kept = _read_keys()
    if kept:
        _keep([new, *kept])
        return new
    return _make_first_key()[0]


def forget_keys(*, but: set[str]) -> int:
    """Remove all keys whose id is not given; returns how many."""
    kept = _read_keys()
    left = [key for key in kept if key.id in but]
    if left and len(left) < len(kept):
        _keep(left)
        return len(kept) - len(left)
    return 0


def _read_keys() -> list[SealingKey]:
    """Our own keys, newest first. An existing file is used, so that a keyring that is not always available changes nothing."""
    path = vault_folder() / _FILE
    if path.exists():
        return _read(path.read_text(encoding="utf-8"), str(path))
    keyring = _keyring()
    text = _call_keyring(keyring, "get_password") if keyring is not None else None
    return _read(text, "the system's keyring") if text else []


def _read(text: str, source: str) -> list[SealingKey]:
    try:
        keys = [SealingKey.parse(key, source=source) for key in json.loads(text)["keys"]]
    except (ValueError, TypeError, KeyError, AttributeError, BadSetting) as error:
        raise DamagedFile(
            f"the keys in {source} cannot be read",
            hint="restore them from a backup; they are not overwritten",
        ) from error
    if not keys:
        raise WrongKey(f"{source} contains no key")
    return keys


def _keep(keys: list[SealingKey]) -> None:
    text = _encode_keys(keys)
    path = vault_folder() / _FILE
    keyring = None if path.exists() else _keyring()
    if keyring is not None:
        _call_keyring(keyring, "set_password", text)
    else:
        replace_file(path, text.encode())


def _make_first_key() -> list[SealingKey]:
    keys = [SealingKey(secrets.token_bytes(KEY_BYTES))]
    keyring = _keyring()
    if keyring is not None:
        _call_keyring(keyring, "set_password", _encode_keys(keys))
    elif not write_first(vault_folder() / _FILE, _encode_keys(keys).encode()):
        return _read_keys()  # another process was faster
    return keys


def _encode_keys(keys: list[SealingKey]) -> str:
    return json.dumps({"keys": [key.value.hex() for key in keys]})


def _call_keyring(keyring: Any, method: str, *text: str) -> Any:
    """Query the keyring for the keys of this vault: each home has its own keys."""
    try:
        return getattr(keyring, method)(_SERVICE, str(vault_folder()), *text)
    except keyring.errors.KeyringError as error:
        raise BadRequest(
            "the system's keyring does not respond", hint=f"unlock it, or set a key in {VARIABLE}"
        ) from error


def _keyring() -> Any:
    """The system's keyring, if its package is installed and a backend is available."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    backend = keyring.get_keyring()
    return keyring if getattr(backend, "priority", 0) > 0 else None
