"""Files: uploads to pages, downloads from them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.engine.actions import uploads
from boathook.engine.actions.input import pointer
from boathook.engine.actions.uploads import Uploaded
from boathook.engine.files import downloads
from boathook.engine.files.downloads import Download
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.engine.waits import wait_for_event
from boathook.engine.waits.wait_for_event import DOWNLOAD_SECONDS, WAIT_SECONDS
from boathook.registry.parameters import Nth, Since, Target, Timeout
from boathook.registry.registry import Doc, Effect, command

SavedAs = Doc(
    "where to put it: a folder, which keeps the server's name for it, or a file name with an ending"
)


def _roots(tab: Tab) -> tuple[Path, ...] | None:
    """Where files may come from: what the call may do, else what the browser was opened with."""
    return tab.browser.upload_roots if tab.upload_roots is None else tab.upload_roots


@command(
    group="files",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    reads_files=("paths",),
    examples=("upload @e4 report.pdf",),
)
async def upload(
    tab: Tab,
    target: Target,
    *paths: Annotated[str | Path, Doc("files to give")],
    nth: Nth = None,
    timeout: Timeout = WAIT_SECONDS,
) -> Uploaded:
    """Give files to a file input, to what opens a file chooser, or to a place that takes dropped files."""
    async with tab.call(f"uploading to {target}", seconds=timeout) as deadline:
        return await uploads.upload(
            tab,
            target,
            paths,
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
    examples=("answer file chooser report.pdf",),
)
async def answer_file_chooser(
    tab: Tab, *paths: Annotated[str | Path, Doc("files to give")], timeout: Timeout = WAIT_SECONDS
) -> Uploaded:
    """Give files to the chooser that the page has opened."""
    async with tab.call("answering the file chooser", seconds=timeout) as deadline:
        return await uploads.give_to_chooser(
            tab,
            paths,
            roots=_roots(tab),
            folder=tab.browser.folder.fresh("uploads"),
            deadline=deadline,
        )


@command(
    group="files",
    handles_dialog=True,
    writes_files=("path",),
    examples=("wait for download", "wait for download downloads/", "wait for download report.pdf"),
)
async def wait_for_download(
    tab: Tab,
    path: Annotated[str | Path | None, SavedAs] = None,
    *,
    since: Since = None,
    timeout: Timeout = DOWNLOAD_SECONDS,
) -> Download:
    """The first download that nobody took yet, also one that is over; without a path it goes with the browser."""
    async with tab.call("waiting for a download", seconds=timeout, waits=True, needs_page=False) as deadline:
        tab.browser.downloads.begin(tab.browser.context_of(tab))
        return await wait_for_event.wait_for_download(
            tab, place=None if path is None else Path(path), since=since, deadline=deadline
        )


@command(
    group="files",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    writes_files=("path",),
    examples=("download @e7", "download 'text=Invoice' invoices/", "download @e7 invoice.pdf"),
)
async def download(
    tab: Tab,
    target: Target,
    path: Annotated[str | Path | None, SavedAs] = None,
    *,
    nth: Nth = None,
    timeout: Timeout = DOWNLOAD_SECONDS,
) -> Download:
    """Click an element and wait for the download that begins; without a path it goes with the browser."""
    async with tab.call(f"downloading from {target}", seconds=timeout) as deadline:
        tab.browser.downloads.begin(tab.browser.context_of(tab))
        await pointer.click(tab, target, nth=nth, deadline=deadline)
        return await wait_for_event.wait_for_download(
            tab, place=None if path is None else Path(path), since=None, deadline=deadline
        )


@command(group="files", effect=Effect.ACTS, handles_dialog=True, examples=("cancel downloads",))
async def cancel_downloads(tab: Tab, *, timeout: Timeout = READ_SECONDS) -> int:
    """Stop the downloads that are on their way; gives their number."""
    async with (
        tab.call("stopping downloads", seconds=timeout, looks=True, needs_page=False) as deadline,
        deadline.stage("stopping downloads"),
    ):
        return await downloads.cancel_all(tab.browser.downloads, tab.downloads)
