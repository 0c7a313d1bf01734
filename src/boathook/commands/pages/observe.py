"""Looking at a page: snapshots, title, frames, scripts, pictures and print."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from boathook.commands.results import DEFAULT_BUDGET, FrameInfo, Look, Shot
from boathook.engine.capture.images.annotate import annotate as annotated
from boathook.engine.capture.images.image_files import save_picture, save_privately
from boathook.engine.capture.images.model_copy import model_copy
from boathook.engine.capture.images.screenshot import capture as captured
from boathook.engine.capture.images.screenshot import format_of
from boathook.engine.capture.images.screenshot_memory import compared
from boathook.engine.capture.pdf import Paper, Pdf, print_pdf
from boathook.engine.elements import evaluate as scripts
from boathook.engine.elements.evaluate import RESULT_LIMIT, WorldName
from boathook.engine.elements.locate import locate
from boathook.engine.snapshot.snapshot_options import Question
from boathook.engine.snapshot.take import Snapshot, take_snapshot
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.errors import BadRequest, BadSetting, TargetNotFound
from boathook.registry.parameters import FileToWrite, Timeout, Within
from boathook.registry.registry import Also, Between, Doc, Effect, Short, command
from boathook.values import ImageFormat, Ref, SnapshotMode

LAST_REVISION = -1


@command(
    group="observe",
    checks_refs=True,
    examples=("snapshot", "snapshot --mode full --root main", "snapshot --since 3"),
)
async def snapshot(
    tab: Tab,
    *,
    mode: Annotated[
        SnapshotMode,
        Doc("what to list: what can be acted on, everything, or everything tersely"),
        Also("-i", "interactive"),
        Also("--interactive", "interactive"),
        Also("-c", "compact", yields=True),
        Also("--compact", "compact", yields=True),
    ] = "interactive",
    root: Annotated[Within, Short("s"), Also("--selector")] = None,
    depth: Annotated[int, Doc("levels below the root; 0 is no limit"), Short("d")] = 0,
    viewport_only: Annotated[bool, Doc("only what is in view")] = False,
    search: Annotated[str, Doc("only lines with this text")] = "",
    role: Annotated[str, Doc("only elements of this role")] = "",
    urls: Annotated[bool, Doc("with the addresses of links"), Short("u")] = False,
    boxes: Annotated[bool, Doc("with the place and size of each element")] = False,
    since: Annotated[
        int | None,
        Doc("an earlier revision: only what changed since then; -1 is the last one"),
        Also("--delta", LAST_REVISION),
    ] = None,
    budget: Annotated[int | None, Doc("tokens that the text may have")] = DEFAULT_BUDGET,
    fold: Annotated[bool, Doc("put rows that are alike into one line")] = True,
    expand: Annotated[Sequence[str], Doc("refs whose folded rows are shown")] = (),
    timeout: Timeout = READ_SECONDS,
) -> Look:
    """The page as text with refs; with `since`, what changed from that revision on."""
    before = _remembered(tab, since) if since is not None else None
    expanded = tuple(_number(text) for text in expand)
    async with tab.call("taking a snapshot", seconds=timeout, looks=True) as deadline:
        question = Question(
            mode=mode,
            root=await locate(tab, root) if root is not None else None,
            depth=depth,
            viewport_only=viewport_only,
            urls=urls,
            boxes=boxes,
            search=search,
            role=role,
        )
        taken = await take_snapshot(tab, question, deadline=deadline)
    return Look(snapshot=taken, before=before, budget=budget, fold=fold, expand=expanded)


def _remembered(tab: Tab, revision: int) -> Snapshot | None:
    if revision == LAST_REVISION:
        return tab.snapshots.latest
    before = tab.snapshots.get(revision)
    if before is None:
        raise TargetNotFound(f"revision {revision} is not remembered", hint="take a whole snapshot first")
    return before


def _number(text: str) -> int:
    ref = Ref.parse(text)
    if ref is None:
        raise BadSetting(f"{text!r} is not a ref", hint="expand takes refs such as @e12")
    return ref.number


@command(group="observe", words=("get url",), handles_dialog=True, as_property=True, examples=("get url",))
async def url(tab: Tab) -> str:
    """The present address."""
    return tab.url


@command(group="observe", words=("get title",), examples=("get title",))
async def title(tab: Tab) -> str:
    """The page's title, read from the page."""
    return await tab.title()


@command(group="observe", handles_dialog=True, examples=("frames",))
async def frames(tab: Tab) -> list[FrameInfo]:
    """The frames of the page, the top one first; `handle` stays with a frame while documents come and go in it."""
    known = {frame.id: frame.handle for frame in tab.frames}
    return [
        FrameInfo(handle=frame.handle, parent=known.get(frame.parent_id, ""), url=frame.url, name=frame.name)
        for frame in tab.frames
    ]


@command(
    group="observe",
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    words=("eval",),
    from_stdin=("script",),
    examples=(
        "eval 'document.links.length'",
        "eval 'element.value' --target @e3",
        "eval --stdin",
    ),
)
async def evaluate(
    tab: Tab,
    script: Annotated[
        str,
        Doc("an expression, or a function that gets the arguments; - is standard input"),
        Also("--stdin", "-"),
    ],
    *arguments: Annotated[Any, Doc("arguments of the function, as JSON")],
    target: Annotated[str | None, Doc("an element that the script finds as `element`")] = None,
    world: Annotated[WorldName, Doc("the page's own scripts' world, or one that they cannot see")] = "main",
    base64: Annotated[bool, Doc("the script is written in base64"), Short("b")] = False,
    limit: Annotated[int, Doc("bytes that the result may have")] = RESULT_LIMIT,
    timeout: Timeout = READ_SECONDS,
) -> Any:
    """Run JavaScript: an expression, statements, or a function that gets the arguments (after `target`'s element)."""
    if base64:
        script = _decoded(script)
    async with tab.call("running a script", seconds=timeout) as deadline:
        return await scripts.evaluate(
            tab, script, arguments, target=target, world=world, limit=limit, deadline=deadline
        )


def _decoded(script: str) -> str:
    try:
        return b64decode(script, validate=True).decode()
    except ValueError as error:
        raise BadRequest(
            "the script is not base64 of a text", hint="leave out `--base64` for plain text"
        ) from error


@command(
    group="observe",
    checks_refs=True,
    writes_files=("path",),
    unnamed_file="screenshot",
    targets_first=("target", "also_show"),
    examples=(
        "screenshot page.png",
        "screenshot --full-page --annotate page.png",
        "screenshot @e4 part.png",
        "screenshot --if-changed --threshold 0.01",
    ),
)
async def screenshot(
    tab: Tab,
    path: Annotated[str | Path | None, Doc("the file to write")] = None,
    *,
    target: Annotated[str | None, Doc("only this element")] = None,
    also_show: Annotated[Sequence[str], Doc("further elements: the picture is of the place around all")] = (),
    full_page: Annotated[
        bool, Doc("the whole page, not only what is in view"), Short("f"), Also("--full", value=True)
    ] = False,
    annotate: Annotated[bool, Doc("draw the refs into it")] = False,
    for_model: Annotated[bool, Doc("a small copy for a model; the picture itself stays on disk")] = False,
    if_changed: Annotated[bool, Doc("without data when it is like the last one of its kind")] = False,
    threshold: Annotated[
        float, Doc("with if_changed, the share of pixels that may differ, from 0 to 1"), Between(0, 1)
    ] = 0.0,
    format: Annotated[
        ImageFormat | None,
        Doc("kind of image; else as the file's name says, or png"),
        Also("--screenshot-format"),
    ] = None,
    quality: Annotated[
        int | None, Doc("of jpeg and webp"), Also("--screenshot-quality"), Between(0, 100)
    ] = None,
    timeout: Timeout = READ_SECONDS,
) -> Shot:
    """A picture of the viewport, the full page, or one or several elements; `annotate` draws the refs into it.

    `for_model` gives a copy of at most 1024 pixels a side and 150 KiB, and keeps the picture itself on disk.
    With `if_changed`, one that is like the last of its kind comes without data and is not saved.
    """
    wanted = format or format_of(path)
    kind = repr((target, tuple(also_show), full_page, annotate, wanted, quality))
    async with tab.call("taking a screenshot", seconds=timeout, looks=True) as deadline:
        draw = partial(annotated, tab, deadline=deadline)
        picture = await captured(
            tab,
            target=target,
            also_show=also_show,
            full_page=full_page,
            format=wanted,
            quality=quality,
            deadline=deadline,
        )
        picture = await draw(picture) if annotate else picture
        news = (
            await compared(tab, kind, picture.data, threshold=threshold, deadline=deadline)
            if if_changed
            else None
        )
        if news is not None and not news.changed:
            return Shot(picture=picture, changed=False, ratio=news.ratio, revision=news.revision)
        saved = save_picture(picture, Path(path)) if path is not None else None
        copy = picture
        if for_model:
            saved = saved or save_privately(picture, tab.browser.folder)
            copy = await model_copy(tab, picture, finish=draw if annotate else None, deadline=deadline)
    shot = Shot(picture=copy, path=saved, whole=picture if copy is not picture else None)
    return shot if news is None else replace(shot, ratio=news.ratio, revision=news.revision)


@command(
    group="observe",
    writes_files=("path",),
    unnamed_file="page.pdf",
    examples=(
        "pdf page.pdf",
        "pdf page.pdf --landscape --margins 20,10",
        "pdf page.pdf --footer '<span class=pageNumber></span>' --outline",
    ),
)
async def pdf(
    tab: Tab,
    path: FileToWrite = None,
    *,
    format: Annotated[str, Doc("size of the paper: a4, letter, …, or millimetres such as 100x150")] = "a4",
    landscape: Annotated[bool, Doc("the paper lies on its long side")] = False,
    background: Annotated[bool, Doc("with background colours and pictures")] = True,
    scale: Annotated[float, Doc("size of the content"), Between(0.1, 2)] = 1.0,
    margin_mm: Annotated[float, Doc("margin on all sides, in millimetres"), Between(0, 100)] = 10.0,
    margins: Annotated[str, Doc("margins one by one: top, right, bottom, left; fewer as in CSS")] = "",
    pages: Annotated[str, Doc("pages to print, such as 1-3, 5"), Also("--ranges")] = "",
    header: Annotated[str, Doc("HTML over each page; classes date, title, url, pageNumber, totalPages")] = "",
    footer: Annotated[str, Doc("HTML under each page, likewise")] = "",
    page_size: Annotated[bool, Doc("the size that the page itself asks for in its @page rule")] = False,
    outline: Annotated[bool, Doc("with a table of contents made from the headings")] = False,
    tagged: Annotated[bool, Doc("with the structure that screen readers need")] = True,
    timeout: Timeout = WAIT_SECONDS,
) -> Pdf:
    """Print the page; a tab that shows a PDF gives that file instead."""
    paper = Paper(
        format=format,
        landscape=landscape,
        background=background,
        scale=scale,
        margin_mm=margin_mm,
        margins=margins,
        pages=pages,
        header=header,
        footer=footer,
        page_size=page_size,
        outline=outline,
        tagged=tagged,
    )
    async with tab.call("printing", seconds=timeout, looks=True) as deadline:
        return await print_pdf(tab, None if path is None else Path(path), paper, deadline=deadline)
