"""One client's session on one target: what it enabled, what it received, and its context ids."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from boathook.relay.rules.cdp_methods import GATED_DOMAINS, UNGATED_EVENTS, domain_of

if TYPE_CHECKING:
    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.target_session import TargetSession

_FIRST_VIRTUAL = 1_500_000_000
"""Above every context id that Chrome assigns."""
_numbers = itertools.count(_FIRST_VIRTUAL)
_CONTEXT_FIELDS = ("contextId", "executionContextId")


class ClientSession:
    """A session id of a client. `records` are its preparations, repeated whenever the debugger is attached."""

    def __init__(
        self, client: CdpClient, session_id: str, target_session: TargetSession, *, is_alias: bool = False
    ) -> None:
        self.client = client
        self.session_id = session_id
        self.target_session = target_session
        self.is_alias = is_alias
        self.asked_on = ""
        """The browser session that it was requested on, and that receives its attached and detached events."""
        self.is_live = False
        self.enabled: set[str] = set()
        self.auto_attach: dict[str, Any] | None = None
        self.records: list[tuple[str, dict[str, Any], Any]] = []
        self.real_contexts: dict[int, int] = {}
        self.placeholder_contexts: dict[int, int] = {}
        self.unique_ids: dict[str, int] = {}
        self.deferred_objects: dict[str, dict[str, Any]] = {}
        """Objects that a client created before a debugger was attached: the parameters, by our id."""
        self.real_objects: dict[str, str] = {}
        self.scripts: dict[str, str] = {}
        self.overrides: dict[str, dict[str, Any]] = {}
        """What it emulates here: the latest parameters by method."""
        self.loader = f"boathook-loader-{next(_numbers)}"
        self.is_loaded = False

    def emit(self, method: str, params: dict[str, Any]) -> None:
        """Send an event of this target to the client."""
        self.client.send({"method": method, "params": params, "sessionId": self.session_id})

    def wants(self, method: str) -> bool:
        """Whether an event is for this session."""
        domain = domain_of(method)
        return domain not in GATED_DOMAINS or domain in self.enabled or method in UNGATED_EVENTS

    def new_context(self) -> int:
        """An id for a context that does not exist yet."""
        return next(_numbers)

    def bind_context(self, virtual: int, real: int) -> None:
        """Map the client's context id to Chrome's from now on."""
        self.real_contexts[virtual] = real
        self.placeholder_contexts[real] = virtual

    def forget_contexts(self) -> None:
        """All documents are gone."""
        self.real_contexts.clear()
        self.deferred_objects.clear()
        self.real_objects.clear()
        self.placeholder_contexts.clear()

    def to_chrome(self, params: dict[str, Any]) -> dict[str, Any]:
        """A command's parameters with Chrome's ids."""
        if self.real_objects:
            params = self._with_real_objects(params)
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

    def _with_real_objects(self, params: dict[str, Any]) -> dict[str, Any]:
        real = self.real_objects
        if params.get("objectId") in real:
            params = {**params, "objectId": real[params["objectId"]]}
        if isinstance(params.get("arguments"), list):
            given = [
                {**argument, "objectId": real[argument["objectId"]]}
                if isinstance(argument, dict) and argument.get("objectId") in real
                else argument
                for argument in params["arguments"]
            ]
            params = {**params, "arguments": given}
        return params

    def to_client(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """An event's parameters with the client's ids."""
        if not self.placeholder_contexts or not method.startswith("Runtime."):
            return params
        if method == "Runtime.executionContextsCleared":
            self.forget_contexts()
            return params
        known = self.placeholder_contexts.get(params.get("executionContextId", -1))
        if known is not None:
            return {**params, "executionContextId": known}
        details = params.get("exceptionDetails")
        if isinstance(details, dict):
            known = self.placeholder_contexts.get(details.get("executionContextId", -1))
            if known is not None:
                return {**params, "exceptionDetails": {**details, "executionContextId": known}}
        return params
