"""Clients from npm and PyPI, each in a folder of its own below `.cache/clients`; the newest that can be had."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE = Path(__file__).parents[2] / ".cache" / "clients"
NODE = "node@24"
"""Newer than what systems have: some clients need it, and npm silently takes an older version of them otherwise."""
PATIENCE_SECONDS = 300
RETRY_SECONDS = 1_800
"""For so long after a failure the same package is not tried again."""
NPM = ("install", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000")
PIP = ("install", "--quiet", "--disable-pip-version-check", "--retries", "1")


class CannotInstall(Exception):
    """A client, or what it needs, could not be installed; the reason is the message."""


@dataclass(frozen=True)
class NpmPackage:
    """A package from npm; scripts of packages are not run."""

    name: str
    program: str = ""
    """Its path inside the package; a library has none."""
    native: bool = False
    """The program is no JavaScript; the package's own script puts the right one for the machine there."""

    @property
    def folder(self) -> Path:
        return CACHE / "npm" / self.name.replace("@", "").replace("/", "-")

    @property
    def root(self) -> Path:
        return self.folder / "node_modules" / self.name

    def install(self) -> None:
        with _one_at_a_time():
            _install_node()
            if not (self.root / "package.json").is_file():
                _install_from_npm(self.folder, self.name, with_script=self.native)

    @property
    def version(self) -> str:
        return json.loads((self.root / "package.json").read_text())["version"]

    @property
    def argv(self) -> list[str]:
        program = [str(self.root / self.program)] if self.program else []
        return program if self.native else [str(node_folder() / "node"), *program]


@dataclass(frozen=True)
class PythonPackages:
    """Packages from PyPI in a virtual environment; the first names the client."""

    folder_name: str
    names: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return CACHE / self.folder_name

    def install(self) -> None:
        done = self.folder / "installed"
        with _one_at_a_time():
            if done.is_file():
                return
            _run_installer([sys.executable, "-m", "venv", str(self.folder)], self.folder)
            _run_installer([*self.argv, "-m", "pip", *PIP, *self.names], self.folder)
            done.write_text("\n".join(self.names))

    @property
    def version(self) -> str:
        distribution = self.names[0].partition("[")[0]
        asked = f"import importlib.metadata as known; print(known.version({distribution!r}))"
        return subprocess.run(
            [*self.argv, "-c", asked], capture_output=True, text=True, check=True
        ).stdout.strip()

    @property
    def argv(self) -> list[str]:
        return [str(self.folder / "bin" / "python")]


def node_folder() -> Path:
    """Where `node` is."""
    return CACHE / "npm" / "node" / "node_modules" / "node" / "bin"


def path_with_node() -> str:
    return f"{node_folder()}{os.pathsep}{os.environ['PATH']}"


def _install_node() -> None:
    if not (node_folder() / "node").exists():
        _install_from_npm(CACHE / "npm" / "node", NODE, with_script=True)
    if not (node_folder() / "node").exists():
        raise CannotInstall(f"{NODE} has no program for this machine")


def _install_from_npm(folder: Path, package: str, *, with_script: bool) -> None:
    """Install into a folder; the package's own script runs only where it is what brings the program."""
    folder.mkdir(parents=True, exist_ok=True)
    name = package.partition("@")[0] or package
    allowed = {name: True} if with_script else {}
    (folder / "package.json").write_text(json.dumps({"private": True, "allowScripts": allowed}))
    scripts = [] if with_script else ["--ignore-scripts"]
    _run_installer(["npm", *NPM, *scripts, "--prefix", str(folder), package], folder)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Workers of one test run may both find a client missing."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run_installer(argv: list[str], folder: Path) -> None:
    """Run an installer, unless one failed in this folder a short while ago."""
    program = shutil.which(argv[0])
    if program is None:
        raise CannotInstall(f"{argv[0]} is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    failed = folder / "failed"
    if failed.exists() and time.time() - failed.stat().st_mtime < RETRY_SECONDS:
        raise CannotInstall(failed.read_text())
    why = _failure([program, *argv[1:]])
    if why:
        failed.write_text(why)
        raise CannotInstall(why)


def _failure(argv: list[str]) -> str:
    environment = {**os.environ, "PATH": path_with_node()}
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS, env=environment
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE_SECONDS} s"
    return (done.stderr.strip()[-200:] or "it failed") if done.returncode else ""
