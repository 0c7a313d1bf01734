"""Hosts as a browser parses them: one canonical spelling for every name and IP address, and the kind of an address."""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from typing import Literal
from urllib.parse import unquote

from boathook.errors import BadUrl

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
AddressKind = Literal["public", "private", "metadata"]

METADATA_ADDRESSES = (
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
)
"""Where clouds serve the credentials of a machine to any program on it."""
METADATA_NAMES = frozenset(
    {
        "metadata.google.internal",
        "metadata.goog",
        "metadata",
        "instance-data",
        "instance-data.ec2.internal",
        "metadata.azure.internal",
        "metadata.tencentyun.com",
    }
)
_METADATA_NETWORKS = tuple(
    ipaddress.ip_network(network) for network in ("169.254.0.0/16", "fd00:ec2::/32", *METADATA_ADDRESSES)
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_NAT64_LOCAL = ipaddress.IPv6Network("64:ff9b:1::/48")
_COMPATIBLE = ipaddress.IPv6Network("::/96")
NEARBY_NETWORKS = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7", "fe80::/10")
"""Private networks, as a browser's own rules can name them; this machine is added."""
_NEARBY = tuple(ipaddress.ip_network(network) for network in (*NEARBY_NETWORKS, "127.0.0.0/8", "::1"))
LOCAL_ENDINGS = ("localhost", "test", "local", "internal", "lan", "intranet", "home.arpa")
"""Suffixes that no public name has, so the host is on a local network."""

DEFAULT_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443}
_AUTHORITY = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):[/\\]*([^/\\?#]*)")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#*/<>?@\\^|%\[\]:`{}\"]")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_DOTS = str.maketrans({"\u3002": ".", "\uff0e": ".", "\uff61": "."})
_UNSEEN = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff]"
)
_LAST_PORT = 65_535


def host_and_port(address: str) -> tuple[str, int] | None:
    """The host of a URL, in its canonical spelling, with the port; None if it has no host."""
    match = _AUTHORITY.match(address.strip())
    scheme = match[1].lower() if match else ""
    if match is None or scheme not in DEFAULT_PORTS:
        return None
    host, port = split_port(match[2].rpartition("@")[2])
    return canonical_host(host), DEFAULT_PORTS[scheme] if port is None else port


def split_port(text: str) -> tuple[str, int | None]:
    """`host:port` in two parts; the host is unchanged."""
    host, colon, port = text.rpartition(":")
    if not colon or "]" in port:
        return text, None
    if not port:
        return host, None
    if not port.isascii() or not port.isdecimal() or int(port) > _LAST_PORT:
        raise BadUrl(f"invalid port: {text!r}")
    return host, int(port)


def canonical_host(text: str) -> str:
    """The canonical spelling: lower case, punycode, IP addresses in their usual form; BadUrl if it is not a host."""
    if text.startswith("[") and text.endswith("]"):
        try:
            address = ipaddress.IPv6Address(text[1:-1])
        except ValueError:
            raise BadUrl(f"invalid IP address: {text!r}") from None
        if address.scope_id is not None:
            raise BadUrl(f"invalid IP address: {text!r} (browsers do not accept a zone identifier)")
        return str(address)
    host = _in_ascii(unquote(text, errors="strict")).removesuffix(".")
    if not host or _FORBIDDEN.search(host):
        raise BadUrl(f"invalid host name: {text!r}")
    return _as_ipv4(host) or host


def address_of(host: str) -> Address | None:
    """The IP address of a canonical host; None for names."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_this_machine(host: str) -> bool:
    """Whether a canonical host can only mean the browser's own machine."""
    address = address_of(host)
    if address is not None:
        return _unwrap(address).is_loopback
    return host == "localhost" or host.endswith(".localhost")


def is_local_name(host: str) -> bool:
    """Whether a canonical name cannot be one of the public internet."""
    return "." not in host or host.endswith(tuple(f".{ending}" for ending in LOCAL_ENDINGS))


def is_nearby(host: str) -> bool:
    """Whether a canonical host is this machine or one of a private network, by its name alone."""
    address = address_of(host)
    if address is None:
        return is_local_name(host) and host not in METADATA_NAMES
    return any(address in network for network in _NEARBY if network.version == address.version)


def kind_of(address: Address) -> AddressKind:
    """The kind of an IP address, also for IPv4 embedded in IPv6."""
    plain = _unwrap(address)
    if any(plain in network for network in _METADATA_NETWORKS if network.version == plain.version):
        return "metadata"
    nearby = not plain.is_global or plain.is_multicast
    if isinstance(plain, ipaddress.IPv6Address):
        nearby = nearby or plain.is_site_local or plain in _NAT64_LOCAL
    return "private" if nearby else "public"


def _unwrap(address: Address) -> Address:
    if isinstance(address, ipaddress.IPv4Address):
        return address
    inner = address.ipv4_mapped or address.sixtofour
    if inner is not None:
        return inner
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def _in_ascii(text: str) -> str:
    """Names in other scripts as they are looked up; a name with characters that browsers remove is invalid here."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text.translate(_DOTS)).lower())
    if _UNSEEN.search(text) or any(unicodedata.category(char)[0] in "CZ" for char in folded):
        raise BadUrl(f"invalid host name: {text!r} (contains invisible characters)")
    labels = folded.translate(_DOTS).split(".")
    return ".".join(
        label if label.isascii() else "xn--" + label.encode("punycode").decode() for label in labels
    )


def _as_ipv4(host: str) -> str | None:
    """`0x7f.1` and `2130706433` are 127.0.0.1 to a browser; a name that ends in a number is not a name."""
    parts = host.split(".")
    if not _NUMBER.fullmatch(parts[-1]):
        return None
    try:
        *first, last = (_number(part) for part in parts)
    except ValueError:
        raise BadUrl(f"invalid IP address: {host!r}") from None
    room = 1 << 8 * (4 - len(first)) if len(first) < 4 else 0  # noqa: PLR2004 - bytes of an address
    if last >= room or any(number > 255 for number in first):  # noqa: PLR2004 - as above
        raise BadUrl(f"invalid IP address: {host!r}")
    return str(
        ipaddress.IPv4Address(last + sum(number << 8 * (3 - place) for place, number in enumerate(first)))
    )


def _number(part: str) -> int:
    if part.startswith("0x"):
        return int(part[2:] or "0", 16)
    return int(part, 8 if part.startswith("0") else 10)
