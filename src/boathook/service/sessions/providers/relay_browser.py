"""The user's own Chrome: attached through the relay, once it is connected and no other program has exclusive access."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
from typing import TYPE_CHECKING, Any

from boathook.clock import now
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
"""An extension looks for its relay every few seconds; an older one, whose worker sleeps, every half minute."""
OTHERS_SECONDS = 5.0
"""How long to wait for a profile while others are connected: its name may be wrong."""
POLL_SECONDS = 0.2
STANDBY_SECONDS = 30.0
"""How long to wait while another program has exclusive access."""
MOST_INSTRUCTIONS = 2_000
YOURS = "this is your own Chrome: your tabs are never closed, and boathook opens its tabs in the background"


class RelayProvider(BrowserProvider):
    """Attaches to the user's Chrome; `relay:PORT`, `relay:PROFILE` or `relay:PORT:PROFILE` selects one of several."""

    name = "relay"

    async def acquire(self, request: BrowserRequest) -> Browser:
        """Attach to it."""
        return await open_relay(request.address, schemes=request.schemes, host_policy=request.host_policy)


async def open_relay(
    address: str = "", *, schemes: Collection[str] = DEFAULT_SCHEMES, host_policy: HostPolicy = UNLIMITED
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
    files = RelayCredentials(relay_folder())
    number, profile = _port_and_profile(address, usual=files.usual_port)
    url = await relay_url(port=number, profile=profile)
    chosen = await _wait_for_chrome(number, files.token(), profile=profile)
    browser = await _attach_when_free(
        number, url, token=files.token(), schemes=schemes, host_policy=host_policy
    )
    browser.kind = "relay"
    browser.address = f"relay 127.0.0.1:{number}"  # without the token
    browser.notes = (*browser.notes, YOURS, *_instructions(chosen))
    return browser


def _port_and_profile(address: str, *, usual: int) -> tuple[int, str]:
    port, _, profile = address.partition(":")
    if not port.isdecimal():
        port, profile = "", address
    if port and not 0 < int(port) <= HIGHEST_PORT:
        raise BadSetting(f"invalid relay port: {port!r:.40}", hint=f"use relay, or relay:{usual}")
    return int(port or usual), profile


def _instructions(extension: dict[str, Any]) -> tuple[str, ...]:
    """What the user has written for programs, as one line."""
    text = " ".join(str(extension.get("settings", {}).get("instructions") or "").split())
    return (f"the user's instructions: {text[:MOST_INSTRUCTIONS]}",) if text else ()


async def _wait_for_chrome(port: int, token: str, *, profile: str) -> dict[str, Any]:
    """Wait for a Chrome; returns what the relay knows about it."""
    began = now()
    while True:
        status = await asyncio.to_thread(_ask_relay, port, token, "/status")
        found = _connected(status, profile)
        if found or "error" in status:
            break
        if now() - began > (OTHERS_SECONDS if _connected(status, "") else CONNECT_SECONDS):
            raise _missing(port, status, profile)
        await asyncio.sleep(POLL_SECONDS)
    if "error" in status:
        raise EndpointError(
            f"the relay on port {port} refused the connection: {status['error']}",
            hint="try again|; `extension doctor` shows what is missing",
        )
    if len(found) > 1:
        raise EndpointError(
            f"several browser profiles are connected to the relay: {_names(found)}",
            hint="choose one: `--browser relay:NAME`",
        )
    return found[0]


def _connected(status: dict[str, Any], profile: str) -> list[dict[str, Any]]:
    return [
        extension
        for extension in status.get("extensions", [])
        if extension.get("connected")
        and (
            not profile
            or profile.casefold() == str(extension.get("name")).casefold()
            or profile == extension.get("installId")
        )
    ]


def _names(extensions: list[dict[str, Any]]) -> str:
    return ", ".join(sorted(str(extension.get("name")) for extension in extensions))


def _missing(port: int, status: dict[str, Any], profile: str) -> EndpointError:
    """Why no Chrome is available: the relay is gone, another profile is connected, or none."""
    if not status:
        return EndpointError(
            f"the relay on port {port} does not respond", hint="start it: `relay`", port=port
        )
    others = _connected(status, "")
    if others:
        return EndpointError(
            f"no browser profile {profile!r:.60} is connected to the relay; connected: {_names(others)}",
            hint="use one of these names",
            port=port,
        )
    return EndpointError(
        f"the relay on port {port} is running, but no Chrome is connected to it",
        hint="connect it in Chrome|: `extension install` installs the extension|; `extension doctor` shows what is missing",
    )


async def _attach_when_free(port: int, address: str, *, token: str, **more: Any) -> Browser:
    """Attach, and wait while the relay accepts one program at a time and another one is connected."""
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
