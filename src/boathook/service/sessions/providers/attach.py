"""The provider `cdp`: a running browser with a CDP endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.cdp.endpoint_url import parse_endpoint
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.engine.launch import open as opening
from boathook.service.sessions.providers.provider import BrowserProvider

if TYPE_CHECKING:
    from boathook.engine.browser import Browser
    from boathook.service.sessions.providers.provider import BrowserRequest


class AttachProvider(BrowserProvider):
    """Attaches to a browser by port or URL; it is never closed."""

    name = "cdp"

    async def acquire(self, request: BrowserRequest) -> Browser:
        """Attach to it; PolicyBlocked for a host that no browser may connect to."""
        UNLIMITED.check(parse_endpoint(request.address).geturl())
        return await opening.attach(
            request.address,
            schemes=request.schemes,
            host_policy=request.host_policy,
            seconds=opening.ATTACH_SECONDS if request.seconds is None else request.seconds,
        )


class SettingProvider(AttachProvider):
    """The setting `cdp`, whose sessions have a connection each."""

    progress = "connecting to a browser …"
    connection_per_session = True
