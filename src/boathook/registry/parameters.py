"""Parameters that many commands share, each with its text for help and schemas."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from boathook.effects import SideEffect
from boathook.registry.registry import SECONDS, TIMEOUT_DOC, Between, Doc, ElementTarget
from boathook.values import WaitUntil

Target = Annotated[
    str,
    Doc("element: a ref such as @e12, a CSS selector, text=…, role=… or another selector"),
    ElementTarget(),
]
MaybeTarget = Annotated[
    str, Doc("element: a ref such as @e12, a CSS selector, text=…, role=… or another selector")
]
"""An element that need not exist."""
Within = Annotated[str | None, Doc("only this element: a ref or a selector"), ElementTarget()]
Human = Annotated[bool, Doc("move the mouse along a human-like path")]
Nth = Annotated[int | None, Doc("index from 0, if several elements match"), Between(0, 1_000_000)]
Timeout = Annotated[float, Doc(TIMEOUT_DOC), SECONDS]
LoadState = Annotated[WaitUntil, Doc("load state to wait for")]
Since = Annotated[int | None, Doc("only events after this mark")]
Address = Annotated[str | None, Doc("URL to open first")]
FileToWrite = Annotated[str | Path | None, Doc("the file to write (default: a generated name)")]
UrlPattern = Annotated[str, Doc("substring of the URL, a glob with *, or re:… for a regular expression")]
AllowClipboard = Annotated[bool, Doc("allow access to the clipboard of the browser's user")]


def sets_headers(arguments: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    """CHANGES_TRAFFIC for headers of requests, and WRITES_STATE if a cookie is among them."""
    headers = arguments.get("headers")
    if headers is None:
        return ()
    names = {str(name).strip().lower() for name in headers} if isinstance(headers, Mapping) else set[str]()
    cookie = (SideEffect.WRITES_STATE,) if "cookie" in names else ()
    return (SideEffect.CHANGES_TRAFFIC, *cookie)


def presses_keys(arguments: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    """PRESSES_KEYS for text with a newline or a tab: typed, these are keys that act."""
    given = (arguments.get("text"), *(arguments.get("words") or ()))
    typed = any(isinstance(text, str) and any(key in text for key in "\n\r\t") for text in given)
    return (SideEffect.PRESSES_KEYS,) if typed else ()
