"""The user's lists of sites, as decisions about URLs, hosts and cookies. The extension has the same rules for tabs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address
from typing import Any
from urllib.parse import urlsplit

NOWHERE = "denied.boathook.invalid"
"""Where the extension redirects documents of denied sites, to be stopped here."""
_INNER = ("blob:", "filesystem:", "view-source:")
_PLAIN = re.compile(
    r"(?:https?|wss?)://(\[[0-9a-f:.]+\]|[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::[0-9]+)?(?:[/?#]\S*)?",
    re.ASCII | re.IGNORECASE,
)
_HOST = re.compile(r"\.?([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?|\[[0-9a-f:.]+\]", re.ASCII | re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*", re.ASCII | re.IGNORECASE)
_WITHOUT_SITE = ("about:", "data:", "javascript:", "chrome-error:")


@dataclass(frozen=True, slots=True)
class SiteRules:
    """Host names; each includes its subdomains. Without names, everything is allowed."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()

    @staticmethod
    def of(settings: dict[str, Any]) -> SiteRules:
        """The lists in the extension's settings."""
        return SiteRules(tuple(settings.get("allow") or ()), tuple(settings.get("deny") or ()))

    def __bool__(self) -> bool:
        return bool(self.allow or self.deny)

    def why_not(self, url: str) -> str:
        """Why a URL that Chrome reported is not allowed; empty if it is."""
        return self.why_not_host(host_of(url)) if self else ""

    def why_not_given(self, url: str) -> str:
        """The same for a URL of a client, which Chrome may read differently: only plain ones are allowed."""
        if not self or url.startswith(_WITHOUT_SITE):
            return ""
        found = _PLAIN.fullmatch(url)
        if found is None or not _is_canonical(found[1]):
            return f"the user limits sites, and the URL is not in plain form: {url[:80]!r}"
        return self.why_not_host(found[1])

    def why_not_plain(self, url: str) -> str:
        """The same for a URL that is decided again when it is requested: other forms are allowed."""
        found = _PLAIN.fullmatch(url)
        return self.why_not_host(found[1]) if found and _is_canonical(found[1]) else ""

    def why_not_host(self, host: str) -> str:
        """Why a host is not allowed; pages without a host are."""
        host = host.lower().rstrip(".")
        if not host:
            return ""
        if host == NOWHERE:
            return "the user has denied this site"
        if any(_matches(host, name) for name in self.deny):
            return f"the user has denied {host}"
        if self.allow and not any(_matches(host, name) for name in self.allow):
            return f"the user has not allowed {host}"
        return ""

    def why_not_cookie(self, domain: str) -> str:
        """Why a cookie of this domain is not allowed. One that a domain shares with an allowed subdomain is."""
        found = _HOST.fullmatch(domain)
        if found is None:
            return f"the user limits sites, and the domain is invalid: {domain[:80]!r}"
        host = domain.strip(".").lower()
        is_shared = domain.startswith(".") and any(name.endswith(f".{host}") for name in self.allow)
        denied = any(_matches(host, name) for name in self.deny)
        return "" if is_shared and not denied else self.why_not_host(host)


def host_of(url: str) -> str:
    """The host of a URL in Chrome's form, or of the page that created a blob; empty for pages without one."""
    while url.startswith(_INNER):
        url = url.partition(":")[2]
    if url.startswith(_WITHOUT_SITE) or "://" not in url:
        return ""
    try:
        host = urlsplit(url.partition("^")[0]).hostname or ""
    except ValueError:
        return "invalid"
    return f"[{host}]" if ":" in host else host


def _matches(host: str, name: str) -> bool:
    return host == name or host.endswith(f".{name}")


def _is_canonical(host: str) -> bool:
    """Whether Chrome reads the same host: `0x7f.1` and `2130706433` are 127.0.0.1."""
    if not _NUMBER.fullmatch(host.rstrip(".").rpartition(".")[2]):
        return True
    try:
        return str(IPv4Address(host)) == host
    except AddressValueError:
        return False
