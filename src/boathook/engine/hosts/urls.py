"""Addresses as people write them, checked before a browser sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from boathook.cdp.endpoint_url import is_loopback
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.errors import BadUrl

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.hosts.host_policy import Reach

DEFAULT_SCHEMES = frozenset({"http", "https", "about", "data", "blob"})
"""`file:` and the browser's own pages need to be allowed by name."""

LONGEST_ADDRESS = 2 * 1024 * 1024
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_HOST_AND_PORT = re.compile(r"[^/?#:]+:\d+([/?#]|\Z)")
_CREDENTIALS = re.compile(r"\A([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#\\]*@")
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f]")


def checked_address(
    text: str, *, schemes: Collection[str] = DEFAULT_SCHEMES, reach: Reach = UNLIMITED
) -> str:
    """The whole address for what a person typed; BadUrl when there is none or its scheme is not allowed.

    PolicyBlocked when its host may not be reached, as far as its text tells.
    """
    if not isinstance(text, str):
        raise BadUrl(f"an address is a text, not {type(text).__name__}")
    given = text.strip()
    if not given:
        raise BadUrl("the address is empty")
    if len(given) > LONGEST_ADDRESS or _FORBIDDEN.search(given):
        raise BadUrl("the address is too long or has control characters in it")
    if "://" in re.split(r"[?#]", given, maxsplit=1)[0] and not _SCHEME.match(given):
        raise BadUrl(f"{given!r} has no usable scheme")
    whole = given if _has_scheme(given) else _with_scheme(given)
    scheme = whole.split(":", 1)[0].lower()
    if scheme not in schemes:
        raise BadUrl(
            f"{scheme}: addresses are not allowed here",
            hint=f"allowed: {', '.join(sorted(schemes))}; others must be allowed when the browser is opened",
        )
    if scheme == "about" and whole.lower() not in {"about:blank", "about:srcdoc"}:
        raise BadUrl(f"{whole} is a page of the browser itself", hint="only about:blank is allowed")
    if scheme in {"http", "https"}:
        _check_host(whole)
        reach.check(whole)
    return whole


def without_credentials(address: str) -> str:
    """The address without the user name and password that may stand in it: those are for the server alone."""
    if "@" not in address:
        return address
    return _CREDENTIALS.sub(r"\1", address, count=1)


def _has_scheme(given: str) -> bool:
    return bool(_SCHEME.match(given)) and not _HOST_AND_PORT.match(given)


def _with_scheme(given: str) -> str:
    """Local servers rarely speak TLS; everything else does."""
    host = re.split(r"[/?#]", given, maxsplit=1)[0].rsplit(":", 1)[0]
    return f"{'http' if is_loopback(host) else 'https'}://{given}"


def _check_host(whole: str) -> None:
    try:
        parts = urlsplit(whole)
        port = parts.port
    except ValueError as error:
        raise BadUrl(f"{whole!r} is not an address: {error}") from error
    host = parts.hostname or ""
    if not host or any(mark in host for mark in ' <>"`{}|^%\\') or (port is not None and port == 0):
        raise BadUrl(f"{whole!r} has no usable host name")
