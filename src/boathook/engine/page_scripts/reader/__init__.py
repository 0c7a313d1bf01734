"""The script that reads pages: a tree of the visible content, its main part, and Markdown, text, HTML and tables of it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from boathook.engine.page_scripts import code_lines

SHARED_PARTS = (
    "walker/dom.js",
    "walker/noted_answers.js",
    "walker/role_tables.js",
    "walker/visual_hiding.js",
)
READER_PARTS = (
    "safe_urls.js",
    "content_tree.js",
    "text_runs.js",
    "boilerplate.js",
    "article_words.js",
    "page_facts.js",
    "comments.js",
    "candidates.js",
    "article.js",
    "main_part.js",
    "inline.js",
    "code.js",
    "table_rows.js",
    "blocks.js",
    "html.js",
    "outline.js",
    "read.js",
)
_GUARD = "if (globalThis.__boathook) return"


@cache
def reader_source() -> str:
    """Return the reader as one JavaScript expression; it puts its API beside the walker's, in the same world."""
    walker = files("boathook.engine.page_scripts")
    parts = [walker.joinpath(name) for name in SHARED_PARTS]
    parts += [walker.joinpath("reader").joinpath(name) for name in READER_PARTS]
    lines = [line for part in parts for line in code_lines(part.read_text(encoding="utf-8"))]
    # The guard belongs to the walker: it would end this script, since the walker is already installed.
    code = "\n".join(line for line in lines if not line.startswith(_GUARD))
    return "(() => {\n'use strict';\n" + code + "\n})()"
