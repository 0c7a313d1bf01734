"""The tool set `named`: one tool `browser` that opens, reuses and closes tabs by name."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import ScriptResult
from boathook.commands.views.view_results import TextResult, in_text
from boathook.effects import Effect, SideEffect
from boathook.engine.cdp_targets import user_pages_first
from boathook.engine.page.page_view import page_view
from boathook.errors import BadRequest, BoathookError, Busy, TabGone, TargetNotFound
from boathook.registry.context import HostApi
from boathook.registry.registry import Doc, Scope, command
from boathook.values import count_noun

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo
    from boathook.engine.tab import Tab

DEFAULT_SECONDS, LEAST_SECONDS, MOST_SECONDS = 30.0, 1.0, 300.0
MEMORY, OPENING = "named tabs", "named tabs that are being opened"
_APP_FIELDS = ("path", "cdp_url", "args", "target")
_VIEWPORT_FIELDS = ("width", "height", "scale")
WaitUntil = Literal["load", "domcontentloaded", "networkidle0", "networkidle2"]
HEADLESS = "headless"
LISTED = 20


@dataclass(frozen=True, slots=True)
class _NamedTab:
    """A named tab: where it is, and how its dialogs are handled."""

    kind: str
    tab: str
    """Its id, or its name before it is opened."""
    place: Mapping[str, Any]
    dialogs: str | None


def _effects_of_app(arguments: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    """What using another browser or app does."""
    app = arguments.get("app")
    given = app if isinstance(app, dict) else {}
    found = {
        SideEffect.RUNS_PROGRAM: given.get("path"),
        SideEffect.ATTACHES_BROWSER: given.get("path") or given.get("cdp_url"),
    }
    return tuple(effect for effect, holds in found.items() if holds)


@command(
    group="named",
    scope=Scope.HOST,
    tool_set="named",
    aliases=("browser",),
    effect=Effect.ACTS,
    may_navigate=True,
    side_effects_when=_effects_of_app,
    examples=('{"action": "open", "url": "https://example.org"}',),
)
async def named_browser(
    host: HostApi,
    action: Annotated[Literal["open", "close", "run"], Doc("open or reuse a tab, close it, run code on it")],
    *,
    name: Annotated[str, Doc("the tab")] = "main",
    timeout: Annotated[float, Doc("seconds, 1 to 300")] = DEFAULT_SECONDS,
    url: Annotated[str | None, Doc("open: the URL to load, also in a reused tab")] = None,
    viewport: Annotated[Mapping[str, Any] | None, Doc("open: {width, height, scale?}")] = None,
    wait_until: Annotated[WaitUntil, Doc("open: load state to wait for")] = "load",
    dialogs: Annotated[Literal["accept", "dismiss"] | None, Doc("open: how to handle dialogs")] = None,
    app: Annotated[
        Mapping[str, Any] | None,
        Doc("open: use another browser or app: {cdp_url?, path?, args?, target?}"),
    ] = None,
    all: Annotated[bool, Doc("close: every tab")] = False,
    kill: Annotated[bool, Doc("close: also quit an app that was started for the tab")] = False,
    code: Annotated[str | None, Doc("run: body of an async function")] = None,
    language: Annotated[Literal["js", "python"], Doc("run: language of the code")] = "js",
) -> TextResult | ScriptResult:
    """Open, reuse, close and script tabs by name, in Boathook's browser or in an app with a CDP endpoint."""
    seconds = min(max(timeout, LEAST_SECONDS), MOST_SECONDS)
    if not name.isprintable():
        raise BadRequest("the name of a tab must be one line of printable characters")
    if action == "open":
        wishes = _TabOptions(
            url=url, viewport=_viewport(viewport), wait=wait_until, dialogs=dialogs, seconds=seconds
        )
        return await _open_alone(host, name, wishes, _fields("app", app, _APP_FIELDS))
    if action == "close":
        return await _close(host, None if all else name, kill=kill)
    if not code:
        raise BadRequest("Missing required parameter 'code' for action 'run'")
    return await _run(host, name, code, language=language, seconds=seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class _TabOptions:
    url: str | None
    viewport: Mapping[str, Any]
    wait: str
    dialogs: str | None
    seconds: float


async def _open_alone(host: HostApi, name: str, wishes: _TabOptions, app: Mapping[str, Any]) -> TextResult:
    """Open a tab while no other call opens the same one: the second one reuses it."""
    async with host.memory().setdefault(OPENING, {}).setdefault(name, asyncio.Lock()):
        return await _open(host, name, wishes, app)


def _named_tabs(host: HostApi) -> dict[str, _NamedTab]:
    tabs: dict[str, _NamedTab] = host.memory().setdefault(MEMORY, {})
    return tabs


async def _open(host: HostApi, name: str, wishes: _TabOptions, app: Mapping[str, Any]) -> TextResult:
    kind, place = _place(host, app, wishes.seconds)
    known = _named_tabs(host).get(name)
    if known is not None and not await _lives(host, known):
        known = None
    if known is not None and known.kind != kind:
        raise BadRequest(f'Tab "{name}" is bound to a different browser ({known.kind}). Close it first.')
    if known is not None and wishes.dialogs not in {None, known.dialogs}:
        known = await _with_dialogs(host, known, wishes.dialogs)
    word = "Opened" if known is None else "Reused"
    where = known or await _begin(host, _NamedTab(kind, name, place, wishes.dialogs), app)
    _named_tabs(host)[name] = where
    await _show(host, name, where, wishes)
    return await _describe(host, name, where, word)


async def _with_dialogs(host: HostApi, known: _NamedTab, dialogs: str | None) -> _NamedTab | None:
    """The tab with another way to handle dialogs; None if it is to be opened again.

    A page of the user's stays open, and so does one whose dialog is answered by that.
    """
    here = {**known.place, "tab": known.tab}
    if known.kind == HEADLESS and await host.run("dialog_status", {}, settings=here) is None:
        await host.run("tab_close", {}, settings=here)
        return None
    await host.run("set_dialog_policy", {"policy": dialogs}, settings=here)
    return replace(known, dialogs=dialogs)


async def _show(host: HostApi, name: str, where: _NamedTab, wishes: _TabOptions) -> None:
    """Set the viewport and load the URL."""
    here = {**where.place, "tab": where.tab}
    try:
        if wishes.viewport:
            await host.run("set_viewport", wishes.viewport, settings=here)
        if wishes.url is not None:
            going = {"url": wishes.url, "wait_until": wishes.wait, "timeout": wishes.seconds}
            await host.run("goto", going, settings=here)
    except Busy as error:
        raise _busy(name, error) from error


async def _describe(host: HostApi, name: str, where: _NamedTab, word: str) -> TextResult:
    here = {**where.place, "tab": where.tab}
    url, title = await host.run("url", {}, settings=here), await host.run("title", {}, settings=here)
    lines = [
        f'{word} tab "{name}" on {where.kind}',
        f"URL: {in_text(url)}",
        *([f"Title: {' '.join(title.split())}"] if title else []),
    ]
    text = "\n".join(lines)
    tab: Tab = await host.run("tab", {"name": where.tab}, settings=where.place)
    view = await page_view(tab, deadline=Deadline.after(READ_SECONDS))
    facts = {
        "action": "open",
        "name": name,
        "browser": where.kind,
        "url": url,
        "title": title,
        "tab": where.tab,
        "viewport": {"width": view.width, "height": view.height, "scale": view.scale},
        "result": text,
    }
    return TextResult(text=text, facts=facts)


def _busy(name: str, error: Busy) -> Busy:
    """The same in terms of the caller, who knows the tab by its name."""
    said = error.message.partition(" is busy")[2]
    return Busy(f'Tab "{name}" is busy{said}', tab=name)


async def _begin(host: HostApi, wanted: _NamedTab, app: Mapping[str, Any]) -> _NamedTab:
    """A new tab in Boathook's browser, or a page of an attached browser, under this name."""
    place = wanted.place
    if app:
        pages: list[PageInfo] = await host.run("pages", {}, settings=place)
        tab: Tab = await host.run("tab", {"name": _choose_page(pages, app.get("target"))}, settings=place)
    else:
        tab = await host.run("tab_new", {"label": wanted.tab}, settings=place)
    if wanted.dialogs is not None:
        policy = {"policy": wanted.dialogs}
        await host.run("set_dialog_policy", policy, settings={**place, "tab": tab.id})
    kept = {name: value for name, value in place.items() if name != "timeout"}  # that of this call alone
    return replace(wanted, tab=tab.id, place=kept)


async def _close(host: HostApi, name: str | None, *, kill: bool) -> TextResult:
    """Close one tab or all; a page of an attached browser is detached, not closed."""
    tabs = _named_tabs(host)
    names = list(tabs) if name is None else [name]
    closed = []
    for closing in names:
        known = tabs.pop(closing, None)
        if known is None:
            continue
        closed.append(closing)
        if known.kind == HEADLESS and await _lives(host, known):
            await host.run("tab_close", {}, settings={**known.place, "tab": known.tab})
        elif known.kind != HEADLESS and all(other.kind != known.kind for other in tabs.values()):
            await host.close_session(str(known.place["session"]), kill=kill)
    if name is not None and not closed:
        text = f'No tab named "{name}"'
    elif name is not None:
        text = f'Closed tab "{name}"'
    else:
        text = f"Closed {count_noun(len(closed), 'tab')}"
    return TextResult(
        text=text, facts={"action": "close", "name": name or "", "closed": closed, "result": text}
    )


async def _run(
    host: HostApi, name: str, code: str, *, language: Literal["js", "python"], seconds: float
) -> ScriptResult:
    known = _named_tabs(host).get(name)
    if known is None or not await _lives(host, known):
        raise TabGone(f'Tab "{name}" is not alive. Reopen it.', hint="open the tab first")
    wanted = {"code": code, "language": language, "timeout": seconds}
    here = {**known.place, "tab": known.tab}
    try:
        ran: ScriptResult = await host.run("run", wanted, settings=here)
    except Busy as error:
        raise _busy(name, error) from error
    where = {"action": "run", "name": name, "browser": known.kind}
    if await _lives(host, known):
        where["url"] = await host.run("url", {}, settings=here)
    return replace(ran, where=where)


async def _lives(host: HostApi, known: _NamedTab) -> bool:
    session = known.place.get("session")
    if session is not None and session not in {session.name for session in host.sessions()}:
        return False
    try:
        await host.run("tab", {"name": known.tab}, settings=known.place)
    except BoathookError:
        return False
    return True


def _place(host: HostApi, app: Mapping[str, Any], seconds: float) -> tuple[str, dict[str, Any]]:
    """A description of the browser, and the settings that select it; `seconds` limits the connection to it."""
    if address := app.get("cdp_url"):
        trimmed = str(address).strip().rstrip("/")
        digest = hashlib.sha256(trimmed.encode()).hexdigest()[:8]
        place = {"session": f"{host.session_id()}-{digest}", "cdp": trimmed, "timeout": seconds}
        return f"connected {trimmed}", place
    if path := app.get("path"):
        program, words = str(host.whole_path(str(path))), _words(app.get("args"))
        digest = hashlib.sha256("\0".join([program, *words]).encode()).hexdigest()[:8]
        place = {"session": f"{host.session_id()}-{digest}", "browser": f"app:{program}", "app_args": words}
        return f"spawned {program}", place
    if app:
        raise BadRequest("app requires cdp_url or path")
    return HEADLESS, {}


def _words(given: Any) -> tuple[str, ...]:
    if given is not None and not (isinstance(given, list) and all(isinstance(word, str) for word in given)):
        raise BadRequest("app.args must be a list of strings")
    return tuple(given or ())


def _choose_page(pages: list[PageInfo], wanted: str | None) -> str:
    """The page with this text in its title or URL, else the first that is not internal to the app."""
    if not pages:
        raise TargetNotFound("No page targets available on the attached browser")
    if wanted:
        for page in pages:
            if str(wanted).casefold() in f"{page.title}\n{page.url}".casefold():
                return page.target_id
        shown = "\n".join(" ".join(f"{page.title} {page.url}".split()) for page in pages[:LISTED])
        raise TargetNotFound(f'No page target matched "{wanted}". Available pages:', where=shown)
    return user_pages_first(pages)[0].target_id


def _viewport(given: Mapping[str, Any] | None) -> dict[str, Any]:
    fields = _fields("viewport", given, _VIEWPORT_FIELDS)
    if fields and not {"width", "height"} <= fields.keys():
        raise BadRequest("viewport requires width and height")
    return fields


def _fields(what: str, given: Mapping[str, Any] | None, known: tuple[str, ...]) -> dict[str, Any]:
    for field in given or {}:
        if field not in known:
            raise BadRequest(f"unknown field of {what}: {field!r}", hint=f"use {', '.join(known)}")
    return {field: value for field, value in (given or {}).items() if value is not None}
