"""What commands give back where the engine has no value of its own for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.capture.images.screenshot import Picture
    from boathook.engine.capture.video.video_recording import Recorded
    from boathook.engine.content.reading import PageText, ReadFormat
    from boathook.engine.diff.image_diff import PictureDiff
    from boathook.engine.snapshot.take import Snapshot

DEFAULT_BUDGET = 4_000
"""Tokens of a snapshot's text."""
DEFAULT_LIMIT = 8_000
"""Characters of a reading's text."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """A page that is open in a browser; `tab` is empty while we do not work with it."""

    target_id: str
    tab: str
    url: str
    title: str


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Arrived:
    """Where a navigation led."""

    url: str
    title: str = ""
    status: int = 0
    """The server's; 0 where there is none, as for documents from memory."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class FrameInfo:
    """A frame of a page; `parent` is empty for the top one."""

    handle: str
    parent: str
    url: str
    name: str


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """A snapshot, the one that it is compared with, and how much of it is wanted as text."""

    snapshot: Snapshot
    before: Snapshot | None = None
    budget: int | None = DEFAULT_BUDGET
    fold: bool = True
    expand: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """A picture, where it was saved, and whether it shows anything new."""

    picture: Picture
    path: Path | None = None
    changed: bool = True
    whole: Picture | None = None
    """The picture itself, when `picture` is a smaller copy of it."""
    ratio: float | None = None
    """The share of pixels that differ from the last one, when that was asked for."""
    revision: int | None = None
    """How many different ones there were so far, this one included."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotDiff:
    """A snapshot and what it is compared with: an earlier one, or the text of one."""

    before: Snapshot | None
    baseline: str | None
    after: Snapshot


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class UrlDiff:
    """Two addresses as they were found, and how much they look alike."""

    before: Snapshot
    after: Snapshot
    pictures: PictureDiff | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingStarted:
    """A recording that runs; its file is there when it is stopped."""

    path: Path
    tab: str
    before: Recorded | None = None
    """The one that was ended for it."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """What was read, how much of it is wanted, and the file that holds the whole when that is more."""

    page: PageText
    format: ReadFormat
    limit: int = DEFAULT_LIMIT
    path: Path | None = None


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class HelperCall:
    """One helper that a script called."""

    name: str
    about: str = ""
    """Its first argument, when that is a text."""
    seconds: float = 0.0
    failed: str = ""
    """The code of its error."""


@safe_repr
@dataclass(slots=True, kw_only=True)
class Ran:
    """What came of a script: what it showed, in order, what it gave back, what it noted."""

    tab: str
    shown: list[Any] = field(default_factory=list)
    value: Any = None
    gives: bool = False
    """Whether it gave something back."""
    log: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict, repr=False)
    seconds: float = 0.0
    code: str = field(default="", repr=False)
    steps: list[HelperCall] = field(default_factory=list, repr=False)
    """The helpers that it called, in the order in which they ended."""
