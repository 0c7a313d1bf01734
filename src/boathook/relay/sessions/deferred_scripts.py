"""Scripts that a client runs in every page: in a tab without a debugger they wait until one is attached for another reason.

Playwright's `expose_function` adds an init script and runs it in all open pages too, by means of an object that it creates in each
page first. Both are answered here, and done when the client uses the tab.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from boathook.relay.sessions.placeholder import RUN_NOW, record

if TYPE_CHECKING:
    from boathook.relay.sessions.client_session import ClientSession

_HELPER = "UtilityScript"
"""The name of Playwright's object."""
_UNDEFINED = {"result": {"type": "undefined"}}
_numbers = itertools.count(1)


def is_deferred(client_session: ClientSession, method: str, params: dict[str, Any]) -> bool:
    """Whether a command only runs an init script of the session, or prepares that."""
    if method == "Runtime.evaluate":
        expression = params.get("expression", "")
        return expression in _sources(client_session) or _creates_helper(client_session, params)
    return method == "Runtime.callFunctionOn" and _script_of(client_session, params) is not None


def answer_deferred(client_session: ClientSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Answer it, and record it for later."""
    if method == "Runtime.evaluate" and params.get("expression", "") not in _sources(client_session):
        object_id = f"boathook-object-{next(_numbers)}"
        client_session.deferred_objects[object_id] = params
        return {"result": {"type": "object", "className": _HELPER, "objectId": object_id}}
    source = params["expression"] if method == "Runtime.evaluate" else _script_of(client_session, params)
    record(client_session, RUN_NOW, {"expression": source})
    return _UNDEFINED


def _sources(client_session: ClientSession) -> set[str]:
    """The init scripts for the page's own world."""
    return {
        params.get("source", "")
        for method, params, _ in client_session.records
        if method == "Page.addScriptToEvaluateOnNewDocument" and not params.get("worldName")
    }


def _creates_helper(client_session: ClientSession, params: dict[str, Any]) -> bool:
    is_object = not params.get("returnByValue") and _HELPER in params.get("expression", "")
    return is_object and bool(_sources(client_session))


def _script_of(client_session: ClientSession, params: dict[str, Any]) -> str | None:
    """The init script among the arguments of a call of the helper."""
    if params.get("objectId") not in client_session.deferred_objects:
        return None
    sources = _sources(client_session)
    values = [argument.get("value") for argument in params.get("arguments", []) if isinstance(argument, dict)]
    return next((value for value in values if isinstance(value, str) and value in sources), None)
