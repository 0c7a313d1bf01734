"""Network routes that abort, mock, delay or modify requests; settings that a running browser cannot change.

Generated from commands/environment/network.py by tools/python_api; do not edit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.clock import READ_SECONDS
from boathook.engine.network.log.network_log import SHOWN_BODY
from boathook.surfaces.python.sync_base import TabBase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from boathook.engine.network.log.request import RequestDetails
    from boathook.engine.network.routing.routes import AbortReason, RouteInfo


class NetworkTab(TabBase):
    """Methods of a tab from commands/environment/network.py."""

    def network_route(
        self,
        pattern: str,
        *,
        abort: bool = False,
        reason: AbortReason | None = None,
        body: str | None = None,
        file: Path | None = None,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        content_type: str | None = None,
        allow_origin: str | None = None,
        delay: float = 0.0,
        request_headers: Mapping[str, str] | None = None,
        remove_headers: Sequence[str] = (),
        request_method: str | None = None,
        request_body: str | None = None,
        redirect: str | None = None,
        response_status: int | None = None,
        response_headers: Mapping[str, str] | None = None,
        resource_type: Sequence[str] = (),
        times: int | None = None,
        timeout: float = READ_SECONDS,
    ) -> RouteInfo:
        """Abort, mock, delay or modify requests whose URL matches a pattern, in all tabs of the session.

        One of: abort; a mock response (body, file, status, headers); changes (request_…, remove_headers, redirect, response_…);
        a delay alone or with any of them. Only the newest matching route is applied to a request.
        """
        return self._portal.call(
            self._inner.network_route(
                pattern,
                abort=abort,
                reason=reason,
                body=body,
                file=file,
                status=status,
                headers=headers,
                content_type=content_type,
                allow_origin=allow_origin,
                delay=delay,
                request_headers=request_headers,
                remove_headers=remove_headers,
                request_method=request_method,
                request_body=request_body,
                redirect=redirect,
                response_status=response_status,
                response_headers=response_headers,
                resource_type=resource_type,
                times=times,
                timeout=timeout,
            )
        )

    def network_routes(self) -> list[RouteInfo]:
        """List the routes of the session, newest first, with the number of requests each has matched."""
        return self._portal.call(self._inner.network_routes())

    def network_unroute(
        self, pattern: str | None = None, *, timeout: float = READ_SECONDS
    ) -> list[RouteInfo]:
        """Remove the routes with a pattern, or all. Prints the removed routes."""
        return self._portal.call(self._inner.network_unroute(pattern, timeout=timeout))

    def request(
        self, number: int, *, limit: int = SHOWN_BODY, timeout: float = READ_SECONDS
    ) -> RequestDetails:
        """Show one request in full: headers, body, response, timing and initiator.

        For WebSockets and event streams, the latest messages.
        """
        return self._portal.call(self._inner.request(number, limit=limit, timeout=timeout))
