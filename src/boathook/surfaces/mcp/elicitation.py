"""Elicitation: confirmations that the policy requires are requested from the user through the client, if it supports that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from boathook.errors import Denied

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    Context = ServerRequestContext[Any, Any]

KEY = "confirm"
_NOTHING_TO_FILL_IN: dict[str, Any] = {"type": "object", "properties": {}}


def question_of(outcome: dict[str, Any]) -> tuple[str, str] | None:
    """The id and text of the confirmation that an outcome requires; None if it requires none."""
    error = outcome.get("error") or {}
    if error.get("code") != "confirmation_required":
        return None
    facts = error.get("evidence") or {}
    number = str(facts.get("confirmation") or "")
    return (number, str(error.get("message", ""))) if number else None


def confirmed_request(params: types.CallToolRequestParams) -> str:
    """The id of the confirmation that this call approves; empty if it has no answer. Raises Denied if the user declined."""
    answer = (params.input_responses or {}).get(KEY)
    if answer is None:
        return ""
    if not isinstance(answer, types.ElicitResult) or answer.action != "accept":
        raise denied_by_user()
    return params.request_state or ""


def denied_by_user() -> Denied:
    """The user declined."""
    return Denied("the user denied the action", hint="do not retry; ask the user what to do instead")


def can_ask(ctx: Context) -> bool:
    """Whether the client supports elicitation."""
    known = ctx.session.client_capabilities
    return known is not None and known.elicitation is not None


async def ask(ctx: Context, number: str, words: str) -> types.InputRequiredResult | str:
    """Ask the user; returns the confirmation id if approved, else raises Denied. Clients of the current protocol ask and call again."""
    params = types.ElicitRequestFormParams(message=words, requested_schema=_NOTHING_TO_FILL_IN)
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        request = types.ElicitRequest(params=params)
        return types.InputRequiredResult(input_requests={KEY: request}, request_state=number)
    try:
        answer = await ctx.session.elicit_form(words, _NOTHING_TO_FILL_IN, related_request_id=ctx.request_id)
    except MCPError as error:
        raise denied_by_user() from error
    if answer.action != "accept":
        raise denied_by_user()
    return number
