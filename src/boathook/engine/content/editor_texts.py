"""The text of code editors (Monaco, CodeMirror), which show only the lines in view: asked of their model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.page.page_eval import evaluate_in, thrown_in
from boathook.engine.page_scripts import page_script

if TYPE_CHECKING:
    from boathook.engine.page.frames import Frame

MOST_EDITORS = 50
MOST_CHARACTERS = 500_000


async def editor_texts(frame: Frame, numbers: list[int]) -> list[str | None]:
    """The text of each editor, by its number in the document; None if its model cannot be reached.

    The script runs in the page's main world, so the page decides what it returns: it is page content, and anything
    but text of a bounded length is ignored.
    """
    asked = numbers[:MOST_EDITORS]
    script = page_script("reader/editor_texts.js")
    reply = await evaluate_in(frame.session, f"{script}({asked}, {MOST_CHARACTERS})")
    given = None if thrown_in(reply) else reply["result"].get("value")
    texts = given if isinstance(given, list) else []
    return [
        _bounded(texts[at]) if at < len(texts) and at < len(asked) else None for at in range(len(numbers))
    ]


def _bounded(text: object) -> str | None:
    return text[:MOST_CHARACTERS] if isinstance(text, str) else None
