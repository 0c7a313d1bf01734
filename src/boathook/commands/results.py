"""Results of commands for which the engine has no type."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from boathook.engine.actions.perform import Performed
from boathook.engine.snapshot.token_budget import DEFAULT_BUDGET
from boathook.redaction.safe_repr import safe_repr
from boathook.values import count_noun

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.capture.images.screenshot import Picture
    from boathook.engine.capture.video.video_recording import Recorded
    from boathook.engine.content.read_page import PageText, ReadFormat
    from boathook.engine.diff.image_diff import PictureDiff
    from boathook.engine.page.dialogs import Dialog
    from boathook.engine.snapshot.take import Snapshot

DEFAULT_LIMIT = 8_000
"""Characters of a reading's text."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """A page that is open in a browser; `tab` is empty while it is not attached."""

    target_id: str
    tab: str
    url: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedTab:
    """A tab of the user's browser that this session has not used."""

    url: str
    title: str
    target_id: str


class CookieList(list[dict[str, Any]]):
    """Cookies, each as the browser describes it; printed as one line each."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedSessions:
    """Sessions that were closed, and the files that their calls saved at paths of the caller."""

    name: str = ""
    """The session, if it was one."""
    count: int = 1
    files: tuple[Path, ...] = ()

    @property
    def kept(self) -> str:
        """What happens to the files: they are the caller's."""
        return f"{count_noun(len(self.files), 'saved file')} kept" if self.files else ""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationResult:
    """The outcome of a navigation."""

    url: str
    title: str = ""
    status: int = 0
    """The HTTP status; 0 if there is none, as for documents from memory."""
    dialogs: tuple[Dialog, ...] = ()
    """Dialogs that the page opened while it loaded and that were answered automatically."""


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
class SnapshotResult:
    """A snapshot, the one it is compared with, and the size limit of its text."""

    snapshot: Snapshot
    before: Snapshot | None = None
    budget: int | None = DEFAULT_BUDGET
    fold: bool = True
    expand: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenshotResult:
    """A screenshot, where it was saved, and whether it shows anything new."""

    picture: Picture
    path: Path | None = None
    changed: bool = True
    whole: Picture | None = None
    """The original screenshot, if `picture` is a smaller copy."""
    ratio: float | None = None
    """The fraction of pixels that differ from the last one, if requested."""
    revision: int | None = None
    """The number of distinct screenshots so far, including this one."""


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
    """Two loaded URLs and how similar they look."""

    before: Snapshot
    after: Snapshot
    pictures: PictureDiff | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingStarted:
    """An active recording; its file is written when it stops."""

    path: Path
    tab: str
    before: Recorded | None = None
    """The recording that was stopped for it."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ReadText:
    """The content, its size limit, and the file with the full text if it is longer."""

    page: PageText
    format: ReadFormat
    limit: int = DEFAULT_LIMIT
    path: Path | None = None


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptHelperCall:
    """One helper that a script called."""

    name: str
    about: str = ""
    """Its first argument, if it is a string."""
    seconds: float = 0.0
    failed: str = ""
    """The code of its error."""


@safe_repr
@dataclass(slots=True, kw_only=True)
class ScriptResult:
    """The result of a script: displayed values in order, the return value and notes."""

    tab: str
    shown: list[Any] = field(default_factory=list)
    value: Any = None
    gives: bool = False
    """Whether it returned a value."""
    log: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict, repr=False)
    seconds: float = 0.0
    code: str = field(default="", repr=False)
    steps: list[ScriptHelperCall] = field(default_factory=list, repr=False)
    """The helpers that it called, in the order in which they finished."""
    screenshots: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """The files with screenshots that it has saved: path, mimeType, width, height and bytes."""
    where: dict[str, Any] = field(default_factory=dict)
    """More about the tab, for tools that name it otherwise."""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SemanticAction(Performed):
    """The result of `do`, and the command line that it stands for, without what was typed."""

    compiled: tuple[str, ...] = ()
