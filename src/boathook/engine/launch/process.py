"""The browser process: started with a pipe, watched, terminated; nothing of it outlives its owner."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from boathook.engine.launch import posix
from boathook.engine.launch.failure import explain_failure
from boathook.errors import LaunchFailed, NotABrowser

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from boathook.errors import BoathookError

_TAIL_BYTES = 8192
_HELPERS_SECONDS = 0.5
_POLL_SECONDS = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchPlan:
    """A complete command line, its environment, and notes for the caller."""

    argv: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)
    notes: tuple[str, ...] = ()
    sandboxed: bool = True


def spawn(plan: LaunchPlan) -> BrowserProcess:
    """Start the browser; call it inside a running loop, which then collects the browser's output."""
    try:
        spawned = posix.spawn_with_pipes(plan.argv, plan.environment)
    except (FileNotFoundError, PermissionError) as error:
        raise NotABrowser(
            f"{plan.argv[0]} cannot be executed: {error.strerror}", path=plan.argv[0]
        ) from error
    except OSError as error:
        raise LaunchFailed(
            f"{plan.argv[0]} could not be started: {error.strerror}", path=plan.argv[0]
        ) from error
    return BrowserProcess(spawned, plan)


def _ignore_exit() -> None:
    """The default callback, which does nothing."""


class BrowserProcess:
    """A running browser: its pid, the two pipe ends of the protocol, its last output, its exit.

    The pipe ends belong to this object: a transport may read and write them, and `close_pipe` closes them.
    """

    def __init__(self, spawned: posix.Spawned, plan: LaunchPlan) -> None:
        self.plan = plan
        self.pid = spawned.pid
        self.start_time = posix.start_time(spawned.pid)
        self.read_fd = spawned.read_fd
        self.write_fd = spawned.write_fd
        self._loop = asyncio.get_running_loop()
        self._stderr_fd = spawned.stderr_fd
        self._tail = bytearray()
        self._pipe_open = True
        self.on_ended: Callable[[], None] = _ignore_exit
        """Called just before the pipe is closed: its reader may not have seen its end."""
        self._fork_keys = [posix.keep_from_forks(fd) for fd in (self.read_fd, self.write_fd)]
        self._ended: asyncio.Future[int | None] = self._loop.create_future()
        self._pidfd: int | None = None
        self._finishing: asyncio.Task[None] | None = None
        self._loop.add_reader(self._stderr_fd, self._read_stderr)
        self._watch()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def stderr_tail(self) -> str:
        """The last 8 KB of what the browser wrote to its error stream."""
        self._read_stderr()
        return self._tail.decode(errors="replace")

    @property
    def exit_code(self) -> int | None:
        """The exit code once the browser has exited (negative: the signal), None before or if unknown."""
        return self._ended.result() if self._ended.done() else None

    @property
    def running(self) -> bool:
        """Whether the browser is still running."""
        return not self._ended.done()

    async def wait(self) -> int | None:
        """Wait until the browser and its helpers have exited; returns the exit code."""
        return await asyncio.shield(self._ended)

    def failure(self) -> BoathookError:
        """Why the launch failed, from the exit code and the last output."""
        return explain_failure(self.stderr_tail, self.exit_code)

    def close_pipe(self) -> None:
        """Close both protocol pipe ends, which makes the browser quit. May be called twice."""
        if self._pipe_open:
            self._pipe_open = False
            self._loop.remove_reader(self.read_fd)
            self._loop.remove_writer(self.write_fd)
            os.close(self.read_fd)
            os.close(self.write_fd)

    async def stop(self, *, grace_seconds: float = 3.0) -> int | None:
        """Close the pipe and wait; after the grace period terminate the whole group, after a second one kill it."""
        self.close_pipe()
        for force in (False, True):
            if await self._wait_for_exit(grace_seconds):
                break
            self._signal(force=force)
            grace_seconds = min(grace_seconds, 1.0)
        return await self.wait()

    def kill(self) -> None:
        """Kill the browser and its helpers at once; `wait` returns when they have exited."""
        self._signal(force=True)

    async def _wait_for_exit(self, seconds: float) -> bool:
        await asyncio.wait([self._ended], timeout=seconds)
        return self._ended.done()

    def _signal(self, *, force: bool) -> None:
        # Until we reap the child its number is ours; the start time guards against foreign reaping.
        if self.running and posix.start_time(self.pid) == self.start_time:
            posix.signal_group(self.pid, force=force)

    def _watch(self) -> None:
        self._pidfd = posix.open_pidfd(self.pid)
        if self._pidfd is not None:
            self._loop.add_reader(self._pidfd, self._on_leader_exit)
        else:
            waiting = self._loop.run_in_executor(None, posix.wait_for_end, self.pid)
            waiting.add_done_callback(lambda _: self._on_leader_exit())

    def _on_leader_exit(self) -> None:
        if self._pidfd is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None
        if self._finishing is None:
            self._finishing = self._loop.create_task(self._finish(), name=f"browser-{self.pid}-end")

    async def _finish(self) -> None:
        """Let the helpers exit by themselves for a moment, kill the rest, then reap.

        The leader stays a zombie until the last step, so its group id cannot belong to another process.
        """
        try:
            if not await self._wait_for_helpers():
                posix.signal_group(self.pid, force=True)
                await self._wait_for_helpers()
        finally:
            posix.signal_group(self.pid, force=True)
            code = posix.reap(self.pid)
            self._read_stderr()
            self._close_stderr()
            self.on_ended()
            self.close_pipe()
            for key in self._fork_keys:
                posix.allow_in_forks(key)
            if not self._ended.done():
                self._ended.set_result(code)

    async def _wait_for_helpers(self) -> bool:
        """Whether the group is empty within a moment; the exit of grandchildren sends no event."""
        until = self._loop.time() + _HELPERS_SECONDS
        while posix.group_members(self.pid):
            if self._loop.time() > until:
                return False
            await asyncio.sleep(_POLL_SECONDS)
        return True

    def _read_stderr(self) -> None:
        while self._stderr_fd >= 0:
            try:
                chunk = os.read(self._stderr_fd, 65536)
            except BlockingIOError:
                return
            if not chunk:
                self._close_stderr()
                return
            self._tail += chunk
            del self._tail[:-_TAIL_BYTES]

    def _close_stderr(self) -> None:
        if self._stderr_fd >= 0:
            self._loop.remove_reader(self._stderr_fd)
            os.close(self._stderr_fd)
            self._stderr_fd = -1
