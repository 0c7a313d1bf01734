"""Parameters that many commands share, each with its words for help and schemas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from boathook.registry.registry import Between, Doc
from boathook.values import WaitUntil

Target = Annotated[
    str, Doc("the element: a ref such as @e12, a CSS selector, text=…, role=… or another kind of target")
]
Within = Annotated[str | None, Doc("only this element: a ref, a CSS selector or another target")]
Human = Annotated[bool, Doc("the mouse goes there as a hand does")]
Nth = Annotated[int | None, Doc("which one, from 0, when several elements match"), Between(0, 1_000_000)]
Timeout = Annotated[float, Doc("seconds after which it gives up")]
LoadState = Annotated[WaitUntil, Doc("how far the document must have come")]
Since = Annotated[int | None, Doc("a mark: only what happened after it counts")]
Address = Annotated[str | None, Doc("an address to open first")]
FileToWrite = Annotated[str | Path | None, Doc("the file to write; without it, one with a name of its own")]
UrlPattern = Annotated[str, Doc("a part of the address, a glob with *, or re:… for a regular expression")]
AllowClipboard = Annotated[bool, Doc("also use the clipboard when it belongs to the browser's user")]
