"""Access control: one decision for HTTP requests and WebSocket upgrades, made before anything else.

| check          | required                                                                   | status |
|----------------|----------------------------------------------------------------------------|--------|
| Host           | exactly one: 127.0.0.1, localhost or [::1], with our port                   | 403    |
| Origin         | none; for /extension exactly that of our extension                          | 403    |
| Sec-Fetch-Site | none: browsers send it, programs do not                                     | 403    |
| route          | one of the table in `app.py`                                                | 404    |
| token          | in `Authorization: Bearer`, in the path or in `?token=`; ten guesses a minute | 401, 429 |
| Content-Type   | application/json, for requests with a body                                  | 415    |
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode

from boathook.clock import now

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from boathook.relay.server.credentials import RelayCredentials

    Scope = MutableMapping[str, Any]

EXTENSION_ID = "dhfbdpcamblofpolepaaeclfdkpcdmdk"
"""Derived from the key in extension/manifest.json; a test compares them."""
EXTENSION_PATH = "/extension"
CLIENT_PATH = "/cdp"
OPEN_PATHS = frozenset({"/"})
"""Answered without a token: that this is a relay, and its proof for clients that know the key."""
NAMES = ("127.0.0.1", "localhost", "[::1]")
MOST_GUESSES = 10
GUESSES_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class AccessRefusal:
    """Why a request is rejected."""

    status: int
    why: str


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
        self._hosts = {f"{name}:{port}".encode() for name in NAMES}
        self._guesses: deque[float] = deque(maxlen=MOST_GUESSES)

    def decide(self, scope: Scope) -> Visitor | AccessRefusal:
        """Accept or reject."""
        headers = _RequestHeaders(scope["headers"])
        query = {
            name: values[-1]
            for name, values in parse_qs(scope.get("query_string", b"").decode("latin-1")).items()
        }
        path = str(scope["path"]).rstrip("/") or "/"
        is_extension = scope["type"] == "websocket" and path == EXTENSION_PATH
        refusal = self._of_place(headers, is_extension=is_extension) or _of_form(scope, headers)
        if refusal is not None:
            return refusal
        if is_extension or (path in OPEN_PATHS and scope["type"] == "http"):
            return Visitor(path, query)
        return self._with_token(path, query, headers)

    def _of_place(self, headers: _RequestHeaders, *, is_extension: bool) -> AccessRefusal | None:
        hosts = headers.all(b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return AccessRefusal(403, "this host name is not served")
        origins = headers.all(b"origin")
        if is_extension:
            wanted = [f"chrome-extension://{EXTENSION_ID}".encode()]
            return (
                None
                if origins == wanted
                else AccessRefusal(403, "only the boathook extension may connect here")
            )
        if origins:
            return AccessRefusal(403, "requests from pages are not allowed")
        if headers.all(b"sec-fetch-site"):
            return AccessRefusal(403, "requests from pages are not allowed")
        return None

    def _with_token(
        self, path: str, query: dict[str, str], headers: _RequestHeaders
    ) -> Visitor | AccessRefusal:
        token = query.pop("token", None)
        if path.startswith(f"{CLIENT_PATH}/"):
            token, path = unquote(path.removeprefix(f"{CLIENT_PATH}/")), CLIENT_PATH
        given = headers.all(b"authorization")
        if given:
            kind, _, value = given[0].partition(b" ")
            token = value.strip().decode("latin-1") if kind.lower() == b"bearer" and len(given) == 1 else ""
        if token is None:
            return AccessRefusal(401, "a token is required")
        while self._guesses and now() - self._guesses[0] > GUESSES_SECONDS:
            self._guesses.popleft()
        if len(self._guesses) == MOST_GUESSES:
            return AccessRefusal(429, "too many wrong tokens; wait a minute")
        client = self._secrets.whose(token)
        if client is None:
            self._guesses.append(now())
            return AccessRefusal(401, "the token is wrong")
        return Visitor(path, query, client)


def forget_token(scope: Scope) -> None:
    """Remove the token from the URL, once it was checked: the server may log URLs."""
    given = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    scope["query_string"] = urlencode([(name, value) for name, value in given if name != "token"]).encode()
    if str(scope["path"]).startswith(f"{CLIENT_PATH}/"):
        scope["path"] = CLIENT_PATH
    scope["raw_path"] = str(scope["path"]).encode()


def _of_form(scope: Scope, headers: _RequestHeaders) -> AccessRefusal | None:
    if scope["type"] != "http" or scope["method"] in {"GET", "HEAD"}:
        return None
    kinds = [kind.partition(b";")[0].strip().lower() for kind in headers.all(b"content-type")]
    return None if kinds == [b"application/json"] else AccessRefusal(415, "the body must be application/json")


class _RequestHeaders:
    """The headers of a request; a repeated header counts as well."""

    def __init__(self, pairs: list[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.lower(), value) for name, value in pairs]

    def all(self, wanted: bytes) -> list[bytes]:
        return [value for name, value in self._pairs if name == wanted]
