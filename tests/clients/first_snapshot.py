"""Times the way of a new user: install the wheel and a client, `boathook setup`, and the first snapshot that its model receives.

`python -m tests.clients.first_snapshot [NAME …]`; each step runs in an empty environment, folder and home. Packages that pip and
npm have in their caches are not downloaded again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tests.clients import processes, scenario
from tests.clients.conversation import readable_text
from tests.clients.drivers import ROOT, Place, dead_proxies
from tests.clients.installing import NpmPackage
from tests.clients.model_server import ModelServer
from tests.clients.programs import PROGRAMS
from tests.support.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.clients.conversation import ModelReply, ModelRequest
    from tests.clients.drivers import Client
    from tests.clients.installing import PythonPackages

SETUP_NAMES = {
    "Claude Code": "claude",
    "Codex": "codex",
    "Gemini CLI": "gemini",
    "OpenCode": "opencode",
    "Qwen Code": "qwen",
}
OWN_SERVER = ("--mcp-config", "--strict-mcp-config")
"""Options that would keep a client from reading what `setup` wrote."""
WITHOUT_TOOL_SEARCH = {"ENABLE_TOOL_SEARCH": "false"}
"""The scripted model does not search for tools, as a real one would."""
RUN_SECONDS = 120


@contextmanager
def timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    """Note how long a step took."""
    begun = time.monotonic()
    yield
    seconds[step] = round(time.monotonic() - begun, 1)


def run(*argv: str | Path, folder: Path, environment: dict[str, str] | None = None) -> None:
    """Run one step; its output is shown if it fails."""
    done = subprocess.run(
        [str(word) for word in argv],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{argv[0]} failed:\n{done.stdout}{done.stderr}")


def install_client(package: NpmPackage | PythonPackages, folder: Path) -> None:
    """The client again, in an empty folder, as `npm install` does it with its cache."""
    if not isinstance(package, NpmPackage):
        raise SystemExit(f"{package.folder_name} is not from npm")
    packages = {"private": True, "allowScripts": {package.name: True} if package.native else {}}
    (folder / "package.json").write_text(json.dumps(packages))
    scripts = [] if package.native else ["--ignore-scripts"]
    wanted = f"{package.name}@{package.wanted}"
    run("npm", "install", "--no-audit", "--no-fund", "--prefer-offline", *scripts, wanted, folder=folder)


def first_snapshot(client: Client, programs: Path, folder: Path) -> dict[str, float]:
    """Set the client up in an empty home and run it until its model has received a snapshot."""
    processes.isolate_network()
    processes.adopt_orphans()
    seconds: dict[str, float] = {}
    seen: list[float] = []
    site = Site()
    url = site.page(scenario.BODY, title=scenario.TITLE, head=scenario.STYLE)

    def reply(request: ModelRequest) -> ModelReply:
        if not seen and any(
            scenario.CONTROL.search(readable_text(output.text)) for output in request.outputs
        ):
            seen.append(time.monotonic())
        return scenario.reply_to(request, url=url)

    model = ModelServer(reply=reply)
    home = folder / "home"
    home.mkdir()
    place = Place(home, model.origin)
    place.prepare()
    argv, environment = client.command(place)
    environment |= {**dead_proxies(), **WITHOUT_TOOL_SEARCH}
    environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
    argv = [word for word in argv if word not in {*OWN_SERVER, str(home / "mcp.json")}]
    try:
        with timed(seconds, "setup"):
            name = SETUP_NAMES[client.name]
            run(programs / "boathook", "setup", name, folder=place.work, environment=environment)
        begun = time.monotonic()
        ended = processes.run_program(
            argv, environment=environment, folder=place.work, log=home / "output", seconds=RUN_SECONDS
        )
        if not seen:
            raise SystemExit(f"{client.name}: no snapshot reached the model\n{ended.output[-2000:]}")
        seconds["first snapshot"] = round(seen[0] - begun, 1)
        run(programs / "boathook", "daemon", "stop", folder=place.work, environment=environment)
    finally:
        processes.kill_descendants()
        model.close()
        site.close()
    return seconds


def measure(client: Client) -> dict[str, float]:
    """The seconds of each step."""
    seconds: dict[str, float] = {}
    client.package.install()  # fills the cache of npm
    with tempfile.TemporaryDirectory(prefix="bh-", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", folder / "dist", ROOT, folder=folder)
        [wheel] = (folder / "dist").glob("*.whl")
        with timed(seconds, "empty environment"):
            run(sys.executable, "-m", "venv", folder / "venv", folder=folder)
        with timed(seconds, "pip install"):
            pip = (folder / "venv/bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check")
            run(*pip, wheel, folder=folder)
        (folder / "npm").mkdir()
        with timed(seconds, "npm install"):
            install_client(client.package, folder / "npm")
        argv = [sys.executable, "-m", __spec__.name, "--inside", str(folder), client.name]
        done = subprocess.run(
            [*processes.in_own_network(), *argv], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stdout + done.stderr)
        seconds |= json.loads(done.stdout)
    return seconds


def main(words: list[str]) -> None:
    """Measure the clients with these names, and print a line for each."""
    clients = {client.name: client for client in PROGRAMS if client.name in SETUP_NAMES}
    parser = argparse.ArgumentParser(prog="python -m tests.clients.first_snapshot")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(clients)}")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.inside:
        [name] = asked.names
        print(json.dumps(first_snapshot(clients[name], asked.inside / "venv/bin", asked.inside)))
        return
    for name in asked.names or clients:
        seconds = measure(clients[name])
        steps = ", ".join(f"{step} {taken}" for step, taken in seconds.items())
        print(f"{name}: {sum(seconds.values()):.1f} s ({steps})", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
