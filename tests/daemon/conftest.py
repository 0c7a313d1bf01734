"""A user of the daemon with a separate home."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from boathook.runtime_folder import short_folder
from boathook.wire import framing
from tests.support.waiting import until

ROOT = Path(__file__).resolve().parents[2]
CLIENT = [sys.executable, "-m", "tests.daemon.client"]


class User:
    """A user with a runtime directory; everything that they started is ended with them."""

    def __init__(self, home):
        self.home = Path(home)
        self.runtime = self.home / "run"
        self.runtime.mkdir(mode=0o700)
        self.folder = self.home / ".cache/boathook/run"
        self.folder.parent.mkdir(parents=True)
        self.elsewhere = Path(short_folder(str(self.home)))
        """Where the daemon is when there is no place for it in the home."""
        self.socket = self.folder / "daemon.sock"
        self.work = self.home / "work"
        self.work.mkdir()
        self.environment = {
            "HOME": str(self.home),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}",
            "TMPDIR": str(self.home),
            "XDG_RUNTIME_DIR": str(self.runtime),
        }
        self._started = []
        self._connected = []

    def start(self, *argv, command=CLIENT, **more):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        started = subprocess.Popen(
            [*command, *argv], env=self.environment, cwd=self.work, **(options | more), text=True
        )
        self._started.append(started)
        return started

    def run(self, *argv, given=None, **more):
        if given is not None:
            more["stdin"] = subprocess.PIPE
        started = self.start(*argv, **more)
        out, err = started.communicate(given, timeout=50)
        return subprocess.CompletedProcess(argv, started.returncode, out, err)

    def status(self):
        return json.loads(self.run("daemon", "status", "--json").stdout)

    def connect(self):
        raw = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        raw.settimeout(20)
        raw.connect(str(self.socket))
        self._connected.append(raw)
        return Raw(raw)

    def has(self, name):
        return (self.work / name).exists()

    def daemons(self):
        """Living daemons of this user, by their command lines."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    line = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                ours = any(str(place).encode() in line for place in (self.home, self.elsewhere))
                if b"boathook.service.daemon" in line and ours:
                    found.append(int(entry.name))
        return found

    async def close(self):
        for connected in self._connected:
            connected.close()
        for started in self._started:
            if started.poll() is None:
                started.kill()
            started.communicate()
        for pid in self.daemons():
            os.kill(pid, signal.SIGKILL)
        await until(lambda: not self.daemons(), named="no daemon is left")
        shutil.rmtree(self.home)
        shutil.rmtree(self.elsewhere, ignore_errors=True)


class Raw:
    """A connection on which anything can be sent."""

    def __init__(self, connected):
        self.socket = connected

    def send(self, message):
        self.socket.sendall(message if isinstance(message, bytes) else framing.pack(message))

    def receive(self):
        """The next message; None at the end."""
        header = self._exactly(4)
        return None if header is None else json.loads(self._exactly(int.from_bytes(header, "big")))

    def _exactly(self, count):
        parts = b""
        while len(parts) < count:
            try:
                part = self.socket.recv(count - len(parts))
            except ConnectionResetError:
                return None
            if not part:
                return None
            parts += part
        return parts


@pytest.fixture
async def user():
    one = User(tempfile.mkdtemp(prefix="bh", dir="/tmp"))
    yield one
    await one.close()
