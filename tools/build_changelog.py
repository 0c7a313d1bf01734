"""Assembles the fragments of `changes.d` into CHANGELOG.md, under the version that is not released yet.

A fragment is `NAME.KIND.md`, with one entry per line. `--check` writes nothing and fails when the changelog is not
current. `--release VERSION DATE` writes the heading with the date and removes the fragments.
"""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KINDS = {
    "added": "Added",
    "changed": "Changed",
    "removed": "Removed",
    "fixed": "Fixed",
    "security": "Security",
}
RELEASED = re.compile(r"^## (?P<version>\S+) \(\d{4}-\d\d-\d\d\)$", re.MULTILINE)
HEAD = """# Changelog

Fragments in `changes.d/` become the section of the next version (`make changelog`).
"""

_VERSION = re.compile(r'^__version__ = "(?P<version>[^"]+)"$', re.MULTILINE)


class ChangelogError(Exception):
    """A fragment or an argument is invalid; the message explains what to do."""


def fragments(folder: Path) -> list[Path]:
    """The fragments in a stable order; any other file is an error."""
    found = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    for path in found:
        parts = path.name.split(".")
        if len(parts) != 3 or parts[1] not in KINDS or parts[2] != "md":  # noqa: PLR2004 (name, kind, md)
            raise ChangelogError(f"invalid fragment name: {path.name} (use NAME.<{'|'.join(KINDS)}>.md)")
    return sorted(found, key=_order)


def _order(path: Path) -> tuple[int, str]:
    """Numbers in numerical order, before names."""
    name = path.name.split(".")[0]
    return (int(name), "") if name.isdecimal() else (sys.maxsize, name)


def entries(path: Path) -> list[str]:
    """The entries of a fragment; a leading hyphen may be written."""
    lines = [line.strip().removeprefix("- ") for line in path.read_text(encoding="utf-8").splitlines()]
    found = [line for line in lines if line]
    if not found:
        raise ChangelogError(f"empty fragment: {path.name}")
    return found


def section(heading: str, folder: Path) -> str:
    """A version's section, its entries grouped by kind."""
    by_kind: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for path in fragments(folder):
        by_kind[path.name.split(".")[1]] += entries(path)
    parts = [f"## {heading}\n"]
    for kind, found in by_kind.items():
        if found:
            parts.append(f"### {KINDS[kind]}\n\n" + "".join(f"- {entry}\n" for entry in found))
    return "\n".join(parts)


def version_of(root: Path) -> str:
    """The version that the package states."""
    match = _VERSION.search((root / "src/boathook/_version.py").read_text(encoding="utf-8"))
    if match is None:
        raise ChangelogError("no version in src/boathook/_version.py")
    return match["version"]


def released_sections(changelog: str) -> str:
    """Everything from the newest released version on, unchanged."""
    match = RELEASED.search(changelog)
    return changelog[match.start() :] if match else ""


def assembled(root: Path, heading: str | None = None) -> str:
    """The whole changelog; without fragments and heading, only what is released."""
    path = root / "CHANGELOG.md"
    older = released_sections(path.read_text(encoding="utf-8") if path.exists() else "")
    folder = root / "changes.d"
    if heading is None and not fragments(folder):
        return "\n".join(part for part in (HEAD, older) if part)
    newest = section(heading or f"{version_of(root)} (unreleased)", folder)
    return "\n".join(part for part in (HEAD, newest, older) if part)


def release(root: Path, version: str, day: str) -> None:
    """Write the section of a release with its date, and remove its fragments."""
    try:
        date.fromisoformat(day)
    except ValueError:
        raise ChangelogError(f"invalid date: {day!r} (use YYYY-MM-DD)") from None
    if version != version_of(root):
        raise ChangelogError(f"src/boathook/_version.py states {version_of(root)}, not {version}")
    path = root / "CHANGELOG.md"
    if path.exists() and version in {
        match["version"] for match in RELEASED.finditer(path.read_text("utf-8"))
    }:
        raise ChangelogError(f"already released: {version}")
    used = fragments(root / "changes.d")
    if not used:
        raise ChangelogError("no fragments in changes.d")
    path.write_text(assembled(root, f"{version} ({day})"), encoding="utf-8")
    for fragment in used:
        fragment.unlink()


def check(root: Path) -> None:
    """Raise if the changelog is not the one that the fragments make."""
    path = root / "CHANGELOG.md"
    if not path.exists() or path.read_text(encoding="utf-8") != assembled(root):
        raise ChangelogError("CHANGELOG.md is not current: run `make changelog`")


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Write, check or release."""
    try:
        match arguments:
            case []:
                (root / "CHANGELOG.md").write_text(assembled(root), encoding="utf-8")
            case ["--check"]:
                check(root)
            case ["--release", version, day]:
                release(root, version, day)
            case _:
                print("usage: build_changelog.py [--check | --release VERSION DATE]")
                return 2
    except ChangelogError as error:
        print(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
