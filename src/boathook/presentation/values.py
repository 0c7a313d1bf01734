"""Values of commands as text for a reader and as plain data for a program."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from boathook.commands.program.mcp_tools import McpToolInfo
from boathook.commands.results import (
    NavigationResult,
    ReadText,
    ScreenshotResult,
    ScriptResult,
    SnapshotDiff,
    SnapshotResult,
    UrlDiff,
)
from boathook.commands.views.view_results import FlatList, NumberedTree, PageList, SavedScreenshot, TextResult
from boathook.engine.actions.collect_items import Collected
from boathook.engine.actions.dialog_answers import AnsweredDialog
from boathook.engine.actions.perform import Performed
from boathook.engine.actions.scroll_page import Scrolled
from boathook.engine.actions.uploads import Uploaded
from boathook.engine.capture.images.image_size import image_size
from boathook.engine.content.markdown_sources import SourceText
from boathook.engine.debug.audit import Audit
from boathook.engine.debug.coverage import Coverage
from boathook.engine.debug.highlight import Highlighted
from boathook.engine.debug.react import Boundary, ComponentFacts, ComponentTree, Renders
from boathook.engine.debug.style_rules import Styling
from boathook.engine.debug.vitals import Vitals
from boathook.engine.debug.webmcp import PageTool, ToolAnswer
from boathook.engine.diff.image_diff import PictureDiff
from boathook.engine.events.console import ConsoleMessage
from boathook.engine.files.downloads import Download
from boathook.engine.handoff import HandedBack, Waiting
from boathook.engine.launch.profiles.user_profiles import UserProfile
from boathook.engine.login.sign_in import SignedIn
from boathook.engine.network.conditions import Conditions
from boathook.engine.network.har.har_file import HarFile
from boathook.engine.network.log.request import Body, Request, RequestDetails
from boathook.engine.network.routing.routes import RouteInfo
from boathook.engine.page.dialogs import Dialog
from boathook.engine.state.cookie_sources import CookiesTaken
from boathook.engine.state.state_file import SavedState
from boathook.engine.state.state_store import KeptState, StateFacts
from boathook.engine.tab import Tab
from boathook.engine.vault.logins import KeptLogin
from boathook.engine.vault.rotation import Rotated
from boathook.engine.waits.wait_for_element import WaitResult
from boathook.presentation.families.captures import CAPTURES, render_capture
from boathook.presentation.families.debugging import (
    render_audit,
    render_coverage,
    render_styling,
    render_vitals,
)
from boathook.presentation.families.differences import Difference, render_picture_diff
from boathook.presentation.families.frameworks import (
    render_boundary,
    render_component,
    render_component_tree,
    render_page_tool,
    render_renders,
)
from boathook.presentation.families.handoff import render_handed_back, render_waiting
from boathook.presentation.families.login import (
    render_cookies_taken,
    render_login,
    render_rotation,
    render_signed_in,
)
from boathook.presentation.families.network import (
    body_data,
    details_data,
    problem_of,
    render_body,
    render_conditions,
    render_har,
    render_request,
    render_request_details,
    render_route,
)
from boathook.presentation.families.reading import present
from boathook.presentation.quoting import quote, visible
from boathook.presentation.snapshot.action_report import change_lines, render_performed
from boathook.presentation.snapshot.snapshot_text import render, render_change
from boathook.presentation.views import render_flat_list, render_numbered_tree, render_page_list
from boathook.redaction.secret import Secret
from boathook.registry.context import CheckResult, HistoryEntry, KeptFile, SessionInfo, Step
from boathook.values import Box, Ref, count_noun

if TYPE_CHECKING:
    from boathook.engine.capture.images.screenshot import Picture

FIRST_ERROR = 400

SHOWN_FRAMES = 4
_SHOWN_REASONS = ("email", "token", "credential", "word", "size")
"""Why a stored value is hidden, if its name does not show it."""


@singledispatch
def as_text(value: Any) -> str:
    """A value as text; one without a renderer is listed field by field."""
    if value is None:
        return "done"
    if is_dataclass(value) and not isinstance(value, type):
        given = [(field.name, getattr(value, field.name)) for field in fields(value)]
        parts = [f"{name}={_short(part)}" for name, part in given if part is not None]
        return " ".join(part for part in parts if not part.endswith(("=", "=()"))) or "done"
    return str(value)


def _short(value: Any) -> str:
    return quote(value) if isinstance(value, str) and (not value or " " in value) else as_text(value)


@as_text.register
def _render_bool(value: bool) -> str:  # noqa: FBT001 - it is what is dispatched on
    return "true" if value else "false"


@as_text.register
def _render_str(value: str) -> str:
    return value


@as_text.register
def _render_secret(value: Secret) -> str:
    return f"{value} ({value.reason})" if value.reason in _SHOWN_REASONS else str(value)


@as_text.register(Mapping)
def _render_mapping(value: Mapping[str, Any]) -> str:
    return "\n".join(f"{name}: {as_text(part)}" for name, part in value.items())


@as_text.register(list)
@as_text.register(tuple)
def _render_sequence(value: Sequence[Any]) -> str:
    return "\n".join(as_text(part) for part in value) if value else "none"


@as_text.register
def _render_snapshot_result(value: SnapshotResult) -> str:
    if value.before is not None:
        return render_change(value.before, value.snapshot, budget=value.budget)
    return render(value.snapshot, budget=value.budget, fold=value.fold, expand=value.expand)


@as_text.register
def _render_read_text(value: ReadText) -> str:
    return present(value.page, format=value.format, limit=value.limit, path=value.path).text


@as_text.register
def _render_source_text(value: SourceText) -> str:
    more = "\n[truncated: only the first 5 MiB were read]" if value.cut else ""
    return f"[{value.source} of {value.url}]\n\n{value.text.strip()}{more}"


as_text.register(Vitals, render_vitals)
as_text.register(Audit, render_audit)


as_text.register(Styling, render_styling)
as_text.register(Coverage, render_coverage)


as_text.register(ComponentTree, render_component_tree)
as_text.register(ComponentFacts, render_component)


as_text.register(Boundary, render_boundary)
as_text.register(Renders, render_renders)


as_text.register(PageTool, render_page_tool)


@as_text.register
def _render_tool_answer(value: ToolAnswer) -> str:
    return value.text


@as_text.register
def _render_highlighted(value: Highlighted) -> str:
    return f"highlighted {value.ref}; run `highlight --clear` to remove it"


@as_text.register(SnapshotDiff)
@as_text.register(UrlDiff)
def _render_diff(value: SnapshotDiff | UrlDiff) -> str:
    return Difference.of(value).text


as_text.register(PictureDiff, render_picture_diff)


for captured in CAPTURES:
    as_text.register(captured, render_capture)


@as_text.register
def _render_screenshot_result(value: ScreenshotResult) -> str:
    if not value.changed:
        return "no changes since the last screenshot"
    where = f"saved {value.path}" if value.path is not None else "not saved: pass a path"
    copy = f"; showing a copy of {_describe_size(value.picture)}" if value.whole is not None else ""
    return f"{where} ({_describe_size(value.whole or value.picture)}){copy}"


def _describe_size(picture: Picture) -> str:
    width, height = image_size(picture.data)
    return f"{width}x{height}, {len(picture.data) // 1024} KiB"


@as_text.register
def _render_navigation_result(value: NavigationResult) -> str:
    title = f" {quote(value.title)}" if value.title else ""
    problem = f" (status {value.status})" if value.status >= FIRST_ERROR else ""
    return f"now at {quote(value.url, marks=False)}{title}{problem}"


as_text.register(Performed, render_performed)


@as_text.register
def _render_scrolled(value: Scrolled) -> str:
    what = quote(value.container) if value.container else "the page"
    if not value.moved:
        return f"{what} did not move: position {_pixels(value.at)} of {_pixels(value.end)}"
    return f"{what} scrolled by {_pixels((value.right, value.down))} to {_pixels(value.at)} of {_pixels(value.end)}"


def _pixels(pair: tuple[float, float]) -> str:
    return f"{pair[0]:g},{pair[1]:g}"


@as_text.register
def _render_wait_result(value: WaitResult) -> str:
    return str(value)


as_text.register(Request, render_request)
as_text.register(RequestDetails, render_request_details)


as_text.register(Body, render_body)
as_text.register(Conditions, render_conditions)


as_text.register(RouteInfo, render_route)
as_text.register(HarFile, render_har)


@as_text.register
def _render_console_message(value: ConsoleMessage) -> str:
    where = f" {quote(value.url, marks=False)}:{value.line}" if value.url else ""
    calls = [
        f"\n  in {quote(one.function, marks=False) or 'the script'} {quote(one.url, marks=False)}:{one.line}"
        for one in value.stack[1:SHOWN_FRAMES]
    ]
    return f"{value.level}: {quote(value.text)}{where}" + ("".join(calls) if value.level == "error" else "")


@as_text.register
def _render_dialog(value: Dialog) -> str:
    state = f"answered: {value.answer}" if value.answer else "is open"
    return f"{value.kind} {quote(value.message)} {state}"


@as_text.register
def _render_answered_dialog(value: AnsweredDialog) -> str:
    head = f"{value.kind} {quote(value.message)} answered: {value.answer}"
    return "\n".join([head, *change_lines(value.changes)])


as_text.register(Waiting, render_waiting)
as_text.register(HandedBack, render_handed_back)


@as_text.register
def _render_saved_state(value: SavedState) -> str:
    skipped = f"; skipped {', '.join(value.skipped)}" if value.skipped else ""
    sealed = ", encrypted" if value.sealed else ""
    return f"{value.path}: {count_noun(value.cookies, 'cookie')}, {count_noun(len(value.origins), 'origin')}{sealed}{skipped}"


@as_text.register
def _render_kept_state(value: KeptState) -> str:
    return f"{value.name}: saved {value.saved} ({value.size} bytes{', encrypted' if value.sealed else ''})"


@as_text.register
def _render_state_facts(value: StateFacts) -> str:
    sealed = ", encrypted" if value.sealed else ""
    lines = [f"{value.name}: saved {value.saved} in {value.path}{sealed}"]
    lines += [
        f"  cookies of {quote(domain, marks=False)}: {count}" for domain, count in value.cookies.items()
    ]
    lines += [f"  items of {quote(origin, marks=False)}: {count}" for origin, count in value.origins.items()]
    return "\n".join([*lines, *([f"  {value.expired} cookies have expired"] if value.expired else [])])


@as_text.register
def _render_user_profile(value: UserProfile) -> str:
    return f"{quote(value.name)}: {value.browser}, {quote(value.path)}"


as_text.register(CookiesTaken, render_cookies_taken)
as_text.register(SignedIn, render_signed_in)


as_text.register(KeptLogin, render_login)
as_text.register(Rotated, render_rotation)


@as_text.register
def _render_uploaded(value: Uploaded) -> str:
    files = ", ".join(
        f"{quote(name)} ({size} bytes)" for name, size in zip(value.names, value.sizes, strict=True)
    )
    return f"the page has {files}{f'; {value.note}' if value.note else ''}"


@as_text.register
def _render_collected(value: Collected) -> str:
    end = "end of list reached" if value.complete else f"stopped: {value.reason}"
    lines = [f"{count_noun(len(value.items), 'item')}, {end}", *(f"note: {note}" for note in value.notes)]
    return "\n".join([*lines, *(f"{quote(one.text)} {one.ref}".rstrip() for one in value.items)])


@as_text.register
def _render_download(value: Download) -> str:
    return f"saved {value.path} ({value.size} bytes)"


@as_text.register
def _render_tab(value: Tab) -> str:
    label = f" {quote(value.label)}" if value.label else ""
    return f"{value.id}{label} {quote(value.url, marks=False)}"


@as_text.register
def _render_box(value: Box) -> str:
    return f"x={value.x:g} y={value.y:g} width={value.width:g} height={value.height:g}"


@as_text.register
def _render_session_info(value: SessionInfo) -> str:
    of = f" of {quote(value.project)}" if value.project and not value.present else ""
    head = f"{value.name}{' (current)' if value.present else ''}{of}: {value.browser}, {count_noun(len(value.tabs), 'tab')}"
    lines = [*(f"  {tab}" for tab in value.tabs), *(f"  busy: {line}" for line in value.busy)]
    lines += [f"  restore {visible(value.restore)}"] if value.restore else []
    return "\n".join([f"{head}, idle for {value.idle_seconds:.0f} s", *lines])


@as_text.register
def _render_kept_file(value: KeptFile) -> str:
    size = f" ({value.size} bytes)" if value.size is not None else ""
    reason = f": {value.reason}" if value.reason else ""
    return f"{value.state} {value.path}{size}{reason}"


@as_text.register
def _render_mcp_tool_info(value: McpToolInfo) -> str:
    words = (name if name in value.required else f"[{name}]" for name in value.parameters)
    return f"{value.name} {' '.join(words)}".rstrip() + f"\n  {value.description}"


@as_text.register
def _render_check_result(value: CheckResult) -> str:
    mark = "repaired" if value.repaired else "ok" if value.ok else "wrong"
    cure = f"\n          {value.cure}" if value.cure else ""
    return f"{mark:9} {value.name}: {value.said}{cure}"


@as_text.register
def _render_history_entry(value: HistoryEntry) -> str:
    given = " ".join(f"{name}={_short(part)}" for name, part in value.arguments.items())
    return (
        f"{value.time} {value.who}: {value.command} {given}".rstrip()
        + f" → {value.outcome} ({value.seconds:g} s)"
    )


@as_text.register
def _render_step(value: Step) -> str:
    mark = "ok" if value.ok else f"failed [{value.code}]"
    return f"== {' '.join(value.argv)}: {mark}\n{value.text}"


@as_text.register
def _render_script_result(value: ScriptResult) -> str:
    parts = [*value.shown, *([value.value] if value.gives else [])]
    lines = [text for part in parts if (text := render_displayed(part))]
    notes = [f"note: {note}" for note in value.notes]
    logged = ["log:", *(f"  {line}" for line in value.log)] if value.log else []
    return "\n".join([*lines, *notes, *logged]) or f'Ran code on tab "{value.tab}"'


def render_displayed(part: Any) -> str:
    """A value displayed by a script."""
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("type") == "image":
        where = f" {part['path']}" if part.get("path") else ""
        return f"[{part.get('mimeType', 'image')}, {_picture_bytes(part)} bytes]{where}"
    return json.dumps(part, ensure_ascii=False, indent=2)


def _picture_bytes(part: Mapping[str, Any]) -> int:
    return len(str(part.get("data", ""))) * 3 // 4


@as_text.register
def _render_text_result(value: TextResult) -> str:
    return value.text


as_text.register(NumberedTree, render_numbered_tree)
as_text.register(FlatList, render_flat_list)


as_text.register(PageList, render_page_list)


@as_text.register
def _render_saved_screenshot(value: SavedScreenshot) -> str:
    size = len((value.shot.whole or value.shot.picture).data) // 1024
    return f"Screenshot saved: {value.shot.path} ({size} KB)"


@singledispatch
def as_data(value: Any) -> Any:
    """A value as JSON data."""
    return _plain(value)


@as_data.register
def _snapshot_result_data(value: SnapshotResult) -> dict[str, Any]:
    return {"text": as_text(value), "revision": value.snapshot.revision, "title": value.snapshot.title}


@as_data.register
def _screenshot_result_data(value: ScreenshotResult) -> dict[str, Any]:
    where = {"path": _plain(value.path)} if value.changed else {}
    compared = {"revision": value.revision, "ratio": value.ratio} if value.revision is not None else {}
    return {**where, "changed": value.changed, "bytes": len(value.picture.data), **compared}


@as_data.register(SnapshotDiff)
@as_data.register(UrlDiff)
def _diff_data(value: SnapshotDiff | UrlDiff) -> dict[str, Any]:
    told = Difference.of(value)
    return {**_plain(told), "changed": told.changed}


@as_data.register
def _step_data(value: Step) -> dict[str, Any]:
    return {one.name: as_data(getattr(value, one.name)) for one in fields(value) if one.name != "images"}


@as_data.register
def _saved_screenshot_data(value: SavedScreenshot) -> Any:
    return as_data(value.shot)


@as_data.register
def _script_result_data(value: ScriptResult) -> dict[str, Any]:
    return {
        "tab": value.tab,
        "displayed": [_displayed_data(part) for part in value.shown],
        "value": value.value,
        "log": value.log,
        "seconds": value.seconds,
    }


def _displayed_data(part: Any) -> Any:
    """A displayed value; an image without its bytes, which are in the saved file."""
    if not isinstance(part, dict) or part.get("type") != "image":
        return part
    kept = {name: part[name] for name in ("type", "mimeType", "path") if part.get(name) is not None}
    return {**kept, "bytes": _picture_bytes(part)}


@as_data.register
def _text_result_data(value: TextResult) -> dict[str, Any]:
    return value.facts


@as_data.register
def _page_tree_data(value: NumberedTree | FlatList) -> dict[str, Any]:
    return {"url": value.snapshot.url, "title": value.snapshot.title, "revision": value.snapshot.revision}


@as_data.register
def _tab_data(value: Tab) -> dict[str, Any]:
    return {"tab": value.id, "label": value.label, "url": value.url}


@as_data.register
def _request_data(value: Request) -> dict[str, Any]:
    return {**_plain(value), "problem": problem_of(value)}


@as_data.register
def _request_details_data(value: RequestDetails) -> dict[str, Any]:
    return details_data(value, _plain(value))


as_data.register(Body, body_data)


@as_data.register
def _read_text_data(value: ReadText) -> dict[str, Any]:
    return {"text": as_text(value), "title": value.page.title, "path": _plain(value.path)}


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value.value if isinstance(value, Enum) else value
    if isinstance(value, Mapping):
        return {str(name): as_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_data(part) for part in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if is_dataclass(value) and not isinstance(value, type | Ref):
        return {field.name: as_data(getattr(value, field.name)) for field in fields(value)}
    return str(value)
