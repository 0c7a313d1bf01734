"""Source: the vendor's download of Chrome for Testing, verified as far as possible.

The public index contains no checksums. So a download must use https, have the announced length, be a complete
zip (every member's CRC), and run; its SHA-256 is stored next to it. A checksum in the index or from the caller is
enforced.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.launch.browser_locations import FULL_SHAPES
from boathook.engine.launch.find_chrome import FoundBrowser
from boathook.engine.launch.install.unpack import unpack_zip
from boathook.errors import InstallFailed

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from boathook.engine.launch.install.source import InstallContext

INDEX_VARIABLE = "BOATHOOK_BROWSER_INDEX"
_INDEX = "https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json"
_BUILDS = {
    ("linux", "x86_64"): "linux64",
    ("linux", "amd64"): "linux64",
    ("linux", "aarch64"): "linux-arm64",
    ("linux", "arm64"): "linux-arm64",
    ("darwin", "arm64"): "mac-arm64",
    ("darwin", "x86_64"): "mac-x64",
    ("win32", "amd64"): "win64",
}
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_SECONDS = 60.0
_CHUNK = 1 << 20
_LARGEST_INDEX = 32 << 20
_LARGEST_BUILD = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class TestingBuild:
    """The current stable Chrome for Testing, in boathook's own cache."""

    __test__ = False  # for pytest: not a test, whatever its name begins with

    name: str = "Chrome for Testing"
    index: str | None = None
    sha256: str | None = None

    def install(self, context: InstallContext) -> FoundBrowser:
        """Download, check and unpack the stable build for this machine."""
        index = self.index or context.environ.get(INDEX_VARIABLE) or _INDEX
        build = _BUILDS.get((context.platform, context.machine))
        if build is None:
            raise InstallFailed(f"there is no build for {context.platform} on {context.machine}")
        version, url, announced = _pick(_read_index(index), build)
        context.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=context.cache, prefix="part-") as part:
            archive = Path(part) / "build.zip"
            digest = _download(url, archive, context)
            _compare(digest, announced, "the index")
            _compare(digest, self.sha256, "the caller")
            unpacked = Path(part) / "unpacked"
            unpack_zip(archive, unpacked)
            record = {"url": url, "version": version, "sha256": digest, "bytes": archive.stat().st_size}
            (unpacked / "install.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
            return _settle(unpacked, context.cache / "chrome" / version, version=version, source=self.name)


def _settle(unpacked: Path, home: Path, *, version: str, source: str) -> FoundBrowser:
    """Move a complete tree to its destination, so that a partial one is never found."""
    if not _executables(unpacked):
        raise InstallFailed("the archive contains no browser at the expected path")
    home.parent.mkdir(parents=True, exist_ok=True)
    if home.exists():
        shutil.rmtree(home)
    unpacked.rename(home)
    return FoundBrowser(path=_executables(home)[0], kind="chrome", source=source, version=version)


def _executables(root: Path) -> list[Path]:
    return [path for shape in FULL_SHAPES for path in sorted(root.glob(shape))]


def _open(url: str) -> HTTPResponse:
    parts = urllib.parse.urlsplit(url)
    local = parts.hostname in _LOOPBACK
    if parts.scheme != "https" and not (parts.scheme == "http" and local):
        raise InstallFailed(f"{url} is not an https URL")
    proxies = [urllib.request.ProxyHandler({})] if local else []
    try:
        response: HTTPResponse = urllib.request.build_opener(*proxies).open(url, timeout=_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        raise InstallFailed(f"{url} returned {error.code} {error.reason}") from error
    except (OSError, ValueError) as error:
        raise InstallFailed(f"{url}: {getattr(error, 'reason', None) or error}") from error
    if not _same_safety(url, response.url):
        response.close()
        raise InstallFailed(f"{url} redirects to {response.url}, which is not an https URL")
    return response


def _same_safety(asked: str, got: str) -> bool:
    return got.startswith("https://") or not asked.startswith("https://")


def _read_index(url: str) -> Any:
    with _open(url) as response:
        try:
            return json.loads(response.read(_LARGEST_INDEX))
        except (OSError, ValueError) as error:
            raise InstallFailed(f"{url} is not a valid index: {error}") from error


def _pick(index: Any, build: str) -> tuple[str, str, str | None]:
    """Version, URL and, if given, checksum of the build for this machine."""
    try:
        stable = index["channels"]["Stable"]
        offers = {offer["platform"]: offer for offer in stable["downloads"]["chrome"]}
        version = str(stable["version"])
    except (KeyError, TypeError) as error:
        raise InstallFailed(f"the index has no {error}") from error
    if build not in offers:
        raise InstallFailed(f"the vendor offers no build for {build}, only {', '.join(sorted(offers))}")
    if not all(part.isdigit() for part in version.split(".")):
        raise InstallFailed(f"the index contains an invalid version: {version!r}")
    return version, str(offers[build]["url"]), offers[build].get("sha256")


def _download(url: str, to: Path, context: InstallContext) -> str:
    """Download a file of the announced length; returns its SHA-256."""
    context.progress(f"downloading {url}")
    digest = hashlib.sha256()
    received = 0
    with _open(url) as response, to.open("wb") as file:
        announced = int(response.headers.get("Content-Length") or 0)
        if not 0 < announced <= _LARGEST_BUILD:
            raise InstallFailed(f"{url} announces {announced} bytes, which is not a plausible size")
        try:
            while chunk := response.read(_CHUNK):
                received += len(chunk)
                digest.update(chunk)
                file.write(chunk)
                context.progress(f"{received * 100 // announced} % of {announced >> 20} MiB")
        except OSError as error:
            raise InstallFailed(f"{url} was interrupted after {received} bytes: {error}") from error
    if received != announced:
        raise InstallFailed(f"{url} is incomplete: {received} of {announced} bytes")
    return digest.hexdigest()


def _compare(digest: str, expected: str | None, who: str) -> None:
    if expected is not None and not hmac.compare_digest(digest, expected.strip().lower()):
        raise InstallFailed(f"the download's SHA-256 is {digest}, but {who} expects {expected}")
