"""The IP addresses of denied hosts: they must not be reachable that way either."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from boathook.clock import now
from boathook.engine.hosts.host_names import address_of

if TYPE_CHECKING:
    from boathook.engine.hosts.host_policy import HostPolicy
    from boathook.engine.network.proxy.name_resolution import ConnectAddress, Names

LOOK_UP_SECONDS = 60.0
"""How long an answer of the resolver is used."""
PATIENCE_SECONDS = 5.0


class DeniedAddresses:
    """Looks up denied names when an IP address is requested, and again from time to time."""

    def __init__(self, host_policy: HostPolicy, names: Names) -> None:
        self._host_policy = host_policy
        self._names = names
        self._known: dict[str, tuple[float, list[ConnectAddress]]] = {}

    async def name_at(self, host: str, port: int) -> str:
        """The denied name that has this IP address; empty if there is none, or if the host is a name."""
        address = address_of(host)
        if address is None:
            return ""
        patterns = [pattern for pattern in self._host_policy.denied_names if pattern.port in {None, port}]
        found = await asyncio.gather(*(self._places(pattern.host) for pattern in patterns))
        for pattern, places in zip(patterns, found, strict=True):
            if any(place.address == address for place in places):
                return pattern.host
        return ""

    async def _places(self, host: str) -> list[ConnectAddress]:
        looked_up, places = self._known.get(host, (float("-inf"), []))
        if now() - looked_up > LOOK_UP_SECONDS:
            with suppress(TimeoutError):  # it is asked again then
                async with asyncio.timeout(PATIENCE_SECONDS):
                    places = await self._names.places(host, 0)
                self._known[host] = (now(), places)
        return places
