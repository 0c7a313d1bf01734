"""Scripts that run before those of a page."""

from __future__ import annotations

from typing import Annotated

from boathook.engine.page import init_scripts
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Also, Doc, Effect, command


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    words=("addinitscript",),
    from_stdin=("script",),
    examples=("addinitscript 'window.seen = []'", "addinitscript --stdin"),
)
async def add_init_script(
    tab: Tab,
    script: Annotated[str, Doc("JavaScript; - is standard input"), Also("--stdin", "-")],
    *,
    timeout: Timeout = READ_SECONDS,
) -> int:
    """Run a script before those of the page in every new document, in all tabs of the session; gives its number.

    Popups and frames of other sites may have begun before it reaches them: there it holds from their next document on.
    """
    async with tab.call("adding a script", seconds=timeout, looks=True, needs_page=False):
        return await init_scripts.add_everywhere(tab, script)


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    words=("removeinitscript",),
    examples=("removeinitscript 1",),
)
async def remove_init_script(
    tab: Tab, number: Annotated[int, Doc("as addinitscript told it")], *, timeout: Timeout = READ_SECONDS
) -> None:
    """Run such a script in no further document; what it has done on the present page stays."""
    async with tab.call("removing a script", seconds=timeout, looks=True, needs_page=False):
        await init_scripts.remove_everywhere(tab, number)
