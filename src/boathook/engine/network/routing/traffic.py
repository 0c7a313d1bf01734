"""Traffic: what the tabs of one context share on the network: routes, headers by origin, a recording."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakSet

from boathook.engine.hosts.urls import normalize_url
from boathook.engine.network.routing.headers import check_headers
from boathook.engine.network.routing.routes import info_of
from boathook.errors import BadRequest, BadSetting

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.network.har.traffic_recording import NetworkRecording
    from boathook.engine.network.log.early_requests import EarlyRequests
    from boathook.engine.network.routing.interception import Interception
    from boathook.engine.network.routing.routes import Route, RouteInfo

MOST_ROUTES = 200
MOST_SEEN = 2_000


class Traffic:
    """Shared by all tabs of a context, including later ones; it is closed with them."""

    def __init__(self, *, early: EarlyRequests | None = None) -> None:
        self.early = early
        """Decides about requests that no tab sees; None in browsers that are not exclusively ours."""
        self.recording: NetworkRecording | None = None
        self._routes: list[Route] = []
        """The newest first."""
        self._headers: dict[str, Mapping[str, str]] = {}
        """By origin."""
        self._members: WeakSet[Interception] = WeakSet()
        self._last = 0
        self._seen: Counter[tuple[str, str, str]] = Counter()
        """Requests that a tab has continued and that the browser-wide interception sees once more."""

    @property
    def intercepts(self) -> bool:
        """Whether requests have to be intercepted."""
        return bool(self._routes or self._headers)

    @property
    def changes_answers(self) -> bool:
        """Whether responses have to be intercepted as well."""
        return any(route.changes.of_answer for route in self._routes)

    def join(self, member: Interception) -> None:
        """Add a tab, which follows the same rules as the others."""
        self._members.add(member)
        member.log.recording = self.recording

    def leave(self, member: Interception) -> None:
        """Remove a tab."""
        self._members.discard(member)
        member.log.recording = None

    def record(self, recording: NetworkRecording | None) -> None:
        """Send all requests to a recording from now on; None stops that."""
        self.recording = recording
        for member in self._members:
            member.log.recording = recording

    async def end(self) -> None:
        """The context is closed, and its rules are dropped."""
        self._routes, self._headers = [], {}
        if self.recording is not None:
            self.recording.cancel()
            self.record(None)
        if self.early is not None:
            await self.early.serve(self)

    def next_number(self) -> int:
        """The number of the next route."""
        self._last += 1
        return self._last

    async def add(self, route: Route) -> None:
        """Add a route; it takes precedence over the existing ones."""
        if len(self._routes) >= MOST_ROUTES:
            raise BadRequest(
                f"there are already {MOST_ROUTES} routes", hint="remove some|: `network unroute`"
            )
        self._routes.insert(0, route)
        try:
            await self._refresh()
        except BaseException:
            self._routes.remove(route)
            raise

    async def remove(self, pattern: str | None) -> list[RouteInfo]:
        """Remove the routes of a pattern, or all; returns the removed ones."""
        gone = [route for route in self._routes if pattern in {None, route.pattern}]
        if pattern is not None and not gone:
            known = ", ".join(dict.fromkeys(route.pattern for route in self._routes)) or "none"
            raise BadRequest(f"no route for {pattern!r}", hint=f"existing routes: {known}")
        self._routes = [route for route in self._routes if route not in gone]
        await self._refresh()
        return [info_of(route) for route in gone]

    def routes(self) -> list[RouteInfo]:
        """All routes, the newest first, with their counts."""
        return [info_of(route) for route in self._routes]

    def match_route(self, params: Mapping[str, Any]) -> Route | None:
        """The route that decides about a paused request; it is counted."""
        asked = params["request"]
        url, kind = str(asked.get("url", "")), str(params.get("resourceType", ""))
        preflight = is_preflight(asked)
        route = next((route for route in self._routes if route.fits(url, kind, preflight=preflight)), None)
        if route is not None:
            route.hits += 1
        return route

    def note_continued(self, params: Mapping[str, Any], route: Route | None) -> None:
        """A tab has decided about this request; if it is sent, it is seen once more, perhaps changed."""
        if self.early is None or (route is not None and route.action in {"abort", "fulfill"}):
            return
        frame, method, url = _request_key(params)
        if route is not None:
            method, url = route.changes.method or method, route.changes.url or url
        if len(self._seen) >= MOST_SEEN:
            self._seen.clear()
        self._seen[frame, method, url] += 1

    def is_decided(self, params: Mapping[str, Any]) -> bool:
        """Whether a tab has decided about this request; checked once for each."""
        key = _request_key(params)
        if self._seen[key] <= 0:
            del self._seen[key]
            return False
        self._seen[key] -= 1
        return True

    async def set_headers(self, url: str, headers: Mapping[str, str]) -> None:
        """Send headers with all requests to the origin of a URL; they replace those set for it before."""
        check_headers(headers)
        address = normalize_url(url)
        if not address.startswith(("http:", "https:")):
            raise BadSetting(f"headers require an http or https URL, not {url[:200]!r}")
        origin, before = origin_of(address), dict(self._headers)
        if headers:
            self._headers[origin] = dict(headers)
        else:
            self._headers.pop(origin, None)
        try:
            await self._refresh()
        except BaseException:
            self._headers = before
            raise

    def headers_for(self, url: str) -> Mapping[str, str]:
        """The headers that requests to this URL get."""
        return self._headers.get(origin_of(url), {}) if self._headers else {}

    async def _refresh(self) -> None:
        early = [self.early.serve(self)] if self.early is not None else []
        await asyncio.gather(*(member.refresh() for member in self._members), *early)


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, the port even if it is the default."""
    parts = urlsplit(url)
    try:
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0)
    except ValueError:
        port = 0
    return f"{parts.scheme}://{(parts.hostname or '').lower()}:{port}"


def is_preflight(asked: Mapping[str, Any]) -> bool:
    """Whether it is a preflight request."""
    names = {str(name).lower() for name in asked.get("headers", {})}
    return asked.get("method") == "OPTIONS" and "access-control-request-method" in names


def _request_key(params: Mapping[str, Any]) -> tuple[str, str, str]:
    asked = params["request"]
    return str(params.get("frameId", "")), str(asked.get("method", "")), str(asked.get("url", ""))
