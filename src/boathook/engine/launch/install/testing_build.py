"""Source: the vendor's download of Chrome for Testing, verified as far as possible.

The public index contains no checksums. So a download must use https, have the announced length, be a complete
zip (every member's CRC), and run; its SHA-256 is stored next to it. A checksum in the index or from the caller is
enforced.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import shutil
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
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
_CONTINUE = "`install` continues where it ended"


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
        archive = context.cache / f"{build}-{version}-{hashlib.sha256(url.encode()).hexdigest()[:8]}.zip.part"
        digest = _download(url, archive, context)
        try:
            _compare(digest, announced, "the index")
            _compare(digest, self.sha256, "the caller")
            return self._unpack(archive, url, version, digest, context)
        finally:
            archive.unlink(missing_ok=True)  # complete, so there is nothing to continue

    def _unpack(
        self, archive: Path, url: str, version: str, digest: str, context: InstallContext
    ) -> FoundBrowser:
        context.progress(f"unpacking {archive.stat().st_size >> 20} MiB")
        with tempfile.TemporaryDirectory(dir=context.cache, prefix="part-") as part:
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


def _open(url: str, *, start: int = 0) -> HTTPResponse:
    parts = urllib.parse.urlsplit(url)
    local = parts.hostname in _LOOPBACK
    if parts.scheme != "https" and not (parts.scheme == "http" and local):
        raise InstallFailed(f"{url} is not an https URL")
    proxies = [urllib.request.ProxyHandler({})] if local else []
    request = urllib.request.Request(url, headers={"Range": f"bytes={start}-"} if start else {})  # noqa: S310 (checked above)
    try:
        response: HTTPResponse = urllib.request.build_opener(*proxies).open(request, timeout=_SECONDS)
    except urllib.error.HTTPError as error:
        error.close()
        if start and error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            return _open(url)
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
    """Download a file of the announced length, from where an interrupted download ended; returns its SHA-256."""
    context.progress(f"downloading {url}")
    there = to.stat().st_size if to.is_file() else 0
    with _open(url, start=there) as response:
        start, announced = _range(response, there=there)
        if not 0 < announced <= _LARGEST_BUILD:
            raise InstallFailed(f"{url} announces {announced} bytes, which is not a plausible size")
        if start:
            context.progress(f"continuing after {start >> 20} MiB")
        received = _save(response, to, start=start, announced=announced, context=context)
    if received != announced:
        raise InstallFailed(f"{url} was interrupted after {received} of {announced} bytes", hint=_CONTINUE)
    with to.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _range(response: HTTPResponse, *, there: int) -> tuple[int, int]:
    """Where the response begins, and the size of the whole file."""
    length = int(response.headers.get("Content-Length") or 0)
    if response.status != HTTPStatus.PARTIAL_CONTENT:
        return 0, length  # the server sends the whole file
    match = re.fullmatch(r"bytes (\d{1,15})-\d{1,15}/(\d{1,15})", response.headers.get("Content-Range") or "")
    if match is None or int(match[1]) != there or int(match[2]) != there + length:
        raise InstallFailed("the server sends another part than was asked for")
    return there, int(match[2])


def _save(response: HTTPResponse, to: Path, *, start: int, announced: int, context: InstallContext) -> int:
    """Append what arrives; returns the size of the file."""
    received, shown = start, -1
    with to.open("r+b" if start else "wb") as file:
        file.seek(start)
        try:
            while received < announced and (chunk := response.read(min(_CHUNK, announced - received))):
                received += len(chunk)
                file.write(chunk)
                if (percent := received * 100 // announced) != shown:
                    shown = percent
                    context.progress(f"{percent} % of {announced >> 20} MiB")
        except (OSError, HTTPException) as error:
            raise InstallFailed(
                f"the download was interrupted after {received} bytes: {error}", hint=_CONTINUE
            ) from error
    return received


def _compare(digest: str, expected: str | None, who: str) -> None:
    if expected is not None and not hmac.compare_digest(digest, expected.strip().lower()):
        raise InstallFailed(f"the download's SHA-256 is {digest}, but {who} expects {expected}")
