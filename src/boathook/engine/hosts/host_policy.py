"""Host policy: which hosts a browser may connect to, decided by name and again by the resolved IP address."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from boathook.engine.hosts.host_names import (
    LOCAL_ENDINGS,
    METADATA_NAMES,
    address_of,
    canonical_host,
    host_and_port,
    is_local_name,
    is_nearby,
    is_this_machine,
    kind_of,
    split_port,
)
from boathook.engine.hosts.search_domains import search_domains
from boathook.errors import BadSetting, BadUrl, PolicyBlocked

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.hosts.host_names import Address

_SHOWN = 6
_DENIED = "the user can remove it from denied_domains"
_PRIVATE = "the user can add it to allowed_domains|, or allow private addresses: `=allow_private`"


@dataclass(frozen=True, slots=True)
class HostPattern:
    """`example.org`, `*.example.org` (with example.org itself), `*`, each perhaps with a port."""

    host: str
    below: bool = False
    """Whether subdomains match as well; an empty host then is every host."""
    port: int | None = None

    @property
    def every(self) -> bool:
        """Whether every host matches."""
        return self.below and not self.host

    def matches(self, host: str, port: int) -> bool:
        """Whether a canonical host and a port match."""
        if self.port not in {None, port}:
            return False
        return host == self.host or (self.below and (not self.host or host.endswith(f".{self.host}")))

    def names(self, host: str, port: int) -> bool:
        """Whether it names exactly this host."""
        return not self.below and self.matches(host, port)

    def covers(self, other: HostPattern) -> bool:
        """Whether every host that the other matches is matched here too, ports aside."""
        if not self.below:
            return not other.below and other.host == self.host
        return not self.host or other.host == self.host or other.host.endswith(f".{self.host}")

    def common(self, other: HostPattern) -> HostPattern | None:
        """The intersection of both."""
        if None not in {self.port, other.port} and self.port != other.port:
            return None
        port = self.port if other.port is None else other.port
        for narrow, wide in ((self, other), (other, self)):
            if wide.covers(narrow):
                return HostPattern(narrow.host, below=narrow.below, port=port)
        return None

    def __str__(self) -> str:
        name = ("*" if self.every else "*." if self.below else "") + (
            f"[{self.host}]" if ":" in self.host else self.host
        )
        return name if self.port is None else f"{name}:{self.port}"


def host_pattern(text: str) -> HostPattern:
    """A pattern from user input; BadSetting if it is invalid."""
    given = text.strip()
    try:
        host, port = (
            ("[" + given + "]", None) if given.count(":") > 1 and given[0] != "[" else split_port(given)
        )
        if host == "*":
            return HostPattern("", below=True, port=port)
        below = host.startswith("*.")
        name = canonical_host(host[2:] if below else host)
    except (BadUrl, UnicodeDecodeError, IndexError):
        name, below, port = "", False, None
    if not name or "*" in name or (below and address_of(name) is not None):
        raise BadSetting(
            f"invalid host: {text!r}",
            hint="use hosts such as example.org, *.example.org, localhost:3000 or 10.0.0.5, without https:// and path",
        )
    return HostPattern(name, below=below, port=port)


def host_patterns(texts: Iterable[str]) -> tuple[HostPattern, ...]:
    """Several patterns, each once."""
    if isinstance(texts, str):
        raise BadSetting(f"hosts must be a list, not the string {texts!r}", hint=f"use [{texts!r}]")
    return tuple(dict.fromkeys(host_pattern(text) for text in texts))


def common_patterns(first: Iterable[HostPattern], second: Iterable[HostPattern]) -> tuple[HostPattern, ...]:
    """What two lists both allow."""
    others = tuple(second)
    found = (pattern.common(other) for pattern in first for other in others)
    return tuple(dict.fromkeys(match for match in found if match is not None))


@dataclass(frozen=True, slots=True)
class Denial:
    """Why a host is blocked, and how to allow it."""

    reason: str
    cure: str

    def error(self, host: str, port: int) -> PolicyBlocked:
        """The error for it."""
        return PolicyBlocked(f"{host} is not allowed: {self.reason}", hint=self.cure, host=host, port=port)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostPolicy:
    """Which hosts a browser and its pages may connect to."""

    allowed: tuple[HostPattern, ...] | None = None
    """None allows every host; an empty list allows no host."""
    denied: tuple[HostPattern, ...] = ()
    private: bool | None = None
    """Addresses of this machine and of private networks. None: allowed explicitly; but public names that resolve to them are
    blocked as soon as hosts are limited, since a page could otherwise reach what it must not.
    """
    search: tuple[str, ...] = field(default=(), compare=False)
    """Suffixes that the resolver appends to names without a dot: `db` may be a denied `db.corp.example`.

    Another network has others; that does not make it another policy, with which a running session would conflict.
    """

    @classmethod
    def of(
        cls, *, allowed: Iterable[str] | None, denied: Iterable[str] = (), private: bool | None = None
    ) -> Self:
        """From user input; BadSetting for an invalid host."""
        patterns = host_patterns(denied)
        return cls(
            allowed=None if allowed is None else host_patterns(allowed),
            denied=patterns,
            private=private,
            search=search_domains() if patterns else (),
        )

    @property
    def limited(self) -> bool:
        """Whether each request has to be checked."""
        return self.allowed is not None or bool(self.denied) or self.private is False

    def check(self, address: str) -> None:
        """Raise PolicyBlocked if a URL is not allowed, as far as its text tells."""
        place = host_and_port(address)
        denial = self.denial_for_host(*place) if place is not None else None
        if place is not None and denial is not None:
            raise denial.error(*place)

    def denial_for_host(self, host: str, port: int) -> Denial | None:
        """Why a canonical host is blocked, as far as its name tells; None if it is allowed."""
        if any(rule.matches(name, port) for name in self._names_of(host) for rule in self.denied):
            return Denial("it is one of the denied hosts", _DENIED)
        if host in METADATA_NAMES and not self._is_named(host, port):
            return Denial("it serves cloud credentials of this machine", self._naming(host))
        if self.allowed is not None and not any(rule.matches(host, port) for rule in self.allowed):
            return Denial("it is not one of the allowed hosts", self._describe_allowed())
        address = address_of(host)
        if address is not None:
            return self.denial_for_address(address, host=host, port=port)
        if is_this_machine(host) and not self._may_be_private(host, port):
            return Denial("it is this machine", _PRIVATE)
        return None

    def denial_for_canonical_name(self, name: str, port: int) -> Denial | None:
        """Why a host is blocked whose name is an alias, or was completed by the resolver; None if it is allowed."""
        if any(rule.matches(name, port) for rule in self.denied):
            return Denial(f"it resolves to {name}, a denied host", _DENIED)
        return None

    def denial_for_address_of(self, name: str) -> Denial:
        """Why the IP address of a denied host is blocked."""
        return Denial(f"it is an IP address of {name}, a denied host", _DENIED)

    def _names_of(self, host: str) -> tuple[str, ...]:
        """A host, and what its name may be completed to."""
        if "." in host or address_of(host) is not None or is_this_machine(host):
            return (host,)
        return (host, *(f"{host}.{suffix}" for suffix in self.search))

    @property
    def denied_names(self) -> tuple[HostPattern, ...]:
        """Denied hosts that are names, and so can be reached by IP address as well."""
        return tuple(pattern for pattern in self.denied if pattern.host and address_of(pattern.host) is None)

    def denial_for_address(self, address: Address, *, host: str, port: int) -> Denial | None:
        """Why the IP address of a host is blocked; None if it is allowed."""
        if any(rule.matches(str(address), port) for rule in self.denied):
            return Denial(f"it resolves to {address}, a denied host", _DENIED)
        kind = kind_of(address)
        itself = address_of(host) is not None
        leads = "it is" if itself else f"it resolves to {address},"
        if kind == "metadata" and not (itself and self._is_named(host, port)):
            reason = f"{leads} an IP address that serves cloud credentials of this machine"
            return Denial(reason, self._naming(str(address)))
        if kind == "private" and not self._may_be_private(host, port):
            return Denial(f"{leads} an IP address of this machine or of a private network", _PRIVATE)
        return None

    def _describe_allowed(self) -> str:
        listed = [str(pattern) for pattern in self.allowed or ()]
        shown = ", ".join(listed[:_SHOWN]) + (" …" if len(listed) > _SHOWN else "")
        return f"allowed: {shown or 'none'}; the user can add to allowed_domains"

    def _naming(self, host: str) -> str:
        """How to allow a host that is blocked unless it is listed, without losing all others."""
        named = f"[{host}]" if ":" in host else host
        value = f"'*,{named}'" if self.allowed is None else named
        return f"the user can allow it: `=allowed_domains` {value}"

    @property
    def nearby_is_direct(self) -> bool:
        """Whether local hosts are connected to without the proxy, since no rule mentions them.

        Chromium asks before a page of the internet may connect to this machine or a private network, but only where it
        connects itself; a limit on other hosts must not disable that.
        """
        rules_nearby = any(
            pattern.every or (_is_plainly_near(pattern.host) and is_nearby(pattern.host))
            for pattern in self.denied
        )
        return self.allowed is None and self.private is not False and not rules_nearby

    @property
    def direct_endings(self) -> tuple[str, ...]:
        """Suffixes of local names that no rule mentions; an empty one is a name without a dot."""
        about = [pattern.host for pattern in self.denied]
        completed = any(
            _may_complete_to(suffix, pattern) for suffix in self.search for pattern in self.denied
        )
        dotless = () if completed or any("." not in host for host in about) else ("",)
        ruled = {ending for ending in LOCAL_ENDINGS for host in about if f".{host}".endswith(f".{ending}")}
        return (*dotless, *(ending for ending in LOCAL_ENDINGS if ending not in ruled))

    @property
    def direct(self) -> tuple[HostPattern, ...]:
        """Allowed hosts that are connected to without the proxy, for the same reason: no other party decides where they lead."""
        near = [
            pattern
            for pattern in self.allowed or ()
            if _is_plainly_near(pattern.host) and is_nearby(pattern.host)
        ]
        return tuple(pattern for pattern in near if not any(pattern.common(denied) for denied in self.denied))

    def _may_be_private(self, host: str, port: int) -> bool:
        if self.private is True or not self.limited:
            return True
        if self.private is False:
            return _is_plainly_near(host) and self._is_named(host, port)
        if self.allowed is None:
            return self.nearby_is_direct and is_nearby(host)
        # A star alone does not include local hosts: they must be listed.
        meant = any(pattern.matches(host, port) and not pattern.every for pattern in self.allowed)
        return meant and (_is_plainly_near(host) or is_local_name(host))

    def _is_named(self, host: str, port: int) -> bool:
        return any(pattern.names(host, port) for pattern in self.allowed or ())


def _may_complete_to(suffix: str, pattern: HostPattern) -> bool:
    """Whether some name with a suffix matches a pattern."""
    if f".{pattern.host}".endswith(f".{suffix}"):
        return True
    return pattern.below and f".{suffix}".endswith(f".{pattern.host}")


def _is_plainly_near(host: str) -> bool:
    """An IP address, or a name that only this machine has: no other party can decide where it leads."""
    return address_of(host) is not None or is_this_machine(host)


UNLIMITED = HostPolicy()
