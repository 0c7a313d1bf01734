"""The guard of local servers: Host, Origin, Sec-Fetch-Site, token and body type, checked before anything else.

| check          | required                                                              | status   |
|----------------|-----------------------------------------------------------------------|----------|
| Host           | exactly one: 127.0.0.1, localhost or [::1], with the server's port    | 403      |
|                | (for `mcp --allow-host` also what the user has named)                 |          |
| Origin         | none, or one of the allowed ones                                      | 403      |
| Sec-Fetch-Site | none without an allowed origin: browsers send it, programs do not     | 403      |
| token          | known (256 random bits); the eleventh wrong one in a minute gets 429  | 401, 429 |
| Content-Type   | application/json, for requests with a body                            | 415      |
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from boathook.clock import now

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

Owner = TypeVar("Owner")
HOST = "127.0.0.1"
LOOPBACK_NAMES = (HOST, "localhost", "[::1]")
MOST_GUESSES = 10
GUESSES_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class AccessRefusal:
    """Why a request is rejected."""

    status: int
    why: str


class RequestHeaders:
    """The headers of a request; a header may be repeated."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.lower(), value) for name, value in pairs]

    def all(self, wanted: bytes) -> list[bytes]:
        """All values of a header; its name in lower case."""
        return [value for name, value in self._pairs if name == wanted]

    @property
    def bearer_token(self) -> str | None:
        """The token in `Authorization: Bearer`; empty if the header is malformed, None if it is missing."""
        given = self.all(b"authorization")
        if not given:
            return None
        kind, _, value = given[0].partition(b" ")
        return value.strip().decode("latin-1") if kind.lower() == b"bearer" and len(given) == 1 else ""


class LocalGuard:
    """The checks for one server."""

    def __init__(
        self,
        *,
        port: int,
        origins: Collection[str] = (),
        names: Collection[str] = LOOPBACK_NAMES,
        hosts: Collection[str] = (),
    ) -> None:
        self._hosts = {host.lower().encode() for host in hosts} | {
            f"{name}:{port}".encode() for name in names
        }
        self._origins = {origin.encode() for origin in origins}
        self._guesses: deque[float] = deque(maxlen=MOST_GUESSES)

    def check_source(self, headers: RequestHeaders, *, only_from: str = "") -> AccessRefusal | None:
        """Where a request comes from; with `only_from`, it must come from this origin."""
        hosts, origins = headers.all(b"host"), headers.all(b"origin")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return AccessRefusal(403, "invalid Host header")
        if only_from:
            return None if origins == [only_from.encode()] else AccessRefusal(403, "origin not allowed")
        if any(origin not in self._origins for origin in origins):
            return AccessRefusal(403, "origin not allowed")
        if headers.all(b"sec-fetch-site") and not origins:
            return AccessRefusal(403, "requests from web pages are not allowed")
        return None

    def check_token(
        self, token: str | None, owner_of: Callable[[str], Owner | None]
    ) -> Owner | AccessRefusal:
        """Who a token belongs to. A valid token is always accepted: other clients' wrong ones must not lock it out."""
        if token is None:
            return AccessRefusal(401, "missing token")
        owner = owner_of(token)
        if owner is not None:
            return owner
        while self._guesses and now() - self._guesses[0] > GUESSES_SECONDS:
            self._guesses.popleft()
        if len(self._guesses) == MOST_GUESSES:
            return AccessRefusal(429, "too many invalid tokens; wait a minute")
        self._guesses.append(now())
        return AccessRefusal(401, "invalid token")


def check_json(headers: RequestHeaders) -> AccessRefusal | None:
    """That a body is JSON: pages can send other types without being asked."""
    kinds = [kind.partition(b";")[0].strip().lower() for kind in headers.all(b"content-type")]
    return (
        None
        if kinds == [b"application/json"]
        else AccessRefusal(415, "the content type must be application/json")
    )
