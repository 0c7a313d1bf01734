"""Limits: starting a browser that may not reach all hosts; its only network access is a proxy of ours."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import unquote

from boathook.engine.hosts.host_names import METADATA_ADDRESSES, METADATA_NAMES, NEARBY_NETWORKS, split_port
from boathook.engine.network.proxy.egress_proxy import EgressProxy, Upstream
from boathook.engine.network.proxy.name_resolution import Names
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.hosts.host_policy import HostPattern, HostPolicy
    from boathook.engine.launch.options import LaunchOptions, Proxy

_RULES = "--host-resolver-rules="
_OTHER_RULES = "--host-rules"
_HTTP_PORT = 80


def egress_for(options: LaunchOptions) -> EgressProxy | None:
    """The proxy that a limited browser needs, or one for a proxy with credentials, which Chromium does not send; else None."""
    if not options.host_policy.limited:
        if options.proxy is None or "@" not in options.proxy.server:
            return None
        upstream = upstream_of(replace(options.proxy, bypass=(), bypass_loopback=False))
        return EgressProxy(options.host_policy, upstream=upstream)
    if any(switch.partition("=")[0] == _OTHER_RULES for switch in options.switches):
        raise BadSetting(f"{_OTHER_RULES} cannot be combined with limits on hosts", hint=f"use {_RULES}…")
    rules, _others = _without_rules(options.switches)
    return EgressProxy(
        options.host_policy,
        names=Names(rules),
        upstream=None if options.proxy is None else upstream_of(options.proxy),
    )


def limiting_switches(host_policy: HostPolicy, port: int, switches: Sequence[str]) -> list[str]:
    """No network access except through the proxy, not for UDP either, and no name lookups; and the caller's own switches.

    Local hosts that no rule mentions, or that are allowed explicitly, are connected to directly: see `HostPolicy`.
    """
    if host_policy.nearby_is_direct:
        names = [f"*.{ending}" if ending else "<local>" for ending in host_policy.direct_endings]
        around = [*names, *NEARBY_NETWORKS]
        given = resolver_switches(host_policy, switches)
    else:
        direct = [spelling for pattern in host_policy.direct for spelling in _bypassing(pattern)]
        around = ["<-loopback>", *direct]
        excluded = ["127.0.0.1", *(split_port(pattern)[0] for pattern in direct)]
        rules = [
            "MAP * ~NOTFOUND",
            *(f"EXCLUDE {host}" for name in excluded for host in _with_and_without_brackets(name)),
        ]
        given = [_RULES + ",".join(dict.fromkeys(rules)), *_without_rules(switches)[1]]
    return [
        f"--proxy-server=http://127.0.0.1:{port}",
        "--proxy-bypass-list=" + ";".join(around),
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
        *given,
    ]


def _bypassing(pattern: HostPattern) -> list[str]:
    """A pattern in Chromium's notation, in which a star does not match the host itself."""
    written = str(pattern)
    return [written, written.removeprefix("*.")] if pattern.below else [written]


def resolver_switches(host_policy: HostPolicy, switches: Sequence[str]) -> list[str]:
    """The caller's switches, with rules that block hosts which serve a machine's credentials."""
    given, others = _without_rules(switches)
    named = {str(pattern) for pattern in host_policy.allowed or ()}
    hosts = [address for address in (*METADATA_ADDRESSES, *sorted(METADATA_NAMES)) if address not in named]
    rules = [f"MAP {spelling} ~NOTFOUND" for host in hosts for spelling in _with_and_without_brackets(host)]
    return [_RULES + ",".join([*rules, *filter(None, [given])]), *others]


def _with_and_without_brackets(host: str) -> list[str]:
    """Chromium's rules see IPv6 addresses with or without brackets, depending on the caller."""
    plain = host.removeprefix("[").removesuffix("]")
    return [plain, f"[{plain}]"] if ":" in plain else [plain]


def _without_rules(switches: Sequence[str]) -> tuple[str, list[str]]:
    given = [switch.removeprefix(_RULES) for switch in switches if switch.startswith(_RULES)]
    return ",".join(given), [switch for switch in switches if not switch.startswith(_RULES)]


def upstream_of(proxy: Proxy) -> Upstream:
    """The user's own proxy behind ours."""
    scheme, mark, rest = proxy.server.rpartition("://")
    shown = without_credentials(proxy.server)
    if (mark and scheme != "http") or proxy.bypass:
        raise BadSetting(
            f"the proxy {shown} cannot be combined with limits on hosts or credentials",
            hint="use http://host:port without bypass rules, or remove the limits",
            proxy=shown,
        )
    given, _, place = rest.rstrip("/").rpartition("@")
    host, _, port = place.partition(":")
    if not host or not (port or str(_HTTP_PORT)).isdecimal():
        raise BadSetting(f"invalid proxy URL: {shown!r}", value=shown)
    user, _, password = given.partition(":")
    basic = b64encode(f"{unquote(user)}:{unquote(password)}".encode())
    return Upstream(
        host=host,
        port=int(port or _HTTP_PORT),
        bypass_loopback=proxy.bypass_loopback,
        authorization=b"Basic " + basic if given else b"",
    )


def without_credentials(server: str) -> str:
    """A proxy's URL as it may be shown."""
    scheme, mark, rest = server.rpartition("://")
    given, _, place = rest.rpartition("@")
    return f"{scheme}{mark}…@{place}" if given else server
