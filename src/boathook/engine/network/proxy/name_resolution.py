"""Name resolution for browsers whose requests we forward: by the caller's own rules first, then by the system."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from boathook.engine.hosts.host_names import address_of, canonical_host, is_this_machine, split_port
from boathook.errors import BadSwitch, BadUrl

if TYPE_CHECKING:
    from boathook.engine.hosts.host_names import Address

NOT_FOUND = "~notfound"
_MAP_WORDS = 3
_EXCLUDE_WORDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectAddress:
    """Where to connect to."""

    address: Address
    port: int
    by_rule: bool = False
    """The caller's own rule resolved to this, so it is intended."""
    name: str = ""
    """The canonical name of the host, if the resolver knows it."""


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: str
    replacement: str = ""


class Names:
    """Resolves hosts; the rules are those of Chromium's `--host-resolver-rules`."""

    def __init__(self, rules: str = "") -> None:
        self._maps: list[_Rule] = []
        self._excluded: list[str] = []
        for text in filter(None, (part.strip() for part in rules.split(","))):
            words = text.lower().split()
            if words[0] == "map" and len(words) == _MAP_WORDS:
                self._maps.append(_Rule(_glob(words[1]), words[2]))
            elif words[0] == "exclude" and len(words) == _EXCLUDE_WORDS:
                self._excluded.append(_glob(words[1]))
            else:
                raise BadSwitch(
                    f"invalid host name rule: {text!r}", hint="use MAP name address, or EXCLUDE name"
                )

    async def places(self, host: str, port: int) -> list[ConnectAddress]:
        """Every IP address of a canonical host, best first; empty if it has none."""
        replacement = self._replacement(host)
        if replacement == NOT_FOUND:
            return []
        by_rule = bool(replacement)
        if by_rule:
            try:
                name, other_port = split_port(replacement)
                host, port = canonical_host(name), port if other_port is None else other_port
            except BadUrl:
                return []
        name, addresses = await _look_up(host)
        return [
            ConnectAddress(address=address, port=port, by_rule=by_rule, name=name) for address in addresses
        ]

    def _replacement(self, host: str) -> str:
        if any(fnmatchcase(host, pattern) for pattern in self._excluded):
            return ""
        return next((rule.replacement for rule in self._maps if fnmatchcase(host, rule.pattern)), "")


def _glob(pattern: str) -> str:
    """Only stars and question marks are special in these rules; brackets belong to IPv6 addresses."""
    return pattern.removeprefix("[").removesuffix("]").replace("[", "[[]")


async def _look_up(host: str) -> tuple[str, list[Address]]:
    """The canonical name and the addresses of a host."""
    literal = address_of(host)
    if literal is not None:
        return "", [literal]
    if is_this_machine(host):  # as in browsers: not looked up in DNS
        return "", [ipaddress.IPv4Address("127.0.0.1"), ipaddress.IPv6Address("::1")]
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_CANONNAME)
    except (OSError, UnicodeError):
        return "", []
    addresses = (ipaddress.ip_address(str(match[4][0]).partition("%")[0]) for match in found)
    return _canonical(found[0][3] if found else ""), list(dict.fromkeys(addresses))


def _canonical(name: str) -> str:
    try:
        return canonical_host(name) if name else ""
    except BadUrl:
        return ""
