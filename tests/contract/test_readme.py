"""The README, with the wheel alone in an empty environment: every line of its blocks runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.contract.test_wheel import install_wheel, wheel  # noqa: F401 (a fixture)

if TYPE_CHECKING:
    from tests.support.site import Site

README = (Path(__file__).resolve().parents[2] / "README.md").read_text()
SHELL = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
INSTALLERS = ("uv", "pipx", "pip")
PAGE = (
    "<title>Example Domain</title><h1>Example Domain</h1><p>This domain is for use in examples.</p>"
    "<p><a href=\"#more\" onclick=\"document.querySelector('p').textContent = 'More about it'\">Learn more</a></p>"
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]


class Machine:
    """An environment with the wheel, a home, and a page in place of example.org."""

    def __init__(self, folder: Path, wheel: Path, url: str) -> None:  # noqa: F811
        self.programs = install_wheel(folder / "venv", wheel)
        self.home = folder / "home"
        self.home.mkdir()
        self.url = url
        self.environment = {
            "HOME": str(self.home),
            "PATH": f"{self.programs}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
        }

    def run(self, *argv: str | Path) -> str:
        done = subprocess.run(
            [str(word) for word in argv],
            cwd=self.home,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, (argv, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture
def machine(tmp_path, wheel, site: Site):  # noqa: F811
    made = Machine(tmp_path, wheel, site.page(PAGE, title="Example Domain"))
    yield made
    made.run("boathook", "daemon", "stop")


def lines() -> list[list[str]]:
    return [
        shlex.split(line, comments=True) for block in SHELL for line in block.splitlines() if line.strip()
    ]


def test_every_line_and_the_python_example_run(machine):
    (machine.home / ".codex").mkdir()
    said = {}
    for words in lines():
        if words[0] in INSTALLERS:
            continue  # `make release-check` installs the wheel with each of them
        typed = [machine.url if word == "example.org" else word for word in words]
        said[" ".join(words)] = machine.run(*typed)
    assert "/bin/chrom" in said["boathook install"] or "chrome" in said["boathook install"]
    assert 'link "Learn more" @e2' in said["boathook snapshot"]
    assert "More about it" in said["boathook click @e2"]
    assert (machine.home / "page.png").stat().st_size > 1000
    assert "checked: " in said["boathook setup codex"]
    assert "boathook was removed from Codex" in said["boathook setup codex --undo"]
    [example] = PYTHON
    shown = machine.run("python", "-c", example.replace("https://example.org", machine.url))
    assert 'link "Learn more"' in shown
    assert "More about it" in shown


def test_the_entry_that_setup_writes_starts_a_server_that_opens_a_page(machine):
    machine.run("boathook", "setup", "cursor")
    entry = json.loads((machine.home / ".cursor/mcp.json").read_text())["mcpServers"]["boathook"]
    about = {"name": "test", "version": "1"}
    asked: list[dict[str, Any]] = [
        {
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about},
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "open", "arguments": {"url": machine.url}}},
        {"id": 3, "method": "tools/call", "params": {"name": "snapshot", "arguments": {}}},
    ]
    with subprocess.Popen(
        [entry["command"], *entry["args"]],
        cwd=machine.home,
        env={"HOME": str(machine.home), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        answer: dict[str, Any] = {}
        for message in asked:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            while "id" in message and answer.get("id") != message["id"]:
                answer = json.loads(server.stdout.readline())
        server.stdin.close()
    assert 'link "Learn more"' in answer["result"]["content"][0]["text"]
