"""What a plain installation brings, and that the heavy parts of it are loaded only when they are used."""

import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]


def test_a_plain_installation_has_the_mcp_server_and_images():
    names = {line.partition(">")[0] for line in PROJECT["dependencies"]}
    assert {"mcp", "pillow"} <= names


def test_extras_that_became_part_of_the_base_still_install():
    assert PROJECT["optional-dependencies"]["mcp"] == []
    assert PROJECT["optional-dependencies"]["images"] == []


def test_nothing_heavy_is_loaded_before_it_is_used():
    code = "import sys, boathook, boathook.service.host; print(sorted({'mcp', 'mcp_types', 'PIL', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    control = subprocess.run(
        [sys.executable, "-c", code.replace("import sys,", "import sys, PIL,")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert control.stdout.strip() == "['PIL']"
