"""Monty, for scripts of the engine `safe`: its location, and the files that its process must read before it is sandboxed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from boathook.errors import Unsupported
from boathook.service.scripts.fork_server import SOURCES, readable_folders

PACKAGE = "pydantic_monty"
PROGRAM = "monty"
LIBRARIES = ("/lib", "/lib64", "/usr/lib")


def monty_facts(scratch: str) -> dict[str, Any]:
    """What a worker needs to start it; Unsupported says how to install it."""
    packages, program = packages_of(PACKAGE), _program()
    if not packages or program is None:
        raise Unsupported(
            "the engine safe needs pydantic-monty, which is not installed",
            hint="pip install 'boathook[safe]'; or use the engine jail (over MCP: script_engine in the user's settings)",
        )
    python = os.path.realpath(sys.executable)
    return {
        "monty": program,
        "packages": packages,
        "python": python,
        "sources": SOURCES,
        "libraries": list(LIBRARIES),
        "readable": [*readable_folders(), SOURCES, "/dev/null", "/dev/urandom"],
        "writable": [scratch],
        # Only until it runs: its first act is to allow itself no further program.
        "programs": [scratch, os.path.realpath("/bin/sh"), python, program, *LIBRARIES],
    }


def packages_of(name: str) -> str:
    """The folder of an installed package; empty if it is not installed."""
    found = importlib.util.find_spec(name)
    places = found.submodule_search_locations if found is not None else None
    return str(Path(places[0]).parent) if places else ""


def _program() -> str | None:
    beside = Path(sysconfig.get_path("scripts")) / PROGRAM
    return str(beside.resolve()) if beside.is_file() else shutil.which(PROGRAM)
