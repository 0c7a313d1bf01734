"""The interface of a browser provider: acquire a browser, release it, and what is known about its browsers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from boathook.engine.browser import Browser
    from boathook.engine.hosts.host_policy import HostPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserRequest:
    """What a session needs."""

    address: str
    """What follows the provider in the setting `browser`: a URL, a program, a port."""
    settings: Mapping[str, Any]
    schemes: Collection[str]
    host_policy: HostPolicy
    seconds: float | None = None
    """How long the caller waits for a running browser; None is the default."""


class BrowserProvider:
    """One source of browsers; `browser = NAME` or `browser = NAME:ADDRESS` selects it."""

    name: ClassVar[str]
    starts_browser: ClassVar[bool] = False
    """Boathook starts the browser itself, so launch settings such as stealth apply."""
    progress: ClassVar[str] = "starting a browser …"
    connection_per_session: ClassVar[bool] = False
    """Every session has its own connection, and so separate ids."""

    async def acquire(self, request: BrowserRequest) -> Browser:
        """Start the browser, or attach to it."""
        raise NotImplementedError

    async def release(self, browser: Browser, *, kill: bool = False) -> None:
        """The last session has left: close the browser if we started it, else disconnect."""
        del kill
        await browser.close()
