"""Network: how many requests failed, one that is worth a look, and requests that a route did not answer as intended."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from boathook.engine.network.log.request import Request
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.redaction.rules import find_secrets, is_token_shaped
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.diagnostic import Diagnostic
from boathook.values import count_noun

if TYPE_CHECKING:
    from boathook.engine.network.routing.routes import RouteInfo
    from boathook.registry.context import NextAction
    from boathook.service.diagnostics.diagnostic import Situation

LONGEST_PATH = 160
MOST_ROUTED = 5


async def count_failures(situation: Situation) -> Diagnostic | None:
    """One line about a list of requests, with calls for the one that is most worth a look."""
    listed = _requests(situation)
    if not listed:
        return None
    harmless = sum(request.failed and request.benign for request in listed)
    actionable = sum(request.failed and not request.benign for request in listed)
    clears = bool(situation.call.arguments.get("clear"))
    return Diagnostic(
        kind="network-requests",
        summary=f"{count_noun(len(listed), 'request')}, {actionable} actionable, {harmless} harmless",
        facts={"actionable": actionable, "harmless": harmless, "total": len(listed)},
        next_actions=() if clears else tuple(_actions(listed)),
        is_problem=False,
    )


def _requests(situation: Situation) -> list[Request]:
    value = situation.value if isinstance(situation.value, list) else []
    return value if value and all(isinstance(request, Request) for request in value) else []


def _actions(listed: list[Request]) -> list[NextAction]:
    """A failed request that matters, else one of the page's own code, else a harmless failure, else the first."""
    failed = [request for request in listed if request.failed]
    bad = next((request for request in failed if not request.benign), None)
    if bad is None:
        chosen = next((request for request in listed if request.api_like), None)
        harmless = next(iter(failed), None)
        if chosen is None and harmless is not None:
            return [suggest("inspect-benign-network-request", "request", str(harmless.number))]
        return [suggest("inspect-network-request", "request", str((chosen or listed[0]).number))]
    number, path = str(bad.number), urlsplit(bad.url).path
    return [
        suggest("inspect-actionable-network-request", "request", number),
        suggest("trace-actionable-network-source", "request", number),
        *([suggest("filter-network-requests-by-path", "requests", path)] if _is_plain(path) else []),
        suggest("clear-network-requests-before-repro", "requests", "--clear"),
        suggest("start-network-har-capture", "network", "har", "start"),
    ]


def _is_plain(path: str) -> bool:
    """Whether a path can be repeated: it is short and has no part that looks like a secret."""
    parts = path.split("/")
    secret = any(is_token_shaped(part) for part in parts) or any(True for _ in find_secrets(path))
    return len(path) > 1 and len(path) <= LONGEST_PATH and not secret


async def find_unanswered_routes(situation: Situation) -> Diagnostic | None:
    """Requests that match a route and failed, or wait without an answer."""
    listed, tab = _requests(situation), situation.context.tab
    if not listed or tab is None:
        return None
    routes = tab.interception.traffic.routes()
    found = [(request, kind) for request in listed if (kind := _problem(request, routes))][:MOST_ROUTED]
    if not found:
        return None
    request, kind = found[0]
    more = f", and {count_noun(len(found) - 1, 'more')}" if len(found) > 1 else ""
    return Diagnostic(
        kind="network-routes",
        summary=f"{_EXPLAINED[kind]}: request {request.number}{more}",
        facts={"requests": [{"number": request.number, "problem": kind} for request, kind in found]},
        next_actions=(
            suggest("inspect-routed-network-request", "request", str(request.number)),
            suggest("start-network-har-capture-for-route-mock", "network", "har", "start"),
        ),
    )


_EXPLAINED = {
    "cors-likely-routed-request": "a mocked response was rejected, probably by CORS (`--allow-origin` allows the page)",
    "unfulfilled-routed-request": "a request that a route matches failed",
    "pending-routed-request": "a request that a route matches has no response yet",
}


def _problem(request: Request, routes: list[RouteInfo]) -> str:
    """What is wrong with a request that a route should have answered; empty if nothing is."""
    if request.routed == "aborted":
        return ""
    route = next((route for route in routes if url_matcher(route.pattern).search(request.url)), None)
    if route is None or route.action == "abort":
        return ""
    if request.failure:
        return "cors-likely-routed-request" if request.routed == "fulfilled" else "unfulfilled-routed-request"
    if request.failed and request.routed != "fulfilled":
        return "unfulfilled-routed-request"
    return "pending-routed-request" if request.api_like and not request.status else ""
