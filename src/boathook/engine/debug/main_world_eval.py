"""Scripts in the page's main world: what frameworks store there is not visible from our world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.page_scripts import page_script
from boathook.errors import PageError

if TYPE_CHECKING:
    from boathook.engine.tab import Tab

SHOWN_ERROR = 300


async def own_value(tab: Tab, script: str, *, failed: str, gesture: bool = False) -> Any:
    """The value of an expression, awaited if it is a promise; `failed` is the prefix of the error if it throws."""
    reply = await tab.session.send(
        "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=gesture
    )
    details = reply.get("exceptionDetails")
    if details is not None:
        said = str(details.get("exception", {}).get("description") or details.get("text", ""))
        raise PageError(f"{failed}: {said[:SHOWN_ERROR]}")
    return reply["result"].get("value")


async def put_into_new_documents(tab: Tab, script: str) -> None:
    """Run one of our scripts first in every new document of the tab; registering it once is enough."""
    if script not in tab.init_scripts.sources:
        await tab.init_scripts.add(script, page_script(script))
