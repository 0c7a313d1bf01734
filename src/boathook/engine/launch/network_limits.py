"""Limits: how a browser is started that may not reach everything; its only way out leads through a proxy of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.hosts.host_names import METADATA_ADDRESSES, METADATA_NAMES, NEARBY_NETWORKS, split_port
from boathook.engine.network.proxy.egress_proxy import EgressProxy, Upstream
from boathook.engine.network.proxy.name_resolution import Names
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.hosts.host_policy import HostPattern, Reach
    from boathook.engine.launch.options import LaunchOptions, Proxy

_RULES = "--host-resolver-rules="
_OTHER_RULES = "--host-rules"
_HTTP_PORT = 80


def egress_for(options: LaunchOptions) -> EgressProxy | None:
    """The proxy that a limited browser needs; None when it may reach everything."""
    if not options.reach.limited:
        return None
    if any(switch.partition("=")[0] == _OTHER_RULES for switch in options.switches):
        raise BadSetting(f"{_OTHER_RULES} cannot be combined with limits on hosts", hint=f"use {_RULES}…")
    rules, _others = _without_rules(options.switches)
    return EgressProxy(
        options.reach,
        names=Names(rules),
        upstream=None if options.proxy is None else upstream_of(options.proxy),
    )


def limiting_switches(reach: Reach, port: int, switches: Sequence[str]) -> list[str]:
    """No way out but the proxy, not for UDP either, and names are not even looked up; and the caller's own switches.

    Hosts nearby that no rule is about, or that are allowed themselves, are connected to directly: see `Reach`.
    """
    if reach.nearby_is_direct:
        names = [f"*.{ending}" if ending else "<local>" for ending in reach.direct_endings]
        around = [*names, *NEARBY_NETWORKS]
        given = resolver_switches(reach, switches)
    else:
        direct = [spelling for one in reach.direct for spelling in _bypassing(one)]
        around = ["<-loopback>", *direct]
        excluded = ["127.0.0.1", *(split_port(one)[0] for one in direct)]
        rules = [
            "MAP * ~NOTFOUND",
            *(f"EXCLUDE {host}" for one in excluded for host in _with_and_without_brackets(one)),
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
    """A pattern as Chromium writes it, whose stars do not mean the host itself."""
    written = str(pattern)
    return [written, written.removeprefix("*.")] if pattern.below else [written]


def resolver_switches(reach: Reach, switches: Sequence[str]) -> list[str]:
    """The caller's switches, with rules that keep pages from addresses which hand out a machine's credentials."""
    given, others = _without_rules(switches)
    named = {str(one) for one in reach.allowed or ()}
    hosts = [one for one in (*METADATA_ADDRESSES, *sorted(METADATA_NAMES)) if one not in named]
    rules = [f"MAP {spelling} ~NOTFOUND" for host in hosts for spelling in _with_and_without_brackets(host)]
    return [_RULES + ",".join([*rules, *filter(None, [given])]), *others]


def _with_and_without_brackets(host: str) -> list[str]:
    """Chromium's rules see IPv6 addresses with or without brackets, depending on who asks."""
    plain = host.removeprefix("[").removesuffix("]")
    return [plain, f"[{plain}]"] if ":" in plain else [plain]


def _without_rules(switches: Sequence[str]) -> tuple[str, list[str]]:
    given = [switch.removeprefix(_RULES) for switch in switches if switch.startswith(_RULES)]
    return ",".join(given), [switch for switch in switches if not switch.startswith(_RULES)]


def upstream_of(proxy: Proxy) -> Upstream:
    """The user's own proxy behind ours."""
    scheme, mark, rest = proxy.server.rpartition("://")
    if (mark and scheme != "http") or proxy.bypass:
        raise BadSetting(
            f"the proxy {proxy.server} cannot be combined with limits on hosts",
            hint="only http://host:port can be, without bypass rules; or leave out the limits",
            proxy=proxy.server,
        )
    host, _, port = rest.rstrip("/").partition(":")
    if not host or not (port or str(_HTTP_PORT)).isdecimal():
        raise BadSetting(f"{proxy.server!r} is not a proxy address", value=proxy.server)
    return Upstream(host=host, port=int(port or _HTTP_PORT), bypass_loopback=proxy.bypass_loopback)
