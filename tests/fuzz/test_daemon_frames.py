"""Whatever is sent to the daemon's socket: a message, in time, and the daemon is still there afterwards."""

import json
import os
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boathook import __version__
from boathook.wire import framing, messages
from boathook.wire.socket_address import daemon_folder, socket_path
from tests.fuzz.strategies import LONGEST, ODD, changed, tried
from tests.support.program import Program

OWNER = messages.owner(pid=1, start_time=None)
MESSAGES = [
    messages.hello(version=__version__),
    messages.ask_status(),
    messages.cancel("1"),
    messages.call(
        "1",
        argv=["session", "list"],
        cwd="/",
        terminal=messages.terminal(is_tty=False, columns=80, colour=False),
        environment={"BOATHOOK_TIMEOUT": "3"},
        stdin=None,
        owner=OWNER,
    ),
    messages.run(
        "2",
        command="session_list",
        arguments={},
        settings={"timeout": 3},
        cwd="/",
        environment={},
        owner=OWNER,
        surface="python",
        client="fuzz",
    ),
]
KNOWN = {"hello", "refused", "status", "answer", "outcome", "progress", "alive"}


@st.composite
def frames(draw):
    """Bytes that are a frame, nearly one, or none."""
    kind = draw(st.sampled_from(["message", "message", "message", "json", "bytes", "length"]))
    if kind == "bytes":
        return draw(st.binary(max_size=60))
    if kind == "message":
        return framing.pack(draw(changed(MESSAGES)))
    body = json.dumps(draw(ODD)).encode()
    length = len(body) if kind == "json" else draw(st.integers(0, (1 << 32) - 1))
    return length.to_bytes(4, "big") + body


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    """The path of its socket, and its pid."""
    program = Program(tmp_path_factory.mktemp("frames"))
    program("daemon", "start")
    yield (
        socket_path(daemon_folder(program.environment)),
        program.json_of("daemon", "status", "--json")["pid"],
    )
    program.stop()


def conversation(path, sent):
    """All messages that come back until the daemon closes the connection, after we have closed our half."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.settimeout(LONGEST)
        connected.connect(path)
        try:
            for frame in sent:
                connected.sendall(frame)
            connected.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it has hung up; what it said may still be read
        received = b""
        try:
            while part := connected.recv(1 << 16):
                received += part
        except ConnectionResetError:
            pass
    while received:
        length = int.from_bytes(received[:4], "big")
        yield json.loads(received[4 : 4 + length])
        received = received[4 + length :]


def check(message):
    assert message["type"] in KNOWN
    text = json.dumps(message)
    assert "Traceback" not in text
    assert "unforeseen" not in text
    if message["type"] == "refused":
        assert message["reason"]
    if message["type"] == "outcome" and not message["outcome"]["ok"]:
        assert message["outcome"]["error"]["code"] not in {"", "error"}


@pytest.mark.timeout(7_200)
@tried
@given(greeted=st.booleans(), sent=st.lists(frames(), min_size=1, max_size=4))
def test_any_frames_get_messages_and_the_daemon_goes_on(daemon, greeted, sent):
    path, pid = daemon
    hello = [framing.pack(MESSAGES[0])] if greeted else []
    for message in conversation(path, [*hello, *sent]):
        check(message)
    [status] = [
        message
        for message in conversation(path, [framing.pack(messages.ask_status())])
        if message["type"] == "status"
    ]
    assert status["pid"] == pid
    assert status["calls"] == []


def test_a_valid_call_is_answered_among_them(daemon):
    """The control."""
    path, _pid = daemon
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
        connected.settimeout(LONGEST)
        connected.connect(path)
        connected.sendall(b"".join(framing.pack(MESSAGES[index]) for index in (0, 4)))
        received = connected.recv(1 << 16)
        while b'"outcome"' not in received:
            received += connected.recv(1 << 16)
    assert b'"ok":true' in received.replace(b" ", b"")
    assert os.path.exists(path)  # noqa: PTH110 (a socket)
