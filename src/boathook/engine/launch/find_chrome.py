"""Find a Chromium on this machine: the one set by the caller or the environment, otherwise an installed one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.launch.browser_locations import (
    VARIABLES,
    BrowserKind,
    Candidate,
    find_cached,
    find_installed,
    kind_of,
)
from boathook.engine.launch.profiles.profile_dir import cache_directory
from boathook.errors import BrowserNotFound, NotABrowser

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_VERSION_SECONDS = 3.0
_VERSION = re.compile(r"(?P<name>Chrom\w*|Edg\w*|Brave\w*).*?(?P<number>\d+(?:\.\d+){1,3})", re.DOTALL)
_KNOWN_NAME = re.compile(
    r"(?:google-)?chrom(?:e|ium)(?:-stable|-beta|-unstable|-browser)?|microsoft-edge(?:-stable)?|msedge|brave(?:-browser)?"
    r"|headless_shell|chrome-headless-shell",
)
_SNAP_STUB = re.compile(rb"requires the chromium snap|snap install chromium", re.IGNORECASE)
_BINARY_MAGIC = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"\xfe\xed\xfa\xcf")
_HEAD_BYTES = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBrowser:
    """A browser executable, what kind it is, and which rule found it."""

    path: Path
    kind: BrowserKind
    source: str
    version: str | None = None
    """Set if the search had to query it; `read_version` queries it in any case."""


def find_browser(
    explicit: str | os.PathLike[str] | None = None,
    *,
    headless: bool = True,
    environ: Mapping[str, str] = os.environ,
    platform: str = sys.platform,
) -> FoundBrowser:
    """The browser that is set, otherwise the first usable one; an invalid path is an error, never skipped."""
    if explicit is not None:
        return _find_named(os.fspath(explicit), source="the caller", environ=environ)
    for variable in VARIABLES:
        if value := environ.get(variable, "").strip():
            return _find_named(value, source=variable, environ=environ)
    looked: list[str] = []
    for candidate in _candidates(environ, platform):
        if kind_of(candidate.path) == "headless-shell" and not headless:
            looked.append(f"{candidate.path}: cannot show a window")
            continue
        found, why_not = _examine(candidate, environ=environ)
        if found is not None:
            return found
        looked.append(f"{candidate.path}: {why_not}")
    missing = "\n  ".join([f"no {' or '.join(VARIABLES)} in the environment", *looked])
    raise BrowserNotFound(f"no Chromium found on this machine; looked for:\n  {missing}", looked=looked)


def version_of(browser: FoundBrowser, *, environ: Mapping[str, str]) -> str | None:
    """The version of a browser, queried once per file; None if it cannot be queried, or reports none."""
    if browser.version is not None or sys.platform != "linux":  # see `_examine`
        return browser.version
    try:
        answer = _look_up_version(browser.path, cache_directory(environ) / "browsers.json")
    except OSError:
        return None
    return answer[1] if answer else None


def read_version(path: Path) -> str | None:
    """Query an executable for its version; None if it is not a browser or does not respond in time."""
    answer = _ask_version(path)
    return answer[1] if answer else None


def _candidates(environ: Mapping[str, str], platform: str) -> Iterator[Candidate]:
    own = cache_directory(environ) / "browsers"
    if (
        platform == "darwin"
    ):  # a second instance of the user's own Chrome would open links that the user clicks
        yield from find_cached(environ, platform, own)
        yield from find_installed(environ, platform)
    else:
        yield from find_installed(environ, platform)
        yield from find_cached(environ, platform, own)


def _find_named(text: str, *, source: str, environ: Mapping[str, str]) -> FoundBrowser:
    path = Path(text).expanduser()
    if (
        not path.is_absolute()
        and os.sep not in text
        and (hit := shutil.which(text, path=environ.get("PATH", "")))
    ):
        path = Path(hit)
    path = path.absolute()
    if not path.exists():
        raise BrowserNotFound(
            f"{path}, set by {source}, does not exist",
            hint="correct the path, or omit it",
            path=str(path),
        )
    found, why_not = _examine(Candidate(path, source), environ=environ)
    if found is None:
        raise NotABrowser(f"{path}, set by {source}: {why_not}", path=str(path), source=source)
    return found


def _examine(candidate: Candidate, *, environ: Mapping[str, str]) -> tuple[FoundBrowser | None, str]:
    """The browser at the candidate's path, or why there is none."""
    path = candidate.path
    why_not = _no_executable(path)
    known_binary, why_not = (False, why_not) if why_not else _look_inside(path)
    if why_not:
        return None, why_not
    if known_binary or sys.platform != "linux":  # elsewhere asking opens a window in the user's own browser
        return FoundBrowser(path=path, kind=kind_of(path), source=candidate.source), ""
    answer = _look_up_version(path, cache_directory(environ) / "browsers.json")
    if answer is None:
        return None, "does not answer --version like a browser"
    return FoundBrowser(
        path=path, kind=_kind(path, answer[0]), source=candidate.source, version=answer[1]
    ), ""


def _no_executable(path: Path) -> str:
    """Why the path is not a file that can be started; empty when it is."""
    if not path.exists():
        return "not found"
    if path.is_dir():
        return "a directory, not an executable"
    if not path.is_file():
        return "not a regular file"
    return "" if os.access(path, os.X_OK) else "not executable"


def _look_inside(path: Path) -> tuple[bool, str]:
    """Whether the file is certainly a browser binary, and if it certainly is not, why."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        return False, f"not readable: {error.strerror}"
    if head.startswith(_BINARY_MAGIC):
        return bool(_KNOWN_NAME.fullmatch(path.name)) and path.resolve().name != "snap", ""
    if _SNAP_STUB.search(head):
        snap = Path("/snap/bin/chromium")
        if not snap.exists():
            return False, "a stub for the Chromium snap"
    if not head.startswith(b"#!"):
        return False, "neither a binary nor a script"
    return False, ""


def _kind(path: Path, name: str) -> BrowserKind:
    by_path = kind_of(path)
    if by_path != "chrome":
        return by_path
    by_name: dict[str, BrowserKind] = {
        "Chromium": "chromium",
        "Edg": "edge",
        "Edge": "edge",
        "Brave": "brave",
    }
    return by_name.get(name, "chrome")


def _look_up_version(path: Path, memory: Path) -> tuple[str, str] | None:
    """Query the version once per file: the result is stored with the file's time and size."""
    facts = path.stat()
    key = f"{path}|{facts.st_mtime_ns}|{facts.st_size}"
    answers = _read_memory(memory)
    if key in answers:
        name, number = answers[key]
        return name, number
    answer = _ask_version(path)
    if answer is not None:
        kept = {old: value for old, value in answers.items() if not old.startswith(f"{path}|")}
        _write_memory(memory, {**kept, key: list(answer)})
    return answer


def _ask_version(path: Path) -> tuple[str, str] | None:
    try:
        answer = subprocess.run(  # noqa: S603 (the caller's choice)
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_VERSION_SECONDS,
            check=False,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(answer.stdout)
    return (match["name"], match["number"]) if match and answer.returncode == 0 else None


def _read_memory(memory: Path) -> dict[str, list[str]]:
    try:
        answers = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(answers, dict):
        return {}
    return {key: value for key, value in answers.items() if isinstance(value, list) and len(value) == 2}  # noqa: PLR2004


def _write_memory(memory: Path, answers: dict[str, list[str]]) -> None:
    """Store the results with an atomic replace; with a read-only home nothing is stored."""
    part = memory.with_name(f"{memory.name}.{os.getpid()}.part")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(answers), encoding="utf-8")
        part.replace(memory)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
