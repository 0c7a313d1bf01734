"""Which daemon a client reaches follows from the user and HOME, whatever else of the environment was dropped."""

import os
import pwd
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client

from boathook import runtime_folder
from tests.mcp.clients import text_of
from tests.support.program import Program


@pytest.mark.parametrize(
    "variables",
    [
        {"XDG_RUNTIME_DIR": ""},
        {"TMPDIR": "/var/tmp"},
        {"XDG_CACHE_HOME": "{home}/other-cache", "XDG_STATE_HOME": "{home}/other-state"},
        {"XDG_RUNTIME_DIR": "{home}/work"},
        {"HOME": "{home}/"},
    ],
    ids=",".join,
)
def test_clients_with_different_environments_reach_one_daemon(user, variables):
    assert user.run("ping").stdout == "pong\n"
    first = user.status()["pid"]
    user.environment |= {name: value.format(home=user.home) for name, value in variables.items()}
    assert user.status()["pid"] == first
    assert user.daemons() == [first]


def test_another_home_is_another_daemon(user):
    assert user.run("ping").stdout == "pong\n"
    first = user.status()["pid"]
    other = user.home / "other"
    other.mkdir(mode=0o700)
    user.environment["HOME"] = str(other)
    assert user.run("ping").stdout == "pong\n"
    assert user.status()["pid"] != first
    assert len(user.daemons()) == 2


def test_a_variable_names_another_folder(user):
    named = user.home / "named"
    user.environment["BOATHOOK_RUNTIME_DIR"] = str(named)
    assert user.run("ping").stdout == "pong\n"
    assert (named / "daemon.sock").exists()
    assert stat.S_IMODE(named.stat().st_mode) == 0o700
    assert not user.folder.exists()


def test_without_home_the_system_says_where_it_is():
    assert runtime_folder.home_folder({}) == pwd.getpwuid(os.geteuid()).pw_dir
    assert runtime_folder.home_folder({"HOME": "relative"}) == pwd.getpwuid(os.geteuid()).pw_dir
    assert runtime_folder.home_folder({"HOME": "/home/ada/"}) == "/home/ada"


def test_a_home_of_another_user_gets_no_files_of_ours(tmp_path):
    os.chown(tmp_path, 12345, 12345)
    folder = Path(runtime_folder.daemon_folder({"HOME": str(tmp_path)}))
    try:
        assert folder.parent == Path("/tmp")
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert list(tmp_path.iterdir()) == []
    finally:
        folder.rmdir()


def test_finding_the_daemon_loads_nothing_of_the_password_database_while_there_is_a_home(tmp_path):
    code = "import sys; from boathook.runtime_folder import home_folder; home_folder(); print('pwd' in sys.modules)"

    def loaded(**home):
        return subprocess.run(
            [sys.executable, "-c", code], env=home, capture_output=True, text=True, check=True
        ).stdout.strip()

    assert loaded(HOME=str(tmp_path)) == "False"
    assert loaded() == "True", "the control"


@pytest.fixture
def program(tmp_path, monkeypatch):
    made = Program(tmp_path)
    monkeypatch.setenv("HOME", made.environment["HOME"])
    yield made
    made.stop()


async def test_an_mcp_server_with_a_clients_default_environment_and_the_command_line_meet(program, site):
    """The Python SDK hands on HOME, PATH and little else."""
    handed_on = get_default_environment()
    assert "XDG_RUNTIME_DIR" not in handed_on
    assert handed_on["HOME"] == program.environment["HOME"]
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "boathook", "mcp", "--session", "shared"], cwd=program.work
    )
    opened = program("--session", "shared", "open", site.page("<p>x</p>", title="Meeting"))
    assert opened.returncode == 0, opened.stderr
    async with Client(stdio_client(server)) as client:
        assert 'page "Meeting"' in text_of(await client.call_tool("snapshot", {}))
