"""From launch options to the guise that a browser wears."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from boathook.engine.emulation.fingerprint.client_hints import client_hints
from boathook.engine.emulation.fingerprint.fingerprint_profile import Guise, desk_here
from boathook.engine.launch.find_chrome import version_of
from boathook.engine.launch.user_agent import user_agent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.options import LaunchOptions

FEW_CORES = 4
"""A machine with fewer is more likely a server than a desk."""
_OWN_BRANDS = {"chromium": "", "chrome": "Google Chrome"}
"""Of other builds we do not know what they call themselves, so that their hints stay as Chromium leaves them."""


def guise_for(options: LaunchOptions, browser: FoundBrowser, environ: Mapping[str, str]) -> Guise:
    """What a browser with these options says of itself, where that is not what it would say anyway."""
    if options.stealth == "off":
        return Guise()
    agent = agent_for(options, browser, environ)
    version = version_of(browser, environ=environ) or ""
    brand = _OWN_BRANDS.get(browser.kind)
    hints = client_hints(version, own_brand=brand) if agent is not None and brand is not None else None
    desk = desk_here() if options.stealth == "full" else None
    if desk is None:
        return Guise(agent=agent, hints=hints)
    return Guise(
        agent=agent,
        hints=hints,
        cores=desk.cores if (os.cpu_count() or 1) < FEW_CORES else None,
        desk=desk,
        toolbar=desk.toolbar if options.headless else 0,
    )


def agent_for(options: LaunchOptions, browser: FoundBrowser, environ: Mapping[str, str]) -> str | None:
    """The name for a browser without a window, unless its user gave one; None when it has a right one already."""
    given = any(switch.startswith("--user-agent=") for switch in options.switches)
    if options.stealth == "off" or given or not options.headless:
        return None
    return user_agent(version_of(browser, environ=environ) or "")
