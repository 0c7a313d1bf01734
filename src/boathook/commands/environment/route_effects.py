"""What routes do: some make a page run code that the caller has chosen, send it a file, or set its cookies."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from boathook.effects import SideEffect

if TYPE_CHECKING:
    from collections.abc import Mapping

INERT_TYPES = frozenset({"fetch", "xhr", "image", "font", "media", "stylesheet"})
"""Resource types that a browser never executes."""
_LEADING_HEADERS = ("content-type", "location", "refresh", "link")
"""Headers that load another document or script, or change how a response is interpreted."""
_COOKIE_HEADERS = (
    ("headers", "set-cookie"),
    ("response_headers", "set-cookie"),
    ("request_headers", "cookie"),
)
_JSON_TYPES = frozenset(
    {"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"}
)


def effects_of_route(route: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    """RUNS_PAGE_SCRIPT for a route that may send a page a document or a script of the caller's; files and cookies count too."""
    found = {
        SideEffect.RUNS_PAGE_SCRIPT: _serves_script(route),
        SideEffect.SENDS_FILE: route.get("file") is not None,
        SideEffect.WRITES_STATE: any(_header(route.get(name), header) for name, header in _COOKIE_HEADERS),
    }
    return tuple(effect for effect, holds in found.items() if holds)


def _serves_script(route: Mapping[str, Any]) -> bool:
    """Whether a route gives a page a document or a script that its server has not sent.

    The pattern of a route does not tell: a glob matches scripts too. So only types that no browser executes count as inert.
    """
    replaces = any(route.get(name) is not None for name in ("body", "file", "redirect"))
    headers = [
        _header(route.get(name), header)
        for name in ("headers", "response_headers")
        for header in _LEADING_HEADERS
    ]
    if not replaces and not any(headers):
        return False
    types = {
        part.strip() for listed in _listed(route.get("resource_type")) for part in str(listed).split(",")
    }
    if types and types <= INERT_TYPES:
        return False
    return not _is_plain_json(route)


def _is_plain_json(route: Mapping[str, Any]) -> bool:
    """Whether the response is JSON with a JSON type: run as a script, it does nothing."""
    body = route.get("body")
    kinds = (
        route.get("content_type"),
        *(_header(route.get(name), "content-type") for name in ("headers", "response_headers")),
    )
    if not isinstance(body, str) or any(
        kind and str(kind).strip().lower() not in _JSON_TYPES for kind in kinds
    ):
        return False
    if any(_header(route.get(name), "location") for name in ("headers", "response_headers")):
        return False
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def _header(headers: Any, wanted: str) -> str:
    given = headers if isinstance(headers, dict) else {}
    return next((str(value) for name, value in given.items() if str(name).strip().lower() == wanted), "")


def _listed(given: Any) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given] if given else []
