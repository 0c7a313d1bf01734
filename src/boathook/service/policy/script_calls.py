"""Which calls make a page run code that the caller has chosen, by whatever way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.registry.registry import Command

SCRIPT_PARAMETERS = {
    "evaluate": "script",
    "wait_for_function": "script",
    "wait_until": "fn",
    "add_init_script": "script",
    "a11y": "axe",
}
"""Commands that run a script of the caller's in a page, and the parameter that holds it or names its file."""
OPEN_TO_SCRIPTS = frozenset({"inspect"})
"""Commands that let others run scripts in a page."""
INERT_TYPES = frozenset({"fetch", "xhr", "image", "font", "media", "stylesheet"})
"""Types of resources that a browser never runs."""
_LEADING_HEADERS = ("content-type", "location", "refresh", "link")
"""Headers that lead a browser to another document or script, or make it take an answer for one."""
_JSON_TYPES = frozenset(
    {"application/json", "application/json; charset=utf-8", "application/json;charset=utf-8"}
)


def runs_page_script(command: Command, arguments: Mapping[str, Any]) -> bool:
    """Whether a page would run code of the caller's."""
    if command.name in OPEN_TO_SCRIPTS:
        return True
    if command.name == "network_route":
        return _may_serve_script(arguments)
    parameter = SCRIPT_PARAMETERS.get(command.name)
    return parameter is not None and arguments.get(parameter) is not None


def _may_serve_script(route: Mapping[str, Any]) -> bool:
    """Whether a route gives a page a document or a script that its server has not sent.

    The pattern of a route does not tell: one with a glob fits scripts too. So only what no browser would run is taken for inert.
    """
    replaces = any(route.get(name) is not None for name in ("body", "file", "redirect"))
    headers = [
        _header(route.get(name), one) for name in ("headers", "response_headers") for one in _LEADING_HEADERS
    ]
    if not replaces and not any(headers):
        return False
    types = {part.strip() for one in _listed(route.get("resource_type")) for part in str(one).split(",")}
    if types and types <= INERT_TYPES:
        return False
    return not _is_plain_json(route)


def _is_plain_json(route: Mapping[str, Any]) -> bool:
    """Whether the answer is JSON and is called JSON: run as a script, that does nothing."""
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
