"""Scripts in the page's main world: what frameworks store there is not visible from our world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.page.page_eval import evaluate_in, value_of
from boathook.engine.page_scripts import page_script

if TYPE_CHECKING:
    from boathook.engine.tab import Tab


async def own_value(tab: Tab, script: str, *, failed: str, gesture: bool = False) -> Any:
    """The value of an expression, awaited if it is a promise; `failed` is the prefix of the error if it throws."""
    return value_of(await evaluate_in(tab.session, script, gesture=gesture), failed=failed)


async def put_into_new_documents(tab: Tab, script: str) -> None:
    """Run one of our scripts first in every new document of the tab; registering it once is enough."""
    if script not in tab.init_scripts.sources:
        await tab.init_scripts.add(script, page_script(script))
