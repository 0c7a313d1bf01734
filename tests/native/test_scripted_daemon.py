"""Whatever a daemon sends, both clients say the same about it; a scripted one stands in its place."""

import os
import socket
import threading
from contextlib import suppress

import pytest

from boathook import __version__
from boathook.wire import messages
from boathook.wire.framing import pack
from tests.daemon.conftest import CLIENT

HELLO = pack(messages.hello(version=__version__, pid=1))
ANSWER = pack(messages.answer("1", out="out ü\n", err="err\n", exit=3))


def frame(body):
    return len(body).to_bytes(4, "big") + body


# What is sent after the greeting, and after the call. None: nothing more, the connection is closed.
SCRIPTS = {
    "an answer": (HELLO, ANSWER),
    "another version": (pack(messages.hello(version="9.9.9", pid=1)), ANSWER),
    "a refused greeting": (pack(messages.refused("too many clients", hint="close some")), b""),
    "no greeting": (b"", b""),
    "a greeting that is not JSON": (frame(b"nonsense"), b""),
    "a refused call": (HELLO, pack(messages.refused("no such thing", hint="try", id="1"))),
    "the end after the call": (HELLO, b""),
    "half an answer": (HELLO, ANSWER[:-5]),
    "an answer to another call": (HELLO, pack(messages.answer("2", out="no", err="", exit=0)) + ANSWER),
    "other messages first": (
        HELLO,
        pack(messages.alive()) + pack(messages.progress("1", text="half")) + pack({"type": "new", "x": [{}]}) + ANSWER,
    ),
    "a frame that is not JSON": (HELLO, frame(b"{'a'}")),
    "a frame without a type": (HELLO, frame(b'{"a":1}')),
    "a list": (HELLO, frame(b'["answer"]')),
    "a frame that is too large": (HELLO, (1 << 30).to_bytes(4, "big") + b"x"),
    "a stray HTTP answer": (HELLO, b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "an empty frame": (HELLO, frame(b"")),
    "a frame of open brackets": (HELLO, frame(b"[[[[")),
    "escapes": (HELLO, frame(rb'{"type":"answer","id":"1","out":"\ud83c\udf89 \ud83c \udf89 \u0041\n\/","err":"","exit":0}')),
    "raw UTF-8": (HELLO, frame('{"type":"answer","id":"1","out":"ü🎉","err":"","exit":255}'.encode())),
    "spaces and another order": (HELLO, frame(b' {"exit" : 7 , "err":"", "x":[1,-2.5e3,{"a":null}] ,"out":"o","id":"1","type":"answer"} ')),
    "a name twice": (HELLO, frame(b'{"type":"alive","type":"answer","id":"1","out":"a","out":"b","err":"","exit":1}')),
    "a large exit status": (HELLO, frame(b'{"type":"answer","id":"1","out":"","err":"","exit":258}')),
}  # fmt: skip


class ScriptedDaemon:
    """Listens in a folder and answers each connection by one script."""

    def __init__(self, folder, script):
        self.script = script
        folder.mkdir(mode=0o700)
        before = os.umask(0o177)
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / "daemon.sock"))
        os.umask(before)
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                connected, _ = self._listening.accept()
            except OSError:
                return
            with (
                suppress(OSError),
                connected,
                connected.makefile("rb") as stream,
            ):  # the client may leave early
                for part in self.script:
                    if not self._read(stream):
                        break
                    connected.sendall(part)
                    if not part:
                        break

    @staticmethod
    def _read(stream):
        header = stream.read(4)
        return stream.read(int.from_bytes(header, "big")) if len(header) == 4 else None

    def close(self):
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_both_clients_say_the_same(user, stand_in, script):
    daemon = ScriptedDaemon(user.folder, script)
    try:
        python, native = (_run(user, command) for command in (CLIENT, [str(stand_in)]))
    finally:
        daemon.close()
    assert native == python
    assert native != ("", "", 0), "something arrives in each case"


def test_a_failure_is_json_when_that_is_asked_for(user, stand_in):
    daemon = ScriptedDaemon(user.folder, SCRIPTS["the end after the call"])
    try:
        python, native = (_run(user, [*command, "--json"]) for command in (CLIENT, [str(stand_in)]))
    finally:
        daemon.close()
    assert native == python
    assert '"outcome_unknown"' in native[0]


def _run(user, command):
    ended = user.run("ping", command=command)
    return ended.stdout, ended.stderr, ended.returncode
