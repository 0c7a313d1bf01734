"""Encrypted data: AES-256-GCM with the id of its key, as a small JSON document."""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from boathook.engine.vault.encryption_keys import opening_key, sealing_key
from boathook.errors import DamagedFile, Unsupported, WrongKey

if TYPE_CHECKING:
    from pathlib import Path

Kind = Literal["state", "login"]
VERSION = 1
NONCE_BYTES = 12
_MARK = b'{"boathook_sealed":'


class _Sealed(msgspec.Struct):
    boathook_sealed: int
    kind: str
    key: str
    size: int
    nonce: str
    data: str


def is_sealed(data: bytes) -> bool:
    """Whether data starts like encrypted data."""
    return data.startswith(_MARK)


def require_cipher() -> Any:
    """The cipher; Unsupported if its package is not installed."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415 - an optional package
    except ImportError as error:
        raise Unsupported(
            "encryption requires the package cryptography", hint="pip install 'boathook[vault]'"
        ) from error
    return AESGCM


def seal(data: bytes, *, kind: Kind) -> bytes:
    """Encrypt data with the current key."""
    cipher, key, nonce = require_cipher(), sealing_key(), secrets.token_bytes(NONCE_BYTES)
    closed = cipher(key.value).encrypt(nonce, data, _associated_data(kind, key.id, len(data)))
    return msgspec.json.encode(
        _Sealed(
            boathook_sealed=VERSION,
            kind=kind,
            key=key.id,
            size=len(data),
            nonce=base64.b64encode(nonce).decode(),
            data=base64.b64encode(closed).decode(),
        )
    )


def unseal(whole: bytes, *, kind: Kind, path: Path) -> bytes:
    """The decrypted data; WrongKey or DamagedFile if that fails."""
    found = _parse_sealed(whole, kind=kind, path=path)
    cipher, key = require_cipher(), opening_key(found.key)
    if key is None:
        raise WrongKey(
            f"{path} was encrypted with the key {found.key}, which is not available",
            path=str(path),
            key=found.key,
        )
    try:
        nonce, closed = (
            base64.b64decode(found.nonce, validate=True),
            base64.b64decode(found.data, validate=True),
        )
        data: bytes = cipher(key.value).decrypt(nonce, closed, _associated_data(kind, found.key, found.size))
    except (binascii.Error, ValueError, _tag_error()) as error:
        raise DamagedFile(
            f"{path} is damaged: it cannot be decrypted with its key", path=str(path)
        ) from error
    return data


def key_of(whole: bytes) -> str:
    """The id of the key that encrypted this; empty if it cannot be read."""
    try:
        return msgspec.json.decode(whole, type=_Sealed).key
    except msgspec.DecodeError:
        return ""


def _parse_sealed(whole: bytes, *, kind: Kind, path: Path) -> _Sealed:
    try:
        found = msgspec.json.decode(whole, type=_Sealed)
    except msgspec.DecodeError as error:
        raise DamagedFile(f"{path} is incomplete: it was truncated or changed", path=str(path)) from error
    if found.boathook_sealed != VERSION:
        raise DamagedFile(f"{path} was encrypted by another version of boathook", path=str(path))
    if found.kind != kind:
        raise DamagedFile(f"{path} contains an encrypted {found.kind[:20]}, not a {kind}", path=str(path))
    return found


def _associated_data(kind: str, key: str, size: int) -> bytes:
    """The metadata is authenticated as well."""
    return f"boathook {VERSION} {kind} {key} {size}".encode()


def _tag_error() -> type[Exception]:
    from cryptography.exceptions import InvalidTag  # noqa: PLC0415 - as above

    return InvalidTag
