"""The tool set `direct`: seven tools for any CDP endpoint. Each call names the browser; nothing is opened or closed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Any

from boathook.commands.views.view_results import NumberedTree, PageList, SavedScreenshot, TextResult
from boathook.engine.actions.perform import Performed
from boathook.errors import TargetNotFound
from boathook.registry.context import HostApi
from boathook.registry.effects import Effect
from boathook.registry.registry import Doc, Scope, command

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo

DIRECT = "direct"
BrowserUrl = Annotated[str, Doc("CDP URL of the browser, such as http://127.0.0.1:9222")]
TargetId = Annotated[str | None, Doc("page id from browser_list (default: the first page)")]
Uid = Annotated[int, Doc("element number in the latest snapshot")]


def place_of(browser_url: str) -> dict[str, Any]:
    """A session for each browser, so that snapshot numbers stay valid until the page changes."""
    digest = hashlib.sha256(browser_url.strip().rstrip("/").encode()).hexdigest()[:10]
    # Several clients may share it, so it is closed when it is idle, not with any of them.
    return {"session": f"{DIRECT}-{digest}", "cdp": browser_url, "tab": None, "ends_with": None}


async def _on_page(host: HostApi, browser_url: str, target_id: str | None) -> dict[str, Any]:
    place = place_of(browser_url)
    if target_id is None:
        pages: list[PageInfo] = await host.run("pages", {}, settings=place)
        if not pages:
            raise TargetNotFound(f"no open page in {browser_url}", hint="open a page in that browser")
        target_id = pages[0].target_id
    return {**place, "tab": target_id}


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    examples=('{"browser_url": "http://127.0.0.1:9222"}',),
)
async def browser_list(host: HostApi, browser_url: BrowserUrl) -> PageList:
    """List the pages of a running browser: target id, title, URL."""
    return PageList(pages=tuple(await host.run("pages", {}, settings=place_of(browser_url))))


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=('{"browser_url": "http://127.0.0.1:9222", "url": "https://example.org"}',),
)
async def browser_navigate(
    host: HostApi,
    browser_url: BrowserUrl,
    url: Annotated[str, Doc("the URL to load")],
    *,
    target_id: TargetId = None,
) -> TextResult:
    """Load a URL in a page and wait for it."""
    place = await _on_page(host, browser_url, target_id)
    arrived = await host.run("goto", {"url": url}, settings=place)
    return TextResult(
        text=f"Navigated to: {arrived.url}\nTitle: {arrived.title}",
        facts={
            "url": arrived.url,
            "title": arrived.title,
            "status": arrived.status,
            "target_id": place["tab"],
        },
    )


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    examples=('{"browser_url": "http://127.0.0.1:9222"}',),
)
async def browser_snapshot(
    host: HostApi, browser_url: BrowserUrl, *, target_id: TargetId = None
) -> NumberedTree:
    """Print the page as a tree. Elements have stable numbers."""
    place = await _on_page(host, browser_url, target_id)
    look = await host.run("snapshot", {"mode": "full"}, settings=place)
    return NumberedTree(snapshot=look.snapshot)


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=('{"browser_url": "http://127.0.0.1:9222", "uid": 12}',),
)
async def browser_click(
    host: HostApi, browser_url: BrowserUrl, uid: Uid, *, target_id: TargetId = None
) -> Performed:
    """Click an element by its number. Returns what changed."""
    place = await _on_page(host, browser_url, target_id)
    done: Performed = await host.run("click", {"target": f"e{uid}"}, settings=place)
    return done


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    effect=Effect.ACTS,
    may_navigate=True,
    secrets=("value",),
    examples=('{"browser_url": "http://127.0.0.1:9222", "uid": 12, "value": "Ann"}',),
)
async def browser_fill(
    host: HostApi,
    browser_url: BrowserUrl,
    uid: Uid,
    value: Annotated[str, Doc("the text to enter")],
    *,
    target_id: TargetId = None,
) -> Performed:
    """Replace the value of a field. The new value is verified."""
    place = await _on_page(host, browser_url, target_id)
    done: Performed = await host.run("fill", {"target": f"e{uid}", "value": value}, settings=place)
    return done


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    effect=Effect.ACTS,
    may_navigate=True,
    examples=('{"browser_url": "http://127.0.0.1:9222", "expression": "document.title"}',),
)
async def browser_eval(
    host: HostApi,
    browser_url: BrowserUrl,
    expression: Annotated[str, Doc("JavaScript; promises are awaited")],
    *,
    target_id: TargetId = None,
) -> Any:
    """Run JavaScript in the page and return its value."""
    place = await _on_page(host, browser_url, target_id)
    # Choosing this tool set is the consent to scripts.
    return await host.run("evaluate", {"script": expression}, settings={**place, "evaluate_enabled": True})


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    examples=('{"browser_url": "http://127.0.0.1:9222"}',),
)
async def browser_screenshot(
    host: HostApi, browser_url: BrowserUrl, *, target_id: TargetId = None
) -> SavedScreenshot:
    """Take a screenshot of the viewport and save it as PNG."""
    place = await _on_page(host, browser_url, target_id)
    return SavedScreenshot(shot=await host.run("screenshot", {"for_model": True}, settings=place))
