"""Setting a client up: show the difference, keep a backup, write; and undo all of it."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.errors import BadRequest
from boathook.mcp_clients.client_files import with_entry
from boathook.mcp_clients.known_clients import SERVER, config_file, find_client, server_entry

if TYPE_CHECKING:
    from pathlib import Path

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

    def folder(self) -> Path:
        """The folder that all of them are in."""
        return self.home if self.place == "user" else self.project


def snippet(name: str, *, tools: str = "") -> str:
    """The entry to add manually."""
    client = find_client(name)
    return with_entry(client, "", server_entry(client, server_command(tools=tools))).rstrip("\n")


def set_up(
    name: str, where: ConfigScope, *, tools: str = "", undo: bool = False, dry_run: bool = False
) -> str:
    """Write our server and the skill into a client's files, or remove them; returns the differences as text."""
    client = find_client(name)
    config = config_file(client, where.place, home=where.home, project=where.project)
    entry = None if undo else server_entry(client, server_command(tools=tools))
    wanted = {
        config: with_entry(client, _text(config), entry),
        where.folder() / client.skills(where.place) / SERVER / "SKILL.md": "" if undo else SKILL,
    }
    changes = {path: text for path, text in wanted.items() if _text(path) != text}
    if not changes:
        return f"{client.title} is {'not' if undo else 'already'} set up; nothing to change"
    told = [_difference(path, _text(path), text) for path, text in changes.items()]
    if dry_run:
        return "\n".join([*told, "nothing was written"])
    for path, text in changes.items():
        told += _replace_file(path, text)
    told.append(_next_step(client, undo=undo))
    return "\n".join(told)


def server_command(*, tools: str = "") -> list[str]:
    """The command line with which a client starts us: by name if it is on PATH, so that updates are followed."""
    found = shutil.which("boathook")
    start = ["boathook"] if found is not None else [sys.executable, "-m", "boathook"]
    return [*start, "mcp", *(["--tools", tools] if tools else [])]


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BadRequest(f"{path} is larger than {LARGEST_FILE} bytes")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadRequest(f"{path} cannot be read: {error}") from None


def _difference(path: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), f"{path} (before)", f"{path} (after)", lineterm="", n=2
    )
    return "\n".join(lines)


def _replace_file(path: Path, text: str) -> list[str]:
    """Replace a file atomically, with a backup next to it; a file that becomes empty is removed."""
    told = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0o600
        if path.exists():
            mode = path.stat().st_mode & 0o777
        if _text(path) not in {"", SKILL}:
            backup = path.with_name(path.name + BACKUP)
            shutil.copy2(path, backup)
            told.append(f"kept {backup}")
        if not text:
            path.unlink(missing_ok=True)
            return [*told, f"removed {path}"]
        # Through a link to the file itself: such files are often kept in a repository.
        target = path.resolve()
        fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(mode)
        fresh.replace(target)
    except OSError as error:
        raise BadRequest(
            f"{path} cannot be written: {error.strerror}",
            hint="files written before are kept|; `--undo` removes the entries",
        ) from None
    return [*told, f"wrote {path}"]


def _next_step(client: McpClient, *, undo: bool) -> str:
    if undo:
        return f"boathook was removed from {client.title}"
    return f"restart {client.title} to load the browser tools ({json.dumps(server_command())})"
