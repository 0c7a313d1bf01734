"""A recording: the page of a tab as a video, from start to stop, across navigations and crashes.

The frames are Chromium's own screencast, so nothing is done to the page and it is not reloaded. Each has a timestamp;
when the encoder is behind, frames are dropped, and the others keep their positions.
"""

from __future__ import annotations

import asyncio
import base64
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.cdp.replies import ignore_reply
from boathook.engine.capture.images.image_size import image_size
from boathook.engine.capture.video.contact_sheet import ContactSheet
from boathook.engine.capture.video.ffmpeg import VideoFile
from boathook.engine.capture.video.pointer_overlay import PointerOverlay
from boathook.errors import BoathookError, PageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

BEAT_SECONDS = 1.0
"""A static page is written that often, so that finishing takes little time."""
LONGEST_SIDE = 1_920
QUALITY = 90
FIRST_SECONDS = 2.0
"""How long a tab may take to produce a frame before one is requested."""
LAST_SECONDS = 1.0
"""How long it may take to produce its last frame; a page that hangs produces none."""
SAME_CLOCK_SECONDS = 5.0
FINISH_SECONDS = 90.0
"""Time limit for finishing a long recording."""
End = Literal["", "the tab was closed", "the browser disconnected", "ffmpeg exited"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """How to record."""

    path: Path
    fps: int = 30
    cursor: bool = False
    marks: bool = False
    contact_sheet: bool = False
    contact_sheet_threshold: float = 0.05

    @property
    def sheet_path(self) -> Path:
        """A contact sheet next to the video."""
        return self.path.with_suffix(".contact-sheet.png")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A recorded video, with the evidence."""

    path: Path
    seconds: float
    frames: int
    """Frames of the file, at a constant rate."""
    pictures: int
    """Frames that the page produced."""
    dropped: int
    """Frames that were dropped because the encoder was behind."""
    width: int
    height: int
    fps: int
    size: int
    contact_sheet: Path | None = None
    moments: int = 0
    """Images on the contact sheet."""
    ended: End = ""
    """Why it ended, if it was not stopped by a call."""


@dataclass(frozen=True, slots=True)
class _Picture:
    data: bytes
    at: float
    width: float
    """Of the viewport, in CSS pixels."""


class Recording:
    """One recording; `film` is its task, which runs in the background until it is stopped."""

    def __init__(self, tab: Tab, recording_options: RecordingOptions, *, program: str) -> None:
        self.recording_options = recording_options
        self.began = time.time()
        self._since = time.monotonic()
        self._tab = tab
        self._program = program
        self._hand = PointerOverlay(cursor=recording_options.cursor, marks=recording_options.marks)
        self._sheet = (
            ContactSheet(recording_options.sheet_path, threshold=recording_options.contact_sheet_threshold)
            if recording_options.contact_sheet
            else None
        )
        self._session: CdpSession | None = None
        self._unlisten: Callable[[], None] = lambda: None
        self._next: _Picture | None = None
        self._shown: _Picture | None = None
        self._stir = asyncio.Event()
        self._redraw = False
        self._stopping = False
        self._writing = False
        self._pictures = self._dropped = 0
        self._size = (0, 0)
        self._ahead: float | None = None
        """Offset of the browser's clock from ours."""
        self._finished: asyncio.Future[Recorded] = asyncio.get_running_loop().create_future()
        ignore_reply(self._finished)

    @property
    def is_over(self) -> bool:
        """Whether its file is finished."""
        return self._finished.done()

    async def begin(self, *, deadline: Deadline) -> None:
        """Start recording, and wait for the first frame."""
        async with deadline.stage("waiting for the first frame of the page"):
            try:
                await self._listen()
                await self._first_picture()
                self._tab.browser.background_tasks.start(self._film(), name=f"record {self._tab.id}")
            except BaseException:
                self._leave()
                raise

    async def stop(self, *, deadline: Deadline) -> Recorded:
        """Stop it, and wait for the file."""
        self._stopping = True
        self._stir.set()
        async with deadline.stage("finishing the video"):
            return await asyncio.shield(self._finished)

    async def _first_picture(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_SECONDS):
                while self._next is None:
                    self._stir.clear()
                    await self._stir.wait()
        if self._next is None:  # not painted automatically, for example behind another tab
            reply = await self._tab.session.send("Page.captureScreenshot", format="jpeg", quality=QUALITY)
            self._next = _Picture(base64.b64decode(reply["data"]), self._now(), 0)
        self.began = self._next.at

    async def _listen(self) -> None:
        """Start the screencast of the tab's target; a tab whose renderer was replaced has another target."""
        session = self._tab.session
        if self._session is session:
            return
        self._leave()
        self._session = session
        self._unlisten = session.on("Page.screencastFrame", lambda params: self._on_frame(session, params))
        session.on_send = self._on_command if self._hand.drawn else None
        # The first frame would be the one that was painted last, which may be older than the page's current size.
        with suppress(TimeoutError):
            async with asyncio.timeout(FIRST_SECONDS):
                await session.send("Page.captureScreenshot", format="jpeg", quality=1)
        await session.send(
            "Page.startScreencast",
            format="jpeg",
            quality=QUALITY,
            maxWidth=LONGEST_SIDE,
            maxHeight=LONGEST_SIDE,
        )

    def _leave(self) -> None:
        if self._session is not None:
            self._unlisten()
            self._session.on_send = None
            with suppress(BoathookError):
                ignore_reply(self._session.post("Page.stopScreencast"))
        self._session = None

    def _on_frame(self, session: CdpSession, params: dict[str, Any]) -> None:
        with suppress(BoathookError):
            ignore_reply(session.post("Page.screencastFrameAck", sessionId=params["sessionId"]))
        about = params["metadata"]
        if self._next is not None and self._writing:
            self._dropped += 1
        self._pictures += 1
        self._next = _Picture(
            base64.b64decode(params["data"]), self._time(about), float(about.get("deviceWidth", 0))
        )
        self._stir.set()

    def _now(self) -> float:
        """The time, also if the clock of the machine is set during the recording."""
        return self.began + time.monotonic() - self._since

    def _time(self, about: dict[str, Any]) -> float:
        """When a frame was painted, by our clock; the browser may be on another machine."""
        now = self._now()
        painted = float(about.get("timestamp") or now)
        if self._ahead is None or abs(painted - self._ahead - now) > SAME_CLOCK_SECONDS:  # or it was set
            self._ahead = painted - now if abs(painted - now) > SAME_CLOCK_SECONDS else 0.0
        return min(now, painted - self._ahead)

    def _on_command(self, method: str, params: dict[str, Any]) -> None:
        if self._hand.on_command(method, params):
            self._redraw = True
            self._stir.set()

    async def _film(self) -> None:
        closing = asyncio.ensure_future(self._tab.closed.wait())
        closing.add_done_callback(lambda _done: self._stir.set())
        video: VideoFile | None = None
        try:
            video = await self._begin_file()
            await self._write_all(video)
            await self._look_once_more()
        except BoathookError as error:
            self._fail(error)
        finally:
            closing.cancel()
            self._leave()
            if video is not None:
                # Whatever ends it, also a browser exit, leaves a file that can be played.
                await self._finish(video)
            self._fail(PageError("the recording was interrupted before its first frame"))

    async def _begin_file(self) -> VideoFile:
        first = self._next
        if first is None:
            raise PageError("the page produced no frame")
        width, height = image_size(first.data)
        # Encoders need even sides: a pixel at the edge is dropped, since one that is added shows as a black line.
        self._size = (max(2, width - width % 2), max(2, height - height % 2))
        return await VideoFile.begin(
            self.recording_options.path,
            program=self._program,
            size=self._size,
            fps=self.recording_options.fps,
        )

    async def _write_all(self, video: VideoFile) -> None:
        """Write frames as they arrive, at most at the frame rate of the file."""
        step = 1 / self.recording_options.fps
        while not self._ending:
            picture, self._next = self._next, None
            moving = self._redraw or self._hand.moves(at=self._now())
            self._redraw = False
            self._shown = picture or self._shown
            at = picture.at if picture is not None and not moving else self._now()
            if not await self._write(video, at=at, new=picture is not None):
                return
            await self._pause(step, step if self._hand.moves(at=self._now()) else BEAT_SECONDS)
            with suppress(
                BoathookError
            ):  # the tab is being recovered, or is closed: the next round handles it
                await self._listen()

    async def _look_once_more(self) -> None:
        """Capture the page as it is at the end: the frame of the last action may still be pending."""
        if self._tab.closed.is_set() or self._tab.dialogs.pending is not None:
            return
        with suppress(BoathookError, TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                reply = await self._tab.session.send("Page.captureScreenshot", format="jpeg", quality=QUALITY)
            width = self._shown.width if self._shown is not None else 0
            self._next = _Picture(base64.b64decode(reply["data"]), self._now(), width)

    async def _write(self, video: VideoFile, *, at: float, new: bool = False) -> bool:
        """Show the current frame from that time on; False if nothing more can be written."""
        shown = self._shown
        if shown is None:
            return True
        second = max(0.0, at - self.began)
        self._writing = True
        try:
            data = shown.data
            if self._hand.drawn:
                data = await asyncio.to_thread(self._hand.onto, data, width=shown.width, at=at)
            if self._sheet is not None and new:
                await asyncio.to_thread(self._sheet.offer, data, at=second)
            return await video.add(data, at=second)
        finally:
            self._writing = False

    async def _pause(self, step: float, longest: float) -> None:
        """Until there is a new frame, but not sooner than the next frame of the file."""
        begun = self._now()
        with suppress(TimeoutError):
            async with asyncio.timeout(longest):
                while self._next is None and not self._redraw and not self._ending:
                    self._stir.clear()
                    await self._stir.wait()
        rest = step - (self._now() - begun)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, rest)):
                while not self._ending:
                    self._stir.clear()
                    await self._stir.wait()

    @property
    def _ending(self) -> bool:
        return self._stopping or self._tab.closed.is_set()

    async def _finish(self, video: VideoFile) -> None:
        ended = self._why(video)
        if not video.trouble:
            self._shown = self._next or self._shown
            now = self._now()
            # Twice: the last frame is shown as long as the one before it.
            await self._write(video, at=now, new=self._next is not None)
            await self._write(video, at=now + 1 / self.recording_options.fps)
        seconds = max(0.0, self._now() - self.began)
        try:
            frames = await video.finish()
            moments = await asyncio.to_thread(self._sheet.save) if self._sheet is not None else 0
            size = self.recording_options.path.stat().st_size
        except (BoathookError, OSError) as error:
            self._fail(error if isinstance(error, BoathookError) else PageError(str(error)))
            return
        width, height = self._size
        self._finished.set_result(
            Recorded(
                path=self.recording_options.path,
                seconds=round(seconds, 3),
                frames=frames,
                pictures=self._pictures,
                dropped=self._dropped,
                width=width,
                height=height,
                fps=self.recording_options.fps,
                size=size,
                contact_sheet=self._sheet.path if self._sheet is not None and moments else None,
                moments=moments,
                ended=ended,
            )
        )

    def _why(self, video: VideoFile) -> End:
        """What ended it, if that was not `stop`."""
        if video.trouble:
            return "ffmpeg exited"
        if self._tab.closed.is_set() and self._tab.browser.connection.closed_because is None:
            return "the tab was closed"
        return "" if self._stopping else "the browser disconnected"

    def _fail(self, error: BoathookError) -> None:
        if not self._finished.done():
            self._finished.set_exception(error)
