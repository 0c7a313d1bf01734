"""The network of pages: routes that stop, answer or change requests; and what cannot be changed while a browser runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from boathook.engine.network.log.network_log import BODY_LIMIT, SHOWN_BODY
from boathook.engine.network.log.request import RequestDetails
from boathook.engine.network.routing.route_options import Wish, plain_address, route_for
from boathook.engine.network.routing.routes import AbortReason, RouteInfo, info_of
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.errors import Unsupported
from boathook.registry.parameters import Timeout, UrlPattern
from boathook.registry.registry import Between, Doc, Effect, command


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    reads_files=("file",),
    secrets=("headers", "request_headers", "response_headers", "body", "request_body"),
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
    abort: Annotated[bool, Doc("fail the request")] = False,
    reason: Annotated[AbortReason | None, Doc("how it fails, with abort")] = None,
    body: Annotated[str | None, Doc("answer with this text; what is JSON is sent as such")] = None,
    file: Annotated[Path | None, Doc("answer with the contents of a file")] = None,
    status: Annotated[int | None, Doc("the status of the answer")] = None,
    headers: Annotated[Mapping[str, str] | None, Doc("headers of the answer, as JSON")] = None,
    content_type: Annotated[str | None, Doc("the type of the answer, when it is not plain from it")] = None,
    allow_origin: Annotated[str | None, Doc("an origin whose scripts may read the answer; * is all")] = None,
    delay: Annotated[float, Doc("seconds to wait before anything else"), Between(0, 60)] = 0.0,
    request_headers: Annotated[Mapping[str, str] | None, Doc("headers to send, as JSON")] = None,
    remove_headers: Annotated[Sequence[str], Doc("headers not to send, with commas")] = (),
    request_method: Annotated[str | None, Doc("the method to send")] = None,
    request_body: Annotated[str | None, Doc("what to send along")] = None,
    redirect: Annotated[str | None, Doc("the address to ask instead; the page does not notice")] = None,
    response_status: Annotated[int | None, Doc("the status instead of the server's")] = None,
    response_headers: Annotated[Mapping[str, str] | None, Doc("headers instead of the server's")] = None,
    resource_type: Annotated[
        Sequence[str], Doc("only these types, with commas: document, script, image, fetch, …")
    ] = (),
    times: Annotated[int | None, Doc("only so many requests"), Between(1, 1_000_000)] = None,
    timeout: Timeout = READ_SECONDS,
) -> RouteInfo:
    """Abort, answer, delay or change requests whose address fits a pattern, in all tabs of the session.

    One of: abort; an answer (body, file, status, headers); changes (request_…, remove_headers, redirect, response_…);
    a delay alone or with any of them. The newest route that fits a request decides about it, and no other one is asked.
    """
    return await _set_route(
        tab,
        timeout,
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


async def _set_route(tab: Tab, timeout: float, *, redirect: str | None, **wish: Any) -> RouteInfo:
    # The proxy of a limited browser looks at where it leads once more.
    whole = None if redirect is None else plain_address(redirect, reach=tab.browser.reach)
    traffic = tab.interception.traffic
    async with (
        tab.call("setting a route", seconds=timeout, looks=True, needs_page=False) as deadline,
        deadline.stage("stopping at requests"),
    ):
        route = route_for(Wish(redirect=whole, **wish), number=traffic.next_number())
        await traffic.add(route)
    return info_of(route)


@command(group="network", handles_dialog=True, examples=("network routes",))
async def network_routes(tab: Tab) -> list[RouteInfo]:
    """The routes of the session, the newest first, with how many requests met each."""
    return tab.interception.traffic.routes()


@command(
    group="network",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    examples=("network unroute", "network unroute '**/ads/*'"),
)
async def network_unroute(
    tab: Tab,
    pattern: Annotated[str | None, Doc("as it was given; without it, all routes")] = None,
    *,
    timeout: Timeout = READ_SECONDS,
) -> list[RouteInfo]:
    """Remove the routes of a pattern, or all; gives those that are gone."""
    async with (
        tab.call("removing routes", seconds=timeout, looks=True, needs_page=False) as deadline,
        deadline.stage("letting requests pass"),
    ):
        return await tab.interception.traffic.remove(pattern)


@command(
    group="network",
    handles_dialog=True,
    words=("request", "network request"),
    examples=("request 7", "request 7 --limit 200000"),
)
async def request(
    tab: Tab,
    number: Annotated[int, Doc("the number of a request in the log")],
    *,
    limit: Annotated[int, Doc("bytes of the body to give at most"), Between(0, BODY_LIMIT)] = SHOWN_BODY,
    timeout: Timeout = READ_SECONDS,
) -> RequestDetails:
    """All about one request: headers, what was sent, the answer, where its time went, what made the page send it.

    Of WebSockets and event streams, the latest messages.
    """
    async with (
        tab.call("reading a request", seconds=timeout, looks=True, needs_page=False) as deadline,
        deadline.stage("reading the response's body"),
    ):
        return await tab.network.details(number, limit=limit)


@command(
    group="network", spoken_only=True, handles_dialog=True, examples=("set proxy http://127.0.0.1:8080",)
)
async def set_proxy(tab: Tab, address: Annotated[str, Doc("the proxy")] = "") -> None:
    """Always refused: the proxy belongs to the start of a browser."""
    del tab, address
    raise Unsupported(
        "a browser that runs keeps the proxy that it was started with",
        hint="start the session afresh|: `--fresh --proxy ADDRESS open URL`",
    )


@command(
    group="network",
    spoken_only=True,
    handles_dialog=True,
    words=("set client-certificate",),
    examples=("set client-certificate me.p12",),
)
async def set_client_certificate(tab: Tab, file: Annotated[str, Doc("the certificate")] = "") -> None:
    """Always refused: browsers take client certificates from their own store only."""
    del tab, file
    raise Unsupported(
        "the browser's protocol has no way to hand over a client certificate",
        hint="install it in the browser and use that profile|: `=profile`|, or start with a proxy that presents it|: `=proxy`",
    )
