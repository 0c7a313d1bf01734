"""The tool set `direct`: seven tools onto any CDP endpoint. Each call says which browser; nothing is opened or closed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Any

from boathook.commands.views.results import NumberedTree, PageList, Said, SavedShot
from boathook.engine.actions.perform import Performed
from boathook.errors import TargetNotFound
from boathook.registry.context import HostScope
from boathook.registry.registry import Doc, Effect, Scope, command

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo

DIRECT = "direct"
BrowserUrl = Annotated[str, Doc("where the browser listens, such as http://127.0.0.1:9222")]
TargetId = Annotated[str | None, Doc("the page, as browser_list shows it; the first one without it")]
Uid = Annotated[int, Doc("the number of the element in the latest snapshot")]


def place_of(browser_url: str) -> dict[str, Any]:
    """A session for each browser: so the numbers of a snapshot hold until the page itself changes."""
    digest = hashlib.sha256(browser_url.strip().rstrip("/").encode()).hexdigest()[:10]
    # Several clients may meet in it, so it ends with none of them, but when nobody has used it for a while.
    return {"session": f"{DIRECT}-{digest}", "cdp": browser_url, "tab": None, "ends_with": None}


async def _on_page(host: HostScope, browser_url: str, target_id: str | None) -> dict[str, Any]:
    place = place_of(browser_url)
    if target_id is None:
        pages: list[PageInfo] = await host.run("pages", {}, settings=place)
        if not pages:
            raise TargetNotFound(f"{browser_url} shows no page", hint="open one in that browser")
        target_id = pages[0].target_id
    return {**place, "tab": target_id}


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    examples=('{"browser_url": "http://127.0.0.1:9222"}',),
)
async def browser_list(host: HostScope, browser_url: BrowserUrl) -> PageList:
    """The pages of a browser that listens: target id, title, address."""
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
    host: HostScope,
    browser_url: BrowserUrl,
    url: Annotated[str, Doc("the address to load")],
    *,
    target_id: TargetId = None,
) -> Said:
    """Load an address in a page and wait for it."""
    place = await _on_page(host, browser_url, target_id)
    arrived = await host.run("goto", {"url": url}, settings=place)
    return Said(
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
    host: HostScope, browser_url: BrowserUrl, *, target_id: TargetId = None
) -> NumberedTree:
    """The page as a tree of text; elements have numbers, which stay theirs as long as they exist."""
    place = await _on_page(host, browser_url, target_id)
    look = await host.run("snapshot", {"mode": "full"}, settings=place)
    return NumberedTree(snapshot=look.snapshot)


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    examples=('{"browser_url": "http://127.0.0.1:9222", "uid": 12}',),
)
async def browser_click(
    host: HostScope, browser_url: BrowserUrl, uid: Uid, *, target_id: TargetId = None
) -> Performed:
    """Click an element by its number; says what changed."""
    place = await _on_page(host, browser_url, target_id)
    done: Performed = await host.run("click", {"target": f"e{uid}"}, settings=place)
    return done


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    effect=Effect.ACTS,
    checks_refs=True,
    may_navigate=True,
    secrets=("value",),
    examples=('{"browser_url": "http://127.0.0.1:9222", "uid": 12, "value": "Ann"}',),
)
async def browser_fill(
    host: HostScope,
    browser_url: BrowserUrl,
    uid: Uid,
    value: Annotated[str, Doc("what the field shall hold")],
    *,
    target_id: TargetId = None,
) -> Performed:
    """Replace what a field holds; the value is read back."""
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
    host: HostScope,
    browser_url: BrowserUrl,
    expression: Annotated[str, Doc("JavaScript; promises are waited for")],
    *,
    target_id: TargetId = None,
) -> Any:
    """Run JavaScript in the page and give its value."""
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
    host: HostScope, browser_url: BrowserUrl, *, target_id: TargetId = None
) -> SavedShot:
    """A picture of what is in view, saved as PNG."""
    place = await _on_page(host, browser_url, target_id)
    return SavedShot(shot=await host.run("screenshot", {"for_model": True}, settings=place))
