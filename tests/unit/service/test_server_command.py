"""The command that clients start: absolute, and valid after an update."""

import sys
from pathlib import Path

import pytest

from boathook.errors import BadRequest
from boathook.mcp_clients.server_command import server_command


@pytest.fixture
def bin_folder(tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("boathook", "uvx", "pipx", "other"):
        program = folder / name
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return folder


def command(bin_folder, *, prefix="/opt/venv", program="boathook", **more):
    environment = {"PATH": str(bin_folder)}
    return server_command(environment=environment, program=program, prefix=prefix, **more)


def test_the_program_on_path_is_named_by_its_absolute_path(bin_folder):
    assert command(bin_folder) == [f"{bin_folder}/boathook", "mcp"]
    assert command(bin_folder, tools="core,storage")[1:] == ["mcp", "--tools", "core,storage"]


def test_a_link_is_kept_since_updates_change_what_it_points_to(bin_folder, tmp_path):
    link = tmp_path / "boathook"
    link.symlink_to(bin_folder / "boathook")
    assert command(bin_folder, program=str(link)) == [str(link), "mcp"]


@pytest.mark.parametrize(
    ("prefix", "wanted"),
    [
        ("/home/a/.cache/uv/archive-v0/Q1xYz", ["uvx", "boathook"]),
        ("/home/a/.cache/uv/environments-v2/x-1", ["uvx", "boathook"]),
        ("/home/a/.local/pipx/.cache/0123", ["pipx", "run", "boathook"]),
        ("/home/a/.local/pipx/venvs/boathook", ["boathook"]),
        ("/home/a/.local/share/uv/tools/boathook", ["boathook"]),
    ],
)
def test_an_environment_that_was_made_for_one_run_is_not_named(bin_folder, prefix, wanted):
    program, *words = wanted
    assert command(bin_folder, prefix=prefix) == [f"{bin_folder}/{program}", *words, "mcp"]


def test_python_that_runs_the_module_is_named_too(tmp_path):
    made = command(tmp_path, program="/usr/lib/python3/site-packages/boathook/__main__.py")
    beside = Path(sys.executable).parent / "boathook"
    assert made == ([str(beside), "mcp"] if beside.exists() else [sys.executable, "-m", "boathook", "mcp"])


def test_another_command_is_made_absolute(bin_folder):
    assert command(bin_folder, given="other --from x boathook") == [
        f"{bin_folder}/other", "--from", "x", "boathook", "mcp",
    ]  # fmt: skip
    for wrong in ("nowhere boathook", "'unclosed"):
        with pytest.raises(BadRequest):
            command(bin_folder, given=wrong)
