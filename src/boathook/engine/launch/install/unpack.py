"""Unpack untrusted archives: nothing leaves the target directory, permissions are kept."""

from __future__ import annotations

import os
import shutil
import stat
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

from boathook.errors import InstallFailed

_LARGEST_TREE = 4 << 30


def unpack_zip(archive: Path, to: Path) -> None:
    """Unpack a zip, checking each member's CRC; links and executable bits are kept."""
    to.mkdir(parents=True)
    try:
        with zipfile.ZipFile(archive) as packed:
            if sum(member.file_size for member in packed.infolist()) > _LARGEST_TREE:
                raise InstallFailed("the archive would unpack to more than 4 GiB")
            for member in packed.infolist():
                _unpack_member(packed, member, to)
    except (zipfile.BadZipFile, EOFError, OSError, ValueError) as error:
        raise InstallFailed(f"the archive is damaged: {error}") from error


def _unpack_member(packed: zipfile.ZipFile, member: zipfile.ZipInfo, to: Path) -> None:
    place = _inside(to, member.filename)
    mode = member.external_attr >> 16
    if member.is_dir():
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if stat.S_ISLNK(mode):
        target = packed.read(member).decode()
        _inside(to, str(PurePosixPath(member.filename).parent / target))
        place.symlink_to(target)
        return
    with packed.open(member) as source, place.open("xb") as file:
        shutil.copyfileobj(source, file, 1 << 20)
    place.chmod(0o755 if mode & 0o111 else 0o644)


def _inside(root: Path, name: str) -> Path:
    """The member's path below `root`; InstallFailed if it would be outside."""
    place = Path(os.path.normpath(root / name))
    real_parent = Path(os.path.realpath(place.parent))
    real_root = Path(os.path.realpath(root))
    if PurePosixPath(name).is_absolute() or "\\" in name or root not in (place, *place.parents):
        raise InstallFailed(f"the archive contains a path outside its root: {name!r}")
    if real_root not in (real_parent, *real_parent.parents):
        raise InstallFailed(f"the archive contains a link outside its root: {name!r}")
    return place


def unpack_tar(archive: Path, to: Path) -> None:
    """Unpack a tar of plain files, directories and links that stay inside."""
    to.mkdir(parents=True, exist_ok=True)
    try:
        with tarfile.open(archive) as packed:
            for member in packed:
                _unpack_tar_member(packed, member, to)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InstallFailed(f"the archive is damaged: {error}") from error


def _unpack_tar_member(packed: tarfile.TarFile, member: tarfile.TarInfo, to: Path) -> None:
    # By hand: the safe filter of the standard library came with 3.11.4, and Debian 12 has 3.11.2.
    place = _inside(to, member.name)
    if member.isdir():
        place.mkdir(parents=True, exist_ok=True)
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        _inside(to, str(PurePosixPath(member.name).parent / member.linkname))
        place.symlink_to(member.linkname)
        return
    source = packed.extractfile(member) if member.isreg() else None
    if source is None:
        raise InstallFailed(f"the archive contains something that is not a file: {member.name!r}")
    with source, place.open("xb") as file:
        shutil.copyfileobj(source, file, 1 << 20)
    place.chmod(0o755 if member.mode & 0o111 else 0o644)
