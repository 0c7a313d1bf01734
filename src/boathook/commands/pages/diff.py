"""Diffs: against the last snapshot, against a file, or between two URLs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import SnapshotDiff, UrlDiff
from boathook.effects import Effect
from boathook.engine.capture.cdp_streams import place_for, write_whole
from boathook.engine.capture.images.screenshot import capture as captured
from boathook.engine.diff.image_diff import PictureDiff, boxes_to_mask, compare_pictures, regions_of
from boathook.engine.elements.locate import locate
from boathook.engine.snapshot.snapshot_options import Question
from boathook.engine.snapshot.take import Snapshot, take_snapshot
from boathook.engine.tab import NAVIGATE_SECONDS, Tab
from boathook.errors import BadRequest, TargetNotFound
from boathook.input_files import read_input_file
from boathook.registry.parameters import LoadState, Timeout, Within
from boathook.registry.registry import Also, Between, Doc, ElementTarget, Short, command

if TYPE_CHECKING:
    from boathook.values import SnapshotMode

LARGEST_TEXT = 16 * 1024 * 1024
LARGEST_PICTURE = 256 * 1024 * 1024
Part = Annotated[Within, Short("s"), Also("--selector")]
Compact = Annotated[bool, Doc("compact list of everything on the page"), Short("c")]
Depth = Annotated[int, Doc("maximum depth below the root (0: unlimited)"), Short("d")]
Full = Annotated[bool, Doc("screenshots of the full page"), Short("f"), Also("--full", value=True)]
Off = Annotated[
    float, Doc("color difference above which a pixel counts as changed, 0 to 1"), Short("t"), Between(0, 1)
]
Output = Annotated[
    str | Path | None,
    Doc("file for the image of the differences"),
    Short("o"),
    Also("--output"),
]


@command(
    group="diff",
    reads_files=("baseline",),
    doing="comparing snapshots",
    timeout=READ_SECONDS,
    examples=("diff snapshot", "diff snapshot --baseline before.txt --root main"),
)
async def diff_snapshot(
    tab: Tab,
    *,
    baseline: Annotated[
        str | Path | None,
        Doc("file with the output of an earlier `snapshot` (default: the last snapshot)"),
        Short("b"),
    ] = None,
    root: Part = None,
    compact: Compact = False,
    full: Annotated[bool, Doc("compare full snapshots, with text and structure")] = False,
    depth: Depth = 0,
    deadline: Deadline,
) -> SnapshotDiff:
    """Compare the current snapshot with the last one or with a file. Refs are ignored."""
    before = await asyncio.to_thread(_text, Path(baseline)) if baseline is not None else None
    element = await locate(tab, root) if root is not None else None
    mode: SnapshotMode = "compact" if compact else "full" if full else "interactive"
    question = Question(mode=mode, root=element, depth=depth, compare_texts=not full)
    last = _last(tab, question) if before is None else None
    taken = await take_snapshot(tab, question, deadline=deadline)
    return SnapshotDiff(before=last, baseline=before, after=taken)


def _last(tab: Tab, question: Question) -> Snapshot:
    for snapshot in tab.snapshots.all():
        if snapshot.question == question.key:
            return snapshot
    raise TargetNotFound(
        "no earlier snapshot with these options to compare with",
        hint="take a snapshot with the same options first|, or pass a file: `--baseline FILE`",
    )


def _text(path: Path) -> str:
    try:
        content = read_input_file(path, most_bytes=LARGEST_TEXT)
        if len(content) > LARGEST_TEXT:
            raise BadRequest(f"file too large for a snapshot: {path}")
        return content.decode("utf-8", errors="replace")
    except OSError as error:
        raise BadRequest(
            f"cannot read {path}: {error.strerror}", hint="use a file with the output of a snapshot"
        ) from error


@command(
    group="diff",
    reads_files=("baseline",),
    writes_files=("path",),
    doing="comparing screenshots",
    timeout=READ_SECONDS,
    examples=(
        "diff screenshot --baseline before.png",
        "diff screenshot -b before.png -o diff.png --mask .clock",
    ),
)
async def diff_screenshot(
    tab: Tab,
    *,
    baseline: Annotated[str | Path, Doc("the baseline image"), Short("b")],
    path: Output = None,
    threshold: Off = 0.1,
    mask: Annotated[Sequence[str], Doc("elements to ignore: refs or selectors")] = (),
    full_page: Full = False,
    target: Annotated[
        str | None, Doc("only this element"), ElementTarget(), Short("s"), Also("--selector")
    ] = None,
    deadline: Deadline,
) -> PictureDiff:
    """Compare a screenshot with a baseline image and write an image that shows the differences."""
    before = await asyncio.to_thread(_picture, Path(baseline))
    now = await captured(tab, target=target, full_page=full_page, deadline=deadline)
    masks = regions_of(now, await boxes_to_mask(tab, mask, deadline=deadline))
    async with deadline.stage("comparing the screenshots"):
        told, shown = await compare_pictures(before, now.data, threshold=threshold, masks=masks)
    return _save_difference(tab, told, shown, path)


def _picture(path: Path) -> bytes:
    try:
        content = read_input_file(path, most_bytes=LARGEST_PICTURE)
    except OSError as error:
        raise BadRequest(
            f"cannot read {path}: {error.strerror}",
            hint="pass the file of a screenshot|: `screenshot FILE` writes one",
        ) from error
    if len(content) > LARGEST_PICTURE:
        raise BadRequest(f"file too large for an image: {path}")
    return content


def _save_difference(tab: Tab, told: PictureDiff, shown: bytes, path: str | Path | None) -> PictureDiff:
    """With an image of the differences, if there are any or the caller asked for it."""
    if not told.changed and path is None:
        return told
    target = place_for(tab, None if path is None else Path(path), "diffs", ".png")
    write_whole(target, shown)
    return replace(told, path=target)


@command(
    group="diff",
    effect=Effect.ACTS,
    may_navigate=True,
    writes_files=("path",),
    examples=("diff url https://example.org https://staging.example.org", "diff url A B --screenshot"),
)
async def diff_url(
    tab: Tab,
    url: Annotated[str, Doc("the first URL")],
    other_url: Annotated[str, Doc("the URL to compare with")],
    *,
    screenshot: Annotated[bool, Doc("also compare screenshots")] = False,
    path: Output = None,
    threshold: Off = 0.1,
    full_page: Full = False,
    root: Annotated[
        str | None, Doc("only this element"), ElementTarget(), Short("s"), Also("--selector")
    ] = None,
    compact: Compact = False,
    depth: Depth = 0,
    wait_until: LoadState = "load",
    timeout: Timeout = NAVIGATE_SECONDS,
) -> UrlDiff:
    """Compare two URLs by snapshot, and optionally by screenshot, in a separate tab."""
    looks = []
    helper = await tab.browser.open_tab(context=tab.browser.context_of(tab), timeout=timeout)
    try:
        for address in (url, other_url):
            # Two URLs of one document would otherwise be one load.
            await helper.goto("about:blank", timeout=timeout)
            await helper.goto(address, wait_until=wait_until, timeout=timeout)
            async with helper.call("loading a page", seconds=timeout, read_only=True) as deadline:
                element = await locate(helper, root, deadline=deadline) if root is not None else None
                question = Question(mode="compact" if compact else "interactive", root=element, depth=depth)
                taken = await take_snapshot(helper, question, deadline=deadline, remember=False)
                seen = (
                    await captured(helper, target=root, full_page=full_page, deadline=deadline)
                    if screenshot
                    else None
                )
            looks.append((taken, seen))
    finally:
        await tab.browser.close_tab(helper)
    (before, first), (after, second) = looks
    pictures = None
    if first is not None and second is not None:
        told, shown = await compare_pictures(first.data, second.data, threshold=threshold)
        pictures = _save_difference(tab, told, shown, path)
    return UrlDiff(before=before, after=after, pictures=pictures)
