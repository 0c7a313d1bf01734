"""Key rotation for everything that is encrypted: each file is replaced atomically, so an interruption does no harm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.vault.encryption_keys import add_key, forget_keys, lock_keys
from boathook.engine.vault.sealing import Kind, is_sealed, key_of, require_cipher, seal, unseal
from boathook.errors import BoathookError
from boathook.private_files import replace_file

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotated:
    """What was encrypted again."""

    key: str
    """The id of the new key."""
    sealed: tuple[str, ...]
    failed: tuple[str, ...]
    """Files that could not be decrypted, each with the reason; they are unchanged."""
    forgotten: int
    """Old keys that were removed."""


def rotate(files: Iterable[tuple[Path, Kind]], *, forget: bool) -> Rotated:
    """Generate a new key and encrypt the files with it. Old keys are kept for files elsewhere, unless they are to be removed."""
    require_cipher()
    done: list[str] = []
    failed: list[str] = []
    still_used: set[str] = set()
    with lock_keys(alone=True):
        new = add_key()
        for path, kind in files:
            whole = path.read_bytes()
            if not is_sealed(whole):
                continue
            try:
                replace_file(path, seal(unseal(whole, kind=kind, path=path), kind=kind))
            except (BoathookError, OSError) as error:
                still_used.add(key_of(whole))
                failed.append(f"{path.stem}: {error}")
            else:
                done.append(path.stem)
        forgotten = forget_keys(but={new.id, *still_used}) if forget else 0
    return Rotated(key=new.id, sealed=tuple(done), failed=tuple(failed), forgotten=forgotten)
