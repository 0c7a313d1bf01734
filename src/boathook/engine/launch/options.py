"""Launch options: what a caller may configure about a browser that we start."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from boathook.engine.hosts.host_policy import UNLIMITED
from boathook.errors import BadSetting
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boathook.engine.hosts.host_policy import HostPolicy

SandboxRule = Literal["auto", "require", "off"]
Stealth = Literal["basic", "full", "off"]

_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """Where the browser's traffic goes: `host:port`, `http://host:port` or `socks5://host:port`."""

    server: str = field(repr=False)
    """It may contain a user and a password."""
    bypass: tuple[str, ...] = ()
    bypass_loopback: bool = True
    """Whether loopback is reached directly; Chromium's own rule, and local development needs it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchOptions:
    """Everything a launch depends on; two launches with equal options may share one browser."""

    headless: bool = True
    executable: str | Path | None = None
    """A browser to use instead of the one that would be found."""
    profile: Path | None = None
    """A persistent profile directory; by default a private temporary one, removed with the browser."""
    profile_copy: Path | None = None
    """A profile of the user whose copy becomes the temporary one."""
    viewport: Viewport = field(default_factory=Viewport)
    switches: tuple[str, ...] = ()
    """Extra Chromium switches, from the allow-list in `switches.py` only."""
    scrollbars: bool = False
    """Whether a headless browser shows scrollbars."""
    sandbox: SandboxRule = "auto"
    stealth: Stealth = "basic"
    proxy: Proxy | None = None
    host_policy: HostPolicy = UNLIMITED
    """Allowed hosts; with a limit, all requests go through a proxy of ours."""
    ignore_certificate_errors: bool = False
    ca_bundle: Path | None = None
    """PEM file with certificate authorities that this browser trusts as well (Linux)."""
    environment: tuple[tuple[str, str], ...] = ()
    """Variables added to the browser's environment."""
    launch_seconds: float = 30.0


def with_environment_defaults(options: LaunchOptions, environ: Mapping[str, str]) -> LaunchOptions:
    """Fill unset proxy and certificate settings from the environment."""
    server = environ.get("PUPPETEER_PROXY", "").strip()
    if options.proxy is None and server:
        loopback = _flag(environ, "PUPPETEER_PROXY_BYPASS_LOOPBACK")
        proxy = Proxy(server=server, bypass_loopback=True if loopback is None else loopback)
        options = replace(options, proxy=proxy)
    if not options.ignore_certificate_errors and _flag(environ, "PUPPETEER_PROXY_IGNORE_CERT_ERRORS"):
        options = replace(options, ignore_certificate_errors=True)
    return options


def _flag(environ: Mapping[str, str], name: str) -> bool | None:
    text = environ.get(name)
    if text is None:
        return None
    word = text.strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise BadSetting(f"{name} must be true or false, not {text!r}", name=name, value=text)
