"""Interruptions and lost daemons: the native client behaves as the Python one."""

import json
import os
import pty
import signal
import subprocess
from pathlib import Path

import pytest

from tests.daemon.conftest import CLIENT
from tests.support.waiting import until


@pytest.fixture(params=["native", "python"])
def client(request, stand_in):
    """The command of each client."""
    return [str(stand_in)] if request.param == "native" else CLIENT


async def held(user, client, *, name="a", **more):
    """A client whose call runs until it is cancelled."""
    user.run("ping")
    running = user.start("hold", name, command=client, start_new_session=True, **more)
    await until(lambda: user.has(f"{name}.begun"), named="the call began")
    return running


async def test_control_c_cancels_the_call(user, client):
    running = await held(user, client)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=20) == ("", "")
    assert running.returncode == 130
    await until(lambda: user.has("a.cancelled"), named="the call was cancelled")
    assert user.run("ping").stdout == "pong\n"


async def test_a_termination_ends_the_client_and_cancels_the_call(user, client):
    running = await held(user, client)
    running.terminate()
    assert running.wait(20) == -signal.SIGTERM
    await until(lambda: user.has("a.cancelled"), named="the call was cancelled")


async def test_an_ignored_control_c_is_ignored(user, stand_in):
    user.run("ping")
    command = ["sh", "-c", f"trap '' INT; exec {stand_in} hold a"]
    running = user.start(command=command, start_new_session=True)
    await until(lambda: user.has("a.begun"), named="the call began")
    running.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        running.wait(0.5)
    assert not user.has("a.cancelled")
    running.terminate()
    running.wait(20)


async def test_control_c_while_standard_input_is_read_sends_nothing(user, client):
    user.run("ping")
    reader, writer = os.pipe()
    running = user.start("hold", "a", "-", command=client, start_new_session=True, stdin=reader)
    await until(lambda: _is_waiting_for_input(running.pid), named="it reads")
    running.send_signal(signal.SIGINT)
    assert running.wait(20) == 130
    os.close(writer)
    os.close(reader)
    assert not user.has("a.begun")


def _is_waiting_for_input(pid):
    """By the kernel: the process sleeps in a read of a pipe."""
    return Path(f"/proc/{pid}/syscall").read_text().split()[:2] == ["0", "0x0"]


async def test_a_daemon_that_is_killed_leaves_the_outcome_open(user, client):
    running = await held(user, client)
    [pid] = user.daemons()
    os.kill(pid, signal.SIGKILL)
    out, err = running.communicate(timeout=20)
    assert (out, running.returncode) == ("", 7)
    assert err == (
        "error: outcome unknown: the daemon exited during the call (check the page before you repeat the call) "
        "[outcome_unknown]\n"
    )


def test_no_daemon_and_an_old_socket_start_a_new_one(user, client):
    assert user.run("ping", command=client).stdout == "pong\n"
    [pid] = user.daemons()
    os.kill(pid, signal.SIGKILL)
    assert user.run("ping", command=client).stdout == "pong\n"
    assert pid not in user.daemons()


async def test_a_daemon_that_is_shutting_down_is_followed_by_the_next(user, client):
    user.run("ping")
    [pid] = user.daemons()
    blocking = user.start("until", "b")
    await until(lambda: user.has("b.begun"), named="a call runs")
    os.kill(pid, signal.SIGTERM)
    late = user.start("facts", "-", command=client, stdin=subprocess.PIPE)
    (user.work / "b.go").touch()
    out, _ = late.communicate("given once", timeout=40)
    assert '"stdin": "given once"' in out
    blocking.wait(30)


def test_standard_input_survives_the_change_to_python(user, client):
    """Without a daemon the native client has read it before it becomes the Python one."""
    text = "größe " * 200_000
    assert user.daemons() == []
    assert user.run("facts", "-", command=client, given=text).stdout.count("gr") == 200_000
    assert user.daemons() != []
    assert user.run("facts", "-", command=client, given=text).stdout.count("gr") == 200_000


def test_a_reader_that_leaves_is_not_an_error(user, client):
    user.run("ping")
    line = f"{' '.join(client)} large 9000000 | head -c 3; echo ${{PIPESTATUS[0]}}"
    quiet = user.run(command=["bash", "-c", line])
    assert (quiet.stdout, quiet.stderr) == ("xxx0\n", "")


def test_output_that_cannot_be_written_is_an_error(user, client):
    user.run("ping")
    full = user.run(command=["sh", "-c", f"{' '.join(client)} ping > /dev/full"])
    assert (full.returncode, full.stderr) == (
        1,
        "error: cannot write the output: No space left on device\n",
    )
    closed = user.run(command=["sh", "-c", f"{' '.join(client)} ping <&- >&-"])
    assert (closed.returncode, closed.stderr) == (1, "error: cannot write the output: Bad file descriptor\n")


def test_the_daemon_learns_the_same_from_both(user, stand_in):
    user.environment |= {
        "BOATHOOK_X": "ü",
        "AGENT_BROWSER_Y": "",
        "PUPPETEER_PROXY_Z": "1",
        "TERM": "xterm",
        "KEY": "secret",
    }
    argv = ["facts", "é🎉", b"\xff", "a=env:KEY,]", '\x01\x7f"\\']
    told = [user.run(*argv, command=command).stdout for command in (CLIENT, [str(stand_in)])]
    python, native = (_without_owner(text) for text in told)
    assert native[0] == python[0]
    assert "secret" in native[0]
    assert native[1]["pid"] > 1
    assert native[1]["start_time"] >= python[1]["start_time"] > 0, "in the same unit"


def _without_owner(text):
    facts = json.loads(text)
    owner = facts.pop("owner")
    assert facts.pop("peer") == owner["pid"]
    return json.dumps(facts, sort_keys=True), owner


def test_a_folder_that_others_may_enter_is_refused(user, client):
    user.run("ping")
    user.folder.chmod(0o755)
    refused = user.run("ping", command=client)
    user.folder.chmod(0o700)
    assert refused.returncode == 7
    assert "is open to others" in refused.stderr
    assert user.run("ping", command=client).stdout == "pong\n"


def test_a_folder_with_a_long_path_leads_to_the_same_daemon(user, stand_in):
    long = user.home / ("d" * 100)
    long.mkdir(mode=0o700)
    user.environment["BOATHOOK_RUNTIME_DIR"] = str(long)
    user.run("ping")
    [pid] = user.daemons()
    assert user.run("ping", command=[str(stand_in)]).stdout == "pong\n"
    assert user.daemons() == [pid]


def test_progress_on_a_terminal(user, stand_in):
    user.run("ping")
    here, there = pty.openpty()
    child = subprocess.Popen(
        [stand_in, "say", "one", "two"],
        env=user.environment,
        cwd=user.work,
        stdin=there,
        stdout=there,
        stderr=there,
    )
    os.close(there)
    seen = b""
    while b"said\r\n" not in seen:
        seen += os.read(here, 4096)
    assert child.wait(20) == 0
    os.close(here)
    assert seen == b"\r\x1b[Kone\r\x1b[Ktwo\r\x1b[Ksaid\r\n"
