"""Where browsers are on each system: names on PATH, usual locations, caches of other tools."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BrowserKind = Literal["chrome", "chromium", "edge", "brave", "headless-shell"]

VARIABLES = ("BOATHOOK_BROWSER", "PUPPETEER_EXECUTABLE_PATH", "CHROME_PATH", "CHROME")

_LINUX_NAMES = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "chrome",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
    "brave",
    "ungoogled-chromium",
)
_LINUX_PLACES = (
    "/opt/google/chrome/chrome",
    "/usr/lib/chromium/chromium",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/microsoft/msedge/msedge",
    "/opt/brave.com/brave/brave",
    "/run/current-system/sw/bin/chromium",
    "/run/current-system/sw/bin/google-chrome-stable",
    "/snap/bin/chromium",
    "/var/lib/flatpak/exports/bin/com.google.Chrome",
    "/var/lib/flatpak/exports/bin/org.chromium.Chromium",
    "~/.local/share/flatpak/exports/bin/com.google.Chrome",
    "~/.local/share/flatpak/exports/bin/org.chromium.Chromium",
    "~/.nix-profile/bin/chromium",
)
_MACOS_APPS = (
    "Google Chrome",
    "Google Chrome Beta",
    "Chromium",
    "Microsoft Edge",
    "Brave Browser",
    "Google Chrome Canary",
)
_WINDOWS_PLACES = (
    "Google/Chrome/Application/chrome.exe",
    "Chromium/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "BraveSoftware/Brave-Browser/Application/brave.exe",
)
_WINDOWS_ROOTS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")

_CACHE_FOLDERS = {"linux": ".cache", "darwin": "Library/Caches", "win32": "AppData/Local"}
_MAC_TESTING = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
FULL_SHAPES = (
    "chrome-linux*/chrome",
    f"chrome-mac*/{_MAC_TESTING}",
    "chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
    "chrome-win*/chrome.exe",
)
SHELL_SHAPES = (
    "chrome-linux*/headless_shell",
    "chrome-headless-shell-*/chrome-headless-shell",
    "chrome-headless-shell-*/chrome-headless-shell.exe",
    "chrome-mac*/headless_shell",
    "chrome-win*/headless_shell.exe",
)
_DIGITS = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A path that may be a browser, and the rule that names it."""

    path: Path
    source: str


def kind_of(path: Path) -> BrowserKind:
    """The kind of browser that a path suggests."""
    words = str(path).lower()
    name = path.name.lower()
    if "headless_shell" in name or "headless-shell" in name or "sparticuz" in words:
        return "headless-shell"
    if "edge" in name or "com.microsoft" in name:
        return "edge"
    if "brave" in name:
        return "brave"
    return "chromium" if "chromium" in name else "chrome"


def version_in(text: str) -> tuple[int, ...]:
    """The last version number in a directory's name, for sorting; empty when there is none."""
    found = _DIGITS.findall(text)
    return tuple(int(part) for part in found[-1].split(".")) if found else ()


def find_installed(environ: Mapping[str, str], platform: str) -> Iterator[Candidate]:
    """Browsers of the system: on PATH, then in the usual locations."""
    if platform == "darwin":
        for root in (Path("/Applications"), Path.home() / "Applications"):
            for app in _MACOS_APPS:
                yield Candidate(root / f"{app}.app/Contents/MacOS/{app}", f"applications in {root}")
    elif platform == "win32":
        for root in (Path(environ[variable]) for variable in _WINDOWS_ROOTS if environ.get(variable)):
            for place in _WINDOWS_PLACES:
                yield Candidate(root / place, f"programs in {root}")
    else:
        yield from _find_installed_on_linux(environ)


def _find_installed_on_linux(environ: Mapping[str, str]) -> Iterator[Candidate]:
    for name in _LINUX_NAMES:
        if hit := shutil.which(name, path=environ.get("PATH", "")):
            yield Candidate(Path(hit), f"{name} on PATH")
    for place in _LINUX_PLACES:
        yield Candidate(Path(place).expanduser(), "usual places")


def find_cached(environ: Mapping[str, str], platform: str, own_cache: Path) -> Iterator[Candidate]:
    """Browsers that Playwright, Puppeteer or we ourselves downloaded: full ones first, newest first."""
    home = Path.home() / _CACHE_FOLDERS.get(platform, ".cache")
    playwright = Path(environ.get("PLAYWRIGHT_BROWSERS_PATH") or home / "ms-playwright")
    puppeteer = Path(environ.get("PUPPETEER_CACHE_DIR") or Path.home() / ".cache/puppeteer")
    yield from _newest_first(playwright, "chromium-*", FULL_SHAPES, "Playwright's cache")
    yield from _newest_first(puppeteer / "chrome", "*", FULL_SHAPES, "Puppeteer's cache")
    yield from _newest_first(own_cache / "chrome", "*", FULL_SHAPES, "boathook's cache")
    yield from _newest_first(playwright, "chromium_headless_shell-*", SHELL_SHAPES, "Playwright's cache")
    yield from _newest_first(puppeteer / "chrome-headless-shell", "*", SHELL_SHAPES, "Puppeteer's cache")
    yield from _newest_first(own_cache / "sparticuz", "*", ("chromium",), "boathook's cache")


def _newest_first(root: Path, pattern: str, inside: tuple[str, ...], source: str) -> Iterator[Candidate]:
    folders = sorted(root.glob(pattern), key=lambda folder: version_in(folder.name), reverse=True)
    for folder in folders:
        for shape in inside:
            for path in sorted(folder.glob(shape)):
                yield Candidate(path, f"{source} ({root})")
