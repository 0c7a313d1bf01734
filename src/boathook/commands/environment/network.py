"""Network routes that abort, mock, delay or modify requests; settings that a running browser cannot change."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.environment.route_effects import effects_of_route
from boathook.effects import Effect
from boathook.engine.network.log.network_log import BODY_LIMIT, SHOWN_BODY
from boathook.engine.network.log.request import RequestDetails
from boathook.engine.network.routing.route_options import RouteSpec, plain_address, route_for
from boathook.engine.network.routing.routes import AbortReason, RouteInfo, info_of
from boathook.engine.tab import Tab
from boathook.registry.parameters import UrlPattern
from boathook.registry.registry import Between, Doc, Duration, command
from boathook.registry.script_helper import ScriptHelper


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    reads_files=("file",),
    secrets=("headers", "request_headers", "response_headers", "body", "request_body"),
    doing="setting a route",
    timeout=READ_SECONDS,
    side_effects_when=effects_of_route,
    examples=(
        "network route '**/ads/*' --abort",
        "network route '**/api/user' --body '{\"name\": \"Ann\"}'",
        "network route '**/api/*' --status 503 --times 1",
        "network route '**/*' --abort --resource-type image,font",
        "network route '**/app.js' --file app.js --delay 2",
        "network route '**/api/*' --request-headers '{\"X-Test\": \"1\"}' --response-status 500",
    ),
)
async def network_route(
    tab: Tab,
    pattern: UrlPattern,
    *,
    abort: Annotated[bool, Doc("abort the request")] = False,
    reason: Annotated[AbortReason | None, Doc("the error, with abort")] = None,
    body: Annotated[str | None, Doc("respond with this body; valid JSON is sent as application/json")] = None,
    file: Annotated[Path | None, Doc("respond with the contents of a file")] = None,
    status: Annotated[int | None, Doc("response status")] = None,
    headers: Annotated[Mapping[str, str] | None, Doc("response headers, as JSON")] = None,
    content_type: Annotated[str | None, Doc("response content type (default: detected)")] = None,
    allow_origin: Annotated[str | None, Doc("origin that may read the response (CORS); * allows all")] = None,
    delay: Annotated[float, Doc("delay in seconds"), Duration("s"), Between(0, 60)] = 0.0,
    request_headers: Annotated[Mapping[str, str] | None, Doc("request headers to set, as JSON")] = None,
    remove_headers: Annotated[Sequence[str], Doc("request headers to remove, comma-separated")] = (),
    request_method: Annotated[str | None, Doc("request method")] = None,
    request_body: Annotated[str | None, Doc("request body")] = None,
    redirect: Annotated[str | None, Doc("URL to request instead; the page cannot detect it")] = None,
    response_status: Annotated[int | None, Doc("status that replaces the server's")] = None,
    response_headers: Annotated[Mapping[str, str] | None, Doc("headers that replace the server's")] = None,
    resource_type: Annotated[
        Sequence[str], Doc("only these types, comma-separated: document, script, image, fetch, …")
    ] = (),
    times: Annotated[int | None, Doc("apply to this many requests only"), Between(1, 1_000_000)] = None,
    deadline: Deadline,
) -> RouteInfo:
    """Abort, mock, delay or modify requests whose URL matches a pattern, in all tabs of the session.

    One of: abort; a mock response (body, file, status, headers); changes (request_…, remove_headers, redirect, response_…);
    a delay alone or with any of them. Only the newest matching route is applied to a request.
    """
    return await _set_route(
        tab,
        deadline,
        pattern=pattern,
        abort=abort,
        reason=reason,
        body=body,
        file=file,
        status=status,
        headers=headers,
        content_type=content_type,
        allow_origin=allow_origin,
        delay_seconds=delay,
        request_headers=request_headers,
        remove_headers=remove_headers,
        request_method=request_method,
        request_body=request_body,
        redirect=redirect,
        response_status=response_status,
        response_headers=response_headers,
        resource_type=resource_type,
        times=times,
    )


async def _set_route(tab: Tab, deadline: Deadline, *, redirect: str | None, **wish: Any) -> RouteInfo:
    # The proxy of a limited browser looks at where it leads once more.
    whole = None if redirect is None else plain_address(redirect, host_policy=tab.browser.host_policy)
    traffic = tab.interception.traffic
    async with deadline.stage("intercepting requests"):
        spec, number = RouteSpec(redirect=whole, **wish), traffic.next_number()
        route = await asyncio.to_thread(route_for, spec, number=number)
        await traffic.add(route)
    return info_of(route)


@command(group="network", handles_dialog=True, examples=("network routes",))
async def network_routes(tab: Tab) -> list[RouteInfo]:
    """List the routes of the session, newest first, with the number of requests each has matched."""
    return tab.interception.traffic.routes()


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    doing="removing routes",
    timeout=READ_SECONDS,
    examples=("network unroute", "network unroute '**/ads/*'"),
)
async def network_unroute(
    tab: Tab,
    pattern: Annotated[str | None, Doc("the pattern of the route (default: all routes)")] = None,
) -> list[RouteInfo]:
    """Remove the routes with a pattern, or all. Prints the removed routes."""
    return await tab.interception.traffic.remove(pattern)


@command(
    group="network",
    handles_dialog=True,
    aliases=("request", "network request"),
    doing="reading a request",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("request", ("number",)),),
    examples=("request 7", "request 7 --limit 200000"),
)
async def request(
    tab: Tab,
    number: Annotated[int, Doc("id of a request in the log")],
    *,
    limit: Annotated[int, Doc("maximum size of the body in bytes"), Between(0, BODY_LIMIT)] = SHOWN_BODY,
) -> RequestDetails:
    """Show one request in full: headers, body, response, timing and initiator.

    For WebSockets and event streams, the latest messages.
    """
    return await tab.network.details(number, limit=limit)
