"""Reading page content without navigation and banners, and collecting long lists."""

from __future__ import annotations

import asyncio
from typing import Annotated

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import DEFAULT_LIMIT, ReadText
from boathook.effects import Effect
from boathook.engine.actions import collect_items
from boathook.engine.actions.collect_items import COLLECT_SECONDS, MOST_ITEMS, Collected
from boathook.engine.content.read_page import ReadFormat, read_page
from boathook.engine.content.reading_files import save_reading
from boathook.engine.tab import Tab
from boathook.errors import BadSetting
from boathook.registry.parameters import Within
from boathook.registry.registry import Between, Doc, command
from boathook.registry.script_helper import ScriptHelper


@command(
    group="read",
    doing="reading the page",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("extract", ("format",), gives="reading"),),
    core=True,
    examples=("read", "read --comments", "read tables --target '#prices'", "read tables --output prices.csv"),
)
async def read(
    tab: Tab,
    format: Annotated[ReadFormat, Doc("output format")] = "markdown",
    *,
    target: Within = None,
    comments: Annotated[bool, Doc("also the comments on an article, after its text")] = False,
    limit: Annotated[
        int, Doc("maximum characters; longer text is saved to a file"), Between(1, 10**9)
    ] = DEFAULT_LIMIT,
    deadline: Deadline,
) -> ReadText:
    """Print the main content of the page without menus and banners, or one element.

    `format` is `markdown`, `text`, `html` (without scripts and controls), `outline` (landmarks and headings of the
    whole page) or `tables` (rows as data). An article begins with its headline, and a line with author and date; comments
    on it are omitted unless `comments` is set. Text beyond `limit` characters is saved to a private file that is
    deleted with the browser, and the last line names it. A PDF in the browser's viewer is read page by page.
    """
    if not isinstance(limit, int) or limit < 1:
        raise BadSetting(f"invalid limit: {limit!r} characters", hint="use 1 or more")
    page = await read_page(tab, format=format, target=target, comments=comments, deadline=deadline)
    path = None
    if len(page.text) > limit:
        path = await asyncio.to_thread(save_reading, tab.browser.folder, page.text, format=format)
    return ReadText(page=page, format=format, limit=limit, path=path)


@command(
    group="read",
    effect=Effect.ACTS,
    doing="collecting {items}",
    timeout=COLLECT_SECONDS,
    examples=("collect 'css=.row' --count 50", "collect role=listitem --until 'Item 57'"),
)
async def collect(
    tab: Tab,
    items: Annotated[str, Doc("selector that matches all items")],
    *,
    within: Annotated[str | None, Doc("the list, if the page has several")] = None,
    until: Annotated[str | None, Doc("stop at an item with this text")] = None,
    count: Annotated[int | None, Doc("stop after this many items")] = None,
    most: Annotated[int, Doc("maximum number of items to return"), Between(1, MOST_ITEMS)] = 500,
    deadline: Deadline,
) -> Collected:
    """Scroll through a list from the top and collect its items: to the end, or until some text or a count is reached."""
    if until is not None and count is not None:
        raise BadSetting("until and count are mutually exclusive", hint="pass only one of them")
    if until is not None and not isinstance(until, str):
        raise BadSetting(f"until must be text: {until!r}"[:200], hint="use `--count N` for a number of items")
    goal = count if until is None else until
    return await collect_items.collect(tab, items, within=within, until=goal, most=most, deadline=deadline)
