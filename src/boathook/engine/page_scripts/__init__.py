"""The scripts that run inside pages: the in-page walker, assembled from its parts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

WALKER_PARTS = (
    "walker/dom.js",
    "walker/noted_answers.js",
    "walker/role_tables.js",
    "walker/style_scan.js",
    "walker/foreign_sheets.js",
    "walker/sheets.js",
    "walker/styles.js",
    "walker/visual_hiding.js",
    "walker/hiding_levels.js",
    "walker/roles.js",
    "walker/ask_chromium.js",
    "walker/data_tables.js",
    "walker/accessible_names.js",
    "walker/name_from_content.js",
    "walker/secrets.js",
    "walker/editable_text.js",
    "walker/states.js",
    "walker/quoting.js",
    "walker/name_hints.js",
    "walker/class_words.js",
    "walker/colour_words.js",
    "walker/shape_words.js",
    "walker/refs.js",
    "walker/listeners.js",
    "walker/kinds.js",
    "walker/rows.js",
    "walker/walk_cache.js",
    "walker/level.js",
    "walker/tree.js",
    "walker/walk_page.js",
    "walker/actors.js",
    "walker/row_filter.js",
    "walker/lines.js",
    "walker/kept_lines.js",
    "walker/walker.js",
    "walker/text_search.js",
    "walker/cells.js",
    "walker/find.js",
    "actions/scheduled.js",
    "actions/ready.js",
    "actions/fields.js",
    "actions/overlays.js",
    "actions/select.js",
    "actions/options.js",
    "actions/element_facts.js",
    "actions/changes.js",
    "actions/action_watch.js",
    "actions/clipboard.js",
    "graphics/shapes.js",
    "graphics/charts.js",
    "graphics/graphics.js",
    "walker/api.js",
)


def code_lines(text: str) -> list[str]:
    """The lines of a script without indentation, comments and JSDoc: every document compiles them."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("//") and not _is_jsdoc(line)]


def _is_jsdoc(line: str) -> bool:
    return line.startswith("/**") and line.find("*/") == len(line) - 2


@cache
def walker_source() -> str:
    """Return the walker as one JavaScript expression that evaluates to its API object."""
    folder = files(__package__ or "boathook.engine.page_scripts")
    parts = [folder.joinpath(name).read_text(encoding="utf-8") for name in WALKER_PARTS]
    code = "\n".join(line for part in parts for line in code_lines(part))
    return "(() => {\n'use strict';\n" + code + "\n})()"


@cache
def page_script(name: str) -> str:
    """One of the small scripts that are not part of the walker."""
    text = files(__package__ or "boathook.engine.page_scripts").joinpath(name).read_text(encoding="utf-8")
    return text.rstrip().rstrip(";")
