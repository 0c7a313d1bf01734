"""The user's own Chrome: attached to through the relay, as soon as one is connected to it and no other program has it alone."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
from typing import TYPE_CHECKING, Any

from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.engine.launch import open as opening
from boathook.errors import BadSetting, EndpointError, TimedOut

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.browser import Browser
    from boathook.engine.hosts.host_policy import Reach

HIGHEST_PORT = 65_535
CONNECT_SECONDS = 35.0
"""An extension that sleeps wakes up every half minute and looks for its relay."""
POLL_SECONDS = 0.2
STANDBY_SECONDS = 30.0
"""How long to stand by while another program is the only one that may work."""
YOURS = "this is your own Chrome: tabs of yours are never closed, and ours open in the background"


async def open_relay(
    port: str = "", *, schemes: Collection[str] = DEFAULT_SCHEMES, reach: Reach = UNLIMITED
) -> Browser:
    """Attach to the user's Chrome through the relay, which is started when it does not run."""
    try:
        from boathook.relay.server.credentials import SecretFiles, relay_folder  # noqa: PLC0415 (needs the extra)
        from boathook.relay.server.start_relay import relay_url  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the relay needs a package that is not there: {error.name}", hint="pip install 'boathook[relay]'"
        ) from error
    number = _port(port, usual=SecretFiles(relay_folder()).usual_port)
    address = await relay_url(port=number)
    await _connected(number, address.rpartition("/")[2])
    browser = await _attached(number, address, schemes=schemes, reach=reach)
    browser.kind = "relay"
    browser.address = f"relay 127.0.0.1:{number}"  # without the token
    browser.notes = (*browser.notes, YOURS)
    return browser


def _port(given: str, *, usual: int) -> int:
    if not given:
        return usual
    if not given.isdecimal() or not 0 < int(given) <= HIGHEST_PORT:
        raise BadSetting(f"{given!r:.40} is no port of a relay", hint=f"write relay, or relay:{usual}")
    return int(given)


async def _connected(port: int, token: str) -> None:
    """Wait for a Chrome; one that is not there is another matter than a relay that is not."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while not await _has_extension(port, token):  # noqa: ASYNC110 (it tells nobody)
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise EndpointError(
            f"the relay runs at port {port}, but no Chrome is connected to it",
            hint="connect it in Chrome|: `extension install` brings the extension|; `extension doctor` says what is missing",
        ) from None


async def _has_extension(port: int, token: str) -> bool:
    told = await asyncio.to_thread(_asked, port, token, "/status")
    return any(one.get("connected") for one in told.get("extensions", []))


async def _attached(port: int, address: str, **more: Any) -> Browser:
    """Attach, and stand by while the relay lets in one program at a time and another is in."""
    token = address.rpartition("/")[2]
    try:
        async with asyncio.timeout(STANDBY_SECONDS):
            while True:
                await _free(port, token)
                try:
                    return await opening.attach(address, **more)
                except (EndpointError, TimedOut) as error:
                    if not await _is_busy(port, token):  # or somebody was faster: stand by again
                        # The address has the token, and errors are read by others.
                        raise EndpointError(str(error).replace(token, "…"), port=port) from None
    except TimeoutError:
        raise EndpointError(
            f"another program works in this Chrome, and the relay at port {port} lets in one at a time",
            hint="try again when it is done",
            port=port,
        ) from None


async def _free(port: int, token: str) -> None:
    while await _is_busy(port, token):  # noqa: ASYNC110 (a slot that gets free sends no event)
        # Programs that stand by together do not ask together.
        await asyncio.sleep(random.uniform(POLL_SECONDS, 2 * POLL_SECONDS))  # noqa: S311


async def _is_busy(port: int, token: str) -> bool:
    told = await asyncio.to_thread(_asked, port, token, "/client-slot")
    return bool(told.get("busy"))


def _asked(port: int, token: str, path: str) -> dict[str, Any]:
    """What the relay says; nothing when it does not answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Authorization": f"Bearer {token}"})
        told = json.loads(connection.getresponse().read())
    except (OSError, ValueError, http.client.HTTPException):
        return {}
    else:
        return told if isinstance(told, dict) else {}
    finally:
        connection.close()
