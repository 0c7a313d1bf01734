"""From launch options to the fingerprint profile of a browser."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from boathook.engine.emulation.fingerprint.client_hints import client_hints
from boathook.engine.emulation.fingerprint.fingerprint_profile import FingerprintProfile, local_desktop
from boathook.engine.launch.find_chrome import version_of
from boathook.engine.launch.user_agent import user_agent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.options import LaunchOptions

FEW_CORES = 4
"""A machine with fewer is more likely a server than a desktop."""
_OWN_BRANDS = {"chromium": "", "chrome": "Google Chrome"}
"""The names of other builds are unknown, so their hints stay as Chromium sends them."""


def fingerprint_for(
    options: LaunchOptions, browser: FoundBrowser, environ: Mapping[str, str]
) -> FingerprintProfile:
    """The fingerprint of a browser with these options, where it differs from the default."""
    if options.stealth == "off":
        return FingerprintProfile()
    agent = agent_for(options, browser, environ)
    version = version_of(browser, environ=environ) or ""
    brand = _OWN_BRANDS.get(browser.kind)
    hints = client_hints(version, own_brand=brand) if agent is not None and brand is not None else None
    desk = local_desktop() if options.stealth == "full" else None
    if desk is None:
        return FingerprintProfile(agent=agent, hints=hints)
    return FingerprintProfile(
        agent=agent,
        hints=hints,
        cores=desk.cores if (os.cpu_count() or 1) < FEW_CORES else None,
        desk=desk,
        toolbar=desk.toolbar if options.headless else 0,
    )


def agent_for(options: LaunchOptions, browser: FoundBrowser, environ: Mapping[str, str]) -> str | None:
    """The user agent for a headless browser, unless the user set one; None if it is already right."""
    given = any(switch.startswith("--user-agent=") for switch in options.switches)
    if options.stealth == "off" or given or not options.headless:
        return None
    return user_agent(version_of(browser, environ=environ) or "")
