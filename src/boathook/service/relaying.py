"""The user's own Chrome: the relay is found or started, and says whether a Chrome is connected to it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import sys
from typing import TYPE_CHECKING, Any

from boathook.engine import open as opening
from boathook.engine.addresses import DEFAULT_SCHEMES
from boathook.engine.launch import posix
from boathook.engine.reach import UNLIMITED
from boathook.errors import BadSetting, EndpointError
from boathook.relay.secret_files import SecretFiles, relay_folder

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.browser import Browser
    from boathook.engine.reach import Reach

DEFAULT_PORT = 19377
HIGHEST_PORT = 65_535
START_SECONDS = 20.0
CONNECT_SECONDS = 35.0
"""An extension that sleeps wakes up every half minute and looks for its relay."""
POLL_SECONDS = 0.2
YOURS = "this is your own Chrome: tabs of yours are never closed, and ours open in the background"


async def open_relay(
    port: str = "", *, schemes: Collection[str] = DEFAULT_SCHEMES, reach: Reach = UNLIMITED
) -> Browser:
    """Attach to the user's Chrome through the relay, which is started when it does not run."""
    number = _port(port)
    files = SecretFiles(relay_folder())
    await _running(number, files)
    await _connected(number, files.token())
    address = f"ws://127.0.0.1:{number}/cdp/{files.token()}"
    browser = await opening.attach(address, schemes=schemes, reach=reach)
    browser.kind = "relay"
    browser.address = f"relay 127.0.0.1:{number}"  # without the token
    browser.notes = (*browser.notes, YOURS)
    return browser


def _port(given: str) -> int:
    if not given:
        return DEFAULT_PORT
    if not given.isdecimal() or not 0 < int(given) <= HIGHEST_PORT:
        raise BadSetting(f"{given!r:.40} is no port of a relay", hint="write --browser relay, or relay:19377")
    return int(given)


async def _running(port: int, files: SecretFiles) -> None:
    """Make sure that our relay serves the port."""
    if await asyncio.to_thread(_is_ours, port, files):
        return
    words = [sys.executable, "-P", "-m", "boathook", "relay", "--port", str(port)]
    process = posix.spawn_detached(words, dict(os.environ))
    try:
        async with asyncio.timeout(START_SECONDS):
            while not await asyncio.to_thread(_is_ours, port, files):
                if process.poll() is not None:
                    raise EndpointError(
                        f"the relay could not be started at port {port}",
                        hint="`boathook relay` says why; `pip install 'boathook[relay]'` brings what it needs",
                    )
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        raise EndpointError(
            f"the relay does not answer at port {port}", hint="boathook relay doctor"
        ) from None


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


def _is_ours(port: int, files: SecretFiles) -> bool:
    try:
        from boathook.relay.serve import is_our_relay  # noqa: PLC0415 (needs the extra)
    except ModuleNotFoundError as error:
        raise BadSetting(
            f"the relay needs a package that is not there: {error.name}", hint="pip install 'boathook[relay]'"
        ) from error
    return is_our_relay(port, files)


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
