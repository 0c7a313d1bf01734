"""Sizes: no file over 600 lines, no function over 60; the list of exceptions may only shrink."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE_LINES = 600
FUNCTION_LINES = 60
FOLDERS = ("src", "native", "tests", "tools", "examples")
SUFFIXES = (".py", ".js", ".c", ".h")

# Path, or path::function, and the size it had when it was listed. Larger is an error, and so is an entry that
# is no longer needed.
EXCEPTIONS: dict[str, int] = {}


def oversized(root: Path) -> Iterator[tuple[str, int, int]]:
    """Each file and function over its limit: name, lines, limit."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and "__pycache__" not in path.parts:
                yield from _oversized_in(path, path.relative_to(root).as_posix())


def _oversized_in(path: Path, name: str) -> Iterator[tuple[str, int, int]]:
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if lines > FILE_LINES and "GENERATED" not in text[:400].upper():
        yield name, lines, FILE_LINES
    if path.suffix != ".py":
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                yield f"{name}::{node.name}", length, FUNCTION_LINES


def complaints(root: Path) -> list[str]:
    """The problems, one line each."""
    found = {name: (lines, limit) for name, lines, limit in oversized(root)}
    wrong = [
        f"{name}: {lines} lines, the limit is {EXCEPTIONS.get(name, limit)}"
        for name, (lines, limit) in found.items()
        if lines > EXCEPTIONS.get(name, limit)
    ]
    wrong += [
        f"{name}: within its limit; remove it from the list of exceptions"
        for name in EXCEPTIONS
        if name not in found
    ]
    return wrong


if __name__ == "__main__":
    problems = complaints(Path(__file__).resolve().parents[1])
    print("\n".join(problems), end="\n" if problems else "")
    sys.exit(1 if problems else 0)
