"""Command lines in forked processes: the same program and a process each, without the start of an interpreter."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from functools import cache
from pathlib import Path

NOT_FORKED = ("mcp", "relay", "extension")
"""They replace the process by another program."""
_HEADER = 8


def run_line(argv, *, cwd, environment, stdin=None, seconds=120):
    """Run one line as `subprocess.run` would; both streams as text, and the exit status."""
    request = json.dumps({"argv": list(argv), "cwd": str(cwd), "environment": environment}).encode()
    with (
        tempfile.TemporaryFile() as given,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        socket.socket(socket.AF_UNIX) as link,
    ):
        given.write((stdin or "").encode())
        given.seek(0)
        link.settimeout(seconds)
        link.connect(_server())
        descriptors = [given.fileno(), out.fileno(), err.fileno()]
        socket.send_fds(link, [len(request).to_bytes(_HEADER, "big")], descriptors)
        link.sendall(request)
        status = link.recv(_HEADER)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(
            list(argv),
            int.from_bytes(status, "big") if status else -signal.SIGKILL,
            out.read().decode(),
            err.read().decode(),
        )


@cache
def _server():
    """The socket of this process's server, which ends with it."""
    folder = tempfile.mkdtemp(prefix="lines-")
    path = str(Path(folder) / "s")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen(64)
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(listening.fileno())],
            pass_fds=[listening.fileno()],
            stdin=subprocess.PIPE,
            cwd=Path(__file__).resolve().parents[2],
        )
    atexit.register(process.kill)
    return path


def serve(descriptor):
    """Fork a process for each connection, until the tests end."""
    from boathook.surfaces.cli import daemon_commands, main, without_daemon

    del daemon_commands, without_daemon
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    listening = socket.socket(fileno=descriptor)
    while True:
        link, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            _run(link, main.main)
        link.close()


def _end_with_parent():
    os.read(0, 1)  # not through sys.stdin: its lock would be held in every forked process
    os._exit(0)


def _run(link, main):
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    header, descriptors, _, _ = socket.recv_fds(link, _HEADER, 3)
    size, request = int.from_bytes(header, "big"), b""
    while len(request) < size:
        request += link.recv(size - len(request))
    given = json.loads(request)
    for number, source in enumerate(descriptors):
        os.dup2(source, number)
        os.close(source)
    os.chdir(given["cwd"])
    os.environ.clear()
    os.environ.update(given["environment"])
    status = 1
    try:
        status = main(given["argv"])
    finally:
        link.sendall((status & 0xFF).to_bytes(_HEADER, "big"))
        os._exit(status)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
