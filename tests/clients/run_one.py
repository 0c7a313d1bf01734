"""Runs one client inside its network namespace and writes what was found into a file."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tests.clients import processes, scenario
from tests.clients.clients import CLIENTS
from tests.clients.drivers import ROOT, Place, dead_proxies
from tests.clients.findings import findings
from tests.clients.model_server import ModelServer
from tests.clients.report import Run
from tests.support.site import Site

if TYPE_CHECKING:
    from tests.clients.drivers import Client

RUN_SECONDS = 120


def run(client: Client, *, keep: Path | None = None) -> Run:
    """Serve the page and the model, let the client work, and end everything."""
    isolated = processes.isolate_network()
    processes.adopt_orphans()
    site = Site()
    url = site.page(scenario.BODY, title=scenario.TITLE, head=scenario.STYLE)
    model = ModelServer(reply=partial(scenario.reply_to, url=url))
    try:
        with tempfile.TemporaryDirectory(prefix="bh-", ignore_cleanup_errors=True) as folder:
            place = Place(Path(folder), model.origin)
            place.prepare(server_options=client.server_options)
            made = _run_client(client, place, model, isolated=isolated)
            if keep:
                _keep(keep, place, model)
            return made
    finally:
        processes.kill_descendants()
        model.close()
        site.close()


def _run_client(client: Client, place: Place, model: ModelServer, *, isolated: bool) -> Run:
    argv, environment = client.command(place)
    if not isolated:
        environment |= dead_proxies()
    ended = processes.run_program(
        argv, environment=environment, folder=place.work, log=place.home / "output", seconds=RUN_SECONDS
    )
    boathook = [str(ROOT / ".venv/bin/boathook"), "daemon", "stop"]
    subprocess.run(boathook, env=place.environment, cwd=place.work, capture_output=True, check=False)
    had_to_be_killed = processes.wait_for_descendants()
    found = findings(model.recorded, mcp_log=place.mcp_log)
    return Run(
        client=client.name,
        version=client.package.version,
        api=client.api,
        isolated=isolated,
        seconds=round(ended.seconds, 1),
        exit_status=ended.exit_status,
        arrived=found.arrived,
        evidence=found.evidence,
        image_in_mcp=found.image_in_mcp,
        no_image=client.no_image,
        apis_used=sorted({request.dialect for request in model.recorded}),
        requests=len(model.recorded),
        output=ended.output[-2000:],
        model_failures=model.failures,
        had_to_be_killed=had_to_be_killed,
        left_running=processes.kill_descendants(),
    )


def _keep(folder: Path, place: Place, model: ModelServer) -> None:
    """Keep the requests, to look into a failure."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, request in enumerate(model.recorded):
        (folder / f"{number:02}.json").write_text(json.dumps(request.body, indent=1))
    (folder / "output").write_text((place.home / "output").read_text(errors="replace"))
    if place.mcp_log.exists():
        (folder / "mcp.jsonl").write_text(place.mcp_log.read_text())
    (folder / "other").write_text("\n".join(model.other_requests))


def main(argv: list[str]) -> None:
    """Run the client with this name, and write what was found into this file."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients.run_one")
    parser.add_argument("name")
    parser.add_argument("file", type=Path)
    parser.add_argument("--latest", action="store_true")
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args(argv)
    client = CLIENTS[asked.name].latest() if asked.latest else CLIENTS[asked.name]
    asked.file.write_text(json.dumps(asdict(run(client, keep=asked.keep))))


if __name__ == "__main__":
    main(sys.argv[1:])
