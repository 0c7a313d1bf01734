"""The scripts that run inside pages: the in-page walker, put together from its parts."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

WALKER_PARTS = (
    "dom.js",
    "tables.js",
    "styles.js",
    "looks.js",
    "roles.js",
    "data_tables.js",
    "names.js",
    "content.js",
    "secrets.js",
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
    "choosing.js",
    "inspecting.js",
    "acting.js",
    "clipboard.js",
    "api.js",
)


@cache
def walker_source() -> str:
    """Return the walker as one JavaScript expression that evaluates to its API object."""
    folder = files(__package__ or "boathook.engine.page_scripts")
    lines = [
        line.strip()
        for name in WALKER_PARTS
        for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines()
    ]
    # Every document compiles this anew: comments and indentation stay at home.
    code = "\n".join(line for line in lines if line and not line.startswith("//"))
    return "(() => {\n'use strict';\n" + code + "\n})()"


@cache
def page_script(name: str) -> str:
    """One of the small scripts that are not part of the walker."""
    text = files(__package__ or "boathook.engine.page_scripts").joinpath(name).read_text(encoding="utf-8")
    return text.rstrip().rstrip(";")
