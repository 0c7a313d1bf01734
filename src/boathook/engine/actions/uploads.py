"""Uploads: into a file input, into the chooser that an element opens, or onto a drop zone."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
import shutil
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.actions.input.pointer import click
from boathook.engine.elements.locate import find_all, locate
from boathook.engine.elements.selector import parse_target
from boathook.engine.files.upload_files import default_roots, stage_files
from boathook.engine.page.page_eval import value_of
from boathook.engine.page_scripts import page_script
from boathook.engine.waits.until import wait_until_event
from boathook.errors import BadRequest, BoathookError, NotReceived, TargetError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.files.upload_files import StagedFile
    from boathook.engine.page.file_choosers import FileChooser
    from boathook.engine.tab import Tab

CHOOSER_SECONDS = 0.6
"""How long an element may take to open its chooser after it was clicked."""
DROP_LIMIT = 20 * 1024 * 1024
"""Limit in bytes for a drop, whose files are sent into the page; inputs read from disk and have no limit."""

Way = Literal["input", "chooser", "drop"]

_WHAT = """function () {
  const input = Element.prototype.matches.call(this, 'input[type=file]') ? this : null;
  return { own: input !== null, multiple: Boolean(input && input.multiple), disabled: Boolean(input && input.disabled) };
}"""
# Pages often empty the input as soon as they have its files, so they are read in the input event.
_WATCH = """function () {
  const read = () => [...this.files].map(file => ({ name: file.name, size: file.size }));
  this.__boathookFiles = null;
  for (const type of ['input', 'change']) {
    this.addEventListener(type, () => { this.__boathookFiles = this.__boathookFiles || read(); }, { capture: true, once: true });
  }
}"""
_READ = """function () {
  const now = [...this.files].map(file => ({ name: file.name, size: file.size }));
  return now.length ? now : this.__boathookFiles || [];
}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uploaded:
    """Uploaded files, as the page sees them."""

    way: Way
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    note: str = ""


async def upload(
    tab: Tab,
    target: str,
    paths: Sequence[str | Path],
    *,
    roots: Sequence[Path] | None,
    folder: Path,
    nth: int | None = None,
    deadline: Deadline,
) -> Uploaded:
    """Upload files to the element of a target; the result is read back from the page."""
    files = await _stage_files(paths, roots=roots, folder=folder, deadline=deadline)
    element = await locate(tab, target, deadline=deadline, nth=nth)
    session = element.frame.session
    handle = await element.handle()
    what = await _call(session, handle, _WHAT)
    if what["own"]:
        _check_input(what, files, str(element.ref))
        async with deadline.stage("setting the files of the input"):
            return await _into_input(session, handle, files, way="input", note=element.note)
    async with deadline.stage("waiting for a file chooser"):
        chooser = await _open_chooser(tab, element, deadline=deadline)
    if chooser is not None:
        return await answer_chooser(tab, chooser, files, deadline=deadline)
    async with deadline.stage("dropping the files"):
        dropped = await _drop_files(session, handle, files)
        if dropped is None:
            raise await _not_accepted(tab, element)
        return dropped


async def _not_accepted(tab: Tab, element: Element) -> NotReceived:
    """The error for an element that takes no files, with those that do."""
    inputs = (await find_all(tab, parse_target("input[type=file]"))).matches
    listed = f"; file inputs: {', '.join(str(match) for match in inputs)}" if inputs else ""
    return NotReceived(
        f"{element.ref} is not a file input, opened no file chooser, and did not accept dropped files{listed}",
        ref=str(element.ref),
        hint="use one of these refs"
        if inputs
        else "use the file input, the button that opens the chooser, or the drop zone",
    )


async def give_to_chooser(
    tab: Tab, paths: Sequence[str | Path], *, roots: Sequence[Path] | None, folder: Path, deadline: Deadline
) -> Uploaded:
    """Set the files of the chooser that a page has opened."""
    chooser = tab.choosers.pending
    if chooser is None:
        raise BadRequest("no file chooser is open", hint="use `upload TARGET FILE` on what opens it")
    files = await _stage_files(paths, roots=roots, folder=folder, deadline=deadline)
    return await answer_chooser(tab, chooser, files, deadline=deadline)


async def answer_chooser(
    tab: Tab, chooser: FileChooser, files: Sequence[StagedFile], *, deadline: Deadline
) -> Uploaded:
    """Set the files of the input behind a chooser."""
    if len(files) > 1 and not chooser.multiple:
        raise BadRequest(f"the file chooser accepts one file, not {len(files)}", hint="pass one path")
    if not chooser.node:
        raise TargetError(
            "the file chooser has no input behind it (showOpenFilePicker), so its files cannot be set",
            hint="use the page's drop zone or a file input instead",
        )
    async with deadline.stage("setting the files of the chooser"):
        frame = tab.frames.get(chooser.frame_id)
        if frame is None:
            raise TargetError("the frame that opened the file chooser is gone", hint="open it again")
        world = await tab.frames.world(frame)
        resolved = await frame.session.send(
            "DOM.resolveNode", backendNodeId=chooser.node, executionContextId=world.context_id
        )
        done = await _into_input(frame.session, resolved["object"]["objectId"], files, way="chooser")
    tab.choosers.pending = None
    return done


@asynccontextmanager
async def _intercepting(tab: Tab) -> AsyncIterator[None]:
    """In tabs that are not ours, choosers are intercepted only while we wait for one."""
    if tab.owned:
        yield
        return
    await tab.session.send("Page.setInterceptFileChooserDialog", enabled=True)
    try:
        yield
    finally:
        await tab.session.send("Page.setInterceptFileChooserDialog", enabled=False)


async def _open_chooser(tab: Tab, element: Element, *, deadline: Deadline) -> FileChooser | None:
    mark = tab.choosers.all.mark()

    def look() -> FileChooser | None:
        return next(iter(tab.choosers.all.since(mark)), None)

    async with _intercepting(tab):
        try:
            await click(tab, str(element.ref), deadline=deadline)
        except TargetError:
            return look()
        try:
            async with asyncio.timeout(min(CHOOSER_SECONDS, deadline.remaining())):
                return await wait_until_event(tab, look)
        except TimeoutError:
            return None


async def _into_input(
    session: CdpSession, handle: str, files: Sequence[StagedFile], *, way: Way, note: str = ""
) -> Uploaded:
    await _call(session, handle, _WATCH)
    await session.send("DOM.setFileInputFiles", files=[str(file.path) for file in files], objectId=handle)
    seen = await _call(session, handle, _READ)
    expected = [(file.name, file.size) for file in files]
    found = [(str(file["name"]), int(file["size"])) for file in seen]
    if found != expected:
        raise NotReceived(
            f"the input shows {[name for name, _size in found]}, not {[name for name, _size in expected]}"
        )
    return Uploaded(
        way=way,
        names=tuple(name for name, _size in found),
        sizes=tuple(size for _name, size in found),
        note=note,
    )


async def _drop_files(session: CdpSession, handle: str, files: Sequence[StagedFile]) -> Uploaded | None:
    """Drop files on an element; None if it does not accept them."""
    total = sum(file.size for file in files)
    if total > DROP_LIMIT:
        raise BadRequest(
            f"too large to drop: {total} bytes",
            hint=f"drop at most {DROP_LIMIT} bytes, or use a file input",
        )
    contents = await asyncio.to_thread(_contents, files)
    reply = await _call(session, handle, page_script("actions/drop.js").split("\n", 1)[1].strip(), contents)
    if not reply["taken"]:
        return None
    return Uploaded(way="drop", names=tuple(reply["names"]), sizes=tuple(file.size for file in files))


def _contents(files: Sequence[StagedFile]) -> list[dict[str, Any]]:
    return [
        {
            "name": file.name,
            "data": base64.b64encode(file.path.read_bytes()).decode(),
            "type": mimetypes.guess_type(file.name)[0] or "",
            "modified": int(file.path.stat().st_mtime * 1_000),
        }
        for file in files
    ]


def _check_input(what: dict[str, Any], files: Sequence[StagedFile], ref: str) -> None:
    if what["disabled"]:
        raise TargetError(f"the file input {ref} is disabled", ref=ref)
    if len(files) > 1 and not what["multiple"]:
        raise BadRequest(f"the file input {ref} accepts one file, not {len(files)}", hint="pass one path")


async def _stage_files(
    paths: Sequence[str | Path], *, roots: Sequence[Path] | None, folder: Path, deadline: Deadline
) -> list[StagedFile]:
    async with deadline.stage("reading the files"):
        try:
            return await asyncio.to_thread(
                stage_files, paths, roots=default_roots() if roots is None else roots, folder=folder
            )
        except BoathookError:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            raise


async def _call(session: CdpSession, handle: str, function: str, *arguments: object) -> Any:
    reply = await session.send(
        "Runtime.callFunctionOn",
        functionDeclaration=function,
        objectId=handle,
        arguments=[{"value": argument} for argument in arguments],
        returnByValue=True,
        userGesture=True,
    )
    return value_of(reply, failed="the element could not be queried", error=TargetError)
