"""A source of browsers: what it offers, what it may know, and how its result is tested."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from boathook.engine.launch.failure import explain_failure
from boathook.errors import InstallFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from boathook.engine.launch.find_chrome import FoundBrowser

_TRY_SECONDS = 20.0
_LAST_LINES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class InstallContext:
    """What a source may know about the machine, and where it reports."""

    cache: Path
    environ: Mapping[str, str]
    platform: str
    machine: str
    progress: Callable[[str], None]


class Source(Protocol):
    """Somewhere a browser can come from."""

    @property
    def name(self) -> str:
        """The name of the source in reports."""

    def install(self, context: InstallContext) -> FoundBrowser:
        """Install a browser; InstallFailed says why there is none."""


def run_step(
    command: Sequence[str], *, environ: Mapping[str, str], seconds: float, cwd: Path | None = None
) -> str:
    """Run one command of an installation; its output, or InstallFailed with its last output."""
    shown = " ".join(command)
    try:
        result = subprocess.run(  # noqa: S603 (commands come from our tables)
            list(command),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(environ),
            cwd=cwd,
            timeout=seconds,
            check=False,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired as error:
        raise InstallFailed(f"{shown} took longer than {seconds:g} s") from error
    except OSError as error:
        raise InstallFailed(f"{shown} could not be started: {error.strerror}") from error
    if result.returncode != 0:
        said = " / ".join((result.stderr or result.stdout).strip().splitlines()[-_LAST_LINES:])
        raise InstallFailed(f"{shown} exited with code {result.returncode}: {said or 'no reason given'}")
    return result.stdout


def why_it_does_not_run(path: Path, environ: Mapping[str, str]) -> str:
    """Test the browser; empty if it works, otherwise the most precise reason."""
    try:
        answer = subprocess.run(  # noqa: S603 (the browser that was just installed)
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(environ),
            timeout=_TRY_SECONDS,
            check=False,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return "it does not respond"
    except OSError as error:
        return error.strerror or str(error)
    if answer.returncode == 0 and answer.stdout.strip():
        return ""
    return explain_failure(answer.stderr, answer.returncode).message
