"""Release check: builds the packages, checks their metadata, installs each into an empty environment, tries the first steps.

Needs only the package index. Prints a line per step; the packages stay in `dist`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
IN_WHEEL = (
    "boathook/py.typed",
    "boathook/data/extension/manifest.json",
    "boathook/engine/page_scripts/walker/dom.js",
)
IN_SDIST = (
    *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "extension/manifest.json"),
    *("native/main.c", "native/facts.h", "native/build_hook.py"),
)
FIRST_STEPS = (
    ("boathook", "version"),
    ("boathook", "--help"),
    ("bh", "--version"),
    ("boathook", "doctor", "--quick"),
    ("python", "-c", "import boathook; print(boathook.__version__)"),
)


class ReleaseError(Exception):
    """A step failed; the message is its name and what it printed."""


def run(name: str, *command: str | Path, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    """Run one step and print that it passed."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ReleaseError(
            f"{name} failed with status {done.returncode}\n{done.stdout}{done.stderr}".rstrip()
        )
    print(f"ok: {name}", flush=True)
    return done.stdout


def build() -> tuple[Path, Path]:
    """The sdist, and the wheel that is built from it."""
    shutil.rmtree(DIST, ignore_errors=True)
    run("build sdist and wheel", sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    [sdist], [wheel] = DIST.glob("*.tar.gz"), DIST.glob("*.whl")
    return sdist, wheel


def check_contents(sdist: Path, wheel: Path) -> None:
    """Files without which an installation does not work."""
    with zipfile.ZipFile(wheel) as archive:
        missing = [name for name in IN_WHEEL if name not in archive.namelist()]
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing += [name for name in IN_SDIST if name not in names]
    if missing:
        raise ReleaseError(f"missing in the packages: {', '.join(missing)}")
    print("ok: contents", flush=True)


def try_package(package: Path, folder: Path) -> None:
    """Install one package into an empty environment and run the first steps there, away from the checkout."""
    run(f"{package.name}: environment", sys.executable, "-m", "venv", folder / "venv")
    programs = folder / "venv/bin"
    run(
        f"{package.name}: install",
        *(programs / "python", "-m", "pip", "install", "-q", "--disable-pip-version-check", package),
        cwd=folder,
    )
    home = folder / "home"
    home.mkdir()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("BOATHOOK", "PYTHON"))
    }
    environment |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "TMPDIR": str(folder)}
    for step in FIRST_STEPS:
        run(
            f"{package.name}: {' '.join(step)}",
            *(programs / step[0], *step[1:]),
            cwd=home,
            environment=environment,
        )


def try_installers(wheel: Path, folder: Path) -> None:
    """`uv tool install`, `uvx` and `pipx install`, each with separate folders: version, and the MCP server as a client starts it."""
    run("installers: environment", sys.executable, "-m", "venv", folder / "installers")
    programs = folder / "installers/bin"
    run("installers: uv and pipx", programs / "python", "-m", "pip", "install", "-q", "uv", "pipx")
    home = folder / "installed"
    home.mkdir()
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BOATHOOK", "PYTHON", "XDG_"))
    }
    environment |= {"HOME": str(home), "PATH": f"{programs}:{os.environ['PATH']}", "TMPDIR": str(folder)}
    environment |= {"PIPX_HOME": str(home / "pipx"), "PIPX_BIN_DIR": str(home / "pipx-bin")}
    for name, command in (
        ("uvx", (programs / "uvx", "-q", "--from", wheel, "boathook")),
        ("uv tool", (home / ".local/bin/boathook",)),
        ("pipx", (home / "pipx-bin/boathook",)),
    ):
        if name == "uv tool":
            run(
                f"{name}: install",
                programs / "uv",
                "tool",
                "install",
                "-q",
                wheel,
                cwd=home,
                environment=environment,
            )
        if name == "pipx":
            run(
                f"{name}: install",
                programs / "pipx",
                "install",
                "-q",
                wheel,
                cwd=home,
                environment=environment,
            )
        run(f"{name}: version", *command, "version", cwd=home, environment=environment)
        run(f"{name}: mcp --help", *command, "mcp", "--help", cwd=home, environment=environment)
        if name == "uvx":  # its entry names the released package, which this one is not yet
            continue
        said = run(f"{name}: setup", *command, "setup", "cursor", cwd=home, environment=environment)
        if "checked: " not in said:
            raise ReleaseError(f"{name}: the server was not started\n{said}")
        entry = (home / ".cursor/mcp.json").read_text()
        print(f"    the entry: {' '.join(entry.split())}", flush=True)
        run(f"{name}: undo", *command, "setup", "cursor", "--undo", cwd=home, environment=environment)


def main() -> int:
    """Run all steps until one fails."""
    try:
        sdist, wheel = build()
        run("metadata", sys.executable, "-m", "twine", "check", "--strict", sdist, wheel)
        check_contents(sdist, wheel)
        for package in (wheel, sdist):
            with tempfile.TemporaryDirectory(prefix="boathook-release-") as folder:
                try_package(package, Path(folder).resolve())
        with tempfile.TemporaryDirectory(prefix="boathook-release-") as folder:
            try_installers(wheel, Path(folder).resolve())
    except ReleaseError as error:
        print(error)
        return 1
    print(f"{wheel.name} and {sdist.name} can be released")
    return 0


if __name__ == "__main__":
    sys.exit(main())
