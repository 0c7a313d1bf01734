"""The tool set `direct`: tools for any CDP endpoint. Each call names the browser; nothing is opened or closed."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Any

from boathook.cdp.endpoint_url import listed_targets
from boathook.commands.views.view_results import NumberedTree, PageList, SavedScreenshot, TextResult, in_text
from boathook.effects import Effect, SideEffect
from boathook.engine.actions.dialog_answers import AnsweredDialog
from boathook.engine.actions.perform import Performed
from boathook.errors import TargetNotFound
from boathook.registry.context import HostApi
from boathook.registry.registry import Doc, Requires, Scope, command

if TYPE_CHECKING:
    from boathook.commands.results import PageInfo

DIRECT = "direct"
BrowserUrl = Annotated[str, Doc("CDP URL of the browser, such as http://127.0.0.1:9222")]
TargetId = Annotated[str | None, Doc("page id from browser_list (default: the first page)")]
Uid = Annotated[int, Doc("element number in the latest snapshot")]
LISTING_SECONDS = 5.0


def place_of(host: HostApi, browser_url: str) -> dict[str, Any]:
    """A session for each client and browser, so that numbers of a snapshot stay valid; it is closed with the client."""
    url = browser_url.strip().rstrip("/")
    digest = hashlib.sha256(url.encode()).hexdigest()[:10]
    session = f"{host.session_id()}-{digest}"
    return {"session": session, "cdp": url, "tab": None, "ends_with": host.caller_pid}


async def _pages(host: HostApi, place: dict[str, Any]) -> list[PageInfo]:
    """The pages in the order in which the browser lists them: the one that was used last is first."""
    pages: list[PageInfo] = await host.run("pages", {}, settings=place)
    order = await listed_targets(place["cdp"], seconds=LISTING_SECONDS)
    places = {target_id: number for number, target_id in enumerate(order)}
    return sorted(pages, key=lambda page: places.get(page.target_id, len(places)))


async def _on_page(host: HostApi, browser_url: str, target_id: str | None) -> dict[str, Any]:
    place = place_of(host, browser_url)
    if target_id is None:
        pages = await _pages(host, place)
        if not pages:
            raise TargetNotFound(f"no open page in {browser_url}", hint="open a page in that browser")
        target_id = pages[0].target_id
    return {**place, "tab": target_id}


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    side_effects=(SideEffect.ATTACHES_BROWSER,),
    examples=('{"browser_url": "http://127.0.0.1:9222"}',),
)
async def browser_list(host: HostApi, browser_url: BrowserUrl) -> PageList:
    """List the pages of a running browser: target id, title, URL."""
    return PageList(pages=tuple(await _pages(host, place_of(host, browser_url))))


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    side_effects=(SideEffect.ATTACHES_BROWSER,),
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
        text=f"Navigated to: {in_text(arrived.url)}\nTitle: {' '.join(arrived.title.split())}",
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
    side_effects=(SideEffect.ATTACHES_BROWSER,),
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
    side_effects=(SideEffect.ATTACHES_BROWSER,),
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
    side_effects=(SideEffect.ATTACHES_BROWSER,),
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
    side_effects=(SideEffect.ATTACHES_BROWSER,),
    effect=Effect.ACTS,
    may_navigate=True,
    examples=('{"browser_url": "http://127.0.0.1:9222", "expression": "document.title"}',),
)
async def browser_eval(
    host: HostApi,
    browser_url: BrowserUrl,
    expression: Annotated[
        str, Doc("JavaScript; promises are awaited"), Requires("evaluate_enabled", unless_off=True)
    ],
    *,
    target_id: TargetId = None,
) -> Any:
    """Run JavaScript in the page and return its value."""
    place = await _on_page(host, browser_url, target_id)
    # Choosing this tool set is the consent to scripts; where the user forbids them, the tool is not offered.
    return await host.run("evaluate", {"script": expression}, settings={**place, "evaluate_enabled": True})


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    side_effects=(SideEffect.ATTACHES_BROWSER,),
    examples=('{"browser_url": "http://127.0.0.1:9222"}',),
)
async def browser_screenshot(
    host: HostApi, browser_url: BrowserUrl, *, target_id: TargetId = None
) -> SavedScreenshot:
    """Take a screenshot of the viewport and save it as PNG."""
    place = await _on_page(host, browser_url, target_id)
    return SavedScreenshot(shot=await host.run("screenshot", {"for_model": True}, settings=place))


@command(
    group="direct",
    scope=Scope.HOST,
    tool_set=DIRECT,
    side_effects=(SideEffect.ATTACHES_BROWSER,),
    effect=Effect.ACTS,
    may_navigate=True,
    secrets=("text",),
    examples=('{"browser_url": "http://127.0.0.1:9222", "accept": false}',),
)
async def browser_dialog(
    host: HostApi,
    browser_url: BrowserUrl,
    *,
    accept: Annotated[bool, Doc("accept or dismiss it")] = True,
    text: Annotated[str, Doc("the text for a prompt")] = "",
    target_id: TargetId = None,
) -> AnsweredDialog:
    """Answer the open confirm or prompt dialog of a page."""
    place = await _on_page(host, browser_url, target_id)
    answered: AnsweredDialog = await host.run(
        "answer_dialog", {"accept": accept, "text": text}, settings=place
    )
    return answered
