"""Setting a client up: show the difference, keep a backup, write; and undo all of it to the byte."""

from __future__ import annotations

import difflib
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest
from boathook.mcp_clients.client_files import entry_in, with_entry
from boathook.mcp_clients.known_clients import CLIENTS, SERVER, config_file, place_of, server_entry
from boathook.mcp_clients.made_folders import make_folder, remove_made
from boathook.runtime_folder import state_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from boathook.mcp_clients.known_clients import McpClient, Place

LARGEST_FILE = 64 << 20
"""Some clients keep their whole history in the same file."""
BACKUP = ".boathook-backup"
SKILL = """---
name: boathook
description: Drives a real browser from the shell. Use it to open web pages, read them as compact text with stable refs, click, fill in forms, wait, read, test and take screenshots.
---

Run `boathook skills get` first: it prints the instructions that match the installed version.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigScope:
    """Where the files are."""

    place: Place
    home: Path
    project: Path
    environment: Mapping[str, str] = field(default_factory=dict)

    def folder(self) -> Path:
        """The folder that all of them are in, unless a variable names another."""
        return self.home if self.place == "user" else self.project

    @property
    def made_folders(self) -> Path:
        """The list of the folders that setup has made."""
        return Path(state_folder({**self.environment, "HOME": str(self.home)})) / "setup-folders.json"

    def config(self, client: McpClient) -> Path:
        """The client's configuration file."""
        return config_file(
            client, self.place, home=self.home, project=self.project, environment=self.environment
        )

    def skill(self, client: McpClient) -> Path:
        """Our skill, where the client looks for skills."""
        folder = place_of(client.skills(self.place), base=self.folder(), environment=self.environment)
        return folder / SERVER / "SKILL.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """A file before and after; None where it does not exist."""

    path: Path
    before: str | None
    after: str | None
    backup: str | None
    """What the backup contains afterwards; None for no backup."""
    restores: bool = False
    """Whether the file becomes what it was before the first setup."""

    @property
    def difference(self) -> str:
        """The changed lines; their neighbours may be secrets of other servers."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(),
            (self.after or "").splitlines(),
            f"{self.path} (before)",
            f"{self.path} (after)",
            lineterm="",
            n=0,
        )
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _File:
    """What to write into one file, and how to take it out."""

    path: Path
    add: Callable[[str], str]
    remove: Callable[[str], str]
    add_again: Callable[[str, str], str]
    """What was in the current text, added to another one."""


def snippet(client: McpClient, command: list[str]) -> str:
    """The entry to add manually."""
    return with_entry(client, "", server_entry(client, command)).rstrip("\n")


def plan(client: McpClient, where: ConfigScope, *, command: list[str]) -> list[FileChange]:
    """The changes that set a client up; none if it is set up already."""
    return [change for file in _files(client, where, command) if (change := _addition(file)) is not None]


def plan_undo(client: McpClient, where: ConfigScope) -> list[FileChange]:
    """The changes that undo it; none if there is nothing of ours."""
    config, skill = _files(client, where, [SERVER])
    files = [config] if _is_shared(skill.path, client, where) else [config, skill]
    return [change for file in files if (change := _removal(file)) is not None]


def _is_shared(skill: Path, client: McpClient, where: ConfigScope) -> bool:
    """Whether another client that is set up finds the skill in the same place."""
    others = [other for other in CLIENTS.values() if other is not client and other.config(where.place)]
    return any(
        where.skill(other) == skill and entry_in(other, read_text(where.config(other)) or "") is not None
        for other in others
    )


def _files(client: McpClient, where: ConfigScope, command: list[str]) -> list[_File]:
    entry = server_entry(client, command)
    config = _File(
        where.config(client),
        add=lambda text: with_entry(client, text, entry),
        remove=lambda text: with_entry(client, text, None),
        add_again=lambda current, text: with_entry(client, text, entry_in(client, current)),
    )
    skill = _File(
        where.skill(client),
        add=lambda _: SKILL,
        remove=lambda text: "" if text.startswith(f"---\nname: {SERVER}\n") else text,
        add_again=lambda current, _: current if current.startswith(f"---\nname: {SERVER}\n") else "",
    )
    return [config, skill]


def _addition(file: _File) -> FileChange | None:
    before = backup = read_text(file.path)
    after = file.add(before or "")
    if before is not None and (original := _original(file, before)) is not None:
        backup = original[0]  # of the first time: ours was in the file already
        after = file.add(backup or "")
    elif before is not None and read_text(backup_of(file.path)) is not None:
        backup = file.remove(before)  # others have changed the file since
    if before == after:
        return None
    return FileChange(path=file.path, before=before, after=after, backup=backup)


def _removal(file: _File) -> FileChange | None:
    before = read_text(file.path)
    if before is None:
        return None
    original = _original(file, before)
    after = (file.remove(before) or None) if original is None else original[0]
    if before == after:
        return None
    return FileChange(path=file.path, before=before, after=after, backup=None, restores=original is not None)


def _original(file: _File, current: str) -> tuple[str | None] | None:
    """The text before our change if the file was not changed since, also if there was none; else None."""
    backup = read_text(backup_of(file.path))
    try:
        again = file.add_again(current, backup or "")
    except BadRequest:
        return None  # ours has been changed by hand
    return (backup,) if again == current and again != (backup or "") else None


def backup_of(path: Path) -> Path:
    """The backup next to a file."""
    return path.with_name(path.name + BACKUP)


def read_text(path: Path) -> str | None:
    """The text of a file with its line ends as they are; None if there is no file."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadRequest(f"{path} is larger than {LARGEST_FILE} bytes")
        return path.read_bytes().decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{path} cannot be read: {error}") from None


def write(change: FileChange, where: ConfigScope) -> list[str]:
    """Write one file atomically, with its backup; returns what was done. Empty folders that we made are removed."""
    done = []
    try:
        make_folder(change.path.parent, record=where.made_folders)
        backup = backup_of(change.path)
        if change.backup is not None and read_text(backup) != change.backup:
            if change.backup == change.before:
                shutil.copy2(change.path, backup)
            else:
                _replace(backup, change.backup)
            done.append(f"kept {backup}")
        if change.after is None:
            change.path.unlink(missing_ok=True)
            done.append(f"removed {change.path}")
        else:
            _replace(change.path, change.after)
            done.append(f"{'restored' if change.restores else 'wrote'} {change.path}")
        if change.backup is None:
            backup.unlink(missing_ok=True)
            remove_made(change.path.parent, record=where.made_folders)
    except OSError as error:
        raise BadRequest(
            f"{change.path} cannot be written: {error.strerror}",
            hint="files written before are kept|; `--undo` removes the entries",
        ) from None
    return done


def _replace(path: Path, text: str) -> None:
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    # Through a link to the file itself: such files are often kept in a repository.
    target = path.resolve()
    fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
    fresh.write_bytes(text.encode("utf-8"))
    fresh.chmod(mode)
    fresh.replace(target)


def data_of(change: FileChange) -> dict[str, Any]:
    """The change for programs."""
    return {"path": str(change.path), "difference": change.difference, "removed": change.after is None}
