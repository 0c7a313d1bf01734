"""Packages from npm, for tests that need them: installed once, given up on soon, and then by all."""

import fcntl
import mimetypes
import shutil
import subprocess
import time
from pathlib import Path

import pytest

CACHE = Path(__file__).parents[2] / ".cache"
PATIENCE_SECONDS = 60
AGAIN_SECONDS = 1_800
"""For so long after a failure nobody tries again."""
LINE = (
    "install",
    "--no-audit",
    "--no-fund",
    "--ignore-scripts",
    "--fetch-retries=1",
    "--fetch-timeout=20000",
)


def npm_packages(folder, *packages, there):
    """Have packages in a folder; the test is skipped, with the reason, when that cannot be."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    failed = CACHE / "npm-failed"
    with (CACHE / "npm-lock").open("w") as lock:  # workers of one run may both find them missing
        fcntl.flock(lock, fcntl.LOCK_EX)
        if all((folder / path).exists() for path in there):
            return
        if failed.exists() and time.time() - failed.stat().st_mtime < AGAIN_SECONDS:
            pytest.skip(f"npm cannot install packages here: {failed.read_text()}")
        why = _failure([npm, *LINE, "--prefix", str(folder), *packages])
        if why:
            failed.write_text(why)
            pytest.skip(f"npm cannot install packages here: {why}")


def _failure(line):
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        return f"no answer within {PATIENCE_SECONDS} s"
    return (done.stderr.strip()[-200:] or "it failed") if done.returncode else ""


def served_packages(site, monkeypatch):
    """Return a function that installs packages and serves their files under /nm."""
    folder = CACHE / "widgets"

    def install(*names, there):
        npm_packages(folder, *names, there=[f"node_modules/{path}" for path in there])
        own = type(site).answer

        def answer(served, path):
            file = folder / "node_modules" / path.removeprefix("nm/")
            if not path.startswith("nm/") or not file.is_file():
                return own(served, path)
            return 200, mimetypes.guess_type(file.name)[0] or "application/octet-stream", file.read_bytes()

        monkeypatch.setattr(type(site), "answer", answer)

    return install
