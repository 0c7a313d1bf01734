"""Conversations: replies to foreign users, other versions and broken clients, and the fate of calls."""

import json
import os
import signal
import subprocess
import sys

import pytest

from boathook import __version__
from boathook.wire import framing, messages
from tests.support.waiting import until

HELLO = messages.hello(version=__version__)


def call(id, *argv, **changed):
    return (
        messages.call(
            id,
            argv=list(argv),
            cwd="/",
            terminal=messages.terminal(is_tty=False, columns=80, colour=False),
            environment={},
            stdin=None,
            owner=messages.owner(pid=1, start_time=None),
        )
        | changed
    )


def greeted(user):
    user.run("daemon", "start")
    raw = user.connect()
    raw.send(HELLO)
    assert raw.receive()["type"] == "hello"
    return raw


async def test_a_daemon_killed_while_it_works_gives_unknown_outcome_and_the_next_call_a_new_one(user):
    holding = user.start("hold", "a")
    await until(lambda: user.has("a.begun"), named="the call began")
    [pid] = user.daemons()
    os.kill(pid, signal.SIGKILL)
    out, err = holding.communicate(timeout=20)
    assert (out, holding.returncode) == ("", 7)
    assert err.startswith("error: outcome unknown: the daemon exited during the call")
    assert "[outcome_unknown]" in err
    assert user.run("ping").stdout == "pong\n"
    assert not user.has("a.cancelled"), "it was not sent again"
    assert pid not in user.daemons()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_a_client_that_dies_takes_its_call_along(user, number):
    holding = user.start("hold", "a")
    await until(lambda: user.has("a.begun"), named="the call began")
    assert user.status()["calls"] == ["hold a"]
    holding.send_signal(number)
    await until(lambda: user.has("a.cancelled"), named="the call was cancelled")
    assert user.run("ping").stdout == "pong\n"
    assert user.status()["calls"] == []


async def test_control_c_cancels_the_call_and_exits_with_130(user):
    holding = user.start("hold", "a")
    await until(lambda: user.has("a.begun"), named="the call began")
    holding.send_signal(signal.SIGINT)
    out, err = holding.communicate(timeout=20)
    assert (out, err, holding.returncode) == ("", "", 130)
    assert user.has("a.cancelled"), "the client waits for the end of the call"
    assert user.run("ping").stdout == "pong\n"


def test_cancel_is_answered_and_other_calls_go_on(user):
    raw = greeted(user)
    raw.send(call("one", "hold", "a", cwd=str(user.work)))
    raw.send(call("two", "until", "b", cwd=str(user.work)))
    assert raw.receive() == messages.progress("one", text="holding")
    raw.send(messages.cancel("one"))
    assert raw.receive() == messages.answer("one", out="", err="cancelled\n", exit=130)
    raw.send(messages.cancel("no such call"))
    (user.work / "b.go").touch()
    assert raw.receive() == messages.answer("two", out="gone\n", err="", exit=0)


def test_a_call_that_is_cancelled_in_the_same_breath_is_answered(user):
    raw = greeted(user)
    raw.send(
        framing.pack(call("one", "hold", "a", cwd=str(user.work))) + framing.pack(messages.cancel("one"))
    )
    assert [raw.receive()["type"], raw.receive()["type"]] == ["progress", "answer"]
    raw.send(call("one", "ping"))
    assert raw.receive()["out"] == "pong\n", "its name is free again"
    assert user.status()["calls"] == []


def test_another_protocol_gets_a_clear_answer_and_the_daemon_goes_on(user):
    user.run("daemon", "start")
    raw = user.connect()
    raw.send(HELLO | {"protocol": 99})
    refused = raw.receive()
    assert refused["type"] == "refused"
    assert (
        f"boathook {__version__} and speaks protocol 1, not 99; its pages are untouched" in refused["reason"]
    )
    assert "boathook daemon restart" in refused["hint"]
    assert raw.receive() is None
    assert user.run("ping").stdout == "pong\n"


def test_a_client_that_is_refused_says_why_and_what_to_do(user):
    user.run("daemon", "start")
    script = "import sys; from boathook.wire import messages; messages.PROTOCOL = 2; "
    script += "from boathook.surfaces.cli.main import main; sys.exit(main(sys.argv[1:]))"
    refused = user.run("ping", command=[sys.executable, "-c", script])
    assert refused.returncode == 7
    assert "speaks protocol 1, not 2; its pages are untouched (boathook daemon restart" in refused.stderr


def test_another_version_of_the_same_protocol_is_served_with_a_note(user):
    [pid] = user.run("daemon", "start") and user.daemons()
    script = "import sys; import boathook._version as v; v.__version__ = '9.9'; "
    script += "from boathook.surfaces.cli.main import main; sys.exit(main(sys.argv[1:]))"
    served = user.run("ping", command=[sys.executable, "-c", script])
    assert (served.stdout, served.returncode) == ("pong\n", 0)
    assert served.stderr.startswith(f"note: the daemon is boathook {__version__}, this is 9.9")
    assert user.daemons() == [pid]


def test_every_version_may_ask_for_status_and_stop_without_a_hello(user):
    user.run("daemon", "start")
    raw = user.connect()
    raw.send({"type": "status", "protocol": 99})
    assert raw.receive()["pid"] == user.daemons()[0]
    raw.send({"type": "stop"})
    assert raw.receive() == {"type": "stopping", "calls": []}
    assert raw.receive() is None
    assert user.daemons() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="becoming another user needs root")
def test_another_user_is_refused_even_when_the_folder_lets_them_in(user):
    user.run("daemon", "start")
    for path, mode in ((user.home, 0o755), (user.runtime, 0o755), (user.folder, 0o755), (user.socket, 0o666)):
        path.chmod(mode)
    speak = (
        "import os, socket, sys; os.setgid(12345); os.setuid(12345); s = socket.socket(socket.AF_UNIX); "
        "s.connect(sys.argv[1]); print(s.recv(4096)[4:].decode())"
    )
    said = subprocess.run(
        [sys.executable, "-c", speak, user.socket],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(said.stdout)["reason"] == "this daemon serves another user"
    assert "client.refused user=12345" in (user.folder / "daemon.log").read_text()


MALFORMED = {
    "a frame over the limit": ((64 << 20) + 1).to_bytes(4, "big") + b"{}",
    "an HTTP request": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "no JSON": b"\x00\x00\x00\x04{{{{",
    "no UTF-8": b"\x00\x00\x00\x02\xff\xfe",
    "a list": b"\x00\x00\x00\x02[]",
    "an object without a type": b"\x00\x00\x00\x02{}",
    "deep nesting": (60_000).to_bytes(4, "big") + b"[" * 60_000,
    "an unknown type": framing.pack({"type": "nonsense"}),
}


@pytest.mark.parametrize("name", MALFORMED)
@pytest.mark.parametrize("said_hello", [True, False])
def test_what_is_no_message_is_refused_and_the_daemon_goes_on(user, name, said_hello):
    raw = greeted(user)
    if not said_hello:
        raw = user.connect()
    raw.send(MALFORMED[name])
    refused = raw.receive()
    assert refused["type"] == "refused"
    assert refused["reason"]
    assert raw.receive() is None
    assert user.run("ping").stdout == "pong\n"


@pytest.mark.parametrize(
    "changed",
    [
        {"argv": "ping"},
        {"argv": [1]},
        {"cwd": None},
        {"terminal": {}},
        {"environment": {"A": 1}},
        {"stdin": 3},
        {"owner": {"pid": "1"}},
    ],
)
def test_a_call_with_a_wrong_field_is_refused_by_name_and_the_connection_stays(user, changed):
    raw = greeted(user)
    raw.send(call("one", "ping", **changed))
    refused = raw.receive()
    assert (refused["type"], refused["id"]) == ("refused", "one")
    assert refused["reason"].startswith("invalid call: ")
    raw.send(call("two", "ping"))
    assert raw.receive() == messages.answer("two", out="pong\n", err="", exit=0)


def test_a_frame_that_arrives_byte_by_byte_is_read(user):
    raw = greeted(user)
    for byte in framing.pack(call("one", "ping")):
        raw.send(bytes([byte]))
    assert raw.receive()["out"] == "pong\n"


def test_a_large_answer_arrives_whole_and_a_larger_one_is_an_error(user):
    answered = user.run("large", str(20 << 20))
    assert len(answered.stdout) == 20 << 20
    too_large = user.run("large", str(65 << 20))
    assert (too_large.stdout, too_large.returncode) == ("", 1)
    assert "too large" in too_large.stderr


def test_a_bug_of_one_call_is_an_answer_and_its_text_stays_out_of_the_log(user):
    failed = user.run("fail")
    assert failed.returncode == 1
    assert failed.stderr == "internal error: RuntimeError; see the daemon's log\n"
    log = (user.folder / "daemon.log").read_text()
    assert "call.failed error=RuntimeError" in log
    assert "hunter2" not in log
    assert user.run("ping").stdout == "pong\n"


async def test_100_calls_of_20_connections_are_answered_each_with_its_own(user):
    lines = [greeted(user)]
    lines += [user.connect() for _ in range(19)]
    for raw in lines[1:]:
        raw.send(HELLO)
    for raw in lines:
        for number in range(5):
            raw.send(call(str(number), "end", str(number)))
    for raw in lines[1:]:
        assert raw.receive()["type"] == "hello"
    for raw in lines:
        answers = [raw.receive() for _ in range(5)]
        assert {(answer["id"], answer["exit"]) for answer in answers} == {(str(n), n) for n in range(5)}


def test_a_stopped_daemon_is_named_and_can_be_forced_to_end(user):
    user.run("daemon", "start")
    [pid] = user.daemons()
    os.kill(pid, signal.SIGSTOP)
    script = "import sys; import boathook.client.blocking_client as c; c.HELLO_SECONDS = 0.5; "
    script += "from boathook.surfaces.cli.main import main; sys.exit(main(sys.argv[1:]))"
    silent = user.run("ping", command=[sys.executable, "-c", script])
    assert silent.returncode == 7
    assert "does not respond: no message for 0.5 s; the call was not started" in silent.stderr
    assert user.run("daemon", "stop", "--force").stdout == "the daemon stopped\n"
    assert user.daemons() == []
    assert user.run("ping").stdout == "pong\n"


async def test_a_daemon_that_falls_silent_while_it_works_is_not_waited_for(user):
    user.run("daemon", "start")
    script = "import sys; import boathook.client.blocking_client as c; c.SILENCE_SECONDS = 7; "
    script += "from boathook.surfaces.cli.main import main; sys.exit(main(sys.argv[1:]))"
    control = user.start("hold", "a", command=[sys.executable, "-c", script])
    await until(lambda: user.has("a.begun"), named="the call began")
    [pid] = user.daemons()
    os.kill(pid, signal.SIGSTOP)
    _, err = control.communicate(timeout=20)
    assert control.returncode == 7
    assert "outcome unknown: the daemon has not responded for 7 s" in err
