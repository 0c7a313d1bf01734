"""A hook of MkDocs: links to files beside the docs, such as SECURITY.md, become plain text on the site."""

from __future__ import annotations

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^]\n]+)\]\(\.\./[^)\s]+\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The text of a page before it is rendered."""
    return _OUTSIDE.sub(r"\1", markdown)
