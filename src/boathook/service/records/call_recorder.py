"""What is recorded of a call: a line in the journal, its artifacts, and where they are stored."""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook import runtime_folder
from boathook.commands.results import RecordingStarted, ScreenshotResult, UrlDiff
from boathook.commands.views.view_results import SavedScreenshot
from boathook.engine.capture.pdf import Pdf
from boathook.engine.capture.performance.cpu_profile import ProfileFile
from boathook.engine.capture.performance.heap_snapshots import HeapFile
from boathook.engine.capture.performance.trace import TraceFile
from boathook.engine.capture.video.video_recording import Recorded
from boathook.engine.diff.image_diff import PictureDiff
from boathook.engine.files.downloads import Download
from boathook.engine.network.har.har_file import HarFile
from boathook.engine.qa.report import QaReport
from boathook.engine.state.state_file import SavedState
from boathook.errors import BoathookError, FileMissing
from boathook.redaction.redactor import Redactor
from boathook.service.records.artifacts import (
    Kind,
    Manifest,
    State,
    Window,
    absolute,
    pending,
    verify_file,
)
from boathook.service.records.journal import Journal, JournalRecord
from boathook.service.records.quotas import Retention, Storage, StorageArea, claim
from boathook.service.records.spill import Spills
from boathook.service.sessions.session_records import SessionRecords
from boathook.values import count_noun

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from boathook.registry.registry import Command
    from boathook.service.call import Call
    from boathook.service.output.outcome import Outcome
    from boathook.service.records.artifacts import Artifact
    from boathook.service.records.journal import History

HOST_JOURNAL = "host"
"""The session name for calls that belong to no session."""
_KINDS: tuple[tuple[type, Kind, str], ...] = (
    (ScreenshotResult, Kind.IMAGE, ""),
    (Pdf, Kind.PDF, "application/pdf"),
    (Download, Kind.DOWNLOAD, ""),
    (SavedState, Kind.FILE, "application/json"),
    (HarFile, Kind.HAR, "application/json"),
    (PictureDiff, Kind.IMAGE, "image/png"),
    (Recorded, Kind.VIDEO, ""),
    (TraceFile, Kind.TRACE, "application/json"),
    (ProfileFile, Kind.PROFILE, "application/json"),
    (HeapFile, Kind.PROFILE, "application/json"),
)
_WITH_SECRETS = (Pdf, HeapFile, SavedState)


def state_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder for data that outlives the daemon."""
    return Path(runtime_folder.state_folder(environ))


@dataclass(frozen=True, slots=True)
class _Note:
    """A record that is not written yet, and what must be removed from it."""

    session: str
    record: JournalRecord
    secrets: frozenset[str]
    secret_parameters: Collection[str]


class CallRecorder:
    """Journals and spilled text of all sessions."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or state_folder()
        self._journals: dict[str, Journal] = {}
        self._manifests: dict[str, Manifest] = {}
        self._unwritten: list[_Note] = []
        self._trouble = ""
        """Why the last record could not be written, until a call has reported it."""
        places = (
            StorageArea(Retention.SPILLS, self._folder / "texts"),
            StorageArea(Retention.JOURNALS, self._folder / "history"),
            StorageArea(Retention.ARTIFACTS, self._folder / "artifacts"),
            StorageArea(Retention.DOWNLOADS, self._folder / "screenshots"),
            StorageArea(Retention.DOWNLOADS, self._folder / "captures"),
        )
        self._storage = Storage(places)
        with suppress(BoathookError):
            for place in places:
                claim(place)
        self.session_records = SessionRecords(self._folder / "sessions")

    def spills(self, session: str) -> Spills:
        """The folder for long text of a session."""
        return Spills(self._folder / "texts" / (session or HOST_JOURNAL))

    def clean(self, *, older_than: float) -> str:
        """Remove what is older than so many seconds; returns how much."""
        done = self._storage.clean(older_than=older_than)
        return f"removed {count_noun(len(done.removed), 'file')} ({done.freed_bytes} bytes), kept {done.kept} ({done.kept_bytes} bytes)"

    def history(self, session: str, *, limit: int) -> History:
        """The history of a session, oldest first."""
        self.write_notes()
        return self._journal(session).read(limit=limit)

    def fresh_picture(self, name: str, ending: str, *, folder: str | None = None) -> Path:
        """A default path for a screenshot, in the user's folder for them or in another one."""
        return self._fresh(Path(folder) if folder else self._folder / "screenshots", name, ending)

    def fresh_file(self, name: str, ending: str) -> Path:
        """A default path for another file: a trace, a HAR file, a printed page."""
        return self._fresh(self._folder / "captures", name, ending)

    def _fresh(self, home: Path, name: str, ending: str) -> Path:
        """An unused path, named after the time."""
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        now = datetime.now(tz=UTC).astimezone()
        while True:
            path = home / f"{name}_{now:%Y%m%d_%H%M%S}_{now.microsecond // 1000:03d}.{ending}"
            if not path.exists():
                return path
            now += timedelta(milliseconds=1)

    def remember(self, session: str, artifacts: tuple[Artifact, ...]) -> None:
        """Add files to the list of a session; a full disk does not fail the call that created them."""
        if artifacts:
            with suppress(OSError, BoathookError):
                self._manifest(session).add(*artifacts)

    def artifacts(self, session: str) -> tuple[Artifact, ...]:
        """The artifacts of a session, as they are now."""
        return self._manifest(session).verify()

    def missing_files(self, session: str, wanted: Iterable[str], *, folder: str, seconds: float) -> list[str]:
        """Which of these paths no call of the last seconds has saved, or are gone."""
        since = time.time() - seconds
        entries = self.artifacts(session)
        saved = {entry.path for entry in entries if entry.state is State.SAVED and entry.noted >= since}
        return [path for path in wanted if absolute(Path(folder, path)) not in saved]

    def files_to_keep(self, session: str, *, seconds: float) -> list[Path]:
        """Files of the last seconds that were saved outside our own folders and still exist."""
        since = time.time() - seconds
        return [
            artifact.path
            for artifact in self._manifest(session).entries
            if artifact.noted >= since
            and not artifact.path.is_relative_to(self._folder)
            and artifact.path.is_file()
        ]

    def _manifest(self, session: str) -> Manifest:
        if session not in self._manifests:
            self._manifests[session] = Manifest(self._folder / "artifacts", session=session)
        return self._manifests[session]

    def note(self, call: Call, outcome: Outcome, *, session: str, began: float, seconds: float) -> str:
        """Add a call to the history of its session, right after its answer, which does not wait for the disk.

        A record that could not be written does not fail the call; the next call reports it as a note.
        """
        record = JournalRecord(
            time=began,
            pid=call.pid,
            program=call.program,
            door=call.surface.value,
            command=call.command.name,
            outcome=outcome.category,
            seconds=round(seconds, 3),
            code=outcome.error.code if outcome.error is not None else "",
            arguments=dict(call.arguments),
        )
        self._unwritten.append(_Note(session, record, outcome.secrets, call.command.secrets))
        if len(self._unwritten) == 1:
            asyncio.get_running_loop().call_soon(self.write_notes)
        trouble, self._trouble = self._trouble, ""
        return trouble

    def write_notes(self) -> None:
        """Write the records that wait; also before a history is read."""
        notes, self._unwritten = self._unwritten, []
        for note in notes:
            redactor = Redactor(note.secrets)
            arguments = redactor.arguments(note.record.arguments, note.secret_parameters)
            record = replace(note.record, arguments=arguments)
            try:
                self._journal(note.session).add(record, redactor=redactor)
            except BoathookError as error:
                self._trouble = f"an earlier call is not in the history: {error.message}"

    def _journal(self, session: str) -> Journal:
        name = session or HOST_JOURNAL
        if name not in self._journals:
            self._journals[name] = Journal(self._folder / "history", session=name)
        return self._journals[name]


def artifacts_of(command: Command, value: Any, *, began: float) -> tuple[Artifact, ...]:
    """The files that a call reports as created, verified on disk; one that only reads a file has created none."""
    if isinstance(value, RecordingStarted):
        before = artifacts_of(command, value.before, began=began) if value.before is not None else ()
        return (*before, pending(value.path, kind=Kind.VIDEO, media_type=_video_type(value.path)))
    if isinstance(value, QaReport):
        return _files_of_report(value, began=began)
    if isinstance(value, UrlDiff):
        value = value.pictures
    made_a_file = bool(command.writes_files) or isinstance(value, Recorded | SavedScreenshot)
    if not made_a_file:
        return ()
    if isinstance(value, SavedScreenshot):
        value = value.shot
    for kind_of_value, kind, media_type in _KINDS:
        path = getattr(value, "path", None)
        if isinstance(value, kind_of_value) and path is not None:
            media = media_type or _media_type(value)
            # A download may have been over before it was asked for.
            window = None if kind is Kind.DOWNLOAD else Window.since(began)
            found = verify_file(Path(path), kind=kind, window=window, media_type=media)
            if found.state is State.MISSING:
                raise FileMissing(
                    f"{path} was reported as saved, but is missing: {found.reason or 'no such file'}"
                )
            return (
                replace(found, may_contain_secrets=isinstance(value, _WITH_SECRETS)),
                *_beside(value, began=began),
            )
    return ()


def _files_of_report(report: QaReport, *, began: float) -> tuple[Artifact, ...]:
    """The reports about pages, and their screenshots."""
    images = [page.screenshot for page in report.pages if page.screenshot is not None]
    window = Window.since(began)
    return (
        *(verify_file(path, kind=Kind.IMAGE, window=window) for path in images),
        *(verify_file(path, kind=Kind.FILE, window=window) for path in report.files),
    )


def videos(recorded: Recorded) -> tuple[Artifact, ...]:
    """A video that was finished because its session closed, and files next to it."""
    media = _video_type(recorded.path)
    video = verify_file(recorded.path, kind=Kind.VIDEO, window=None, media_type=media)
    return (video, *_beside(recorded, began=0))


def _media_type(value: Any) -> str:
    if isinstance(value, Recorded):
        return _video_type(value.path)
    return f"image/{(value.whole or value.picture).format}" if isinstance(value, ScreenshotResult) else ""


def _video_type(path: Path) -> str:
    return f"video/{path.suffix.lower().removeprefix('.')}"


def _beside(value: Any, *, began: float) -> tuple[Artifact, ...]:
    """Files next to it."""
    if not isinstance(value, Recorded) or value.contact_sheet is None:
        return ()
    window = Window.since(began)
    return (verify_file(value.contact_sheet, kind=Kind.IMAGE, window=window, media_type="image/png"),)


def category_of(artifacts: tuple[Artifact, ...]) -> str:
    """The category of a success that created files."""
    if not artifacts:
        return "completed"
    if any(artifact.state is State.PENDING for artifact in artifacts):
        return "artifact-pending"
    return (
        "artifact-saved"
        if all(artifact.state is State.SAVED for artifact in artifacts)
        else "artifact-unverified"
    )
