"""What a tab's pages hold that must not be printed: values of secret fields, cookies and stored credentials."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from boathook.engine.confiding import note_page_secret
from boathook.errors import BoathookError
from boathook.redaction.known_secrets import SHORTEST_SECRET
from boathook.redaction.rules import sensitive_name, token_shaped
from boathook.redaction.stored_values import names_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from boathook.engine.tab import Tab

MACHINE_MADE = 16
"""A value of so many mixed letters and digits was made by a machine, most likely to be a credential."""
_ASK = "__boathook.secretsNow()"


async def note_page_secrets(tab: Tab, *, seconds: float) -> None:
    """Ask all documents of a tab at once; a page that does not answer in time has told nothing either."""
    if tab.state != "ready" or tab.dialogs.pending is not None:
        return
    asked = [_asked(tab), *(_fields(tab, frame) for frame in tab.frames.walk_roots())]
    try:
        async with asyncio.timeout(seconds):
            found = await asyncio.gather(*asked, return_exceptions=True)
    except TimeoutError:
        return
    for values in found:
        if isinstance(values, BaseException):
            if not isinstance(values, BoathookError):  # a document that went away takes its fields with it
                raise values
            continue
        for value in values:
            note_page_secret(tab, value)


async def _asked(tab: Tab) -> list[str]:
    reply = await tab.session.send("Network.getCookies")
    return [
        str(cookie["value"])
        for cookie in reply["cookies"]
        if is_credential(str(cookie["name"]), str(cookie["value"]), hidden=bool(cookie.get("httpOnly")))
    ]


async def _fields(tab: Tab, frame: Any) -> list[str]:
    reply = await tab.frames.run(frame, tab.frames.once(frame, _ASK))
    found = reply["result"].get("value") or {}
    values = [str(value) for value in found.get("fields", ()) if len(value) >= SHORTEST_SECRET]
    for name, value in found.get("stored", ()):
        values += _credentials(str(name), str(value))
    return values


def is_credential(name: str, value: str, *, hidden: bool = False) -> bool:
    """Whether a cookie or a stored value signs its user in, as far as name, shape and flags tell."""
    if len(value) < SHORTEST_SECRET:
        return False
    return (
        hidden
        or sensitive_name(name)
        or (names_private(name) and token_shaped(value))
        or _is_machine_made(value)
    )


def _is_machine_made(value: str) -> bool:
    return len(value) >= MACHINE_MADE and " " not in value and token_shaped(value)


def _credentials(name: str, value: str) -> Iterator[str]:
    """Those in a stored value: it itself, or parts with telling names when it is JSON."""
    try:
        parsed = json.loads(value) if value[:1] in "{[" else None
    except ValueError:
        parsed = None
    if isinstance(parsed, dict):
        yield from _nested(parsed)
    elif is_credential(name, value):
        yield value


def _nested(fields: Mapping[str, Any]) -> Iterator[str]:
    for name, part in fields.items():
        if isinstance(part, dict):
            yield from _nested(part)
        elif isinstance(part, str) and is_credential(name, part):
            yield part
