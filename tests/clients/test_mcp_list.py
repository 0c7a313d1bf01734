"""`boathook setup NAME` in an empty home, then the client's own list of MCP servers; and undo leaves its file as it was."""

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.clients.installing import CannotInstall, NpmPackage, PythonPackages, path_with_node
from tests.clients.programs import PROGRAMS
from tests.support.thorough import sample

PROGRAM = Path(sys.executable).parent / "boathook"
PACKAGES = {client.name: client.package for client in PROGRAMS}
COLOURS = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True)
class Listing:
    """How a client lists its servers, and what it prints for one that it has connected to."""

    package: NpmPackage | PythonPackages
    seen: str
    file: str
    original: str = ""
    argv: tuple[str, ...] = ("mcp", "list")
    variables: dict[str, str] = field(default_factory=dict)


LISTINGS = {
    "claude": Listing(
        PACKAGES["Claude Code"],
        r"boathook: .*boathook mcp - ✔ Connected",
        ".claude.json",
        '{"theme": "dark"}',
    ),
    # Cline, Codex, Copilot and Goose list what they have read; they connect when a session begins (for Codex: `make clients`).
    "codex": Listing(
        PACKAGES["Codex"], r"boathook +\S*boathook +mcp .* enabled", ".codex/config.toml", "# mine\n"
    ),
    "cline": Listing(
        NpmPackage("@cline/cli-linux-x64", "3.0.65", "bin/cline", native=True),
        r"boathook \[stdio\]",
        ".cline/data/settings/cline_mcp_settings.json",
        '{\n  "mcpServers": {}\n}',
        argv=("config", "mcp"),
    ),
    "copilot": Listing(
        NpmPackage("@github/copilot-linux-x64", "1.0.102", "copilot", native=True),
        r"User servers:\s+boathook \(local\)",
        ".copilot/mcp-config.json",
        '{"mcpServers": {}}',
    ),
    "gemini": Listing(
        PACKAGES["Gemini CLI"],
        r"✓ boathook: .*boathook mcp \(stdio\) - Connected",
        ".gemini/settings.json",
        '{\n  // mine\n  "ui": {"theme": "Default"}\n}\n',
        variables={"GEMINI_CLI_TRUST_WORKSPACE": "true"},
    ),
    "goose": Listing(
        NpmPackage("@aaif/goose-binary-linux-x64", "1.52.0", "bin/goose", native=True),
        r"boathook:\s+enabled: true\s+type: stdio\s+name: boathook\s+cmd: /",
        ".config/goose/config.yaml",
        "# mine\nGOOSE_PROVIDER: openai\n",
        argv=("info", "-v"),
    ),
    "openclaw": Listing(
        NpmPackage("openclaw", "2026.9.6", "openclaw.mjs"),
        r"boathook: 12 tools",
        ".openclaw/openclaw.json",
        '{\n  // mine\n  "agents": {},\n}\n',
        argv=("mcp", "probe"),
    ),
    "opencode": Listing(
        PACKAGES["OpenCode"],
        r"✓ boathook\s+connected",
        ".config/opencode/opencode.json",
        '{\n  // mine\n  "autoupdate": false,\n}\n',
        variables={"OPENCODE_DISABLE_AUTOUPDATE": "true", "OPENCODE_DISABLE_MODELS_FETCH": "true"},
    ),
    "qwen": Listing(
        PACKAGES["Qwen Code"],
        r"✓ boathook: .*boathook mcp \(stdio\) - Connected",
        ".qwen/settings.json",
        '{"$version": 3}',
    ),
}


def run(home, *argv, **variables):
    return subprocess.run(
        [str(word) for word in argv],
        cwd=home,
        env={
            "HOME": str(home),
            "PATH": path_with_node(),
            "LANG": "C.UTF-8",
            "TMPDIR": str(home),
            **variables,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", sample(list(LISTINGS), 1))
def test_a_client_that_was_set_up_lists_the_server_as_connected(name, tmp_path):
    listing = LISTINGS[name]
    try:
        listing.package.install()
    except CannotInstall as error:
        pytest.skip(f"{name} cannot be installed here: {error}")
    file = tmp_path / listing.file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(listing.original)
    assert not re.search(listing.seen, seen_by(listing, tmp_path)), "the control: it is not set up yet"
    file.write_text(listing.original)  # some rewrite it when they start
    try:
        assert run(tmp_path, PROGRAM, "setup", name).returncode == 0
        written = file.read_bytes()
        shown = seen_by(listing, tmp_path)
    finally:
        run(tmp_path, PROGRAM, "daemon", "stop")
    assert re.search(listing.seen, shown), shown
    is_ours = file.read_bytes() == written
    assert run(tmp_path, PROGRAM, "setup", name, "--undo").returncode == 0
    assert not re.search(r'"boathook"|[.\s]boathook[]:]', file.read_text())
    assert not is_ours or file.read_text() == listing.original


def seen_by(listing, home):
    done = run(home, *listing.package.argv, *listing.argv, **listing.variables)
    return COLOURS.sub("", done.stdout)
