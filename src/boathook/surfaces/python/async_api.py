"""The asynchronous Python API: launch or attach to a browser; tab methods are generated from the commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from boathook.engine.files.upload_files import resolve_roots
from boathook.engine.hosts.host_policy import HostPolicy
from boathook.engine.hosts.urls import DEFAULT_SCHEMES
from boathook.engine.launch import open as opening
from boathook.engine.launch.options import LaunchOptions, Proxy
from boathook.surfaces.python.async_commands import Browser, Tab
from boathook.values import Viewport

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Browser", "Tab", "attach", "launch"]


async def launch(
    *,
    headless: bool = True,
    executable: str | Path | None = None,
    profile: str | Path | None = None,
    viewport: Viewport | None = None,
    switches: Sequence[str] = (),
    sandbox: Literal["auto", "require", "off"] = "auto",
    stealth: Literal["basic", "full", "off"] = "basic",
    proxy: str | Proxy | None = None,
    ignore_certificate_errors: bool = False,
    ca_bundle: str | Path | None = None,
    allow_schemes: Sequence[str] = (),
    allowed_domains: Sequence[str] | None = None,
    denied_domains: Sequence[str] = (),
    allow_private: bool | None = None,
    upload_roots: Sequence[str | Path] | None = None,
    timeout: float = 30.0,
) -> Browser:
    """Launch a browser. It exits with this process, however that ends.

    With `allowed_domains` (`example.org`, `*.example.org`, `localhost:3000`) pages cannot reach any other host. Files are
    uploaded from `upload_roots` only: by default the working directory and the one for temporary files.
    """
    roots = resolve_roots(upload_roots)
    options = LaunchOptions(
        headless=headless,
        executable=executable,
        profile=Path(profile) if profile is not None else None,
        viewport=viewport or Viewport(),
        switches=tuple(switches),
        sandbox=sandbox,
        stealth=stealth,
        proxy=Proxy(server=proxy) if isinstance(proxy, str) else proxy,
        host_policy=HostPolicy.of(allowed=allowed_domains, denied=denied_domains, private=allow_private),
        ignore_certificate_errors=ignore_certificate_errors,
        ca_bundle=Path(ca_bundle) if ca_bundle is not None else None,
        launch_seconds=timeout,
    )
    engine = await opening.launch(options, schemes=DEFAULT_SCHEMES | set(allow_schemes))
    engine.upload_roots = roots
    return Browser(engine)


async def attach(
    endpoint: str | int,
    *,
    allow_schemes: Sequence[str] = (),
    allowed_domains: Sequence[str] | None = None,
    denied_domains: Sequence[str] = (),
    allow_private: bool | None = None,
    upload_roots: Sequence[str | Path] | None = None,
    timeout: float = 10.0,
) -> Browser:
    """Attach to a running browser: a CDP port, `http://host:port` or `ws://…`. Closing only disconnects.

    The host policy applies to URLs that are opened here; requests of its pages cannot be blocked.
    """
    schemes = DEFAULT_SCHEMES | set(allow_schemes)
    roots = resolve_roots(upload_roots)
    host_policy = HostPolicy.of(allowed=allowed_domains, denied=denied_domains, private=allow_private)
    engine = await opening.attach(str(endpoint), schemes=schemes, host_policy=host_policy, seconds=timeout)
    engine.upload_roots = roots
    return Browser(engine)
