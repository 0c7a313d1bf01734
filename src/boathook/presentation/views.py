"""Text for the tools of other programs, in their format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.presentation.quoting import quoted
from boathook.presentation.snapshot.elements import LINE

if TYPE_CHECKING:
    from boathook.commands.views.results import FlatList, NumberedTree, PageList

INTERACTIVE = frozenset(
    {
        "button", "checkbox", "combobox", "link", "listbox", "menu", "menubar", "menuitem", "menuitemcheckbox",
        "menuitemradio", "option", "radio", "scrollbar", "searchbox", "slider", "spinbutton", "switch", "tab",
        "textbox", "treeitem",
    }
)  # fmt: skip
"""Roles of interactive elements in the list."""


def numbered(tree: NumberedTree) -> str:
    """A tree with element numbers."""
    lines = [_numbered_line(line) for line in tree.snapshot.lines]
    return "\n".join(lines) or "(the page is empty)"


def _numbered_line(line: str) -> str:
    found = LINE.match(line)
    if found is None:
        return line
    name = f" {found['name']}" if found["name"] else ""
    rest = found["rest"].replace(' = "', ' value="', 1)
    return f"{found['indent']}[{found['number']}] {found['role']}{name}{rest}"


def flat(listed: FlatList) -> str:
    """One line for each interactive element."""
    lines = [
        f"e{found['number']}: [{found['role']}] {found['name'] or ''}{found['rest']}".replace("]  ", "] ")
        for line in listed.snapshot.lines
        if (found := LINE.match(line)) is not None and found["role"] in INTERACTIVE
    ]
    more = len(lines) - listed.most
    kept = [line.rstrip() for line in lines[: listed.most]]
    if more > 0:
        kept.append(f"… {more} more elements omitted; scroll the page to see them")
    head = f"{quoted(listed.snapshot.title)} {quoted(listed.snapshot.url, marks=False)}"
    return "\n".join([head, *(kept or ["(no interactive elements)"])])


def page_list(listed: PageList) -> str:
    """Pages by target id."""
    if not listed.pages:
        return "No page targets found."
    blocks = [
        f"[{page.target_id}] {quoted(page.title)}{' (active)' if page.target_id == listed.active else ''}\n"
        f"  {quoted(page.url, marks=False)}"
        for page in listed.pages
    ]
    return "\n".join(blocks)
