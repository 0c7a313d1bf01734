"""Access to the relay: the shared guard, and the routes that need a token or the extension's origin.

The token is in `Authorization: Bearer`, in the path or in `?token=`; `/extension` is for our extension only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode

from boathook.local_server.guard import AccessRefusal, LocalGuard, RequestHeaders, check_json
from boathook.relay.extension import protocol

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from boathook.relay.server.credentials import RelayCredentials

    Scope = MutableMapping[str, Any]

EXTENSION_ID = protocol.EXTENSION_ID
EXTENSION_PATH = "/extension"
CLIENT_PATH = "/cdp"
OPEN_PATHS = frozenset({"/"})
"""Answered without a token: that this is a relay, and its proof for clients that know the key."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """An accepted request; `client` is the name that belongs to the token, empty for the extension."""

    path: str
    query: dict[str, str]
    client: str = ""


class RelayGuard:
    """Decides about the requests to one relay."""

    def __init__(self, secrets: RelayCredentials, *, port: int) -> None:
        self._secrets = secrets
        self._guard = LocalGuard(port=port)

    def decide(self, scope: Scope) -> Visitor | AccessRefusal:
        """Accept or reject."""
        headers = RequestHeaders(scope["headers"])
        query = {
            name: values[-1]
            for name, values in parse_qs(scope.get("query_string", b"").decode("latin-1")).items()
        }
        path = str(scope["path"]).rstrip("/") or "/"
        is_extension = scope["type"] == "websocket" and path == EXTENSION_PATH
        origin = f"chrome-extension://{EXTENSION_ID}" if is_extension else ""
        refusal = self._guard.check_source(headers, only_from=origin) or _check_body(scope, headers)
        if refusal is not None:
            return refusal
        if is_extension or (path in OPEN_PATHS and scope["type"] == "http"):
            return Visitor(path, query)
        return self._with_token(path, query, headers)

    def _with_token(
        self, path: str, query: dict[str, str], headers: RequestHeaders
    ) -> Visitor | AccessRefusal:
        token = query.pop("token", None)
        if path.startswith(f"{CLIENT_PATH}/"):
            token, path = unquote(path.removeprefix(f"{CLIENT_PATH}/")), CLIENT_PATH
        if headers.bearer_token is not None:
            token = headers.bearer_token
        client = self._guard.check_token(token, self._secrets.whose)
        return client if isinstance(client, AccessRefusal) else Visitor(path, query, client)


def forget_token(scope: Scope) -> None:
    """Remove the token from the URL, once it was checked: the server may log URLs."""
    given = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    scope["query_string"] = urlencode([(name, value) for name, value in given if name != "token"]).encode()
    if str(scope["path"]).startswith(f"{CLIENT_PATH}/"):
        scope["path"] = CLIENT_PATH
    scope["raw_path"] = str(scope["path"]).encode()


def _check_body(scope: Scope, headers: RequestHeaders) -> AccessRefusal | None:
    has_body = scope["type"] == "http" and scope["method"] not in {"GET", "HEAD"}
    return check_json(headers) if has_body else None
