"""Install the peers that the benchmark measures, by package name, into a scratch folder of their own.

The folder is named by BENCH_PEERS (default: `.cache/bench-peers` in the project). No browser is downloaded: every tool
uses the Chromium that is on the machine. What cannot be installed is left out with a note, and the benchmark runs
without it. Python packages go into `python/`, which run.py puts behind its own packages; Node packages into `npm/`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE_PACKAGES = (
    "agent-browser@0.41.0",
    "@playwright/mcp",
    "chrome-devtools-mcp",
    "puppeteer-core",
    "js-tiktoken",
)
BROWSER_USE = "browser-use==0.13.14"
QUIET = {
    "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1",
    "PUPPETEER_SKIP_DOWNLOAD": "1",
    "AGENT_BROWSER_SKIP_INSTALL": "1",
    "npm_config_audit": "false",
    "npm_config_fund": "false",
    "npm_config_update_notifier": "false",
}


def folder() -> Path:
    """The scratch folder of the peers, as an absolute path."""
    return Path(os.environ.get("BENCH_PEERS") or HERE.parent / ".cache" / "bench-peers").resolve()


def python_folder() -> Path:
    return folder() / "python"


def use() -> None:
    """Make the peers' Python packages importable, behind our own."""
    os.environ["BENCH_PEERS"] = str(folder())
    path = str(python_folder())
    if path not in sys.path:
        sys.path.append(path)


def _run(argv: list[str], cwd: Path) -> bool:
    done = subprocess.run(
        argv, cwd=cwd, env={**os.environ, **QUIET}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print("  failed:", (done.stderr or done.stdout).strip()[-400:])
    return not done.returncode


def install_python() -> None:
    target = python_folder()
    target.mkdir(parents=True, exist_ok=True)
    for line in (HERE / "requirements.txt").read_text().splitlines():
        name = line.split("#")[0].strip()
        if not name:
            continue
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--target", str(target)]
        print(f"pip: {name}", "done" if _run([*pip, name], target) else "left out", flush=True)


def install_node() -> None:
    npm = shutil.which("npm")
    if npm is None:
        print("npm is not on PATH: the tools that need Node are left out")
        return
    target = folder() / "npm"
    target.mkdir(parents=True, exist_ok=True)
    (target / "package.json").write_text('{"private": true}\n')
    for name in NODE_PACKAGES:
        print(f"npm: {name}", "done" if _run([npm, "install", name], target) else "left out", flush=True)


def install_browser_use() -> None:
    """In an environment of its own: it pins packages that the others have in newer versions."""
    target = folder() / "venv-bu"
    made = _run([sys.executable, "-m", "venv", str(target)], folder())
    pip = [str(target / "bin/python"), "-m", "pip", "install", "--quiet", BROWSER_USE]
    print(f"pip: {BROWSER_USE}", "done" if made and _run(pip, folder()) else "left out", flush=True)


if __name__ == "__main__":
    install_python()
    install_browser_use()
    install_node()
