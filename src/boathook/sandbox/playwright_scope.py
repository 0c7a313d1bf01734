"""Playwright's objects for scripts without a jail: connected to the same tab, if the code uses them."""

from __future__ import annotations

import ast
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from boathook.sandbox.scope import Calls
    from boathook.sandbox.script_channel import Message

NAMES = ("page", "context", "browser")
ENDPOINT = "cdp_endpoint"


class NotInstalled(Exception):
    """Playwright is not installed; the message explains how to install it."""


def is_used_in(code: str) -> bool:
    """Whether the code uses one of the names, or `tab.page`, without defining it."""
    nodes = list(ast.walk(ast.parse(code)))
    names = [node for node in nodes if isinstance(node, ast.Name) and node.id in NAMES]
    made = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    return any(node.id not in made for node in names) or any(
        isinstance(node, ast.Attribute)
        and node.attr == "page"
        and isinstance(node.value, ast.Name)
        and node.value.id == "tab"
        for node in nodes
    )


async def playwright_objects(calls: Calls, order: Message) -> dict[str, Any]:
    """The page, its context and its browser."""
    if order.get("packages"):
        sys.path.append(str(order["packages"]))
    try:
        from playwright.async_api import async_playwright  # noqa: PLC0415 (from the folder that the order names)
    except ImportError as error:
        raise NotInstalled(
            "page, context and browser require Playwright in the engine unsafe: pip install 'boathook[playwright]'"
        ) from error
    where = await calls.ask(ENDPOINT, (), {})
    playwright = await async_playwright().start()
    browser = await playwright.chromium.connect_over_cdp(str(where["url"]))
    context = browser.contexts[0]
    for page in context.pages:
        session = await context.new_cdp_session(page)
        found = await session.send("Target.getTargetInfo")
        await session.detach()
        if found["targetInfo"]["targetId"] == where["target"]:
            return {"page": page, "context": context, "browser": browser}
    raise NotInstalled("Playwright cannot find the script's tab")
