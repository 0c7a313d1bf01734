"""A host without a browser: enough commands to see what the daemon and its clients do."""

import asyncio
import dataclasses
import json
import os
import time
from pathlib import Path

from boathook.service.daemon.host_protocol import Answer, CommandLine
from tests.support.waiting import until


class Host:
    """Answers a few words; `hold NAME` leaves files in the working directory that record its outcome."""

    def __init__(self):
        self._busy = []
        self._runtime = Path(os.environ["XDG_RUNTIME_DIR"])
        self._last = time.monotonic()

    async def answer(self, line: CommandLine, progress):
        verb, *rest = line.argv
        self._busy.append(" ".join(line.argv))
        try:
            return await getattr(self, f"_{verb}")(line, rest, progress)
        finally:
            self._busy.remove(" ".join(line.argv))
            self._last = time.monotonic()

    def busy(self):
        return list(self._busy)

    def idle_seconds(self):
        return 0.0 if self._busy else time.monotonic() - self._last

    async def close(self):
        (self._runtime / "closed").touch()

    async def _ping(self, line, rest, progress):
        return Answer(out="pong\n", err="", exit=0)

    async def _end(self, line, rest, progress):
        return Answer(out="out\n", err="err\n", exit=int(rest[0]))

    async def _facts(self, line, rest, progress):
        return Answer(out=json.dumps(dataclasses.asdict(line)), err="", exit=0)

    async def _environment(self, line, rest, progress):
        return Answer(out=json.dumps(dict(os.environ)), err="", exit=0)

    async def _open_files(self, line, rest, progress):
        return self._open_now()

    def _open_now(self):
        return Answer(
            out=json.dumps([os.path.realpath(f"/proc/self/fd/{fd}") for fd in (0, 1, 2)]), err="", exit=0
        )

    async def _large(self, line, rest, progress):
        return Answer(out="x" * int(rest[0]), err="", exit=0)

    async def _say(self, line, rest, progress):
        for text in rest:
            progress(text)
        return Answer(out="said\n", err="", exit=0)

    async def _fail(self, line, rest, progress):
        raise RuntimeError("hunter2")

    async def _hold(self, line, rest, progress):
        mark = Path(line.cwd, rest[0])
        mark.with_suffix(".begun").touch()
        progress("holding")
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            mark.with_suffix(".cancelled").touch()
            raise

    async def _until(self, line, rest, progress):
        mark = Path(line.cwd, rest[0])
        mark.with_suffix(".begun").touch()
        await until(mark.with_suffix(".go").exists, named="the test lets it go")
        return Answer(out="gone\n", err="", exit=0)


class BrokenHost:
    """Cannot even be made."""

    def __init__(self):
        raise RuntimeError("no engine today")
