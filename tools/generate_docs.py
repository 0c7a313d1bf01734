"""Writes what follows from the registry in words: docs/reference.md, data/catalogue.json, data/skill.md.

`--check` writes nothing and fails when a file is not current.
"""

from __future__ import annotations

import json
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.commands import catalogue
from boathook.presentation.help import help_for, overview
from boathook.service.arguments import usage
from boathook.settings import SETTINGS

if TYPE_CHECKING:
    from boathook.commands.registry import Command

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "src/boathook/data"
SKILL_GROUPS = ("navigate", "observe", "act", "wait", "facts", "read", "tabs", "dialogs", "files", "session")


def reference(commands: dict[str, Command]) -> str:
    """Every command, by group."""
    parts = ["# Reference\n\nGenerated from the commands themselves by `make gen`; do not edit.\n"]
    for group, members in groupby(commands.values(), key=lambda one: one.group):
        parts.append(f"## {group}\n")
        parts += [f"### {one.spoken}\n\n```text\n{help_for(one)}```\n" for one in members]
    parts.append("## Settings\n\n| flag | variable | what |\n|---|---|---|")
    parts += [f"| `{one.flag}` | `{one.variable}` | {one.doc} |" for one in SETTINGS.values()]
    return "\n".join(parts) + "\n"


def catalogue_json(commands: dict[str, Command]) -> str:
    """What a client can say without asking the daemon."""
    names = sorted({one.spoken for one in commands.values()})
    return json.dumps({"help": overview(commands.values()), "commands": names}, indent=1) + "\n"


def skill(commands: dict[str, Command]) -> str:
    """What an agent needs to know to work with the command line, in few words."""
    lines = [(DATA / "skill_head.md").read_text().rstrip(), "", "## Commands", ""]
    for group in SKILL_GROUPS:
        members = [one for one in commands.values() if one.group == group]
        lines += [f"- `{usage(one).removeprefix('usage: ')}`: {one.summary}" for one in members]
    return "\n".join(lines) + "\n"


def main(argv: list[str]) -> int:
    """Write the files, or compare them."""
    commands = in_groups(catalogue())
    wanted = {
        ROOT / "docs/reference.md": reference(commands),
        DATA / "catalogue.json": catalogue_json(commands),
        DATA / "skill.md": skill(commands),
    }
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text() != text]
    if "--check" in argv:
        for path in stale:
            sys.stderr.write(f"{path.relative_to(ROOT)} is not current: run make gen\n")
        return 1 if stale else 0
    for path in stale:
        path.write_text(wanted[path])
    return 0


def in_groups(commands: dict[str, Command]) -> dict[str, Command]:
    """The commands with those of one group beside each other."""
    order = list(dict.fromkeys(one.group for one in commands.values()))
    return dict(sorted(commands.items(), key=lambda pair: order.index(pair[1].group)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
