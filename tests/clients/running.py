"""Installing and running clients by name, each in a separate process and network namespace."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.clients.clients import CLIENTS
from tests.clients.drivers import ROOT
from tests.clients.installing import CannotInstall
from tests.clients.processes import in_own_network
from tests.clients.report import NotRun, Run


def run_client(name: str, *, latest: bool = False, keep: Path | None = None) -> Run | NotRun:
    """Install a client when it is missing, and run it once; `keep` is a folder for the requests to the model."""
    client = CLIENTS[name].latest() if latest else CLIENTS[name]
    try:
        client.package.install()
    except CannotInstall as error:
        return NotRun(name, client.api, f"cannot be installed: {error}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.json"
        argv = [sys.executable, "-m", "tests.clients.run_one", name, str(file)]
        argv += ["--latest"] if latest else []
        argv += ["--keep", str(keep / name)] if keep else []
        done = subprocess.run(
            [*in_own_network(), *argv], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the run of {name} failed:\n{done.stdout}{done.stderr}")
        return Run(**json.loads(file.read_text()))
