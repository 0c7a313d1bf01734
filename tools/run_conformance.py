"""Runs the public MCP conformance suite and the official inspector against the MCP server; fails if anything fails.

The suite's fixtures are served by `tests/mcp/conformance/server.py` through the project's server, guard and transport; scenarios
without fixtures run against the product itself. Node and the suite come from npm, into `.cache/conformance`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".cache/conformance"
MODULES = FOLDER / "node_modules"
NODE = "node@24"
PACKAGES = (
    "@modelcontextprotocol/inspector@2",
    "conformance-2025@npm:@modelcontextprotocol/conformance@0.1.16",
    "conformance-2026@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
)
"""The suite's stable release supports the protocol up to 2025-11-25, the next one also 2026-07-28."""
WITHOUT_FIXTURES = {
    "conformance-2025": (
        "server-initialize", "ping", "logging-set-level", "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams",
        "dns-rebinding-protection",
    ),
    "conformance-2026": (
        "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams", "sep-2164-resource-not-found",
        "dns-rebinding-protection", "caching", "http-header-validation",
    ),
}  # fmt: skip
LATEST = "2026-07-28"
LEFT_OUT = "tasks-"
"""Scenarios of an optional extension that the suite itself does not score."""


def main() -> int:
    """Run everything; returns 1 if something failed."""
    _install()
    failed = 0
    with _served("tests.mcp.conformance.server") as url:
        failed += _suite("conformance-2025", url, "--suite", "all")
        failed += _suite("conformance-2026", url, "--requirements", LATEST)
    with _served("tests.mcp.conformance.product") as url:
        for suite, scenarios in WITHOUT_FIXTURES.items():
            version = ("--spec-version", LATEST) if suite == "conformance-2026" else ()
            for scenario in scenarios:
                failed += _suite(suite, url, "--scenario", scenario, *version)
    failed += _inspector()
    sys.stdout.write("conformance: all passed\n" if not failed else f"conformance: {failed} runs failed\n")
    return 1 if failed else 0


def _install() -> None:
    """Install Node.js and the suite; npm then runs on that Node.js, since it installs what fits the one it runs on."""
    if all((MODULES / name).is_dir() for name in ("node", "conformance-2025", "conformance-2026")):
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "package.json").write_text('{"private": true}\n')
    newer = {**os.environ, "PATH": f"{MODULES / 'node/bin'}{os.pathsep}{os.environ['PATH']}"}
    for packages, environment in (((NODE,), dict(os.environ)), (PACKAGES, newer)):
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *packages]
        subprocess.run(command, cwd=FOLDER, env=environment, check=True)


def _node() -> str:
    return str(MODULES / "node/bin/node")


def _environment(home: str) -> dict[str, str]:
    runtime = Path(home, "run")
    runtime.mkdir(mode=0o700, exist_ok=True)
    return {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": str(runtime), "NO_COLOR": "1"}


@contextmanager
def _served(module: str) -> Iterator[str]:
    """A server in a separate process; returns its URL."""
    with tempfile.TemporaryDirectory() as home:
        environment = _environment(home)
        server = subprocess.Popen(
            [sys.executable, "-m", module, "0"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        )
        try:
            assert server.stdout is not None
            yield server.stdout.readline().strip()
        finally:
            server.terminate()
            server.wait()
            _end_daemon(environment)


def _end_daemon(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "boathook", "daemon", "stop"]
    subprocess.run(command, env=environment, capture_output=True, check=False)


def _suite(suite: str, url: str, *options: str) -> int:
    program = str(MODULES / suite / "dist/index.js")
    done = subprocess.run(
        [_node(), program, "server", "--url", url, *options],
        cwd=FOLDER,
        capture_output=True,
        text=True,
        check=False,
    )
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    totals = re.findall(r"^Total: .*$|^Passed: .*$", said, re.MULTILINE)
    failing = set(re.findall(r"^\s*✗ ([\w-]+)", said, re.MULTILINE))
    left_out = {name for name in failing if name.startswith(LEFT_OUT)}
    note = f" (of the extension {LEFT_OUT.rstrip('-')}, which is not offered)" if left_out else ""
    sys.stdout.write(f"{suite} {' '.join(options)}: {totals[-1] if totals else 'no total'}{note}\n")
    if not done.returncode and failing == left_out and totals:
        return 0
    sys.stdout.write(said[-4000:])
    return 1


def _inspector() -> int:
    """The official inspector's command line, over stdio: what it lists, and one call."""
    failed = 0
    with tempfile.TemporaryDirectory() as home:
        environment = _environment(home)
        facts = json.loads((MODULES / "@modelcontextprotocol/inspector/package.json").read_text())
        program = str(MODULES / "@modelcontextprotocol/inspector" / facts["bin"]["mcp-inspector"])
        server = [sys.executable, "-m", "boathook", "mcp"]
        for method, wanted in (
            (["tools/list"], "snapshot"),
            (["resources/list"], "boathook://snapshot"),
            (["prompts/list"], "do_task"),
            (["tools/call", "--tool-name", "tabs"], '"content"'),
        ):
            done = subprocess.run(
                [_node(), program, "--cli", *server, "--method", *method],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            fits = done.returncode == 0 and wanted in done.stdout and _is_json(done.stdout)
            sys.stdout.write(f"inspector {' '.join(method)}: {'passed' if fits else 'FAILED'}\n")
            if not fits:
                sys.stdout.write((done.stdout + done.stderr)[-2000:])
                failed += 1
        _end_daemon(environment)
    return failed


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
