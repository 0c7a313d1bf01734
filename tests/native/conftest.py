"""The native client, compiled from the sources as they are, beside scripts that continue in Python."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from native.compiler import SCRIPT, compile_with, system_compiler

STAND_IN = f"""#!{sys.executable}
from tests.native.stand_in import run

run()
"""


@pytest.fixture(scope="session")
def compiled(tmp_path_factory):
    """The native client alone."""
    compiler = system_compiler()
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    program = tmp_path_factory.mktemp("compiled") / "boathook"
    compile_with(compiler, program, "-Wconversion", "-Werror")
    return program


def install(compiled, folder, *, script):
    """A folder with the native client under its names, and the script that it continues in."""
    shutil.copy(compiled, folder)
    for name in ("bh", "agent-browser"):
        (folder / name).symlink_to("boathook")
    place = folder / SCRIPT.name
    place.write_text(script)
    place.chmod(0o755)
    return folder


@pytest.fixture(scope="session")
def programs(compiled, tmp_path_factory):
    """As an installer leaves them."""
    script = SCRIPT.read_text().replace("#!python", f"#!{sys.executable}", 1)
    return install(compiled, tmp_path_factory.mktemp("programs"), script=script)


@pytest.fixture(scope="session")
def stand_in(compiled, tmp_path_factory):
    """The same, whose Python client starts daemons with the host of the daemon's tests."""
    return install(compiled, tmp_path_factory.mktemp("stand-in"), script=STAND_IN) / "boathook"


@pytest.fixture
async def user():
    from tests.daemon.conftest import User

    home = Path("/tmp") / f"bh{os.urandom(4).hex()}"
    home.mkdir()
    one = User(home)
    yield one
    await one.close()
