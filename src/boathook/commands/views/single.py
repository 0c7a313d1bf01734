"""The tool set `single`: one tool `browser` with an action, and a flat list of refs instead of a tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from boathook.commands.views.view_results import FlatList, PageList, SavedScreenshot, TextResult, in_text
from boathook.effects import Effect
from boathook.errors import BadRequest
from boathook.registry.context import HostApi
from boathook.registry.registry import Doc, Requires, Scope, command

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

MOST_REFS = 200
CONTENT_BYTES = 100_000
Action = Literal[
    "launch", "navigate", "open", "tabs", "focus", "close_tab", "snapshot", "act", "screenshot", "evaluate",
    "content", "dialog", "close",
]  # fmt: skip
ActKind = Literal["click", "type", "press_key", "hover", "scroll_into_view", "focus"]


@command(
    group="single",
    scope=Scope.HOST,
    tool_set="single",
    aliases=("browser",),
    effect=Effect.ACTS,
    may_navigate=True,
    secrets=("text",),
    examples=('{"action": "navigate", "url": "https://example.org"}',),
)
async def single_browser(
    host: HostApi,
    action: Annotated[
        Action,
        Doc("the action; take a snapshot first, then act on its refs"),
        Requires("evaluate_enabled", choices=("evaluate",)),
    ],
    *,
    url: Annotated[str | None, Doc("navigate, open: the URL")] = None,
    target_id: Annotated[str | None, Doc("focus, close_tab: tab id from `tabs`")] = None,
    element_ref: Annotated[str | None, Doc("act, screenshot: element ref, such as e3")] = None,
    act_kind: Annotated[ActKind | None, Doc("act: the kind of action")] = None,
    text: Annotated[str | None, Doc("act type: the text; dialog: the text for a prompt")] = None,
    key: Annotated[str | None, Doc("act press_key: key, such as Enter")] = None,
    full_page: Annotated[bool, Doc("screenshot: full page")] = False,
    script: Annotated[str | None, Doc("evaluate: JavaScript"), Requires("evaluate_enabled")] = None,
    accept: Annotated[bool, Doc("dialog: accept or dismiss the open dialog")] = True,
) -> Any:
    """Control a browser: navigate, take a snapshot, act on its refs, read, take screenshots."""
    given = {
        "url": url, "target_id": target_id, "element_ref": element_ref, "act_kind": act_kind, "text": text,
        "key": key, "full_page": full_page, "script": script, "accept": accept,
    }  # fmt: skip
    for name in _NEEDS.get(action, ()):
        if given[name] is None:
            raise BadRequest(f"browser: action {action} requires {name}")
    return await _ACTIONS[action](host, given)


async def _launch(host: HostApi, _given: Mapping[str, Any]) -> TextResult:
    tab = await host.run("url", {})
    return TextResult(text=f"Browser launched, at {tab}", facts={"url": tab})


async def _close(host: HostApi, _given: Mapping[str, Any]) -> TextResult:
    await host.close_session()
    return TextResult(text="Browser closed", facts={})


async def _navigate(host: HostApi, given: Mapping[str, Any]) -> TextResult:
    arrived = await host.run("goto", {"url": given["url"]})
    return TextResult(
        text=f"Navigated to {in_text(arrived.url)}\nTitle: {' '.join(arrived.title.split())}",
        facts={"url": arrived.url, "title": arrived.title, "status": arrived.status},
    )


async def _open(host: HostApi, given: Mapping[str, Any]) -> TextResult:
    tab = await host.run("tab_new", {"url": given["url"] or "about:blank"})
    return TextResult(
        text=f"Opened tab {tab.target_id} at {in_text(tab.url)}",
        facts={"target_id": tab.target_id, "url": tab.url},
    )


async def _tabs(host: HostApi, _given: Mapping[str, Any]) -> PageList:
    pages = await host.run("pages", {})
    return PageList(pages=tuple(pages), active=await host.present_target())


async def _focus(host: HostApi, given: Mapping[str, Any]) -> TextResult:
    tab = await host.run("tab", {"name": given["target_id"]})
    return TextResult(
        text=f"Now working in {tab.target_id} at {in_text(tab.url)}", facts={"target_id": tab.target_id}
    )


async def _close_tab(host: HostApi, given: Mapping[str, Any]) -> TextResult:
    place = {"tab": given["target_id"]} if given["target_id"] else {}
    await host.run("tab_close", {}, settings=place)
    return TextResult(text="Tab closed", facts={})


async def _snapshot(host: HostApi, _given: Mapping[str, Any]) -> FlatList:
    look = await host.run("snapshot", {"mode": "interactive", "fold": False, "budget": None})
    return FlatList(snapshot=look.snapshot, most=MOST_REFS)


async def _screenshot(host: HostApi, given: Mapping[str, Any]) -> SavedScreenshot:
    wanted = {"for_model": True, "full_page": given["full_page"], "target": given["element_ref"]}
    return SavedScreenshot(shot=await host.run("screenshot", wanted))


async def _content(host: HostApi, _given: Mapping[str, Any]) -> TextResult:
    html, url = await host.run("get_html", {"target": "html"}), await host.run("url", {})
    whole = html.encode()
    if len(whole) <= CONTENT_BYTES:
        return TextResult(text=html, facts={"truncated": False}, origin=url)
    cut = whole[:CONTENT_BYTES].decode(errors="ignore")
    text = f"{cut}\n… {len(whole) - CONTENT_BYTES} more bytes left out"
    return TextResult(text=text, facts={"truncated": True}, origin=url)


async def _evaluate(host: HostApi, given: Mapping[str, Any]) -> Any:
    return await host.run("evaluate", {"script": given["script"]})


async def _dialog(host: HostApi, given: Mapping[str, Any]) -> Any:
    return await host.run("answer_dialog", {"accept": given["accept"], "text": given["text"] or ""})


async def _act(host: HostApi, given: Mapping[str, Any]) -> Any:
    kind, ref = given["act_kind"], given["element_ref"]
    command_name, taken = _KINDS[kind]
    for name in taken:
        if given[name] is None:
            raise BadRequest(f"browser: act_kind {kind} requires {name}")
    if ref is None and kind != "press_key":
        raise BadRequest(f"browser: act_kind {kind} requires element_ref", hint="take a snapshot to get refs")
    if kind == "type" and await _is_picked(host, ref, given["text"]):
        return await host.run("fill", {"target": ref, "value": given["text"]})
    arguments = {name: given[name] for name in taken}
    return await host.run(command_name, {**arguments, **({"target": ref} if ref is not None else {})})


async def _is_picked(host: HostApi, ref: str, text: str) -> bool:
    """Whether text such as 2026-01-31 is for a field that is filled from parts, in the order of the user's language."""
    if not _PICKED_VALUE.fullmatch(text):
        return False
    return await host.run("get_attribute", {"target": ref, "name": "type"}) in _PICKED


_PICKED = frozenset({"date", "time", "datetime-local", "month", "week", "color"})
_PICKED_VALUE = re.compile(r"\d{4,6}-[\dW-]+(?:[T ][\d:.]+)?|\d{1,2}:\d{2}(?::[\d.]+)?|#[0-9A-Fa-f]{6}")
_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "click": ("click", ()),
    "type": ("type", ("text",)),
    "press_key": ("press", ("key",)),
    "hover": ("hover", ()),
    "scroll_into_view": ("scroll_to", ()),
    "focus": ("focus", ()),
}
"""The command of each kind, and its parameters besides the element."""

_NEEDS: dict[str, tuple[str, ...]] = {
    "navigate": ("url",),
    "focus": ("target_id",),
    "act": ("act_kind",),
    "evaluate": ("script",),
}
_ACTIONS: dict[str, Callable[[HostApi, Mapping[str, Any]], Awaitable[Any]]] = {
    "launch": _launch,
    "close": _close,
    "navigate": _navigate,
    "content": _content,
    "dialog": _dialog,
    "open": _open,
    "tabs": _tabs,
    "focus": _focus,
    "close_tab": _close_tab,
    "snapshot": _snapshot,
    "screenshot": _screenshot,
    "act": _act,
    "evaluate": _evaluate,
}
