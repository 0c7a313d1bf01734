"""Apps: desktop programs that support CDP, found running with a debugging port, or started with one.

A process that we did not start is never signalled. One that we started keeps running when it is released: only `end`
terminates it.
"""

from __future__ import annotations

import asyncio
import os
import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.cdp.endpoint_url import find_endpoint
from boathook.engine.launch import posix
from boathook.errors import BadSetting, EndpointError, LaunchFailed, NotABrowser

if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import Popen

READY_SECONDS = 30.0
POLL_SECONDS = 0.15
PROBE_SECONDS = 1.5
GRACE_SECONDS = 2.0
_OWN_SWITCHES = ("--remote-debugging-port", "--remote-debugging-pipe", "--remote-debugging-address")
_CHROMIUMS = re.compile(r"chrom(e|ium)|msedge|microsoft-edge|brave|vivaldi|opera", re.IGNORECASE)
"""Browsers: they ignore the port with their default profile, so they get a separate one."""
_FIRST_RUN = ("--no-first-run", "--no-default-browser-check", "--password-store=basic", "--use-mock-keychain")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningApp:
    """A program with a debugging port, and whether we started it."""

    address: str
    pid: int | None = None
    start_time: int | None = None
    """The process that we started; None for others."""

    @property
    def ours(self) -> bool:
        """Whether we started it."""
        return self.pid is not None and self.start_time is not None

    async def end(self) -> bool:
        """Terminate the program and its children, if it is ours and still running; returns whether it was."""
        started = _STARTED.pop(self.pid or 0, None)
        if started is None or started.app != self or started.process.poll() is not None:
            return False
        for force in (False, True):
            posix.signal_group(started.process.pid, force=force)
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE_SECONDS):
                    await _wait_for_exit(started.process)
                    return True
        raise LaunchFailed(
            f"the app (process {started.process.pid}) did not exit, even after it was killed",
            hint="check it with ps; it may be waiting for a disk",
        )


@dataclass(frozen=True, slots=True)
class _Started:
    app: RunningApp
    process: Popen[bytes]


_STARTED: dict[int, _Started] = {}
"""Processes started by this process, by pid: found again later, they are still ours to terminate."""


async def open_app(path: Path, arguments: Sequence[str] = (), *, profiles: Path) -> RunningApp:
    """The program, ready for CDP: one that already runs with a port, otherwise a new process."""
    program = _check_program(path, arguments)
    is_browser = _CHROMIUMS.search(program.name) is not None
    given = _user_data_dir(arguments)
    wanted = given or (profiles / program.name if is_browser else None)
    running = posix.programs(program)
    for app in running:
        if found := await _listening(app, profile=wanted):
            return found
    if running and not is_browser:
        shown = ", ".join(str(app.pid) for app in running[:3])
        raise LaunchFailed(
            f"{program} is already running without a debugging port (process {shown})",
            hint="close it and try again, or start it with --remote-debugging-port=9222 and attach to that port",
            pids=[app.pid for app in running],
        )
    own = [] if given is not None or wanted is None else [f"--user-data-dir={wanted}", *_FIRST_RUN]
    if wanted is not None:
        wanted.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_browser and posix.is_root():
        own.append("--no-sandbox")
    return await _start_app(program, [*own, *arguments])


def _check_program(path: Path, arguments: Sequence[str]) -> Path:
    """The absolute path of the program; raises before anything is started if it is invalid."""
    for argument in arguments:
        if argument.split("=", 1)[0] in _OWN_SWITCHES:
            raise BadSetting(f"{argument.split('=', 1)[0]} is set by boathook", hint="omit it")
    if not path.is_absolute():
        raise BadSetting(f"not an absolute path: {path}", hint="pass the absolute path of the program")
    if path.is_dir():
        raise NotABrowser(
            f"{path} is a folder, not a program", hint="pass the executable inside it", path=str(path)
        )
    if not path.is_file():
        raise NotABrowser(f"no such program: {path}", path=str(path))
    if not os.access(path, os.X_OK):
        raise NotABrowser(
            f"{path} is not executable", hint="run chmod +x, or pass another file", path=str(path)
        )
    return path


def _user_data_dir(arguments: Sequence[str]) -> Path | None:
    """The profile that the arguments set, in both spellings."""
    for number, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if name == "--user-data-dir":
            value = value if equals else next(iter(arguments[number + 1 :]), "")
            return Path(value).absolute() if value else None
    return None


async def _listening(program: posix.Program, *, profile: Path | None) -> RunningApp | None:
    """A usable process: it has a port, its profile is the requested one, and it responds."""
    port = _port_of(program.argv)
    theirs = _user_data_dir(program.argv)
    if port is None or (profile is not None and (theirs is None or not _same(theirs, profile))):
        return None
    address = f"http://127.0.0.1:{port}"
    with suppress(EndpointError):
        await find_endpoint(address, seconds=PROBE_SECONDS)
        ours = _STARTED.get(program.pid)
        is_ours = ours is not None and ours.app.start_time == posix.start_time(program.pid)
        return ours.app if ours is not None and is_ours else RunningApp(address=address)
    return None


def _same(path: Path, other: Path) -> bool:
    return os.path.realpath(path) == os.path.realpath(other)


def _port_of(argv: Sequence[str]) -> int | None:
    """The debugging port of a command line: in one argument, in two, or in a joined line.

    Of several the last one counts; 0 is a random port, which cannot be known.
    """
    found = re.findall(r"--remote-debugging-port[= ](\d{1,5})\b", " ".join(argv))
    return int(found[-1]) or None if found else None


async def _start_app(program: Path, arguments: Sequence[str]) -> RunningApp:
    port = _free_port()
    address = f"http://127.0.0.1:{port}"
    argv = [str(program), f"--remote-debugging-port={port}", *arguments]
    try:
        # Apps made with Qt read the port from there, and take no switches of Chromium's.
        process = posix.spawn_detached(
            argv, {**os.environ, "QTWEBENGINE_REMOTE_DEBUGGING": f"127.0.0.1:{port}"}
        )
    except OSError as error:
        raise LaunchFailed(f"{program} could not be started: {error.strerror}", path=str(program)) from error
    app = RunningApp(address=address, pid=process.pid, start_time=posix.start_time(process.pid))
    _STARTED[process.pid] = _Started(app, process)
    try:
        await _ready(process, program, address)
    except BaseException:
        await app.end()
        raise
    return app


async def _ready(process: Popen[bytes], program: Path, address: str) -> None:
    last = ""
    try:
        async with asyncio.timeout(READY_SECONDS):
            while True:
                try:
                    await find_endpoint(address, seconds=PROBE_SECONDS)
                except EndpointError as error:
                    last = error.message
                else:
                    return
                if process.poll() is not None:
                    raise LaunchFailed(
                        f"{program} exited with {process.returncode} before it listened",
                        hint="another instance may be running; close it, or attach to its port",
                    )
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise LaunchFailed(
            f"Timed out waiting for CDP endpoint {address} of {program}: {last}",
            hint="check that this program supports --remote-debugging-port; it was stopped again",
        ) from None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def _wait_for_exit(process: Popen[bytes]) -> None:
    """Wait until the process is reaped and its group is empty; the end of a group sends no event."""
    while process.poll() is None or posix.group_members(process.pid):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
