"""`boathook daemon start|stop|restart|status`: handled by the client, since they control the daemon itself."""

from __future__ import annotations

import json
import os
import signal
import sys

from boathook._version import __version__
from boathook.client.blocking_client import DaemonConnection
from boathook.client.start_daemon import reach_daemon
from boathook.wire import messages
from boathook.wire.failures import NotRunning, NotServed, NotStarted, WireFailure
from boathook.wire.socket_address import daemon_folder, socket_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Printed = tuple[str, str, int]

STOP_SECONDS = 60.0
"""Longer than a daemon takes to drain and close its browsers."""
NOT_RUNNING_EXIT = 1
_BAD_REQUEST_EXIT = 2
_VERSION_USAGE = """\
usage: boathook version [--json]

  Prints the version of this program and of its Python, and of the daemon if one is running.
"""
_USAGE = """\
usage: boathook daemon start|stop|restart|status [--json] [--force]

  start     start the daemon, if it is not running; every command does so automatically
  stop      finish running calls, close all browsers, exit; --force: kill a daemon that does not answer
  restart   stop, then start this version
  status    pid, version, uptime and running calls; exit status 1 if it is not running
"""
_MINUTE, _HOUR = 60, 3600


def daemon_command(argv: list[str], *, daemon_arguments: Iterable[str] = ()) -> Printed:
    """Run a daemon command; returns stdout, stderr and exit status."""
    flags = {word for word in argv if word.startswith("-")}
    words = [word for word in argv if word not in flags]
    if flags & {"--help", "-h"} or not argv:
        return _USAGE, "", 0
    unknown = sorted(flags - {"--json", "--force"})
    if unknown or len(words) != 1 or words[0] not in {"start", "stop", "restart", "status"}:
        wrong = unknown[0] if unknown else " ".join(words) or "nothing"
        return (
            "",
            f"error: daemon takes start, stop, restart or status, not {wrong} [bad_request]\n",
            _BAD_REQUEST_EXIT,
        )
    as_json, force = "--json" in flags, "--force" in flags
    if words[0] == "status":
        return _status(as_json=as_json)
    if words[0] == "start":
        return _start(daemon_arguments, as_json=as_json)
    stopped = stop_daemon(force=force, as_json=as_json)
    if words[0] == "stop":
        return stopped
    return _start(daemon_arguments, as_json=as_json)


def _status(*, as_json: bool) -> Printed:
    try:
        with DaemonConnection.open(socket_path(daemon_folder())) as connection:
            found = connection.ask(messages.ask_status())
    except (NotRunning, NotServed):
        said = '{"running": false}\n' if as_json else "the daemon is not running\n"
        return said, "", NOT_RUNNING_EXIT
    facts = {name: found[name] for name in ("pid", "version", "protocol", "uptime_seconds", "calls")}
    if as_json:
        return json.dumps({"running": True, **facts}) + "\n", "", 0
    lines = [
        f"the daemon is running: pid {facts['pid']}, version {facts['version']}, {_since(facts['uptime_seconds'])}"
    ]
    lines += [f"  {_printable(call)}" for call in facts["calls"]] or ["  no call is running"]
    return "\n".join(lines) + "\n", "", 0


def version_command(argv: list[str]) -> Printed:
    """Run `version`: this program and its Python, and the daemon if one is running."""
    if {"--help", "-h"} & set(argv):
        return _VERSION_USAGE, "", 0
    if wrong := [word for word in argv if word != "--json"]:
        return "", f"error: version takes --json, not {wrong[0]!r} [bad_request]\n", _BAD_REQUEST_EXIT
    try:
        with DaemonConnection.open(socket_path(daemon_folder())) as connection:
            daemon = str(connection.ask(messages.ask_status())["version"])
    except (NotRunning, NotServed):
        daemon = ""
    python = ".".join(map(str, sys.version_info[:3]))
    if argv:
        facts = {"version": __version__, "daemon": daemon or None, "python": python, "platform": sys.platform}
        return json.dumps(facts) + "\n", "", 0
    running = f"daemon {_printable(daemon)}" if daemon else "no daemon is running"
    return f"boathook {__version__} ({running}; Python {python} on {sys.platform})\n", "", 0


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _since(seconds: float) -> str:
    if seconds < _MINUTE:
        return f"up {seconds:.0f} s"
    if seconds < _HOUR:
        return f"up {seconds // _MINUTE:.0f} min"
    return f"up {seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:.0f} min"


def _start(daemon_arguments: Iterable[str], *, as_json: bool) -> Printed:
    with reach_daemon(daemon_folder(), arguments=daemon_arguments) as connection:
        found = connection.ask(messages.ask_status())
    if as_json:
        return json.dumps({"running": True, "pid": found["pid"], "version": found["version"]}) + "\n", "", 0
    return f"the daemon is running: pid {found['pid']}, version {found['version']}\n", "", 0


def stop_daemon(*, force: bool, as_json: bool) -> Printed:
    """Stop or kill the daemon, and wait until it has exited."""
    try:
        with DaemonConnection.open(socket_path(daemon_folder())) as connection:
            if force:
                _kill(connection)
            else:
                connection.ask(messages.stop())
            if not connection.wait_for_end(STOP_SECONDS):
                raise NotStarted(
                    f"the daemon did not stop within {STOP_SECONDS:g} s", hint="boathook daemon stop --force"
                )
    except (NotRunning, NotServed):
        return '{"running": false}\n' if as_json else "the daemon is not running\n", "", 0
    return '{"running": false}\n' if as_json else "the daemon stopped\n", "", 0


def _kill(connection: DaemonConnection) -> None:
    """Kill a daemon that does not answer. The kernel names it: the process that listens on the private socket."""
    if connection.pid is None:
        raise WireFailure(
            "cannot determine the daemon's process on this system", hint="kill its process manually"
        )
    if sys.platform == "linux":
        # Through a descriptor: the number could belong to another process by the time of the signal.
        daemon = os.pidfd_open(connection.pid)
        try:
            signal.pidfd_send_signal(daemon, signal.SIGKILL)
        finally:
            os.close(daemon)
    else:
        os.kill(connection.pid, signal.SIGKILL)
