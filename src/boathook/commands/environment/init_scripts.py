"""Init scripts: they run in every new document before the page's own scripts."""

from __future__ import annotations

from typing import Annotated

from boathook.clock import READ_SECONDS
from boathook.effects import Effect
from boathook.engine.page import init_scripts
from boathook.engine.tab import Tab
from boathook.registry.registry import Also, Doc, command


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    aliases=("addinitscript",),
    from_stdin=("script",),
    doing="adding an init script",
    timeout=READ_SECONDS,
    handles_dialog=True,
    page_scripts=("script",),
    examples=("addinitscript 'window.seen = []'", "addinitscript --stdin"),
)
async def add_init_script(
    tab: Tab,
    script: Annotated[str, Doc("JavaScript; - reads standard input"), Also("--stdin", "-")],
) -> int:
    """Run a script in every new document before the page's own scripts, in all tabs. Prints its id.

    Popups and cross-site frames may start before the script reaches them; there it runs from their next document on.
    """
    return await init_scripts.add_everywhere(tab, script)


@command(
    group="debug",
    effect=Effect.CHANGES_BROWSER,
    aliases=("removeinitscript",),
    doing="removing an init script",
    timeout=READ_SECONDS,
    handles_dialog=True,
    category="eval",
    examples=("removeinitscript 1",),
)
async def remove_init_script(
    tab: Tab,
    number: Annotated[int, Doc("id printed by addinitscript")],
) -> None:
    """Remove an init script. Its effects on the current page stay."""
    await init_scripts.remove_everywhere(tab, number)
