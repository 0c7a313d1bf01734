"""Builds the wheels of all platforms on this machine, and the pure one: `make wheels`, into `dist`.

The native client is compiled with the package `ziglang`, for Linux (any C library) and macOS, on x86-64 and arm64.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
sys.path.insert(0, str(ROOT))

from native.compiler import TARGETS, VARIABLE  # noqa: E402 (found below the root)

BUILD_NEEDS = ("hatchling>=1.25", "ziglang>=0.13")
# The first bytes of a program, and where it says for which processor it is.
FORMATS = {
    "linux-x86_64": (b"\x7fELF", 18, b"\x3e\x00"),
    "linux-aarch64": (b"\x7fELF", 18, b"\xb7\x00"),
    "macos-x86_64": (b"\xcf\xfa\xed\xfe", 4, b"\x07\x00\x00\x01"),
    "macos-arm64": (b"\xcf\xfa\xed\xfe", 4, b"\x0c\x00\x00\x01"),
}


def run(*command: str | Path, **variables: str) -> None:
    """Run a step; its output is shown if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=ROOT,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"{command[0]} failed\n{done.stdout}{done.stderr}")


def build(python: Path, wanted: str, folder: Path) -> Path:
    """One wheel; `wanted` is a name of TARGETS, or `0` for the pure one."""
    before = set(folder.glob("*.whl"))
    pip = ("-m", "pip", "--disable-pip-version-check", "wheel", "-q", "--no-deps", "--no-build-isolation")
    run(python, *pip, "--wheel-dir", folder, ROOT, **{VARIABLE: wanted})
    [built] = set(folder.glob("*.whl")) - before
    return built


def check(wheel: Path, target: str) -> int:
    """The size of the program in a wheel, which must be one for that machine."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".data/scripts/boathook")]
        program = archive.read(name)
    magic, at, processor = FORMATS[target]
    if not program.startswith(magic) or program[at : at + len(processor)] != processor:
        sys.exit(f"{wheel.name}: its program is not for {target}")
    return len(program)


def main() -> int:
    """Build all wheels, and print a line for each."""
    DIST.mkdir(exist_ok=True)
    for old in DIST.glob("*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory(prefix="boathook-wheels-") as folder:
        run(sys.executable, "-m", "venv", folder)
        python = Path(folder) / "bin/python"
        run(python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *BUILD_NEEDS)
        for target in TARGETS:
            wheel = build(python, target, DIST)
            print(f"{wheel.name}: program of {check(wheel, target):,} bytes", flush=True)
        print(f"{build(python, '0', DIST).name}: Python only", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
