"""The user's own Chrome: attached through the relay, once it is connected and no other program has exclusive access."""

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
from boathook.service.sessions.providers.provider import BrowserProvider

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.browser import Browser
    from boathook.engine.hosts.host_policy import HostPolicy
    from boathook.service.sessions.providers.provider import BrowserRequest

HIGHEST_PORT = 65_535
CONNECT_SECONDS = 35.0
"""A sleeping extension wakes up every half minute and looks for its relay."""
POLL_SECONDS = 0.2
STANDBY_SECONDS = 30.0
"""How long to wait while another program has exclusive access."""
YOURS = "this is your own Chrome: your tabs are never closed, and boathook opens its tabs in the background"


class RelayProvider(BrowserProvider):
    """Attaches to the user's Chrome; `relay:PORT` selects a relay on another port."""

    name = "relay"

    async def acquire(self, request: BrowserRequest) -> Browser:
        """Attach to it."""
        return await open_relay(request.address, schemes=request.schemes, host_policy=request.host_policy)


async def open_relay(
    port: str = "", *, schemes: Collection[str] = DEFAULT_SCHEMES, host_policy: HostPolicy = UNLIMITED
) -> Browser:
    """Attach to the user's Chrome through the relay, which is started if it is not running."""
    try:
        from boathook.relay.server.credentials import RelayCredentials, relay_folder  # noqa: PLC0415 (needs the extra)
        from boathook.relay.server.start_relay import relay_url  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the relay requires a package that is not installed: {error.name}",
            hint="pip install 'boathook[relay]'",
        ) from error
    number = _port(port, usual=RelayCredentials(relay_folder()).usual_port)
    address = await relay_url(port=number)
    await _wait_for_chrome(number, address.rpartition("/")[2])
    browser = await _attach_when_free(number, address, schemes=schemes, host_policy=host_policy)
    browser.kind = "relay"
    browser.address = f"relay 127.0.0.1:{number}"  # without the token
    browser.notes = (*browser.notes, YOURS)
    return browser


def _port(given: str, *, usual: int) -> int:
    if not given:
        return usual
    if not given.isdecimal() or not 0 < int(given) <= HIGHEST_PORT:
        raise BadSetting(f"invalid relay port: {given!r:.40}", hint=f"use relay, or relay:{usual}")
    return int(given)


async def _wait_for_chrome(port: int, token: str) -> None:
    """Wait for a Chrome; a missing Chrome is another error than a missing relay."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            while not await _has_extension(port, token):  # noqa: ASYNC110 (there is no event)
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise EndpointError(
            f"the relay on port {port} is running, but no Chrome is connected to it",
            hint="connect it in Chrome|: `extension install` installs the extension|; `extension doctor` shows what is missing",
        ) from None


async def _has_extension(port: int, token: str) -> bool:
    told = await asyncio.to_thread(_ask_relay, port, token, "/status")
    return any(extension.get("connected") for extension in told.get("extensions", []))


async def _attach_when_free(port: int, address: str, **more: Any) -> Browser:
    """Attach, and wait while the relay accepts one program at a time and another one is connected."""
    token = address.rpartition("/")[2]
    try:
        async with asyncio.timeout(STANDBY_SECONDS):
            while True:
                await _free(port, token)
                try:
                    return await opening.attach(address, **more)
                except (EndpointError, TimedOut) as error:
                    if not await _is_busy(port, token):  # or another client was faster: wait again
                        # The URL contains the token, and errors are visible to others.
                        raise EndpointError(str(error).replace(token, "…"), port=port) from None
    except TimeoutError:
        raise EndpointError(
            f"another client is connected to this Chrome, and the relay on port {port} allows one at a time",
            hint="try again when it has disconnected",
            port=port,
        ) from None


async def _free(port: int, token: str) -> None:
    while await _is_busy(port, token):  # noqa: ASYNC110 (a slot that gets free sends no event)
        # Waiting programs do not poll at the same time.
        await asyncio.sleep(random.uniform(POLL_SECONDS, 2 * POLL_SECONDS))  # noqa: S311


async def _is_busy(port: int, token: str) -> bool:
    told = await asyncio.to_thread(_ask_relay, port, token, "/client-slot")
    return bool(told.get("busy"))


def _ask_relay(port: int, token: str, path: str) -> dict[str, Any]:
    """The relay's response; empty if it does not respond."""
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
