"""File uploads and downloads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from boathook.clock import READ_SECONDS, Deadline
from boathook.effects import Effect, SideEffect
from boathook.engine.actions import uploads
from boathook.engine.actions.input import pointer
from boathook.engine.actions.uploads import Uploaded
from boathook.engine.files import downloads
from boathook.engine.files.downloads import Download
from boathook.engine.tab import Tab
from boathook.engine.waits import wait_for_event
from boathook.engine.waits.wait_for_event import DOWNLOAD_SECONDS, WAIT_SECONDS
from boathook.registry.parameters import Nth, Since, Target
from boathook.registry.registry import Doc, command
from boathook.registry.script_helper import ScriptHelper

Files = Sequence[str | Path | Sequence[str | Path]]
SavedAs = Doc("a folder (keeps the server's file name), or a file name with an extension")


def _roots(tab: Tab) -> tuple[Path, ...] | None:
    """Folders that files may come from: those of the call, else those of the browser."""
    return tab.browser.upload_roots if tab.upload_roots is None else tab.upload_roots


def _each_path(paths: Files) -> list[str | Path]:
    """Files one by one, and those of lists of files."""
    return [path for given in paths for path in ([given] if isinstance(given, (str, Path)) else given)]


@command(
    group="files",
    effect=Effect.ACTS,
    may_navigate=True,
    reads_files=("paths",),
    doing="uploading to {target}",
    timeout=WAIT_SECONDS,
    side_effects=(SideEffect.SENDS_FILE,),
    script_helpers=(ScriptHelper("upload_file", ("target",), rest="paths"),),
    examples=("upload @e4 report.pdf",),
)
async def upload(
    tab: Tab,
    target: Target,
    *paths: Annotated[str | Path | Sequence[str | Path], Doc("files to upload")],
    nth: Nth = None,
    deadline: Deadline,
) -> Uploaded:
    """Upload files to a file input, a file chooser button or a drop zone."""
    return await uploads.upload(
        tab,
        target,
        _each_path(paths),
        roots=_roots(tab),
        folder=tab.browser.folder.fresh("uploads"),
        nth=nth,
        deadline=deadline,
    )


@command(
    group="files",
    effect=Effect.ACTS,
    may_navigate=True,
    reads_files=("paths",),
    doing="answering the file chooser",
    timeout=WAIT_SECONDS,
    side_effects=(SideEffect.SENDS_FILE,),
    examples=("answer file chooser report.pdf",),
)
async def answer_file_chooser(
    tab: Tab, *paths: Annotated[str | Path | Sequence[str | Path], Doc("files to upload")], deadline: Deadline
) -> Uploaded:
    """Upload files to the open file chooser."""
    return await uploads.give_to_chooser(
        tab,
        _each_path(paths),
        roots=_roots(tab),
        folder=tab.browser.folder.fresh("uploads"),
        deadline=deadline,
    )


@command(
    group="files",
    handles_dialog=True,
    writes_files=("path",),
    doing="waiting for a download",
    timeout=DOWNLOAD_SECONDS,
    waits=True,
    saves_download="path",
    script_helpers=(ScriptHelper("wait_for_download", ("path",)),),
    examples=("wait for download", "wait for download downloads/", "wait for download report.pdf"),
)
async def wait_for_download(
    tab: Tab,
    path: Annotated[str | Path | None, SavedAs] = None,
    *,
    since: Since = None,
    deadline: Deadline,
) -> Download:
    """Wait for a download, or take one that already finished. Without a path, the file is deleted with the browser."""
    tab.browser.downloads.begin(tab.browser.context_of(tab))
    return await wait_for_event.wait_for_download(
        tab, place=None if path is None else Path(path), since=since, deadline=deadline
    )


@command(
    group="files",
    effect=Effect.ACTS,
    may_navigate=True,
    writes_files=("path",),
    doing="downloading from {target}",
    timeout=DOWNLOAD_SECONDS,
    saves_download="path",
    script_helpers=(ScriptHelper("download", ("target", "path")),),
    examples=("download @e7", "download 'text=Invoice' invoices/", "download @e7 invoice.pdf"),
)
async def download(
    tab: Tab,
    target: Target,
    path: Annotated[str | Path | None, SavedAs] = None,
    *,
    nth: Nth = None,
    deadline: Deadline,
) -> Download:
    """Click an element and wait for the download. Without a path, the file is deleted with the browser."""
    tab.browser.downloads.begin(tab.browser.context_of(tab))
    mark = tab.downloads.mark()
    clicked = await pointer.click(tab, target, nth=nth, deadline=deadline)
    if clicked.changes.new_document:
        await wait_for_event.require_download_start(tab, since=mark, deadline=deadline)
    return await wait_for_event.wait_for_download(
        tab, place=None if path is None else Path(path), since=None, deadline=deadline
    )


@command(
    group="files",
    effect=Effect.ACTS,
    handles_dialog=True,
    doing="canceling downloads",
    timeout=READ_SECONDS,
    marks_action=False,
    examples=("cancel downloads",),
)
async def cancel_downloads(tab: Tab) -> int:
    """Cancel pending downloads. Prints how many."""
    return await downloads.cancel_all(tab.browser.downloads, tab.downloads)
