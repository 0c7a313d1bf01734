"""URLs as people write them, checked before a browser sees them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from boathook.cdp.endpoint_url import is_loopback
from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.errors import BadUrl
from boathook.hints import plain
from boathook.similar_words import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection

    from boathook.engine.hosts.host_policy import HostPolicy

DEFAULT_SCHEMES = frozenset({"http", "https", "about", "data", "blob"})
"""`file:` and internal pages of the browser must be allowed explicitly."""

LONGEST_ADDRESS = 2 * 1024 * 1024
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_HOST_AND_PORT = re.compile(r"[^/?#:]+:\d+([/?#]|\Z)")
_CREDENTIALS = re.compile(r"\A([a-zA-Z][a-zA-Z0-9+.-]*://)[^/?#\\]*@")
_MISTYPED = re.compile(r"(https?)(?::/(?!/)|//|:(?![/\d]))", re.IGNORECASE)
"""Schemes with a missing colon or slash."""
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f]")


def normalize_url(
    text: str, *, schemes: Collection[str] = DEFAULT_SCHEMES, host_policy: HostPolicy = UNLIMITED
) -> str:
    """The full URL for user input; BadUrl if it is invalid or its scheme is not allowed.

    PolicyBlocked if its host is not allowed, as far as the text of the URL tells.
    """
    if not isinstance(text, str):
        raise BadUrl(f"a URL must be a string, not {type(text).__name__}")
    given = text.strip()
    if not given:
        raise BadUrl("the URL is empty")
    if len(given) > LONGEST_ADDRESS or _FORBIDDEN.search(given):
        raise BadUrl("the URL is too long or contains control characters")
    if "://" in re.split(r"[?#]", given, maxsplit=1)[0] and not _SCHEME.match(given):
        raise BadUrl(f"invalid URL scheme: {given!r}")
    if mistyped := _MISTYPED.match(given):
        meant = plain(f"{mistyped[1].lower()}://{given[mistyped.end() :]}")
        raise BadUrl(f"invalid URL: {given!r}", hint=f"did you mean {meant}?")
    whole = given if _has_scheme(given) else _with_scheme(given)
    scheme = whole.split(":", 1)[0].lower()
    if scheme not in schemes:
        raise _bad_scheme(scheme, schemes)
    if scheme == "about" and whole.lower() not in {"about:blank", "about:srcdoc"}:
        raise BadUrl(f"{whole} is an internal page of the browser", hint="only about:blank is allowed")
    if scheme in {"http", "https"}:
        _check_host(whole)
        host_policy.check(whole)
    return whole


def _bad_scheme(scheme: str, schemes: Collection[str]) -> BadUrl:
    allowed = f"allowed: {', '.join(sorted(schemes))}"
    if scheme == "file":
        allowed = f"{allowed}|; the user can allow files: `=allow_file_access`"
    hint = did_you_mean(scheme, ("http", "https"), otherwise=allowed, cutoff=0.7)
    return BadUrl(f"{scheme}: URLs are not allowed", hint=hint)


def without_credentials(address: str) -> str:
    """The URL without user name and password, which only the server may see."""
    if "@" not in address:
        return address
    return _CREDENTIALS.sub(r"\1", address, count=1)


def _has_scheme(given: str) -> bool:
    return bool(_SCHEME.match(given)) and not _HOST_AND_PORT.match(given)


def _with_scheme(given: str) -> str:
    """Local servers rarely use TLS; all others do."""
    host = re.split(r"[/?#]", given, maxsplit=1)[0].rsplit(":", 1)[0]
    return f"{'http' if is_loopback(host) else 'https'}://{given}"


def _check_host(whole: str) -> None:
    try:
        parts = urlsplit(whole)
        port = parts.port
    except ValueError as error:
        raise BadUrl(f"invalid URL: {whole!r} ({error})") from error
    host = parts.hostname or ""
    if not host or any(mark in host for mark in ' <>"`{}|^%\\') or (port is not None and port == 0):
        raise BadUrl(f"invalid host name in URL: {whole!r}")
