"""Commands as other tools' command lines write them: one line that means one of several commands here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from boathook.commands.environment import storage
from boathook.commands.input import act, files
from boathook.commands.pages import get, wait
from boathook.commands.pages.observe import evaluate
from boathook.engine.actions.input import keyboard
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.actions.scroll_page import Scrolled
from boathook.engine.browser import Browser
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.engine.waits.wait_for_element import TargetState
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.errors import BadRequest
from boathook.registry.parameters import Nth, Target, Timeout
from boathook.registry.registry import Also, Doc, Effect, Scope, Short, command
from boathook.values import WaitUntil

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.engine.state.storage import Area

SECONDS_BELOW = 100
"""A bare number to wait for is seconds below this, and milliseconds from here on, as others count."""
DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}
By = Literal["role", "text", "label", "placeholder", "alt", "title", "testid", "first", "last", "nth"]
Act = Literal["click", "fill", "type", "check", "uncheck", "hover", "focus", "text", "tap"]


@command(
    group="wait",
    spoken_only=True,
    checks_refs=True,
    words=("wait",),
    writes_files=("download",),
    examples=(
        "wait @e4",
        "wait '#spinner' --state hidden",
        "wait 1500",
        "wait --text 'Thank you'",
        "wait --url '**/done'",
        "wait --load networkidle",
        "wait --fn 'window.ready === true'",
        "wait --download receipts",
    ),
)
async def wait_until(
    tab: Tab,
    what: Annotated[str | None, Doc("an element, or a time: seconds below 100, else milliseconds")] = None,
    *,
    state: Annotated[TargetState, Doc("what the element shall be")] = "visible",
    text: Annotated[str | None, Doc("a text that shall be shown"), Short("t")] = None,
    url: Annotated[str | None, Doc("an address: a part of it, or a glob with *"), Short("u")] = None,
    load: Annotated[WaitUntil | None, Doc("how far the document shall have come"), Short("l")] = None,
    fn: Annotated[str | None, Doc("a script that shall say true"), Short("f")] = None,
    download: Annotated[
        Path | None,
        Doc("where to put the download that is waited for: a folder, or a file name; alone, this folder"),
        Also("--download", value="."),
    ] = None,
    timeout: Annotated[float, Doc("seconds; above 300 milliseconds")] = WAIT_SECONDS,
) -> Any:
    """Wait for an element, a text, an address, a load, a script, a download or a time; says what it last saw."""
    wishes = {
        "a target": what,
        "--text": text,
        "--url": url,
        "--load": load,
        "--fn": fn,
        "--download": download,
    }
    given = [name for name, value in wishes.items() if value is not None]
    if len(given) != 1:
        said = f"{' and '.join(given)} are two wishes" if given else "nothing to wait for was named"
        raise BadRequest(
            said,
            hint="wait for one thing: an element, a time|, `--text TEXT`|, `--url URL`|, `--load STATE`|, `--fn SCRIPT`|, `--download FILE`",
        )
    ways: dict[str, Callable[[], Awaitable[Any]]] = {
        "a target": lambda: _target_or_time(tab, str(what), state, timeout),
        "--text": lambda: wait.wait_for_text(tab, str(text), timeout=timeout),
        "--url": lambda: wait.wait_for_url(tab, str(url), timeout=timeout),
        "--load": lambda: wait.wait_for_load(tab, load or "load", timeout=timeout),
        "--fn": lambda: wait.wait_for_function(tab, str(fn), timeout=timeout),
        "--download": lambda: files.wait_for_download(tab, download, timeout=timeout),
    }
    return await ways[given[0]]()


async def _target_or_time(tab: Tab, what: str, state: TargetState, seconds: float) -> Any:
    try:
        number = float(what)
    except ValueError:
        return await wait.wait_for(tab, what, state=state, timeout=seconds)
    await wait.wait(tab, number if number < SECONDS_BELOW else number / 1_000)
    return f"waited for {number if number < SECONDS_BELOW else number / 1_000:g} s"


@command(
    secrets=("words",),
    group="act",
    spoken_only=True,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=(
        "find role button click --name Save",
        "find label Email fill ada@example.org",
        "find text 'Sign in'",
        "find nth 2 .card click",
    ),
)
async def find(
    tab: Tab,
    by: Annotated[By, Doc("what the element is found by")],
    value: Annotated[
        str, Doc("its role, text, label …; for nth a number from 0; for first and last a target")
    ],
    *words: Annotated[str, Doc("for nth the target, then what to do, then the text for fill and type")],
    name: Annotated[str | None, Doc("with role: the accessible name")] = None,
    exact: Annotated[bool, Doc("the whole text, not a part of it")] = False,
    timeout: Timeout = ACTION_SECONDS,
) -> Any:
    """Find an element by what people call it and act on it; several equal matches are an error that lists them."""
    rest = list(words)
    target, nth = _found_by(by, value, rest, name=name, exact=exact)
    if by == "last":
        nth = max(0, await get.get_count(tab, target, timeout=timeout) - 1)
    action = rest.pop(0) if rest else "click"
    if action in {"fill", "type"}:
        if not rest:
            raise BadRequest(
                f"find: {action} needs a text", hint="such as `find label Email fill ada@example.org`"
            )
        handler = act.fill if action == "fill" else act.type
        return await handler(tab, target, " ".join(rest), nth=nth, timeout=timeout)
    if action == "text":
        return await get.get_text(tab, target, nth=nth, timeout=timeout)
    known = {
        "click": act.click,
        "check": act.check,
        "uncheck": act.uncheck,
        "hover": act.hover,
        "focus": act.focus,
    }
    if action not in known:
        raise BadRequest(
            f"find: {action!r} is no action", hint=f"use {', '.join([*known, 'fill', 'type', 'text'])}"
        )
    return await known[action](tab, target, nth=nth, timeout=timeout)


def _found_by(
    by: By, value: str, rest: list[str], *, name: str | None, exact: bool
) -> tuple[str, int | None]:
    if by == "nth":
        if not value.isdigit() or not rest:
            raise BadRequest(
                "find nth needs a number from 0 and a target", hint="such as `find nth 2 .card click`"
            )
        return rest.pop(0), int(value)
    if by in {"first", "last"}:
        return value, 0
    mark = '"' if exact else ""
    if by == "role":
        return (f'role={value}[name="{name}"{" exact" if exact else ""}]' if name else f"role={value}"), None
    return f"{by}={mark}{value}{mark}", None


@command(
    group="act",
    spoken_only=True,
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=("dblclick @e2",),
)
async def dblclick(
    tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Click an element twice."""
    return await act.click(tab, target, count=2, nth=nth, timeout=timeout)


@command(
    group="act",
    spoken_only=True,
    effect=Effect.ACTS,
    checks_refs=True,
    words=("scroll",),
    examples=("scroll", "scroll down 600", "scroll up 0.9 --selector @e9"),
)
async def scroll_page(
    tab: Tab,
    direction: Annotated[Literal["down", "up", "left", "right"], Doc("where to")] = "down",
    amount: Annotated[float, Doc("pixels, or a share of what is in view up to 1")] = 300,
    *,
    selector: Annotated[str | None, Doc("an element in what is to be scrolled"), Short("s")] = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Scrolled:
    """Scroll the page, or the scroller around an element; says how far it went."""
    right, down = (step * amount for step in DIRECTIONS[direction])
    return await act.scroll(tab, down=down, right=right, target=selector, timeout=timeout)


@command(
    secrets=("text",),
    group="keyboard and mouse",
    spoken_only=True,
    effect=Effect.ACTS,
    examples=("keyboard type 'hello'",),
)
async def keyboard_type(
    tab: Tab, text: Annotated[str, Doc("what to type")], *, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Type key by key wherever the focus is."""
    async with tab.call("typing", seconds=timeout) as deadline:
        return await keyboard.type_text(tab, None, text, deadline=deadline)


@command(
    group="navigate",
    spoken_only=True,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("pushstate /orders/7",),
)
async def pushstate(
    tab: Tab, url: Annotated[str, Doc("the address, on the same site")], *, timeout: Timeout = READ_SECONDS
) -> str:
    """Go to another address of a one-page application without loading a document."""
    script = (
        "url => { const router = globalThis.next && globalThis.next.router; if (router) return router.push(url).then(() => location.href);"
        "history.pushState(null, '', url); dispatchEvent(new PopStateEvent('popstate', { state: null })); return location.href }"
    )
    return str(await evaluate(tab, script, url, timeout=timeout))


@command(
    group="tabs",
    spoken_only=True,
    scope=Scope.BROWSER,
    words=("tab",),
    examples=("tab", "tab t2", "tab shop"),
)
async def tab_or_list(
    browser: Browser,
    name: Annotated[
        str | None,
        Doc(
            "an id, a label or a CDP target id; in a browser that is not ours also words of a title or address"
        ),
    ] = None,
) -> Tab | list[Tab]:
    """Work on another tab from now on; without a name, list those that there are."""
    return browser.tabs if name is None else await browser.use_tab(name)


@command(
    group="storage",
    spoken_only=True,
    effect=Effect.CHANGES_BROWSER,
    words=("storage local",),
    secrets=("words",),
    examples=("storage local", "storage local theme", "storage local set theme dark", "storage local clear"),
)
async def storage_local(
    tab: Tab,
    *words: Annotated[str, Doc("a key to read; or set with a key and a value; or clear")],
    timeout: Timeout = READ_SECONDS,
) -> Any:
    """Read or change what the page keeps between visits."""
    return await _stored(tab, "local", words, timeout)


@command(
    group="storage",
    spoken_only=True,
    effect=Effect.CHANGES_BROWSER,
    words=("storage session",),
    secrets=("words",),
    examples=("storage session", "storage session set step 2"),
)
async def storage_session(
    tab: Tab,
    *words: Annotated[str, Doc("a key to read; or set with a key and a value; or clear")],
    timeout: Timeout = READ_SECONDS,
) -> Any:
    """Read or change what the page keeps while the tab is open."""
    return await _stored(tab, "session", words, timeout)


async def _stored(tab: Tab, area: Area, words: tuple[str, ...], timeout: float) -> Any:
    match words:
        case ():
            return await storage.storage(tab, area, timeout=timeout)
        case ("clear",):
            return await storage.clear_storage(tab, area=area, timeout=timeout)
        case ("set", key, value):
            await storage.set_storage(tab, {key: value}, area=area, timeout=timeout)
            return "done"  # no value is the answer about a key that there is not
        case ("get", key) | (key,):
            return (await storage.storage(tab, area, timeout=timeout)).get(key)
        case _:
            raise BadRequest(
                f"storage {area}: {' '.join(words)[:80]!r} is not understood",
                hint="use KEY, set KEY VALUE or clear",
            )


@command(
    group="tabs",
    spoken_only=True,
    scope=Scope.BROWSER,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("window new", "window new https://example.org"),
)
async def window_new(
    browser: Browser, url: Annotated[str, Doc("the address to load")] = "about:blank"
) -> Tab:
    """Open a tab; where there are windows, in one of its own."""
    return await browser.open_tab(url)


@command(group="tabs", spoken_only=True, examples=("frame main", "frame '#checkout'"))
async def frame(tab: Tab, name: Annotated[str, Doc("any frame")] = "main") -> str:
    """Nothing to do: targets are found in all frames, and refs lead into them."""
    del tab
    return f"no need to enter {name}: targets and refs work in all frames of the page"
