"""Pages, elements and actions as text: snapshots, screenshots, navigation, waits, dialogs, console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.commands.results import NavigationResult, ScreenshotResult, SnapshotResult, UnusedTab
from boathook.engine.actions.collect_items import Collected
from boathook.engine.actions.dialog_answers import AnsweredDialog
from boathook.engine.actions.scroll_page import Scrolled
from boathook.engine.capture.images.image_size import image_size
from boathook.engine.debug.highlight import Highlighted
from boathook.engine.events.console import ConsoleMessage
from boathook.engine.page.dialogs import Dialog
from boathook.engine.tab import Tab
from boathook.engine.waits.wait_for_element import WaitResult
from boathook.presentation.quoting import quote, visible
from boathook.presentation.rendering import as_data, as_text, own_lines, plain_data
from boathook.presentation.snapshot.action_report import change_lines
from boathook.presentation.snapshot.snapshot_text import compaction_of, render, render_change
from boathook.presentation.terminal_table import table_row
from boathook.values import Box, count_noun

if TYPE_CHECKING:
    from boathook.engine.capture.images.screenshot import Picture
    from boathook.presentation.snapshot.compaction import Compaction

FIRST_ERROR = 400
DIALOGS_SHOWN = 3
LEGEND_LINES = 100


SHOWN_FRAMES = 4


@as_text.register
def _render_snapshot_result(value: SnapshotResult) -> str:
    if value.before is not None:
        return render_change(value.before, value.snapshot, budget=value.budget)
    return render(value.snapshot, budget=value.budget, fold=value.fold, expand=value.expand)


@own_lines
def _render_highlighted(value: Highlighted) -> str:
    return f"highlighted {value.ref}; run `highlight --clear` to remove it"


@own_lines
def _render_screenshot_result(value: ScreenshotResult) -> str:
    if not value.changed:
        return "no changes since the last screenshot"
    where = f"saved {value.path}" if value.path is not None else "not saved: pass a path"
    copy = f"; showing a copy of {_describe_size(value.picture)}" if value.whole is not None else ""
    picture = value.whole or value.picture
    return "\n".join([f"{where} ({_describe_size(picture)}){copy}", *_legend_lines(picture)])


def _legend_lines(picture: Picture) -> list[str]:
    """Which element each label of an annotated screenshot stands for."""
    shown = [f"[{label.number}] @e{label.number} {label.element}" for label in picture.legend[:LEGEND_LINES]]
    left = len(picture.legend) - len(shown)
    return [*shown, *([f"… {count_noun(left, 'more label')}"] if left else [])]


def _describe_size(picture: Picture) -> str:
    width, height = image_size(picture.data)
    return f"{width}x{height}, {len(picture.data) // 1024} KiB"


@own_lines
def _render_navigation_result(value: NavigationResult) -> str:
    title = f" {quote(value.title)}" if value.title else ""
    problem = f" (status {value.status})" if value.status >= FIRST_ERROR else ""
    answered = [
        f"{dialog.kind} {dialog.answer}: {quote(dialog.message[:100])}"
        for dialog in value.dialogs[:DIALOGS_SHOWN]
    ]
    rest = len(value.dialogs) - DIALOGS_SHOWN
    more = [f"and {count_noun(rest, 'more dialog')}"] if rest > 0 else []
    return "\n".join([f"now at {quote(value.url, marks=False)}{title}{problem}", *answered, *more])


@own_lines
def _render_scrolled(value: Scrolled) -> str:
    what = quote(value.container) if value.container else "the page"
    if not value.moved:
        return f"{what} did not move: it is at its {_side(value)}, position {_pixels(value.at)} of {_pixels(value.end)}"
    return f"{what} scrolled by {_pixels((value.right, value.down))} to {_pixels(value.at)} of {_pixels(value.end)}"


def _side(value: Scrolled) -> str:
    return "start" if not any(value.at) else "end"


def _pixels(pair: tuple[float, float]) -> str:
    return f"{pair[0]:g},{pair[1]:g}"


@own_lines
def _render_wait_result(value: WaitResult) -> str:
    return str(value)


@own_lines
def _render_console_message(value: ConsoleMessage) -> str:
    where = f" {quote(value.url, marks=False)}:{value.line}" if value.url else ""
    calls = [
        f"\n  in {quote(frame.function, marks=False) or 'the script'} {quote(frame.url, marks=False)}:{frame.line}"
        for frame in value.stack[1:SHOWN_FRAMES]
    ]
    return f"{value.level}: {quote(value.text)}{where}" + ("".join(calls) if value.level == "error" else "")


@own_lines
def _render_dialog(value: Dialog) -> str:
    state = f"answered: {value.answer}" if value.answer else "is open"
    return f"{value.kind} {quote(value.message)} {state}"


@own_lines
def _render_answered_dialog(value: AnsweredDialog) -> str:
    head = f"{value.kind} {quote(value.message)} answered: {value.answer}"
    return "\n".join([head, *change_lines(value.changes)])


@as_text.register
def _render_collected(value: Collected) -> str:
    end = "end of list reached" if value.complete else f"stopped: {value.reason}"
    lines = [f"{count_noun(len(value.items), 'item')}, {end}", *(f"note: {note}" for note in value.notes)]
    return "\n".join([*lines, *(f"{quote(item.text)} {item.ref}".rstrip() for item in value.items)])


@own_lines
def _render_tab(value: Tab) -> str:
    label = f" {quote(value.label)}" if value.label else ""
    title = f" {quote(value.listed_title)}" if value.listed_title else ""
    return (
        f"{value.id}{label} {quote(value.url, marks=False)}{title}{' (current)' if value.is_current else ''}"
    )


@table_row.register
def _tab_row(value: Tab) -> dict[str, str]:
    return {
        "tab": f"{value.id}{' (current)' if value.is_current else ''}",
        "label": visible(value.label or ""),
        "title": visible(value.listed_title or ""),
        "url": quote(value.url, marks=False),
    }


@own_lines
def _render_unused_tab(value: UnusedTab) -> str:
    return f"not used yet: {quote(value.title)} {quote(value.url, marks=False)} (select it with tab and part of its title or URL)"


@own_lines
def _render_box(value: Box) -> str:
    return f"x={value.x:g} y={value.y:g} width={value.width:g} height={value.height:g}"


@as_data.register
def _snapshot_result_data(value: SnapshotResult) -> dict[str, Any]:
    told = {"text": as_text(value), "revision": value.snapshot.revision, "title": value.snapshot.title}
    cut = cut_of(value)
    if cut is None:
        return told
    return {
        **told,
        "compacted": True,
        "ref_count": cut.ref_count,
        "role_counts": cut.role_counts,
        "high_value_control_refs": list(cut.controls),
    }


def cut_of(value: SnapshotResult) -> Compaction | None:
    """What a snapshot leaves out; None if it is within its budget, or a diff."""
    if value.before is not None:
        return None
    return compaction_of(value.snapshot, budget=value.budget, fold=value.fold, expand=value.expand)


def whole_snapshot(value: SnapshotResult) -> str:
    """The snapshot without a budget and without folded rows."""
    return render(value.snapshot, budget=None, fold=False)


@as_data.register
def _screenshot_result_data(value: ScreenshotResult) -> dict[str, Any]:
    where = {"path": plain_data(value.path)} if value.changed else {}
    compared = {"revision": value.revision, "ratio": value.ratio} if value.revision is not None else {}
    legend = [
        {"number": label.number, "ref": f"@e{label.number}", "element": label.element}
        for label in (value.whole or value.picture).legend
    ]
    drawn = {"annotations": legend} if legend else {}
    return {**where, "changed": value.changed, "bytes": len(value.picture.data), **compared, **drawn}


@as_data.register
def _tab_data(value: Tab) -> dict[str, Any]:
    told = {"tab": value.id, "label": value.label, "url": value.url}
    return told | {"title": value.listed_title, "active": value.is_current}
