"""Where the native client may be installed: it finds its environment beside it, behind links and in folders with any name."""

import subprocess
import sys

import pytest
from native.compiler import SCRIPT

from boathook import __version__
from tests.native.conftest import install


@pytest.mark.parametrize("name", ["with space", "\u00fcber", "long" * 50, "#!"])
def test_the_folder_of_the_environment_has_any_name(compiled, tmp_path, name):
    """Installers write the path of the interpreter into the first line of the script, however long it is."""
    folder = tmp_path / name
    folder.mkdir()
    interpreter = folder / "python"
    interpreter.symlink_to(sys.executable)
    install(compiled, folder, script=SCRIPT.read_text().replace("#!python", f"#!{interpreter}", 1))
    environment = {"PYTHONPATH": ":".join(sys.path), "HOME": str(tmp_path)}
    link = tmp_path / "linked"
    link.symlink_to(folder / "boathook")
    for program in (folder / "boathook", folder / "bh", link):
        done = subprocess.run(
            [program, "--version"], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.stdout, done.stderr) == (f"boathook {__version__}\n", "")


def test_a_missing_script_is_one_clear_line(compiled, tmp_path):
    program = install(compiled, tmp_path, script="") / "boathook"
    (tmp_path / SCRIPT.name).unlink()
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 127
    assert done.stderr == f"error: cannot start {tmp_path}/{SCRIPT.name}: No such file or directory\n"


def test_a_first_line_with_options_is_left_to_the_kernel(compiled, tmp_path):
    program = install(compiled, tmp_path, script="#!/bin/sh -e\nprintf '%s,' \"$@\"\n") / "boathook"
    done = subprocess.run([program, "help", "a b"], capture_output=True, text=True, check=False)
    assert done.stdout == f"--for-native,{program},run,help,a b,"
