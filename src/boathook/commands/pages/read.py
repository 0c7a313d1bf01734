"""Reading what a page says, without what stands around it; and lists, to their end."""

from __future__ import annotations

import asyncio
from typing import Annotated

from boathook.commands.results import DEFAULT_LIMIT, ReadText
from boathook.engine.actions import collect_items
from boathook.engine.actions.collect_items import COLLECT_SECONDS, MOST_ITEMS, Collected
from boathook.engine.content.reading import ReadFormat, read_page
from boathook.engine.content.reading_files import save_reading
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.errors import BadSetting
from boathook.registry.parameters import Timeout, Within
from boathook.registry.registry import Between, Doc, Effect, command


@command(group="read", checks_refs=True, examples=("read", "read tables --target '#prices'"))
async def read(
    tab: Tab,
    format: Annotated[ReadFormat, Doc("what the text is to be")] = "markdown",
    *,
    target: Within = None,
    limit: Annotated[
        int, Doc("characters; what is longer goes to a file"), Between(1, 10**9)
    ] = DEFAULT_LIMIT,
    timeout: Timeout = READ_SECONDS,
) -> ReadText:
    """The main part of the page without menus and banners, or the element that `target` names.

    `format` is `markdown`, `text`, `html` (without anything that acts), `outline` (landmarks and headings of the
    whole page) or `tables` (rows as data). Text beyond `limit` characters is saved to a private file that goes
    away with the browser, and the last line names it. A PDF in the browser's viewer is read page by page.
    """
    if not isinstance(limit, int) or limit < 1:
        raise BadSetting(f"a limit of {limit!r} characters is out of range", hint="use 1 or more")
    async with tab.call("reading the page", seconds=timeout, looks=True) as deadline:
        page = await read_page(tab, format=format, target=target, deadline=deadline)
    path = None
    if len(page.text) > limit:
        path = await asyncio.to_thread(save_reading, tab.browser.folder, page.text, format=format)
    return ReadText(page=page, format=format, limit=limit, path=path)


@command(
    group="read",
    effect=Effect.ACTS,
    checks_refs=True,
    examples=("collect 'css=.row' --count 50", "collect role=listitem --until 'Item 57'"),
)
async def collect(
    tab: Tab,
    items: Annotated[str, Doc("a target that all items match")],
    *,
    within: Annotated[str | None, Doc("the list, when the page has several")] = None,
    until: Annotated[str | None, Doc("end at an item with this text")] = None,
    count: Annotated[int | None, Doc("end when so many were seen")] = None,
    most: Annotated[int, Doc("items to keep at most"), Between(1, MOST_ITEMS)] = 500,
    timeout: Timeout = COLLECT_SECONDS,
) -> Collected:
    """Scroll through a list from its top and collect its items: to the end, or until a text or so many were seen."""
    if until is not None and count is not None:
        raise BadSetting("until and count exclude each other", hint="give the one that matters")
    if until is not None and not isinstance(until, str):
        raise BadSetting(f"until is a text, not {until!r}"[:200], hint="`--count N` is for a number of items")
    goal = count if until is None else until
    async with tab.call(f"collecting {items}", seconds=timeout) as deadline:
        return await collect_items.collect(
            tab, items, within=within, until=goal, most=most, deadline=deadline
        )
