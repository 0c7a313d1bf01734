"""One client's session on one target: what it turned on, what it was told, and the numbers it knows contexts by."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from boathook.relay.rules.cdp_methods import GATED_DOMAINS, UNGATED_EVENTS, domain_of

if TYPE_CHECKING:
    from boathook.relay.sessions.cdp_client import Client
    from boathook.relay.sessions.target_session import Channel

_FIRST_VIRTUAL = 1_500_000_000
"""Above every number that Chrome gives to contexts."""
_numbers = itertools.count(_FIRST_VIRTUAL)
_CONTEXT_FIELDS = ("contextId", "executionContextId")


class View:
    """A session id of a client. `records` are its preparations, done anew whenever the debugger is attached."""

    def __init__(self, client: Client, session_id: str, channel: Channel, *, is_alias: bool = False) -> None:
        self.client = client
        self.session_id = session_id
        self.channel = channel
        self.is_alias = is_alias
        self.asked_on = ""
        """The session of the browser's that it was asked for on, and that hears of its beginning and its end."""
        self.is_live = False
        self.enabled: set[str] = set()
        self.auto_attach: dict[str, Any] | None = None
        self.records: list[tuple[str, dict[str, Any], Any]] = []
        self.real_contexts: dict[int, int] = {}
        self.virtual_contexts: dict[int, int] = {}
        self.unique_ids: dict[str, int] = {}
        self.scripts: dict[str, str] = {}
        self.loader = f"boathook-loader-{next(_numbers)}"
        self.is_loaded = False

    def emit(self, method: str, params: dict[str, Any]) -> None:
        """Tell the client of an event of this target."""
        self.client.send({"method": method, "params": params, "sessionId": self.session_id})

    def wants(self, method: str) -> bool:
        """Whether an event is for this session."""
        domain = domain_of(method)
        return domain not in GATED_DOMAINS or domain in self.enabled or method in UNGATED_EVENTS

    def new_context(self) -> int:
        """A number for a context that does not exist yet."""
        return next(_numbers)

    def bind_context(self, virtual: int, real: int) -> None:
        """From now on the client's number means this one of Chrome's."""
        self.real_contexts[virtual] = real
        self.virtual_contexts[real] = virtual

    def forget_contexts(self) -> None:
        """All documents are gone."""
        self.real_contexts.clear()
        self.virtual_contexts.clear()

    def to_chrome(self, params: dict[str, Any]) -> dict[str, Any]:
        """A command's parameters with Chrome's numbers."""
        if not self.real_contexts:
            return params
        for field in _CONTEXT_FIELDS:
            real = self.real_contexts.get(params.get(field, -1))
            if real is not None:
                params = {**params, field: real}
        unique = self.unique_ids.get(params.get("uniqueContextId", ""))
        if unique is not None and unique in self.real_contexts:
            params = {name: value for name, value in params.items() if name != "uniqueContextId"}
            params["contextId"] = self.real_contexts[unique]
        return params

    def to_client(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """An event's parameters with the client's numbers."""
        if not self.virtual_contexts or not method.startswith("Runtime."):
            return params
        if method == "Runtime.executionContextsCleared":
            self.forget_contexts()
            return params
        known = self.virtual_contexts.get(params.get("executionContextId", -1))
        if known is not None:
            return {**params, "executionContextId": known}
        details = params.get("exceptionDetails")
        if isinstance(details, dict):
            known = self.virtual_contexts.get(details.get("executionContextId", -1))
            if known is not None:
                return {**params, "exceptionDetails": {**details, "executionContextId": known}}
        return params
