"""Results of the Python API: frozen values with readable text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from boathook.commands.results import ReadText, ScreenshotResult, SnapshotDiff, SnapshotResult, UrlDiff
from boathook.engine.actions.perform import Performed
from boathook.engine.capture.images.image_size import image_size
from boathook.presentation.families.differences import Difference
from boathook.presentation.families.reading import Reading
from boathook.presentation.snapshot.action_report import render_performed
from boathook.presentation.snapshot.snapshot_text import render, render_change
from boathook.redaction.safe_repr import redact_text

if TYPE_CHECKING:
    from boathook.engine.actions.changes import Changes
    from boathook.values import Box


class SnapshotView:
    """A snapshot, or the changes between two, with text that is rendered when read."""

    def __init__(self, look: SnapshotResult) -> None:
        self._look = look
        self._snapshot = look.snapshot
        self._before = look.before

    @classmethod
    def of(cls, look: SnapshotResult) -> SnapshotView:
        """The public form of a snapshot."""
        return cls(look)

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The text for a model or a person, within its budget."""
        look = self._look
        if self._before is not None:
            return redact_text(render_change(self._before, self._snapshot, budget=look.budget))
        return redact_text(render(self._snapshot, budget=look.budget, fold=look.fold, expand=look.expand))

    @property
    def revision(self) -> int:
        """Increases when the page changes; pass it as `since` to get the changes."""
        return self._snapshot.revision

    @property
    def url(self) -> str:
        """The URL of the page."""
        return self._snapshot.url

    @property
    def title(self) -> str:
        """The title of the page."""
        return self._snapshot.title

    @property
    def lines(self) -> list[str]:
        """All lines, neither folded nor truncated."""
        return self._snapshot.lines

    @property
    def changed(self) -> bool:
        """Whether anything differs from the `since` revision."""
        return self._before is None or self._before.revision != self._snapshot.revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Screenshot:
    """A screenshot, where it was saved, and the area that it shows, relative to the viewport."""

    data: bytes = field(repr=False)
    format: str
    path: Path | None
    shows: Box
    width: int
    height: int
    scale: float
    """CSS pixels per pixel of `data`: multiply image coordinates by it."""
    changed: bool = True
    """False if nothing differs from the last one; then there is no data."""
    notes: tuple[str, ...] = ()
    ratio: float | None = None
    """The fraction of pixels that differ from the last one, with `if_changed`."""
    revision: int | None = None
    """The number of distinct screenshots so far, with `if_changed`."""

    def __str__(self) -> str:
        if not self.changed:
            return "no changes since the last screenshot"
        where = f"saved {self.path}" if self.path is not None else "not saved"
        return f"{where} ({self.width}x{self.height}, {len(self.data) // 1024} KiB)"

    @property
    def media_type(self) -> str:
        """The media type, such as image/png."""
        return f"image/{self.format}"

    def save(self, path: str | Path) -> Path:
        """Write it to a file, whose folder is created; returns the absolute path."""
        where = Path(path).expanduser().absolute()
        where.parent.mkdir(parents=True, exist_ok=True)
        where.write_bytes(self.data)
        return where

    def to_page(self, x: float, y: float) -> tuple[float, float]:
        """The viewport point, in CSS pixels, of a point in the image."""
        return self.shows.x + x * self.scale, self.shows.y + y * self.scale

    @classmethod
    def of(cls, shot: ScreenshotResult) -> Screenshot:
        """The public form of a screenshot; one without changes has no bytes."""
        picture = shot.picture
        width, height = image_size(picture.data)
        return cls(
            data=picture.data if shot.changed else b"",
            format=picture.format,
            path=shot.path,
            shows=picture.shows,
            width=width,
            height=height,
            scale=1 / picture.scale,
            changed=shot.changed,
            notes=picture.notes,
            ratio=shot.ratio,
            revision=shot.revision,
        )


class Acted:
    """What an action did, with evidence, and what it changed."""

    def __init__(self, done: Performed) -> None:
        self._done = done

    @classmethod
    def of(cls, done: Performed) -> Acted:
        """The public form of an action."""
        return cls(done)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Acted {self._done.action} {self._done.target}>"

    @property
    def text(self) -> str:
        """The report for a model or a person, in about a hundred tokens."""
        return redact_text(render_performed(self._done))

    @property
    def action(self) -> str:
        """The action."""
        return self._done.action

    @property
    def target(self) -> str:
        """Role, name and ref of the element."""
        return self._done.target

    @property
    def value(self) -> object:
        """The value of the control afterwards, if it has one."""
        return self._done.value

    @property
    def changes(self) -> Changes:
        """What changed, as data."""
        return self._done.changes

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes, for example that a ref was replaced."""
        return self._done.notes


VIEWS: dict[type, type] = {
    Performed: Acted,
    SnapshotResult: SnapshotView,
    ScreenshotResult: Screenshot,
    ReadText: Reading,
    SnapshotDiff: Difference,
    UrlDiff: Difference,
}
"""Result types of commands and their public views; all others are returned unchanged."""
