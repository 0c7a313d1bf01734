"""Chromium's sandbox: whether this machine supports it, and the note if it does not."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.launch import posix
from boathook.errors import SandboxUnavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.launch.options import SandboxRule

_KERNEL = Path("/proc/sys")
_KERNEL_SAYS_NO = (
    ("kernel/unprivileged_userns_clone", 0, "the kernel denies user namespaces to non-root users"),
    ("user/max_user_namespaces", 0, "the kernel does not allow user namespaces"),
)
_APPARMOR_RESTRICTS = "kernel/apparmor_restrict_unprivileged_userns"
_APPARMOR = Path("/etc/apparmor.d")
_APPARMOR_FILES = ("chrome", "chromium", "brave", "msedge", "google-chrome", "opera", "vivaldi-bin")
_PROBE_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxDecision:
    """Whether the sandbox is on, and if not, why."""

    on: bool
    reason: str = ""


def decide_sandbox(
    rule: SandboxRule, *, browser: Path, environ: Mapping[str, str] = os.environ, obstacle: str | None = None
) -> SandboxDecision:
    """Apply the caller's rule to this machine; `obstacle` replaces the check of the machine in tests."""
    if rule == "off":
        return SandboxDecision(on=False, reason="disabled by the caller")
    found = sandbox_obstacle(browser, environ=environ) if obstacle is None else obstacle
    if not found:
        return SandboxDecision(on=True)
    if rule == "require":
        raise SandboxUnavailable(f"the sandbox is required, but {found}", reason=found)
    return SandboxDecision(on=False, reason=found)


def sandbox_obstacle(
    browser: Path, *, environ: Mapping[str, str] = os.environ, kernel: Path = _KERNEL
) -> str:
    """Why Chromium cannot use its sandbox here; empty if it can."""
    if posix.is_root() and sys.platform == "linux":
        return "Chromium cannot use its sandbox as root"
    if sys.platform != "linux" or _has_setuid_helper(browser, environ):
        return ""
    for name, refusing, meaning in _KERNEL_SAYS_NO:
        if _number(kernel / name) == refusing:
            return f"{meaning} ({name.replace('/', '.')}={refusing})"
    if _number(kernel / _APPARMOR_RESTRICTS) == 1:
        return "" if _apparmor_allows(browser) else f"AppArmor denies user namespaces to {browser}"
    # Containers deny by seccomp filter, which no file shows.
    return "" if _namespace_works() else "this container or kernel denies user namespaces"


def _has_setuid_helper(browser: Path, environ: Mapping[str, str]) -> bool:
    beside = browser.resolve().parent
    candidates = [
        beside / "chrome-sandbox",
        beside / "chrome_sandbox",
        Path("/usr/lib/chromium/chrome-sandbox"),
    ]
    if named := environ.get("CHROME_DEVEL_SANDBOX"):
        candidates.insert(0, Path(named))
    for candidate in candidates:
        try:
            facts = candidate.stat()
        except OSError:
            continue
        if facts.st_uid == 0 and facts.st_mode & stat.S_ISUID:
            return True
    return False


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _apparmor_allows(browser: Path) -> bool:
    """Whether a packaged AppArmor profile names this executable and grants it user namespaces."""
    real = str(browser.resolve())
    for name in _APPARMOR_FILES:
        try:
            text = (_APPARMOR / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if real in text and "userns" in text:
            return True
    return False


def _namespace_works() -> bool:
    """Test it once with util-linux' `unshare`; without that tool rely on the kernel's files."""
    tool = shutil.which("unshare")
    if tool is None:
        return True
    try:
        probe = subprocess.run(  # noqa: S603 (fixed command)
            [tool, "--user", "--map-root-user", "true"],
            capture_output=True,
            timeout=_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return probe.returncode == 0
