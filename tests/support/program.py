"""The `boathook` program with an empty home."""

import copy
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

from boathook.client.start_daemon import call_daemon
from boathook.surfaces.cli import main
from boathook.wire import messages
from boathook.wire.socket_address import daemon_folder
from tests.support.line_server import NOT_FORKED, run_line

NATIVE = Path(sys.executable).with_name("boathook")
"""The installed program, if it is the native client; `BOATHOOK_TEST_CLIENT=python` asks for the other."""
_WITH_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


@cache
def has_native_client():
    """Whether `make setup` installed the native client, which is what users of the wheels have."""
    wanted = os.environ.get("BOATHOOK_TEST_CLIENT", "native") == "native"
    return wanted and NATIVE.is_file() and NATIVE.read_bytes()[:2] != b"#!"


PROGRAM = [str(NATIVE)] if has_native_client() else [sys.executable, "-m", "boathook"]
"""What a user's `boathook` is: five times quicker than the other, which it runs itself where it must."""


class Program:
    """Calls of one user; the daemon that they start ends with `stop`."""

    def __init__(self, home):
        self.home = Path(home)
        self.work = self.home / "work"
        self.work.mkdir()
        runtime = self.home / "run"
        runtime.mkdir(mode=0o700)
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(runtime), "HOME": str(self.home)}
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            self.environment.pop(name, None)

    def __call__(self, *argv, stdin=None, alone=False, **variables):
        """Run one line; returns both streams and the exit status. Alone: in a new process session."""
        by_native = has_native_client() and not set(main.FOR_PYTHON).intersection(argv[:1])
        if not by_native and not alone and not set(NOT_FORKED).intersection(argv[:1]):
            environment = {**self.environment, **variables}
            return run_line(argv, cwd=self.work, environment=environment, stdin=stdin)
        return subprocess.run(
            [*([NATIVE] if by_native else [sys.executable, "-m", "boathook"]), *argv],
            cwd=self.work,
            env={**self.environment, **variables},
            input=stdin,
            stdin=subprocess.DEVNULL if stdin is None else None,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            start_new_session=alone,
        )

    def on_terminal(self, *argv):
        """Run one line as a person does in a new terminal window."""
        outer, inner = os.openpty()
        try:
            return subprocess.run(
                [sys.executable, "-c", _WITH_TERMINAL, "-m", "boathook", *argv],
                cwd=self.work,
                env=self.environment,
                stdin=inner,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
        finally:
            os.close(outer)
            os.close(inner)

    def ask(self, *argv, stdin=None, **variables):
        """The daemon's answer to one line, without the time that a process takes to start."""
        given = {name: value for name, value in variables.items() if name.startswith("BOATHOOK_")}
        call = messages.call(
            "1",
            argv=list(argv),
            cwd=str(self.work),
            terminal=messages.terminal(is_tty=False, columns=80, colour=False),
            environment=given,
            stdin=stdin,
            owner=messages.owner(pid=os.getpid(), start_time=None),
        )
        return call_daemon(daemon_folder(self.environment), call)

    def json(self, *argv, **more):
        """The answer as data."""
        return json.loads(self("--json", *argv, **more).stdout)

    def json_of(self, *argv):
        """What a command that answers in JSON by itself says."""
        return json.loads(self(*argv).stdout)

    def in_folder(self, folder):
        """The same user in a separate project, and so with a separate default session."""
        made = copy.copy(self)
        made.work = Path(folder) / "work"
        made.work.mkdir()
        made.environment = dict(self.environment)
        return made

    def close_sessions(self, *, but):
        """Close all sessions except one."""
        for entry in json.loads(self.ask("--json", "session", "list").out)["data"]:
            if entry["name"] != but:
                self.ask("session", "close", "--name", entry["name"])

    def stop(self):
        """End the daemon, and with it the browsers."""
        self("daemon", "stop")
