"""ffmpeg: finding it, and one process of it that turns timestamped images into a video file."""

from __future__ import annotations

import asyncio
import re
import shutil
import struct
import tempfile
from typing import TYPE_CHECKING, Any

from boathook.engine.capture.cdp_streams import open_private
from boathook.errors import PageError, Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ENCODERS: dict[str, tuple[str, ...]] = {
    ".webm": (
        *("-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "12", "-lag-in-frames", "0"),
        *("-auto-alt-ref", "0", "-crf", "10", "-qmax", "40", "-b:v", "4M", "-threads", "1"),
    ),
    ".mp4": (
        *("-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-crf", "23"),
        *("-pix_fmt", "yuv420p", "-threads", "2"),
    ),
}
"""How each file type is encoded: faster than real time, on a machine that also runs the browser.

Threads of libvpx wait for each other in busy loops: on a loaded machine, two of them take a hundred times as long as one.
"""
CLOCK = 1_000
"""Time base of frame timestamps, in ticks per second."""
ENDING_SECONDS = 60.0
_FILE_HEADER = struct.Struct("<4sHH4sHHIIII")
_PICTURE_HEADER = struct.Struct("<IQ")
_COUNT = re.compile(rb"frame=\s*(\d+)")
_SHOWN = 300
_able: set[tuple[str, str]] = set()
"""Programs and encoders that are known to work together."""


def find_ffmpeg() -> str:
    """The program, from PATH or from the package that contains it."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        from imageio_ffmpeg import (  # noqa: PLC0415 - an optional package
            get_ffmpeg_exe,
        )

        return str(get_ffmpeg_exe())
    except (ImportError, RuntimeError) as error:
        raise Unsupported(
            "recording requires ffmpeg, which was not found",
            hint="pip install 'boathook[video]', or install ffmpeg",
        ) from error


async def require_encoder(program: str, ending: str) -> None:
    """Raise before the first frame if a file type cannot be encoded; some builds support only a few."""
    name = ENCODERS[ending][1]
    if (program, name) in _able:
        return
    asked = await asyncio.create_subprocess_exec(
        program,
        *("-hide_banner", "-h", f"encoder={name}"),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asked.communicate()
    if f"Encoder {name} ".encode() not in said:
        raise Unsupported(
            f"the installed ffmpeg lacks the encoder {name}, which {ending} files need",
            hint="use the other format (.webm or .mp4), or pip install 'boathook[video]'",
        )
    _able.add((program, name))


class VideoFile:
    """A video that is being written; frames are JPEGs of any size, each shown until the next one."""

    def __init__(self, path: Path, process: asyncio.subprocess.Process, said: Any, counted: Any) -> None:
        self.path = path
        self._process = process
        self._said = said
        self._counted = counted
        self._last = -1
        self.trouble = ""
        """Why nothing more can be written, from ffmpeg's output."""

    @classmethod
    async def begin(cls, path: Path, *, program: str, size: tuple[int, int], fps: int) -> VideoFile:
        """Start ffmpeg; a file that cannot be written is reported at once."""
        open_private(path).close()  # created first, so that only its owner can read it
        # Two files and not pipes: nothing has to read them, and output never blocks ffmpeg.
        said, counted = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - closed with the video
        try:
            process = await asyncio.create_subprocess_exec(
                program,
                *_arguments(path, size=size, fps=fps),
                stdin=asyncio.subprocess.PIPE,
                stdout=counted,
                stderr=said,
                start_new_session=True,  # a keyboard interrupt must not stop it: the end of its input does
            )
        except OSError as error:
            said.close()
            counted.close()
            raise Unsupported(f"ffmpeg cannot be started: {error.strerror}") from error
        made = cls(path, process, said, counted)
        made._send(_FILE_HEADER.pack(b"DKIF", 0, _FILE_HEADER.size, b"MJPG", *size, CLOCK, 1, 0, 0))
        return made

    async def add(self, jpeg: bytes, *, at: float) -> bool:
        """Write a frame that is shown from that second on, once there is room for it; False after the end."""
        tick = max(self._last + 1, int(at * CLOCK))
        self._send(_PICTURE_HEADER.pack(len(jpeg), tick), jpeg)
        self._last = tick
        try:
            await self._stdin.drain()
        except (ConnectionError, RuntimeError):
            self.trouble = self.trouble or "ffmpeg exited"
        return not self.trouble

    async def finish(self) -> int:
        """Finish the file; returns how many frames it has."""
        self._stdin.close()
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                status = await self._process.wait()
        except TimeoutError:
            self._process.kill()
            status = await self._process.wait()
        self._said.seek(0)
        words = self._said.read().decode("utf-8", "replace").strip()
        self._counted.seek(0)
        counts = _COUNT.findall(self._counted.read())
        self._said.close()
        self._counted.close()
        if status != 0 or self.trouble:
            raise PageError(f"the video could not be encoded: {words[-_SHOWN:] or self.trouble or status}")
        return int(counts[-1]) if counts else 0

    @property
    def _stdin(self) -> asyncio.StreamWriter:
        if self._process.stdin is None:
            raise PageError("ffmpeg has no input")
        return self._process.stdin

    def _send(self, *parts: bytes) -> None:
        for part in parts:
            self._stdin.write(part)


def _arguments(path: Path, *, size: tuple[int, int], fps: int) -> Sequence[str]:
    width, height = size
    even = "crop=max(2\\,trunc(iw/2)*2):max(2\\,trunc(ih/2)*2):0:0"
    fitted = f"{even},scale={width}:{height}:force_original_aspect_ratio=decrease:out_range=limited"
    framed = f"pad={width}:{height}:(ow-iw)/2:(oh-ih)/2"
    return (
        *("-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-progress", "pipe:1"),
        *("-f", "ivf", "-i", "pipe:0", "-an", "-vf", f"{fitted},{framed},setsar=1,fps={fps}"),
        *ENCODERS[path.suffix.lower()],
        f"file:{path}",
    )
