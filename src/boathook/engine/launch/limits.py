"""Limits: how a browser is started that may not reach everything; its only way out leads through a proxy of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.hosts import METADATA_ADDRESSES, METADATA_NAMES
from boathook.engine.network.egress_proxy import EgressProxy, Upstream
from boathook.engine.network.names import Names
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.launch.options import LaunchOptions, Proxy
    from boathook.engine.reach import Reach

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
        upstream=None if options.proxy is None else _upstream(options.proxy),
    )


def limiting_switches(port: int) -> list[str]:
    """No way out but the proxy: not for loopback, not for UDP, and names are not even looked up."""
    return [
        f"--proxy-server=http://127.0.0.1:{port}",
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND,EXCLUDE 127.0.0.1",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-quic",
    ]


def resolver_switches(reach: Reach, switches: Sequence[str]) -> list[str]:
    """The caller's switches, with rules that keep pages from addresses which hand out a machine's credentials."""
    given, others = _without_rules(switches)
    named = {str(one) for one in reach.allowed or ()}
    hosts = [one for one in (*METADATA_ADDRESSES, *sorted(METADATA_NAMES)) if one not in named]
    rules = [f"MAP {spelling} ~NOTFOUND" for host in hosts for spelling in _spellings(host)]
    return [_RULES + ",".join([*rules, *filter(None, [given])]), *others]


def without_resolver_rules(switches: Sequence[str]) -> list[str]:
    """The caller's switches for a limited browser: its proxy looks names up and knows the rules."""
    return _without_rules(switches)[1]


def _spellings(host: str) -> list[str]:
    """Chromium's rules see IPv6 addresses with or without brackets, depending on who asks."""
    return [host, f"[{host}]"] if ":" in host else [host]


def _without_rules(switches: Sequence[str]) -> tuple[str, list[str]]:
    given = [switch.removeprefix(_RULES) for switch in switches if switch.startswith(_RULES)]
    return ",".join(given), [switch for switch in switches if not switch.startswith(_RULES)]


def _upstream(proxy: Proxy) -> Upstream:
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
