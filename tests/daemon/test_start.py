"""Starting: exactly one daemon, whatever was left by others and however many come at once."""

import contextlib
import json
import os
import signal
import socket
import stat
import time
from pathlib import Path

import pytest

from boathook.client.start_daemon import reach_daemon
from boathook.wire.socket_address import peer_of
from tests.daemon.conftest import ROOT
from tests.support.waiting import until


def test_a_call_starts_a_daemon_and_the_next_one_finds_it(user):
    assert user.status() == {"running": False}
    first = user.run("ping")
    assert (first.stdout, first.stderr, first.returncode) == ("pong\n", "", 0)
    [pid] = user.daemons()
    assert user.run("ping").stdout == "pong\n"
    assert user.daemons() == [pid]
    assert user.status()["pid"] == pid


@pytest.mark.parametrize("round_number", [1, 2])
def test_of_32_clients_at_once_none_fails_and_one_daemon_is_there(user, round_number):
    clients = [user.start("ping") for _ in range(32)]
    ended = [(*client.communicate(timeout=50), client.returncode) for client in clients]
    assert set(ended) == {("pong\n", "", 0)}
    assert len(user.daemons()) == 1
    log = (user.folder / "daemon.log").read_text()
    assert log.count("daemon.started") == 1, log


def test_what_a_dead_daemon_left_is_no_obstacle(user):
    user.run("ping")
    [pid] = user.daemons()
    os.kill(pid, signal.SIGKILL)
    assert user.socket.exists()
    assert (user.folder / "daemon.lock").exists()
    assert user.run("ping").stdout == "pong\n"
    assert pid not in user.daemons()


def test_a_client_that_outlives_its_daemon_is_not_its_parent(user, monkeypatch):
    """A daemon that ends is then no zombie, however long an MCP server goes on."""
    for name, value in user.environment.items():
        monkeypatch.setenv(name, value)
    user.folder.mkdir(mode=0o700)
    with reach_daemon(str(user.folder), arguments=("--host", "tests.daemon.fake_host:Host")) as connection:
        assert parent_of(connection.pid) != os.getpid()


def parent_of(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_a_file_where_the_socket_should_be_is_replaced_and_a_directory_is_named(user):
    user.folder.mkdir(mode=0o700)
    user.socket.write_text("stale")
    assert user.run("ping").stdout == "pong\n"
    user.run("daemon", "stop")
    user.socket.mkdir()
    refused = user.run("ping")
    assert refused.returncode == 7
    assert "the path is a directory" in refused.stderr


def test_files_of_the_daemon_are_private(user):
    user.run("ping")
    modes = {path.name: stat.S_IMODE(path.lstat().st_mode) for path in user.folder.iterdir()}
    assert modes == {"daemon.sock": 0o600, "daemon.lock": 0o600, "daemon.log": 0o600, "start.lock": 0o600}
    assert stat.S_IMODE(user.folder.stat().st_mode) == 0o700


def test_a_folder_of_ours_that_others_may_enter_is_refused(user):
    user.folder.mkdir(mode=0o700)
    user.folder.chmod(0o755)
    refused = user.run("ping")
    assert refused.returncode == 7
    assert "is open to others (mode 755; chmod 700" in refused.stderr
    assert list(user.folder.iterdir()) == []
    assert user.daemons() == []
    user.folder.chmod(0o700)
    assert user.run("ping").stdout == "pong\n", "the positive control"


def test_a_link_in_place_of_the_folder_is_passed_by(user):
    elsewhere = user.home / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    user.folder.symlink_to(elsewhere)
    assert user.run("ping").stdout == "pong\n"
    assert list(elsewhere.iterdir()) == []
    assert (user.elsewhere / "daemon.sock").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="giving a folder away needs root")
def test_a_folder_of_somebody_else_is_passed_by(user):
    user.folder.mkdir(mode=0o700)
    os.chown(user.folder, 12345, 12345)
    assert user.run("ping").stdout == "pong\n"
    assert list(user.folder.iterdir()) == []


def test_when_every_place_is_refused_each_is_named_with_its_reason(user):
    for place in (user.folder, user.elsewhere):
        place.write_text("in the way")
    refused = user.run("ping")
    user.elsewhere.unlink()
    assert refused.returncode == 7
    assert refused.stderr.count("is a link, or not a directory") == 2
    assert "[daemon_not_started]" in refused.stderr


def test_a_folder_with_a_long_name_gets_a_socket_with_a_short_one(user):
    deep = user.home / ("d" * 60) / ("e" * 60)
    deep.mkdir(mode=0o700, parents=True)
    user.environment["HOME"] = str(deep)
    assert user.run("ping").stdout == "pong\n"
    assert (deep / ".cache/boathook/run/daemon.lock").exists()
    assert not (deep / ".cache/boathook/run/daemon.sock").exists()
    [short] = [
        path for path in Path("/tmp").glob(f"boathook-{os.geteuid()}-*/daemon.sock") if _serves(path, user)
    ]
    assert stat.S_IMODE(short.parent.stat().st_mode) == 0o700
    [pid] = user.daemons()
    assert user.status()["pid"] == pid
    assert user.run("daemon", "stop").stdout == "the daemon stopped\n"
    assert not short.parent.exists()


def test_a_daemon_that_cannot_start_tells_its_last_words(user):
    user.environment["STAND_IN"] = "tests.daemon.fake_host:BrokenHost"
    failed = user.run("ping")
    assert failed.returncode == 7
    assert "RuntimeError: no engine today" in failed.stderr
    assert str(user.folder / "daemon.log") in failed.stderr


@pytest.mark.parametrize("name", ["daemon.log", "daemon.lock", "start.lock"])
def test_a_link_in_place_of_a_file_is_not_followed(user, name):
    user.folder.mkdir(mode=0o700)
    (user.folder / name).symlink_to(user.home / "precious")
    refused = user.run("ping")
    assert refused.returncode == 7
    assert "Traceback" not in refused.stderr
    assert not (user.home / "precious").exists()
    (user.folder / name).unlink()
    assert user.run("ping").stdout == "pong\n", "the positive control"


def test_the_daemon_inherits_names_on_the_list_and_no_others(user):
    secrets = {f"CANARY_{number}": "hunter2" for number in range(50)}
    user.environment |= {**secrets, "AWS_SECRET_ACCESS_KEY": "hunter2", "LC_ALL": "C.UTF-8"}
    there = json.loads(user.run("environment").stdout)
    assert there["LC_ALL"] == "C.UTF-8"
    assert there["HOME"] == str(user.home)
    assert "hunter2" not in there.values()


def test_the_daemon_holds_nothing_open_for_its_starter(user):
    """A shell that waits for the end of a pipe waits for everyone who holds it."""
    reading, writing = os.pipe()
    answered = user.run("ping", pass_fds=[writing])
    os.close(writing)
    assert answered.stdout == "pong\n"
    assert os.read(reading, 1) == b"", "the daemon holds the pipe"
    os.close(reading)
    found = json.loads(user.run("open_files").stdout)
    assert found == ["/dev/null", "/dev/null", str(user.folder / "daemon.log")]


def test_a_starter_that_is_killed_leaves_a_start_that_others_can_finish(user):
    began = time.monotonic()
    for _ in range(3):
        starter = user.start("ping")
        starter.kill()
        starter.communicate()
    assert user.run("ping").stdout == "pong\n"
    assert len(user.daemons()) == 1
    assert time.monotonic() - began < 30


async def test_a_socket_that_a_cleaner_removed_comes_back(user):
    user.environment["STAND_IN_IDLE"] = "8"
    user.start("until", "a")  # or it would end for want of calls while we look
    await until(lambda: user.has("a.begun"), named="a call began")
    [pid] = user.daemons()
    user.socket.unlink()
    user.socket.mkdir()
    await until(lambda: "not_restored" in (user.folder / "daemon.log").read_text(), named="it tried in vain")
    user.socket.rmdir()
    await until(user.socket.exists, named="the socket is there again")
    assert user.status()["pid"] == pid


def test_the_working_directory_is_not_searched_for_modules(user):
    (user.work / "asyncio.py").write_text("raise SystemExit('hijacked')")
    answered = user.run("ping", command=["sh", "-c", f'cd {ROOT} && exec "$0" "$@"', *_client()])
    assert answered.stdout == "pong\n"
    user.run("daemon", "stop")
    script = "import sys; sys.path.remove(''); from boathook.surfaces.cli.main import main; sys.exit(main(sys.argv[1:]"
    script += ", daemon_arguments=['--host', 'tests.daemon.fake_host:Host']))"
    assert user.run("ping", command=[_client()[0], "-c", script]).stdout == "pong\n"


def _serves(path, user):
    """Whether the daemon at this socket is one of this user's."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as trying:
        trying.connect(str(path))
        return peer_of(trying)[0] in user.daemons()
    return False


def _client():
    from tests.daemon.conftest import CLIENT

    return CLIENT
