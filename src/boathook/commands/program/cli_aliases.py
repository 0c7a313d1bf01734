"""Command-line compatibility: lines in the syntax of other tools that stand for one of several commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.environment import storage
from boathook.commands.input import act, files
from boathook.commands.input.act import MOST_DELAY
from boathook.commands.pages import tabs, wait
from boathook.commands.pages.observe import evaluate
from boathook.durations import meant_time, parse_duration
from boathook.effects import Effect, SideEffect
from boathook.engine.actions.input import keyboard
from boathook.engine.actions.perform import ACTION_SECONDS, Performed
from boathook.engine.actions.scroll_page import Scrolled
from boathook.engine.browser import Browser
from boathook.engine.elements.enter_frame import enter_frame
from boathook.engine.tab import Tab
from boathook.engine.waits.wait_for_element import TargetState
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.errors import BadRequest
from boathook.registry.invoke import invoke
from boathook.registry.parameters import Nth, Target, Timeout, presses_keys
from boathook.registry.registry import Also, Between, Doc, Duration, FreeText, Scope, Short, command
from boathook.similar_words import did_you_mean
from boathook.values import WaitUntil

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from boathook.engine.state.storage import Area

SECONDS_BELOW = 100
"""A bare number in `wait` means seconds below this, and milliseconds from here on, as in other tools."""
WHOLE_PAGE = 1e7
"""Pixels that no page is longer than."""
DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}


def _category_of_wait(arguments: Mapping[str, Any]) -> str:
    return "wait" if arguments.get("fn") is None else "eval"


@command(
    group="wait",
    cli_only=True,
    aliases=("wait",),
    writes_files=("download",),
    page_scripts=("fn",),
    saves_download="download",
    category=_category_of_wait,
    core=True,
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
    state: Annotated[TargetState, Doc("state of the element")] = "visible",
    text: Annotated[str | None, Doc("text to wait for"), Short("t")] = None,
    url: Annotated[str | None, Doc("URL: a substring, or a glob with *"), Short("u")] = None,
    load: Annotated[WaitUntil | None, Doc("load state to wait for"), Short("l")] = None,
    fn: Annotated[str | None, Doc("script that must return a truthy value"), Short("f")] = None,
    download: Annotated[
        Path | None,
        Doc("wait for a download and save it: a folder or a file name (default: the working directory)"),
        Also("--download", value="."),
    ] = None,
    timeout: Annotated[
        float, Doc("timeout in seconds; above 300: milliseconds"), Duration("s", milliseconds_from=301)
    ] = WAIT_SECONDS,
) -> Any:
    """Wait for an element, text, URL, load state, script, download or time. Prints what it last saw."""
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
        said = f"{' and '.join(given)} are mutually exclusive" if given else "nothing to wait for"
        raise BadRequest(
            said,
            hint="wait for one thing: an element, a time|, `--text TEXT`|, `--url URL`|, `--load STATE`|, `--fn SCRIPT`|, `--download FILE`",
        )
    ways: dict[str, Callable[[], Awaitable[Any]]] = {
        "a target": lambda: _target_or_time(tab, str(what), state, timeout),
        "--text": lambda: invoke(wait.wait_for_text, tab, str(text), timeout=timeout),
        "--url": lambda: invoke(wait.wait_for_url, tab, str(url), timeout=timeout),
        "--load": lambda: invoke(wait.wait_for_load, tab, load or "load", timeout=timeout),
        "--fn": lambda: invoke(wait.wait_for_function, tab, str(fn), timeout=timeout),
        "--download": lambda: invoke(files.wait_for_download, tab, download, timeout=timeout),
    }
    return await ways[given[0]]()


async def _target_or_time(tab: Tab, what: str, state: TargetState, seconds: float) -> Any:
    seconds_to_wait = parse_duration(what, "s")
    if seconds_to_wait is not None:
        await invoke(wait.wait, tab, seconds_to_wait)
        return f"waited for {seconds_to_wait:g} s"
    try:
        number = float(what)
    except ValueError:
        if meant := meant_time(what):
            raise BadRequest(f"wait: invalid time: {what!r}", hint=f"did you mean {meant}?") from None
        return await invoke(wait.wait_for, tab, what, state=state, timeout=seconds)
    await invoke(wait.wait, tab, number if number < SECONDS_BELOW else number / 1_000)
    return f"waited for {number if number < SECONDS_BELOW else number / 1_000:g} s"


@command(
    group="act",
    cli_only=True,
    effect=Effect.ACTS,
    may_navigate=True,
    category="click",
    examples=("dblclick @e2",),
)
async def dblclick(
    tab: Tab, target: Target, *, nth: Nth = None, timeout: Timeout = ACTION_SECONDS
) -> Performed:
    """Double-click an element."""
    return await invoke(act.click, tab, target, count=2, nth=nth, timeout=timeout)


@command(
    group="act",
    cli_only=True,
    effect=Effect.ACTS,
    aliases=("scroll",),
    category="scroll",
    core=True,
    examples=("scroll", "scroll down 600", "scroll up 0.9 --selector @e9"),
)
async def scroll_page(
    tab: Tab,
    direction: Annotated[Literal["down", "up", "left", "right"], Doc("direction")] = "down",
    amount: Annotated[float, Doc("pixels, or a fraction of the viewport up to 1")] = 300,
    *,
    selector: Annotated[str | None, Doc("an element inside the scroll container"), Short("s")] = None,
    timeout: Timeout = ACTION_SECONDS,
) -> Scrolled:
    """Scroll the page, or the container of an element. Prints the distance."""
    right, down = (step * amount for step in DIRECTIONS[direction])
    return await invoke(act.scroll, tab, down=down, right=right, target=selector, timeout=timeout)


@command(
    group="act",
    cli_only=True,
    effect=Effect.ACTS,
    aliases=("scroll to end", "scroll to bottom"),
    category="scroll",
    examples=("scroll to end",),
)
async def scroll_end(tab: Tab, *, timeout: Timeout = ACTION_SECONDS) -> Scrolled:
    """Scroll to the end of the page. A page that loads more as it is scrolled may then be longer."""
    return await invoke(act.scroll, tab, down=WHOLE_PAGE, timeout=timeout)


@command(
    group="act",
    cli_only=True,
    effect=Effect.ACTS,
    aliases=("scroll to top",),
    category="scroll",
    examples=("scroll to top",),
)
async def scroll_top(tab: Tab, *, timeout: Timeout = ACTION_SECONDS) -> Scrolled:
    """Scroll to the top of the page."""
    return await invoke(act.scroll, tab, down=-WHOLE_PAGE, timeout=timeout)


@command(
    secrets=("text",),
    group="keyboard and mouse",
    cli_only=True,
    effect=Effect.ACTS,
    doing="typing",
    timeout=ACTION_SECONDS,
    category="fill",
    side_effects_when=presses_keys,
    types_into="focus",
    examples=("keyboard type 'hello'",),
)
async def keyboard_type(
    tab: Tab,
    text: Annotated[str, Doc("the text to type"), FreeText()],
    *,
    delay: Annotated[float, Doc("milliseconds between keys"), Duration("ms"), Between(0, MOST_DELAY)] = 0,
    deadline: Deadline,
) -> Performed:
    """Type text key by key at the focus."""
    return await keyboard.type_text(tab, None, text, pause=delay / 1_000, deadline=deadline)


@command(
    group="navigate",
    cli_only=True,
    effect=Effect.ACTS,
    may_navigate=True,
    same_origin=True,
    examples=("pushstate /orders/7",),
)
async def pushstate(
    tab: Tab, url: Annotated[str, Doc("a URL of the same origin")], *, timeout: Timeout = READ_SECONDS
) -> str:
    """Navigate a single-page app to a URL without loading a document."""
    script = (
        "url => { const router = globalThis.next && globalThis.next.router; if (router) return router.push(url).then(() => location.href);"
        "history.pushState(null, '', url); dispatchEvent(new PopStateEvent('popstate', { state: null })); return location.href }"
    )
    return str(await invoke(evaluate, tab, script, url, timeout=timeout))


@command(
    group="tabs",
    cli_only=True,
    scope=Scope.BROWSER,
    aliases=("tab",),
    core=True,
    examples=("tab", "tab t2", "tab shop"),
)
async def tab_or_list(
    browser: Browser,
    name: Annotated[
        str | None,
        Doc("id, label or CDP target id; in an attached browser also part of a title or URL"),
    ] = None,
) -> Tab | list[Tab]:
    """Switch to a tab, or list tabs when no name is given."""
    chosen = None if name is None else await browser.use_tab(name)
    listed = await tabs.list_tabs(browser)
    return listed if chosen is None else chosen


@command(
    group="storage",
    cli_only=True,
    effect=Effect.CHANGES_BROWSER,
    aliases=("storage local",),
    secrets=("words",),
    empty_answer="none",
    side_effects=(SideEffect.READS_STATE, SideEffect.WRITES_STATE),
    examples=("storage local", "storage local theme", "storage local set theme dark", "storage local clear"),
)
async def storage_local(
    tab: Tab,
    *words: Annotated[str, Doc("KEY to read, set KEY VALUE, or clear")],
    timeout: Timeout = READ_SECONDS,
) -> Any:
    """Read or change local storage."""
    return await _run_storage(tab, "local", words, timeout)


@command(
    group="storage",
    cli_only=True,
    effect=Effect.CHANGES_BROWSER,
    aliases=("storage session",),
    secrets=("words",),
    empty_answer="none",
    side_effects=(SideEffect.READS_STATE, SideEffect.WRITES_STATE),
    examples=("storage session", "storage session set step 2"),
)
async def storage_session(
    tab: Tab,
    *words: Annotated[str, Doc("KEY to read, set KEY VALUE, or clear")],
    timeout: Timeout = READ_SECONDS,
) -> Any:
    """Read or change session storage."""
    return await _run_storage(tab, "session", words, timeout)


async def _run_storage(tab: Tab, area: Area, words: tuple[str, ...], timeout: float) -> Any:
    match words:
        case ():
            return await invoke(storage.storage, tab, area, timeout=timeout)
        case ("clear",):
            return await invoke(storage.clear_storage, tab, area=area, timeout=timeout)
        case ("set", key, value):
            await invoke(storage.set_storage, tab, {key: value}, area=area, timeout=timeout)
            return "done"  # a missing key has no value
        case ("get", key) | (key,):
            return (await invoke(storage.storage, tab, area, timeout=timeout)).get(key)
        case ("set", *_):
            raise BadRequest(f"storage {area}: set needs a key and a value", hint="use set KEY VALUE")
        case _:
            otherwise = "use KEY, set KEY VALUE or clear"
            raise BadRequest(
                f"storage {area}: unknown word: {words[0][:80]!r}",
                hint=did_you_mean(words[0], ("get", "set", "clear"), otherwise=otherwise),
            )


@command(
    group="tabs",
    cli_only=True,
    scope=Scope.BROWSER,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("window new", "window new https://example.org"),
)
async def window_new(browser: Browser, url: Annotated[str, Doc("the URL to load")] = "about:blank") -> Tab:
    """Open a tab, in a separate window if the browser is headed."""
    return await browser.open_tab(url)


@command(
    group="tabs",
    cli_only=True,
    doing="entering {name}",
    timeout=READ_SECONDS,
    own_text=True,
    examples=("frame '#checkout' --enter", "frame main"),
)
async def frame(
    tab: Tab,
    name: Annotated[str, Doc("the frame: a selector, a ref or its name; `main` is the whole page")] = "main",
    *,
    enter: Annotated[bool, Doc("limit the following commands to this frame, until `frame main`")] = False,
    deadline: Deadline,
) -> str:
    """Limit the following commands to one frame. Not needed to reach it: selectors and refs work in all frames."""
    if name == "main":
        tab.frames.enter(None)
        return "selectors and refs work in all frames of the page"
    if not enter:
        return f"no need to enter {name}: selectors and refs work in all frames of the page"
    return await enter_frame(tab, name, deadline=deadline)
