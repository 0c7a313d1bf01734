"""Clients from npm and PyPI, each in a separate folder below `.cache/clients`."""

from __future__ import annotations

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CACHE = Path(__file__).parents[2] / ".cache" / "clients"
LATEST = "latest"
NODE = "node@24"
"""Newer than what systems have: some clients need it, and npm silently takes an older version of them otherwise."""
PATIENCE_SECONDS = 300
RETRY_SECONDS = 1_800
"""For so long after a failure the same package is not tried again."""
NPM = ("install", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000")
PIP = ("install", "--quiet", "--upgrade", "--disable-pip-version-check", "--retries", "1")


class CannotInstall(Exception):
    """A client, or what it needs, could not be installed; the reason is the message."""


@dataclass(frozen=True)
class NpmPackage:
    """A package from npm; scripts of packages are not run."""

    name: str
    wanted: str
    """The version, or `latest`."""
    program: str = ""
    """Its path inside the package; a library has none."""
    native: bool = False
    """The program is not JavaScript; the package's own script puts the right one for the machine there."""

    @property
    def pinned_version(self) -> str:
        return self.wanted

    @property
    def folder(self) -> Path:
        return CACHE / "npm" / f"{self.name.replace('@', '').replace('/', '-')}-{self.wanted}"

    @property
    def root(self) -> Path:
        return self.folder / "node_modules" / self.name

    @property
    def version(self) -> str:
        return json.loads((self.root / "package.json").read_text())["version"]

    @property
    def argv(self) -> list[str]:
        program = [str(self.root / self.program)] if self.program else []
        return program if self.native else [str(node_folder() / "node"), *program]

    def install(self) -> None:
        """Install what is missing; the latest version is asked for each time."""
        with _one_at_a_time():
            _install_node()
            if self.wanted == LATEST or not (self.root / "package.json").is_file():
                package = f"{self.name}@{self.wanted}"
                _install_from_npm(self.folder, package, script_of=self.name if self.native else "")

    def latest(self) -> NpmPackage:
        return replace(self, wanted=LATEST)


@dataclass(frozen=True)
class PythonPackages:
    """Packages from PyPI in a virtual environment, with their versions; the first names the client."""

    folder_name: str
    wanted: tuple[str, ...]

    @property
    def pinned_version(self) -> str:
        return self.wanted[0].partition("==")[2] or LATEST

    @property
    def folder(self) -> Path:
        return CACHE / f"{self.folder_name}-{self.pinned_version}"

    @property
    def version(self) -> str:
        distribution = re.split(r"[\[=]", self.wanted[0])[0]
        asked = f"import importlib.metadata as known; print(known.version({distribution!r}))"
        return subprocess.run(
            [*self.argv, "-c", asked], capture_output=True, text=True, check=True
        ).stdout.strip()

    @property
    def argv(self) -> list[str]:
        return [str(self.folder / "bin" / "python")]

    def install(self) -> None:
        """Install what is missing; latest versions are asked for each time."""
        done = self.folder / "installed"
        with _one_at_a_time():
            if self.pinned_version != LATEST and done.is_file():
                return
            _run_installer([sys.executable, "-m", "venv", str(self.folder)], self.folder)
            _run_installer([*self.argv, "-m", "pip", *PIP, *self.wanted], self.folder)
            done.write_text("\n".join(self.wanted))

    def latest(self) -> PythonPackages:
        return replace(self, wanted=tuple(name.partition("==")[0] for name in self.wanted))


def node_folder() -> Path:
    """Where `node` is."""
    return CACHE / "npm" / "node" / "node_modules" / "node" / "bin"


def path_with_node() -> str:
    return f"{node_folder()}{os.pathsep}{os.environ['PATH']}"


def _install_node() -> None:
    if not (node_folder() / "node").exists():
        _install_from_npm(CACHE / "npm" / "node", NODE, script_of="node")
    if not (node_folder() / "node").exists():
        raise CannotInstall(f"{NODE} has no program for this machine")


def _install_from_npm(folder: Path, package: str, *, script_of: str) -> None:
    """Install into a folder; a package's own script runs only where it is what brings the program."""
    folder.mkdir(parents=True, exist_ok=True)
    allowed = {script_of: True} if script_of else {}
    (folder / "package.json").write_text(json.dumps({"private": True, "allowScripts": allowed}))
    scripts = [] if script_of else ["--ignore-scripts"]
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
    if done.returncode == 0:
        return ""
    said = [line for line in done.stderr.splitlines() if line.startswith(("npm error", "ERROR:"))]
    return "; ".join(said[:2])[:200] or f"the installer ended with {done.returncode}"
