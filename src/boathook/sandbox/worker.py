"""The fork server for scripts: a small process without state that forks a worker for each run.

A fork takes a tenth of the time of a start. The worker waits for its message, jails itself, runs the code and exits.
"""

from __future__ import annotations

import os
import signal
import socket
import sys

from boathook.sandbox import jail
from boathook.sandbox.run_script import run
from boathook.sandbox.script_channel import Channel

PID_BYTES = 8


def main(control_number: int) -> None:
    """Fork for each channel received on the control socket; exit when it closes, or with the parent process."""
    jail.end_with_parent()
    signal.signal(
        signal.SIGCHLD, signal.SIG_IGN
    )  # children are not waited for: the daemon watches them itself
    control = socket.socket(fileno=control_number)
    while True:
        message, received, _flags, _address = socket.recv_fds(control, 1, 2)
        if not message:
            os._exit(0)
        own = os.getpid()
        child = os.fork()
        if child == 0:
            control.close()
            _run_worker(*received, parent=own)
        for number in received:
            os.close(number)
        control.sendall(child.to_bytes(PID_BYTES, "big"))


def _run_worker(number: int, line: int, *, parent: int) -> None:
    """Run the request from the channel; no code of the fork server runs after it."""
    status = 1
    try:
        os.setsid()
        jail.end_with_parent()
        if os.getppid() != parent:  # it was killed before we asked to end with it
            return
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _keep_only(number, line)
        run(Channel(socket.socket(fileno=number)), line)
        status = 0
    finally:
        os._exit(status)


def _keep_only(*kept: int) -> None:
    """Keep no descriptor but these, and redirect the standard ones to null."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for usual in range(3):
        os.dup2(nothing, usual)
    os.close(nothing)
    most = min(os.sysconf("SC_OPEN_MAX"), 4096)
    first = 3
    for number in sorted(kept):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, most)


if __name__ == "__main__":
    main(int(sys.argv[1]))
