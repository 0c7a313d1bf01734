"""Fetching a URL without a browser: through the proxy that limits browsers, so that the same rules apply."""

from __future__ import annotations

import asyncio
import http.client
import ssl
import string
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit, urlunsplit

from boathook.engine.hosts.urls import normalize_url, without_credentials
from boathook.engine.network.proxy.egress_proxy import EgressProxy, Upstream
from boathook.errors import BadRequest, BadUrl, ConnectionFailed, TimedOut

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.hosts.host_policy import HostPolicy

REDIRECT = 3
"""The first digit of redirect statuses."""
MOST_BYTES = 5 * 1024 * 1024
SCHEMES = frozenset({"http", "https"})
_KEPT = string.punctuation
_NAME = "Mozilla/5.0 (compatible; boathook)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedBody:
    """The response of a server."""

    url: str
    """The final URL."""
    status: int
    kind: str
    """The media type, without its parameters."""
    text: str
    cut: bool = False
    """Whether it was cut at the size limit."""


async def fetch(
    url: str,
    *,
    host_policy: HostPolicy,
    accept: str,
    headers: Mapping[str, str] | None = None,
    upstream: Upstream | None = None,
    seconds: float,
) -> FetchedBody:
    """Request a URL and follow redirects; PolicyBlocked as soon as one of them leads to a blocked host."""
    address = _in_ascii(normalize_url(url, schemes=SCHEMES, host_policy=host_policy))
    asked = {"Accept": accept, "Accept-Encoding": "identity", "User-Agent": _NAME, **(headers or {})}
    async with EgressProxy(host_policy, upstream=upstream) as proxy:
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.to_thread(_fetch_in_thread, address, asked, proxy.port, seconds)
        except TimeoutError:
            raise TimedOut(f"fetching {_shorten_url(address)}", seconds=seconds) from None
        except UnicodeEncodeError as error:
            raise BadRequest("a header has characters that cannot be sent") from error
        except (OSError, http.client.HTTPException) as error:
            refused = proxy.blocked_since(0)
            if refused:
                raise refused[-1].denial.error(refused[-1].host, refused[-1].port) from error
            raise ConnectionFailed(
                f"{_shorten_url(address)} could not be fetched: {_reason(error)}"
            ) from error


def _in_ascii(address: str) -> str:
    """The URL as it is sent: browsers encode other letters by themselves."""
    if address.isascii():
        return address
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    try:
        netloc = quote(user, safe=_KEPT) + at + host.encode("idna").decode("ascii")
    except UnicodeError as error:
        raise BadUrl(f"invalid host: {host!r:.80}") from error
    rest = (quote(part, safe=_KEPT) for part in (parts.path, parts.query, parts.fragment))
    return urlunsplit((parts.scheme, netloc, *rest))


def _shorten_url(address: str) -> str:
    return without_credentials(address)[:200]


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", "") or error)[:200]


class _Following(urllib.request.HTTPRedirectHandler):
    """Follows redirects through the same proxy, and only to http and https URLs."""

    def __init__(self, proxy: str) -> None:
        self._proxy = proxy

    def redirect_request(  # noqa: PLR0917 - as urllib calls it
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> Any:
        if urlsplit(newurl).scheme not in SCHEMES:
            raise BadUrl(f"a redirect to {newurl[:200]!r} cannot be followed")
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None:
            if urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
                for name in ("Authorization", "Cookie"):  # these were for the first host alone
                    following.remove_header(name)
            following.set_proxy(self._proxy, "http")
        return following


def _fetch_in_thread(address: str, headers: Mapping[str, str], port: int, seconds: float) -> FetchedBody:
    """In a separate thread; after the timeout the proxy stops, and its connections with it."""
    proxy = f"127.0.0.1:{port}"
    # No proxy handler: it would read the environment, and hosts in NO_PROXY would bypass our proxy.
    opener = urllib.request.build_opener(
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler(context=ssl.create_default_context()),
        _Following(proxy),
    )
    request = urllib.request.Request(address, headers=dict(headers))  # noqa: S310 - its scheme was checked
    request.set_proxy(proxy, "http")
    try:
        answer = opener.open(request, timeout=seconds)
    except urllib.error.HTTPError as error:
        if error.code // 100 == REDIRECT:  # one that urllib does not follow: too many, or not to the web
            raise BadUrl(
                f"a redirect from {_shorten_url(error.url)} cannot be followed: {error.msg}"[:300]
            ) from error
        answer = error  # a response as well
    with answer:
        raw = answer.read(MOST_BYTES + 1)
        kind = answer.headers.get_content_type()
        charset = answer.headers.get_content_charset("utf-8")
        return FetchedBody(
            url=without_credentials(answer.geturl()),
            status=int(answer.status or 0),
            kind=kind,
            text=_decode_body(raw[:MOST_BYTES], charset),
            cut=len(raw) > MOST_BYTES,
        )


def _decode_body(raw: bytes, charset: str) -> str:
    try:
        return raw.decode(charset, "replace")
    except LookupError:  # an unknown encoding
        return raw.decode("utf-8", "replace")
