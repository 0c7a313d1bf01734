"""Extras: optional packages, what they are for, and how to add them to this installation."""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of the package; `modules` show that it is installed, and so does `program`."""

    name: str
    purpose: str
    modules: tuple[str, ...]
    program: str = ""


EXTRAS = (
    Extra("a11y", "accessibility audits", ("axe_playwright_python",)),
    Extra("playwright", "Playwright's objects in unsafe scripts", ("playwright",)),
    Extra("relay", "the relay for your own Chrome, MCP over HTTP", ("starlette", "uvicorn")),
    Extra("safe", "scripts of the engine safe", ("pydantic_monty",)),
    Extra("vault", "encrypted states and logins", ("cryptography", "keyring")),
    Extra("video", "recordings", ("imageio_ffmpeg",), program="ffmpeg"),
)
_ADD = {"pipx": "pipx install --force", "uv": "uv tool install"}


def missing_extras() -> list[Extra]:
    """Extras that are not installed, and that nothing else stands in for."""
    return [extra for extra in EXTRAS if not _is_installed(extra)]


def _is_installed(extra: Extra) -> bool:
    return all(find_spec(name) for name in extra.modules) or bool(
        extra.program and shutil.which(extra.program)
    )


def how_to_add(missing: Sequence[Extra], *, prefix: str = sys.prefix) -> str:
    """The command that adds them, as this installation was made."""
    names = "all" if len(missing) == len(EXTRAS) else ",".join(extra.name for extra in missing)
    parts = Path(prefix).parts
    tool = "pipx" if "pipx" in parts else "uv" if {"uv", "tools"} <= set(parts) else ""
    add = _ADD.get(tool, f"{sys.executable} -m pip install")
    return f"{add} 'boathook[{names}]'"
