"""Compiles the native client: with the compiler of this machine, or with that of the package `ziglang`, also for other machines."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = ("main.c", "buffer.c", "json.c", "frames.c", "reach.c", "request.c", "words.c", "python.c")
SCRIPT = HERE / "boathook-python"
VARIABLE = "BOATHOOK_NATIVE"
"""`0`: no native client, only Python. `1`: fail without one. A name of TARGETS: for that machine, with ziglang."""
FLAGS = ("-std=c11", "-O2", "-Wall", "-Wextra", "-D_GNU_SOURCE", "-D_DARWIN_C_SOURCE")
_COMPILE_SECONDS = 300


class CompileError(Exception):
    """No compiler, or it failed; the message is what it printed."""


@dataclass(frozen=True, slots=True)
class Target:
    """A machine that a wheel is for: the name that zig has for it, and the wheel's tag."""

    zig: str
    tag: str


TARGETS = {
    "linux-x86_64": Target(
        "x86_64-linux-musl",  # static, so that it runs with every C library
        "py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-aarch64": Target(
        "aarch64-linux-musl",
        "py3-none-manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "macos-x86_64": Target("x86_64-macos.11.0", "py3-none-macosx_11_0_x86_64"),
    "macos-arm64": Target("aarch64-macos.11.0", "py3-none-macosx_11_0_arm64"),
}


def version() -> str:
    """The version of boathook, without importing it."""
    text = (HERE.parent / "src/boathook/_version.py").read_text(encoding="utf-8")
    [found] = re.findall(r'^__version__ = "([^"]+)"', text, flags=re.MULTILINE)
    return str(found)


def compile_with(
    command: tuple[str, ...], program: Path, *flags: str, sources: tuple[str, ...] = SOURCES
) -> None:
    """Compile with one compiler; CompileError with its messages."""
    words = [*command, *FLAGS, f'-DBOATHOOK_VERSION="{version()}"', *flags, "-o", str(program)]
    try:
        done = subprocess.run(
            [*words, *sources],
            cwd=HERE,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=_COMPILE_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CompileError(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        raise CompileError(f"{shlex.join(words)}\n{done.stdout}{done.stderr}")


def system_compiler() -> tuple[str, ...] | None:
    """The compiler of this machine; None if there is none."""
    named = os.environ.get("CC", "")
    for name in (named, "cc", "gcc", "clang"):
        words = shlex.split(name)
        if words and shutil.which(words[0]):
            return tuple(words)
    return None


def zig() -> tuple[str, ...] | None:
    """The compiler of the package ziglang; None if it is not installed."""
    if importlib.util.find_spec("ziglang") is None:
        return None
    return (sys.executable, "-m", "ziglang", "cc")


def _attempts(target: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Compilers with their flags, best first."""
    other, own = zig(), system_compiler()
    if target in TARGETS:
        return [(other, ("-target", TARGETS[target].zig, "-s"))] if other else []
    strip = () if sys.platform == "darwin" else ("-s",)
    # Static where it is possible: that starts in half the time.
    static = [(own, ("-static", *strip))] if own and sys.platform == "linux" else []
    dynamic = [(compiler, strip) for compiler in (own, other) if compiler]
    return [*static, *dynamic]


@cache
def compile_client(wanted: str) -> Path | None:
    """The compiled client for the value of VARIABLE; None if this is to be the Python client. CompileError if it must be native."""
    if wanted == "0" or sys.platform == "win32":
        return None
    program = Path(tempfile.mkdtemp(prefix="boathook-native-")) / "boathook"
    why = "no C compiler, and the package ziglang is not installed"
    for command, flags in _attempts(wanted):
        try:
            compile_with(command, program, *flags)
        except CompileError as error:
            why = str(error)
        else:
            return program
    shutil.rmtree(program.parent, ignore_errors=True)
    if wanted:
        raise CompileError(why)
    return None
