"""Observing a page: snapshots, title, frames, scripts, screenshots and PDF."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import FrameInfo, ScreenshotResult, SnapshotResult
from boathook.effects import Effect
from boathook.engine.capture.images.annotate import annotate as annotated
from boathook.engine.capture.images.grid import LARGEST_CELL, SMALLEST_CELL, draw_grid
from boathook.engine.capture.images.image_files import save_picture, save_privately
from boathook.engine.capture.images.model_copy import model_copy
from boathook.engine.capture.images.screenshot import Picture, format_of
from boathook.engine.capture.images.screenshot import capture as captured
from boathook.engine.capture.images.screenshot_memory import compare_with_last
from boathook.engine.capture.pdf import Paper, Pdf, print_pdf
from boathook.engine.elements import evaluate as scripts
from boathook.engine.elements.evaluate import RESULT_LIMIT, WorldName
from boathook.engine.elements.locate import locate
from boathook.engine.snapshot.snapshot_options import Question
from boathook.engine.snapshot.take import Snapshot, take_snapshot
from boathook.engine.snapshot.token_budget import DEFAULT_BUDGET
from boathook.engine.tab import Tab
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.errors import BadRequest, BadSetting, TargetNotFound
from boathook.registry.parameters import FileToWrite, Within
from boathook.registry.registry import Also, Between, Doc, ElementTarget, Short, command
from boathook.registry.script_helper import SELECTOR, ScriptHelper
from boathook.values import ImageFormat, Ref, SnapshotMode

LAST_REVISION = -1


@command(
    group="observe",
    doing="taking a snapshot",
    timeout=READ_SECONDS,
    script_helpers=(
        ScriptHelper(
            "observe",
            also={"viewportOnly": "viewport_only"},
            fixed={"fold": False, "budget": None},
            gives="elements",
        ),
        ScriptHelper("snapshot", also={"selector": "root"}, gives="text", element="root"),
    ),
    core=True,
    examples=("snapshot", "snapshot --mode full --root main", "snapshot --since 3"),
)
async def snapshot(
    tab: Tab,
    *,
    mode: Annotated[
        SnapshotMode,
        Doc("what to list: interactive elements, everything, or everything compactly"),
        Also("-i", "interactive"),
        Also("--interactive", "interactive"),
        Also("-c", "compact", yields=True),
        Also("--compact", "compact", yields=True),
    ] = "interactive",
    root: Annotated[Within, Short("s"), Also("--selector")] = None,
    depth: Annotated[int, Doc("maximum depth below the root (0: unlimited)"), Short("d")] = 0,
    viewport_only: Annotated[
        bool, Doc("only elements in the viewport"), Also("--viewport", value=True)
    ] = False,
    search: Annotated[str, Doc("only lines that contain this text")] = "",
    role: Annotated[str, Doc("only elements with this role"), Also("--filter")] = "",
    urls: Annotated[bool, Doc("include link URLs"), Short("u")] = False,
    boxes: Annotated[bool, Doc("include the bounding box of each element")] = False,
    content_refs: Annotated[bool, Doc("refs also for cells, headers and list items with a name")] = False,
    graphics: Annotated[
        bool, Doc("describe drawings and charts: shapes, colours, positions, axes, values")
    ] = False,
    since: Annotated[
        int | None,
        Doc("only changes since this revision; -1 is the last one"),
        Also("--delta", LAST_REVISION),
        Also("--diff", LAST_REVISION),
    ] = None,
    budget: Annotated[int | None, Doc("maximum number of tokens")] = DEFAULT_BUDGET,
    fold: Annotated[bool, Doc("fold similar rows into one line")] = True,
    expand: Annotated[Sequence[str], Doc("refs of folded rows to expand")] = (),
    deadline: Deadline,
) -> SnapshotResult:
    """Print the page as text with refs; with `since`, only what changed since that revision."""
    before = _find_snapshot(tab, since) if since is not None else None
    expanded = tuple(_number(text) for text in expand)
    question = Question(
        mode=mode,
        root=await locate(tab, root) if root is not None else None,
        depth=depth,
        viewport_only=viewport_only,
        urls=urls,
        boxes=boxes,
        content_refs=content_refs,
        graphics=graphics,
        search=search,
        role=role.removeprefix("role="),  # as in `--filter role=button`
    )
    taken = await take_snapshot(tab, question, deadline=deadline)
    return SnapshotResult(snapshot=taken, before=before, budget=budget, fold=fold, expand=expanded)


def _find_snapshot(tab: Tab, revision: int) -> Snapshot | None:
    if revision == LAST_REVISION:
        return tab.snapshots.latest
    before = tab.snapshots.get(revision)
    if before is None:
        raise TargetNotFound(f"no such revision: {revision}", hint="take a full snapshot first")
    return before


def _number(text: str) -> int:
    ref = Ref.parse(text)
    if ref is None:
        raise BadSetting(f"invalid ref: {text!r}", hint="expand takes refs such as @e12")
    return ref.number


@command(
    group="observe",
    aliases=("get url",),
    handles_dialog=True,
    as_property=True,
    category="get",
    script_helpers=(ScriptHelper("url"),),
    examples=("get url",),
)
async def url(tab: Tab) -> str:
    """Get the current URL."""
    return tab.url


@command(
    group="observe",
    aliases=("get title",),
    category="get",
    script_helpers=(ScriptHelper("title"),),
    examples=("get title",),
)
async def title(tab: Tab) -> str:
    """Get the page title."""
    return await tab.title()


@command(group="observe", handles_dialog=True, category="get", examples=("frames",))
async def frames(tab: Tab) -> list[FrameInfo]:
    """List the frames of the page, top frame first. A frame keeps its `handle` across navigations."""
    known = {frame.id: frame.handle for frame in tab.frames}
    return [
        FrameInfo(handle=frame.handle, parent=known.get(frame.parent_id, ""), url=frame.url, name=frame.name)
        for frame in tab.frames
    ]


@command(
    group="observe",
    effect=Effect.ACTS,
    may_navigate=True,
    aliases=("eval",),
    from_stdin=("script",),
    doing="running a script",
    timeout=READ_SECONDS,
    page_scripts=("script",),
    script_helpers=(ScriptHelper("evaluate", ("script",), rest="arguments", element="target"),),
    json_answer=True,
    core=True,
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
        Doc("an expression, or a function that receives the arguments; - reads standard input"),
        Also("--stdin", "-"),
    ],
    *arguments: Annotated[Any, Doc("arguments of the function, as JSON")],
    target: Annotated[
        str | None, Doc("an element, available to the script as `element`"), ElementTarget()
    ] = None,
    world: Annotated[WorldName, Doc("run in the page's world, or in an isolated one")] = "main",
    base64: Annotated[bool, Doc("the script is base64-encoded"), Short("b")] = False,
    limit: Annotated[int, Doc("maximum size of the result in bytes")] = RESULT_LIMIT,
    deadline: Deadline,
) -> Any:
    """Run JavaScript: an expression, statements, or a function that receives the arguments (after the element of `target`).

    The value is printed as JSON.
    """
    if base64:
        script = _decode_script(script)
    return await scripts.evaluate(
        tab, script, arguments, target=target, world=world, limit=limit, deadline=deadline
    )


def _decode_script(script: str) -> str:
    try:
        return b64decode(script, validate=True).decode()
    except ValueError as error:
        raise BadRequest(
            "the script is not base64-encoded text", hint="omit `--base64` for plain text"
        ) from error


@command(
    group="observe",
    writes_files=("path",),
    default_file_name="screenshot",
    leading_targets=("target", "also_show"),
    doing="taking a screenshot",
    timeout=READ_SECONDS,
    script_helpers=(
        ScriptHelper(
            "screenshot",
            also={**SELECTOR, "fullPage": "full_page", "save": "path"},
            fixed={"for_model": True},
            gives="picture",
            element="target",
        ),
    ),
    core=True,
    examples=(
        "screenshot page.png",
        "screenshot --full-page --annotate page.png",
        "screenshot @e4 part.png",
        "screenshot --grid 100 grid.png",
        "screenshot --if-changed --threshold 0.01",
    ),
)
async def screenshot(
    tab: Tab,
    path: Annotated[str | Path | None, Doc("the file to write")] = None,
    *,
    target: Annotated[str | None, Doc("only this element"), ElementTarget()] = None,
    also_show: Annotated[Sequence[str], Doc("more elements; the screenshot covers all of them")] = (),
    full_page: Annotated[
        bool, Doc("the full page instead of the viewport"), Short("f"), Also("--full", value=True)
    ] = False,
    annotate: Annotated[bool, Doc("label elements with their refs")] = False,
    grid: Annotated[
        int | None,
        Doc("draw cells of this many pixels, labeled with their centers: such a point is a target"),
        Between(SMALLEST_CELL, LARGEST_CELL),
    ] = None,
    for_model: Annotated[bool, Doc("a small copy for a model; the original is saved to disk")] = False,
    if_changed: Annotated[bool, Doc("omit the image if it equals the last one")] = False,
    threshold: Annotated[
        float, Doc("with if_changed: fraction of pixels that may differ, 0 to 1"), Between(0, 1)
    ] = 0.0,
    format: Annotated[
        ImageFormat | None,
        Doc("image format (default: from the file extension, or png)"),
        Also("--screenshot-format"),
    ] = None,
    quality: Annotated[
        int | None, Doc("quality of jpeg and webp"), Also("--screenshot-quality"), Between(0, 100)
    ] = None,
    deadline: Deadline,
) -> ScreenshotResult:
    """Take a screenshot of the viewport, the full page or elements; `annotate` labels elements with refs.

    `for_model` returns a copy of at most 1024 pixels a side and 150 KiB, and saves the original to disk.
    With `if_changed`, a screenshot that equals the last one is returned without data and is not saved.
    """
    wanted = format or format_of(path)
    kind = repr((target, tuple(also_show), full_page, annotate, grid, wanted, quality))
    if grid is not None and (target is not None or full_page):
        raise BadSetting(
            "grid labels points of the viewport",
            hint="take a screenshot of the viewport|: `screenshot --grid 100`",
        )
    draw = partial(_drawn, tab, annotate=annotate, grid=grid, deadline=deadline)
    shown: dict[str, Any] = {"target": target, "also_show": also_show, "full_page": full_page}
    picture = await draw(await captured(tab, **shown, format=wanted, quality=quality, deadline=deadline))
    news = (
        await compare_with_last(tab, kind, picture.data, threshold=threshold, deadline=deadline)
        if if_changed
        else None
    )
    if news is not None and not news.changed:
        return ScreenshotResult(picture=picture, changed=False, ratio=news.ratio, revision=news.revision)
    saved = save_picture(picture, Path(path)) if path is not None else None
    shot = ScreenshotResult(picture=picture, path=saved)
    if for_model:
        saved = saved or save_privately(picture, tab.browser.folder)
        copy = await model_copy(tab, picture, finish=draw, deadline=deadline)
        shot = ScreenshotResult(picture=copy, path=saved, whole=picture if copy is not picture else None)
    return shot if news is None else replace(shot, ratio=news.ratio, revision=news.revision)


async def _drawn(
    tab: Tab, picture: Picture, *, annotate: bool, grid: int | None, deadline: Deadline
) -> Picture:
    """A screenshot with what was asked to be drawn into it."""
    picture = picture if grid is None else await draw_grid(picture, cell=grid)
    return await annotated(tab, picture, deadline=deadline) if annotate else picture


@command(
    group="observe",
    writes_files=("path",),
    default_file_name="page.pdf",
    doing="printing",
    timeout=WAIT_SECONDS,
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
    format: Annotated[str, Doc("paper size: a4, letter, …, or millimeters such as 100x150")] = "a4",
    landscape: Annotated[bool, Doc("landscape orientation")] = False,
    background: Annotated[bool, Doc("print background colors and images")] = True,
    scale: Annotated[float, Doc("scale of the content"), Between(0.1, 2)] = 1.0,
    margin_mm: Annotated[float, Doc("margin on all sides, in millimeters"), Between(0, 100)] = 10.0,
    margins: Annotated[str, Doc("individual margins: top, right, bottom, left (CSS shorthand)")] = "",
    pages: Annotated[str, Doc("pages to print, such as 1-3, 5"), Also("--ranges")] = "",
    header: Annotated[
        str, Doc("HTML header of each page; classes date, title, url, pageNumber, totalPages")
    ] = "",
    footer: Annotated[str, Doc("HTML footer of each page, with the same classes")] = "",
    page_size: Annotated[bool, Doc("use the page size of the CSS @page rule")] = False,
    outline: Annotated[bool, Doc("add an outline from the headings")] = False,
    tagged: Annotated[bool, Doc("generate a tagged (accessible) PDF")] = True,
    deadline: Deadline,
) -> Pdf:
    """Save the page as PDF. A tab that shows a PDF saves that file."""
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
    return await print_pdf(tab, None if path is None else Path(path), paper, deadline=deadline)
