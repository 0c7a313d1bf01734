"""Why a launch failed: the browser's exit code and last output, turned into a typed error."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.errors import LaunchFailed, NotABrowser, ProfileInUse, SandboxUnavailable

if TYPE_CHECKING:
    from boathook.errors import BoathookError

_EXIT_PROFILE_IN_USE = 21
_EXIT_COMMAND_NOT_FOUND = 127
_LAST_LINES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """A pattern in the last output, the error it means, and what to do."""

    pattern: re.Pattern[str]
    error: type[BoathookError]
    message: str
    hint: str


def _symptom(pattern: str, error: type[BoathookError], message: str, hint: str) -> Symptom:
    return Symptom(pattern=re.compile(pattern, re.IGNORECASE), error=error, message=message, hint=hint)


_NOT_WRITABLE = re.compile(r"singletonlock: (?:permission denied|read-only)", re.IGNORECASE)

SYMPTOMS = (
    _symptom(
        _NOT_WRITABLE.pattern,
        LaunchFailed,
        "the profile directory is not writable",
        "pass a directory that this user can write to, or omit it",
    ),
    _symptom(
        r"error while loading shared libraries: (?P<what>[^\s:]+)",
        LaunchFailed,
        "the browser needs the shared library {what}, which is not installed",
        "install the package that contains it, or install Chromium with the package manager, which installs all of them",
    ),
    _symptom(
        r"version `(?P<what>GLIBC[^']*)' not found",
        LaunchFailed,
        "the browser needs a newer C library than this machine has ({what})",
        "use the system's own Chromium package",
    ),
    _symptom(
        r"running as root without --no-sandbox is not supported",
        SandboxUnavailable,
        "Chromium cannot use its sandbox as root",
        "run as a non-root user|, or use `--sandbox auto`",
    ),
    _symptom(
        r"no usable sandbox|setuid sandbox.*(?:not configured correctly|not found)|failed to move to new namespace"
        r"|credentials\.cc.*permission denied|zygote_host_impl_linux.*(?:check failed|fatal)",
        SandboxUnavailable,
        "this machine refuses Chromium's sandbox",
        "allow unprivileged user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu)"
        "|, or use `--sandbox off` if the machine itself is isolated",
    ),
    _symptom(
        r"missing x server|unable to open x display|cannot open display|failed to connect to wayland"
        r"|ozone platform.*failed|the platform failed to initialize",
        LaunchFailed,
        "the display that DISPLAY or WAYLAND_DISPLAY names does not answer",
        "start it under a display (xvfb-run, DISPLAY, WAYLAND_DISPLAY)|, or run without a window: `--headless`",
    ),
    _symptom(
        r"profile appears to be in use|opening in existing browser session|processsingleton|singletonlock.*exists",
        ProfileInUse,
        "another browser is using this profile",
        "close that browser, or use another profile",
    ),
    _symptom(
        r"(?:/dev/shm|shared memory).*(?:no space|too small|no such file|failed)|out of memory",
        LaunchFailed,
        "the browser ran out of memory or of shared memory (/dev/shm)",
        "increase the memory of the container (docker run --shm-size=1g)",
    ),
    _symptom(
        r"no space left on device",
        LaunchFailed,
        "the disk that holds the profile is full",
        "free some space, or use a profile elsewhere",
    ),
    _symptom(
        r"requires the chromium snap|snap install chromium",
        NotABrowser,
        "this executable is a stub for the Chromium snap",
        "install the snap, or another Chromium",
    ),
    _symptom(
        r"command not found|(?:sh|bash|dash): .*: not found|syntax error|exec format error|cannot execute",
        NotABrowser,
        "the executable is not a browser this machine can run",
        "pass the path of a Chrome, Chromium, Edge or Brave executable for this machine's processor",
    ),
)


def explain_failure(tail: str, code: int | None) -> BoathookError:
    """The most precise error for a browser that exited, or printed nothing, before it was ready."""
    last_words = "\n".join(tail.strip().splitlines()[-_LAST_LINES:])
    if code == _EXIT_PROFILE_IN_USE and not _NOT_WRITABLE.search(tail):
        return ProfileInUse("another browser is using this profile", exit_code=code, last_words=last_words)
    for symptom in SYMPTOMS:
        if match := symptom.pattern.search(tail):
            message = symptom.message.format(what=match.groupdict().get("what", ""))
            return symptom.error(message, hint=symptom.hint, exit_code=code, last_words=last_words)
    if code == _EXIT_COMMAND_NOT_FOUND:
        return NotABrowser(
            "the executable needs a program that is missing", exit_code=code, last_words=last_words
        )
    return LaunchFailed(_plain_message(code, last_words), exit_code=code, last_words=last_words)


def _plain_message(code: int | None, last_words: str) -> str:
    if code is None:
        how = "the browser did not become ready"
    elif code < 0:
        how = f"the browser was terminated by signal {-code} before it was ready"
    else:
        how = f"the browser exited with code {code} before it was ready"
    return f"{how}; last output: {last_words.splitlines()[-1]}" if last_words else f"{how} without output"
