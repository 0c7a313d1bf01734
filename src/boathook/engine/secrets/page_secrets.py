"""Content of a tab's pages that must not be printed: values of secret fields, cookies, stored and sent credentials."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from boathook.engine.secrets.report_secret import note_page_secret
from boathook.errors import BoathookError
from boathook.redaction.credential_values import credentials_in, is_credential
from boathook.redaction.known_secrets import SHORTEST_SECRET

if TYPE_CHECKING:
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab

_ASK = "__boathook.secretsNow()"


async def note_page_secrets(tab: Tab, *, seconds: float) -> None:
    """Query all documents of a tab at once; a page that does not respond in time has not returned anything either."""
    for value in tab.network.take_credentials():
        note_page_secret(tab, value)
    if tab.state != "ready" or tab.dialogs.pending is not None:
        return
    asked = [_cookies(tab), *(_fields_and_storage(tab, frame) for frame in tab.frames.walk_roots())]
    try:
        async with asyncio.timeout(seconds):
            found = await asyncio.gather(*asked, return_exceptions=True)
    except TimeoutError:
        return
    for values in found:
        if isinstance(values, BoathookError):
            continue  # a replaced document has no values
        if isinstance(values, BaseException):
            raise values
        for value in values:
            note_page_secret(tab, value)


async def _cookies(tab: Tab) -> list[str]:
    reply = await tab.session.send("Network.getCookies")
    return [
        str(cookie["value"])
        for cookie in reply["cookies"]
        if is_credential(str(cookie["name"]), str(cookie["value"]), hidden=bool(cookie.get("httpOnly")))
    ]


async def _fields_and_storage(tab: Tab, frame: Frame) -> list[str]:
    reply = await tab.frames.run(frame, tab.frames.once(frame, _ASK))
    found = reply["result"].get("value") or {}
    values = [str(value) for value in found.get("fields", ()) if len(value) >= SHORTEST_SECRET]
    for name, value in found.get("stored", ()):
        values += credentials_in(str(name), str(value))
    return values
