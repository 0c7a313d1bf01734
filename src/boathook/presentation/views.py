"""Text for the tools of other programs, in their format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.commands.views.view_results import FlatList, NumberedTree, PageList, SavedScreenshot, TextResult
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_data, as_text, own_lines
from boathook.presentation.snapshot.elements import LINE, is_interactive
from boathook.presentation.snapshot.snapshot_text import shown_url

if TYPE_CHECKING:
    from boathook.engine.snapshot.take import Snapshot

MOST_CHARACTERS = 50_000
"""Of the elements of one page: these formats have no budget."""


def render_numbered_tree(tree: NumberedTree) -> str:
    """The page's title and URL, and a tree with element numbers."""
    lines = _within([_number_line(line) for line in tree.snapshot.lines])
    return "\n".join([_title_line(tree.snapshot), *(lines or ["(the page is empty)"])])


def _title_line(snapshot: Snapshot) -> str:
    return f"{quote(snapshot.title)} {shown_url(snapshot.url)}"


def _within(lines: list[str]) -> list[str]:
    """As many lines as a model can read at once, and how many were left out."""
    room = MOST_CHARACTERS
    for kept, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return [*lines[:kept], f"… {len(lines) - kept} more lines left out"]
    return lines


def _number_line(line: str) -> str:
    found = LINE.match(line)
    if found is None:
        return line
    name = f" {found['name']}" if found["name"] else ""
    rest = found["rest"].replace(' = "', ' value="', 1)
    return f"{found['indent']}[{found['number']}] {found['role']}{name}{rest}"


def render_flat_list(listed: FlatList) -> str:
    """One line for each interactive element."""
    lines = [
        f"e{found['number']}: [{found['role']}] {found['name'] or ''}{found['rest']}".replace("]  ", "] ")
        for line in listed.snapshot.lines
        if (found := LINE.match(line)) is not None and is_interactive(found)
    ]
    more = len(lines) - listed.most
    kept = [line.rstrip() for line in lines[: listed.most]]
    if more > 0:
        kept.append(f"… {more} more elements omitted; scroll the page to see them")
    return "\n".join([_title_line(listed.snapshot), *(_within(kept) or ["(no interactive elements)"])])


@own_lines
def render_page_list(listed: PageList) -> str:
    """Pages by target id."""
    if not listed.pages:
        return "No page targets found."
    blocks = [
        f"[{page.target_id}] {quote(page.title)}{' (active)' if page.target_id == listed.active else ''}\n"
        f"  {shown_url(page.url)}"
        for page in listed.pages
    ]
    return "\n".join(blocks)


@as_text.register
def _render_text_result(value: TextResult) -> str:
    return value.text


as_text.register(NumberedTree, render_numbered_tree)


as_text.register(FlatList, render_flat_list)


@own_lines
def _render_saved_screenshot(value: SavedScreenshot) -> str:
    size = len((value.shot.whole or value.shot.picture).data) // 1024
    return f"Screenshot saved: {value.shot.path} ({size} KB)"


@as_data.register
def _saved_screenshot_data(value: SavedScreenshot) -> Any:
    return as_data(value.shot)


@as_data.register
def _text_result_data(value: TextResult) -> dict[str, Any]:
    return value.facts


@as_data.register
def _page_tree_data(value: NumberedTree | FlatList) -> dict[str, Any]:
    return {"url": value.snapshot.url, "title": value.snapshot.title, "revision": value.snapshot.revision}
