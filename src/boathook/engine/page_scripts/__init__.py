"""The scripts that run inside pages: the in-page walker, put together from its parts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

WALKER_PARTS = (
    "dom.js",
    "tables.js",
    "styles.js",
    "roles.js",
    "data_tables.js",
    "names.js",
    "content.js",
    "states.js",
    "quoting.js",
    "hints.js",
    "refs.js",
    "tree.js",
    "shaping.js",
    "lines.js",
    "walker.js",
    "find.js",
    "ready.js",
    "fields.js",
    "acting.js",
    "api.js",
)


@cache
def walker_source() -> str:
    """Return the walker as one JavaScript expression that evaluates to its API object."""
    folder = files(__package__ or "boathook.engine.page_scripts")
    parts = [folder.joinpath(name).read_text(encoding="utf-8") for name in WALKER_PARTS]
    return "(() => {\n'use strict';\n" + "\n".join(parts) + "\n})()"
