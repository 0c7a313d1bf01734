"""Setting a client up: show the difference, keep a backup, write; and all of it back again."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.errors import BadRequest
from boathook.service.mcp_clients.client_files import with_entry
from boathook.service.mcp_clients.known_clients import SERVER, config_file, known_client, server_entry

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.service.mcp_clients.known_clients import Client, Place

LARGEST_FILE = 64 << 20
"""Some clients keep their whole history in the same file."""
BACKUP = ".boathook-backup"
SKILL = """---
name: boathook
description: Drives a real browser from the shell. Use it to open web pages, look at them as short text with lasting refs, click, fill in forms, wait, read, test and take screenshots.
---

Run `boathook skills get` first: it prints the instructions that match the installed version.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Whose files are meant."""

    place: Place
    home: Path
    project: Path

    def folder(self) -> Path:
        """The folder that all of them lie in."""
        return self.home if self.place == "user" else self.project


def snippet(name: str, *, tools: str = "") -> str:
    """What to add by hand."""
    client = known_client(name)
    return with_entry(client, "", server_entry(client, server_command(tools=tools))).rstrip("\n")


def set_up(name: str, where: Where, *, tools: str = "", undo: bool = False, dry_run: bool = False) -> str:
    """Write our server and the skill into a client's files, or take them out; the differences in words."""
    client = known_client(name)
    config = config_file(client, where.place, home=where.home, project=where.project)
    entry = None if undo else server_entry(client, server_command(tools=tools))
    wanted = {
        config: with_entry(client, _text(config), entry),
        where.folder() / client.skills(where.place) / SERVER / "SKILL.md": "" if undo else SKILL,
    }
    changes = {path: text for path, text in wanted.items() if _text(path) != text}
    if not changes:
        return f"{client.title} is {'not ' if undo else ''}set up already; nothing to change"
    told = [_difference(path, _text(path), text) for path, text in changes.items()]
    if dry_run:
        return "\n".join([*told, "nothing was written"])
    for path, text in changes.items():
        told += _written(path, text)
    told.append(_next_step(client, undo=undo))
    return "\n".join(told)


def server_command(*, tools: str = "") -> list[str]:
    """The command line by which a client starts us: by name where it is on the path, so that updates are followed."""
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
        before.splitlines(), after.splitlines(), f"{path} (now)", f"{path} (then)", lineterm="", n=2
    )
    return "\n".join(lines)


def _written(path: Path, text: str) -> list[str]:
    """Replace a file in one step, with what was there beside it; a file of which nothing is left goes."""
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
        # Through a link to the file itself: people keep such files in repositories of their own.
        target = path.resolve()
        fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
        fresh.write_text(text, encoding="utf-8")
        fresh.chmod(mode)
        fresh.replace(target)
    except OSError as error:
        raise BadRequest(
            f"{path} cannot be written: {error.strerror}",
            hint="what was written before stays|; `--undo` takes it out",
        ) from None
    return [*told, f"wrote {path}"]


def _next_step(client: Client, *, undo: bool) -> str:
    if undo:
        return f"{client.title} does not know boathook any more"
    return f"start {client.title} again; it has the browser tools then ({json.dumps(server_command())})"
