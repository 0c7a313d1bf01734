"""Writes the Python API from the commands: the asynchronous one calls them, the synchronous one is the same without `await`.

Parameters, defaults and docstrings are those of the commands; values are returned as the views that results.py names.
`--check` writes nothing and fails when a file is not current, or left from a removed family.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tools.python_api.handles import async_file, sync_file
from tools.python_api.reading import API, ROOT, methods
from tools.python_api.writing import ASYNC, SYNC, family_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TIDIED = "D209,F401,I001,TC"
"""The ruff rules that fix imports: unused ones, their order, and those that only types need."""
ONE_LINE = ("--config", "lint.isort.split-on-trailing-comma = false")
"""Imports that fit on a line again once unused names are gone are put on one."""


def generated() -> dict[Path, str]:
    """All generated files as they should be."""
    found = methods()
    made = {**async_file(found), **sync_file(found)}
    for form in (ASYNC, SYNC):
        made |= family_files(found, form)
    return tidied(made)


def tidied(files: Mapping[Path, str]) -> dict[Path, str]:
    """The sources without unused imports, formatted; all in one run, since ruff's start takes longer than its work."""
    ruff = [sys.executable, "-m", "ruff"]
    rules = ["--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
    with TemporaryDirectory() as name:
        copies = {path: Path(name) / path.relative_to(API) for path in files}
        for path, copy in copies.items():
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(files[path], encoding="utf-8")
        fix = [*ruff, "check", "--fix-only", "--unsafe-fixes", "--select", TIDIED, *ONE_LINE]
        for step in (fix, [*ruff, "format"]):
            subprocess.run([*step, *rules, name], check=True)
        return {path: copy.read_text(encoding="utf-8") for path, copy in copies.items()}


def not_current(wanted: Mapping[Path, str], *, folders: Iterable[Path]) -> list[Path]:
    """Files that are missing or differ, and orphaned ones in the generated folders."""
    old = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    return old + [path for folder in folders for path in folder.rglob("*.py") if path not in wanted]


def main() -> int:
    """Write or check."""
    wanted = generated()
    old = not_current(wanted, folders=[ASYNC.folder, SYNC.folder])
    if "--check" in sys.argv:
        for path in old:
            print(f"{path.relative_to(ROOT)} is not current: run `make gen`")
        return 1 if old else 0
    for path in old:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
