"""The user's own Chrome: attached to through the relay, as soon as one is connected to it."""

from __future__ import annotations

import asyncio
import http.client
import json
from typing import TYPE_CHECKING, Any

from boathook.engine import open as opening
from boathook.engine.addresses import DEFAULT_SCHEMES
from boathook.engine.reach import UNLIMITED
from boathook.errors import BadSetting, EndpointError

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.browser import Browser
    from boathook.engine.reach import Reach

HIGHEST_PORT = 65_535
CONNECT_SECONDS = 35.0
"""An extension that sleeps wakes up every half minute and looks for its relay."""
POLL_SECONDS = 0.2
YOURS = "this is your own Chrome: tabs of yours are never closed, and ours open in the background"


async def open_relay(
    port: str = "", *, schemes: Collection[str] = DEFAULT_SCHEMES, reach: Reach = UNLIMITED
) -> Browser:
    """Attach to the user's Chrome through the relay, which is started when it does not run."""
    try:
        from boathook.relay.serve import DEFAULT_PORT  # noqa: PLC0415 (needs the extra)
        from boathook.relay.start import relay_url  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the relay needs a package that is not there: {error.name}", hint="pip install 'boathook[relay]'"
        ) from error
    number = _port(port, usual=DEFAULT_PORT)
    address = await relay_url(port=number)
    await _connected(number, address.rpartition("/")[2])
    browser = await opening.attach(address, schemes=schemes, reach=reach)
    browser.kind = "relay"
    browser.address = f"relay 127.0.0.1:{number}"  # without the token
    browser.notes = (*browser.notes, YOURS)
    return browser


def _port(given: str, *, usual: int) -> int:
    if not given:
        return usual
    if not given.isdecimal() or not 0 < int(given) <= HIGHEST_PORT:
        raise BadSetting(
            f"{given!r:.40} is no port of a relay", hint=f"write --browser relay, or relay:{usual}"
        )
    return int(given)


async def _connected(port: int, token: str) -> None:
    """Wait for a Chrome; one that is not there is another matter than a relay that is not."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while not await asyncio.to_thread(_has_extension, port, token):  # noqa: ASYNC110 (it tells nobody)
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise EndpointError(
            f"the relay runs at port {port}, but no Chrome is connected to it",
            hint="`boathook relay install` brings the extension; `boathook relay doctor` says what is missing",
        ) from None


def _has_extension(port: int, token: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/status", headers={"Authorization": f"Bearer {token}"})
        told: Any = json.loads(connection.getresponse().read())
        return any(one.get("connected") for one in told.get("extensions", []))
    except (OSError, ValueError, AttributeError, http.client.HTTPException):
        return False
    finally:
        connection.close()
