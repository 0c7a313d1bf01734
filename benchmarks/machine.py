"""The machine and the tools in words, without names or paths of the machine."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import cdp as C

PYTHON_PEERS = ("playwright", "pydoll-python", "zendriver", "browser-use")
NODE_PEERS = ("agent-browser", "@playwright/mcp", "chrome-devtools-mcp", "puppeteer-core", "@playwright/cli")


def chromium_version() -> str:
    said = subprocess.run([C.chrome_path(), "--version"], capture_output=True, text=True, check=False)
    return said.stdout.strip()


def about_machine() -> dict:
    return {
        "began": time.strftime("%Y-%m-%d %H:%M"),
        "system": platform.system(),
        "processor": platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "python": platform.python_version(),
        "chromium": chromium_version(),
    }


def versions() -> dict:
    """Versions of the peers that are installed."""
    found = {}
    for name in PYTHON_PEERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    for info in (Path(os.environ["BENCH_PEERS"]) / "venv-bu").glob(
        "lib/*/site-packages/browser_use-*.dist-info"
    ):
        found["browser-use"] = info.name.split("-")[1].removesuffix(".dist")
    for name in NODE_PEERS:
        file = Path(os.environ["BENCH_PEERS"]) / "npm/node_modules" / name / "package.json"
        if file.exists():
            found[name] = json.loads(file.read_text())["version"]
    return found
