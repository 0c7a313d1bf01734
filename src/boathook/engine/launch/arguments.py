"""The command line of a browser that we start: every switch with its reason, and the environment."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from boathook.engine.emulation.fingerprint.fingerprint_profile import local_desktop
from boathook.engine.launch import posix
from boathook.engine.launch.fingerprint_choice import agent_for
from boathook.engine.launch.network_limits import limiting_switches, resolver_switches
from boathook.engine.launch.options import with_environment_defaults
from boathook.engine.launch.process import LaunchPlan
from boathook.engine.launch.profiles.certificates import trust_authorities
from boathook.engine.launch.sandbox import decide_sandbox
from boathook.engine.launch.switches import check_switches
from boathook.errors import BadSetting, LaunchFailed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from boathook.engine.launch.find_chrome import FoundBrowser
    from boathook.engine.launch.options import LaunchOptions, Proxy

__all__ = ["ALWAYS", "DISABLED_FEATURES", "check_switches", "launch_arguments"]

_SCREEN = (1920, 1080)
_SMALL_SHARED_MEMORY = 512 * 1024 * 1024


NOWHERE = "http://127.0.0.1:9"
"""Chromium refuses to connect to this port, so nothing leaves the browser."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch and why we give it."""

    text: str
    reason: str


ALWAYS = (
    Switch("--remote-debugging-pipe", "no port for others, and the browser ends when its owner does"),
    Switch("--no-first-run", "no welcome page"),
    Switch("--no-default-browser-check", "no prompt about the default browser"),
    Switch("--no-service-autorun", "no background service is set up"),
    Switch("--disable-background-networking", "no traffic that the caller did not cause"),
    Switch("--disable-component-update", "no downloads of components"),
    Switch(f"--component-updater=url-source={NOWHERE}", "no questions about components either"),
    Switch(f"--gaia-url={NOWHERE}", "no questions to the vendor about signed-in accounts"),
    Switch("--disable-default-apps", "no web apps installed into a new profile"),
    Switch("--disable-sync", "no account, so nothing to synchronise"),
    Switch("--disable-domain-reliability", "no reports about failed requests"),
    Switch("--disable-client-side-phishing-detection", "no page classification in the background"),
    Switch("--metrics-recording-only", "no usage reports"),
    Switch("--no-pings", "no auditing pings for links"),
    Switch("--disable-breakpad", "no crash reports"),
    Switch("--disable-crash-reporter", "the same, for headless mode"),
    Switch("--disable-background-timer-throttling", "background tabs run at full speed"),
    Switch("--disable-backgrounding-occluded-windows", "covered windows run at full speed"),
    Switch("--disable-renderer-backgrounding", "a renderer in the background keeps its priority"),
    Switch("--disable-hang-monitor", "no dialog about an unresponsive page; boathook detects those itself"),
    Switch("--disable-prompt-on-repost", "reloading a form does not wait for a confirmation"),
    Switch("--disable-search-engine-choice-screen", "no choice screen in the way"),
    Switch("--disable-infobars", "no bars that move the page"),
    Switch("--hide-crash-restore-bubble", "no prompt to restore the tabs of a killed browser"),
    Switch("--password-store=basic", "no prompt from the desktop keyring"),
    Switch("--use-mock-keychain", "no prompt from the macOS keychain"),
    Switch("--force-color-profile=srgb", "same colours on every machine"),
    Switch("--export-tagged-pdf", "printed pages keep their structure"),
    Switch("--no-startup-window", "no initial tab; tabs are opened over the pipe"),
)

KEY_STORES = frozenset({"--password-store=basic", "--use-mock-keychain"})

DISABLED_FEATURES = {
    "AutofillServerCommunication": "no form contents sent for classification",
    "CertificateTransparencyComponentUpdater": "no component download",
    "DeferRendererTasksAfterInput": "what a page does after input runs at once: with it, its timers and messages wait for a frame",
    "DialMediaRouteProvider": "no search for screens in the local network",
    "GlobalMediaControls": "no media bubble over the page",
    "HttpsUpgrades": "http://host stays http://host; local servers speak nothing else",
    "InterestFeedContentSuggestions": "no news traffic",
    "LensOverlay": "no overlay over the page",
    "MediaRouter": "no search for screens in the local network",
    "NetworkTimeServiceQuerying": "no questions to the vendor about the time",
    "OptimizationHints": "no hints download",
    "PreloadTopChromeWebUI": "no internal pages are preloaded for every window",
    "Translate": "no translation bubble over the page",
    "WebUIOmniboxAimPopup": "the same as WebUIOmniboxPopup",
    "WebUIOmniboxPopup": "no separate page for the address bar list: saves two renderers and a third of the time of every tab",
}

HEADLESS = (
    Switch("--headless=new", "the full browser without a window"),
    Switch("--mute-audio", "no sound from an unattended machine"),
)
NO_SCROLLBARS = (Switch("--hide-scrollbars", "screenshots show the page only"),)

BASIC_STEALTH = (
    Switch(
        "--disable-blink-features=AutomationControlled",
        "navigator.webdriver as in a browser that a person uses; facts about the machine are not changed",
    ),
)

_MOUSE = "primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2"
"""A headless browser reports no mouse; under stealth `full` pages are shown one, in Blink's own values."""

_FROM_US = frozenset({"BOATHOOK_TOKEN", "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP"})


def launch_arguments(
    options: LaunchOptions,
    *,
    browser: FoundBrowser,
    profile: Path,
    environ: Mapping[str, str] = os.environ,
    egress_port: int | None = None,
) -> LaunchPlan:
    """The command line for `browser` on `profile`. Blocks for a moment when a CA bundle is imported."""
    environ = {**environ, **dict(options.environment)}
    options = with_environment_defaults(options, environ)
    notes: list[str] = []
    # Cookies in a copy of a user's profile are encrypted with a key in the desktop keyring.
    left_out = KEY_STORES if options.profile_copy is not None else ()
    switches = [switch.text for switch in ALWAYS if switch.text not in left_out]
    switches.append("--disable-features=" + ",".join(DISABLED_FEATURES))
    switches.append(f"--user-data-dir={profile}")
    switches += _window_switches(options, browser, environ)
    switches += _stealth_switches(options, browser, environ)
    decision = decide_sandbox(options.sandbox, browser=browser.path, environ=environ)
    if not decision.on:
        switches.append("--no-sandbox")
        notes.append(f"sandbox off: {decision.reason}")
    switches += _memory_switches(notes)
    switches += _network_switches(options, notes, egress_port)
    switches = _with_mouse(switches, options)
    environment = {name: value for name, value in environ.items() if name not in _FROM_US}
    # The browser saves the memory of pages that crash, whatever it is told about reports: not in the user's own folder.
    environment["BREAKPAD_DUMP_LOCATION"] = str(profile / "Crash Reports")
    if options.ca_bundle is not None:
        environment["HOME"] = str(trust_authorities(options.ca_bundle, home=profile / "trust"))
        notes.append(f"trusting the certificate authorities in {options.ca_bundle}")
    if os.getpid() == 1:
        notes.append(
            "running as process 1: start the container with an init (docker run --init) so that orphans are reaped"
        )
    return LaunchPlan(
        argv=(str(browser.path), *switches),
        environment=environment,
        notes=tuple(notes),
        sandboxed=decision.on,
    )


def _window_switches(options: LaunchOptions, browser: FoundBrowser, environ: Mapping[str, str]) -> list[str]:
    size = f"--window-size={options.viewport.width},{options.viewport.height}"
    if options.headless:
        # Without this the screen is 800 by 600, smaller than the window on it, which breaks pages that check it.
        desk = local_desktop() if options.stealth == "full" else None
        toolbar = desk.toolbar if desk is not None else 0
        width = max(options.viewport.width, _SCREEN[0])
        height = max(options.viewport.height + toolbar, _SCREEN[1])
        always = HEADLESS if desk is not None or options.scrollbars else (*HEADLESS, *NO_SCROLLBARS)
        return [*(switch.text for switch in always), size, f"--screen-info={{{width}x{height}}}"]
    if browser.kind == "headless-shell":
        raise BadSetting(
            f"{browser.path} cannot show a window",
            hint="use a full Chromium|, or run without a window: `--headless`",
        )
    if sys.platform == "linux" and not (environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY")):
        raise LaunchFailed(
            "no display available to show a window",
            hint="start under a display (xvfb-run, DISPLAY, WAYLAND_DISPLAY)|, or run without a window: `--headless`",
        )
    return [size]


def _stealth_switches(options: LaunchOptions, browser: FoundBrowser, environ: Mapping[str, str]) -> list[str]:
    """Switches apply to pages, frames, all kinds of workers and headers alike; the rest is sent over CDP (`stealth/`)."""
    if options.stealth == "off":
        return []
    switches = [switch.text for switch in BASIC_STEALTH]
    agent = agent_for(
        options, browser, environ
    )  # without a window it is HeadlessChrome, which many sites block
    if agent is not None:
        switches.append(f"--user-agent={agent}")
    return switches


def _with_mouse(switches: list[str], options: LaunchOptions) -> list[str]:
    """Of several `--blink-settings` Chromium uses the last, so the caller's are merged into ours."""
    if options.stealth != "full" or not options.headless:
        return switches
    name = "--blink-settings="
    given = [switch.removeprefix(name) for switch in switches if switch.startswith(name)]
    return [
        *(switch for switch in switches if not switch.startswith(name)),
        name + ",".join([*given, _MOUSE]),
    ]


def _memory_switches(notes: list[str]) -> list[str]:
    size = posix.shared_memory_size()
    if size is None or size >= _SMALL_SHARED_MEMORY:
        return []
    notes.append(
        f"shared memory is small ({size >> 20} MiB in /dev/shm), so temporary files are used instead"
    )
    return ["--disable-dev-shm-usage"]


def _network_switches(options: LaunchOptions, notes: list[str], egress_port: int | None) -> list[str]:
    """Everything about the network, and the caller's own switches, since some of those are about it too."""
    given = check_switches(options.switches)
    if options.host_policy.limited:
        if egress_port is None:
            raise LaunchFailed("a browser with limits on hosts cannot be started without its proxy")
        switches = limiting_switches(options.host_policy, egress_port, given)
    else:
        proxy = options.proxy
        if proxy is not None and egress_port is not None:  # it has credentials, which ours sends
            proxy = replace(proxy, server=f"http://127.0.0.1:{egress_port}")
        switches = [] if proxy is None else _proxy_switches(proxy)
        switches += resolver_switches(options.host_policy, given)
    if options.ignore_certificate_errors:
        switches.append("--ignore-certificate-errors")
        notes.append("certificate errors are ignored")
    return switches


def _proxy_switches(proxy: Proxy) -> list[str]:
    for part in (proxy.server, *proxy.bypass):
        if not part or any(
            character.isspace() or character in ';"' or not character.isprintable() for character in part
        ):
            raise BadSetting(f"invalid proxy URL or bypass rule: {part!r}", value=part)
    if "@" in proxy.server:
        raise BadSetting(
            "Chromium does not accept credentials in this proxy URL",
            hint="use http://user:password@host:port",
        )
    rules = list(proxy.bypass)
    if not proxy.bypass_loopback:
        rules.append("<-loopback>")
    switches = [f"--proxy-server={proxy.server}"]
    if rules:
        switches.append("--proxy-bypass-list=" + ";".join(rules))
    # UDP would bypass the proxy and reveal the real IP address; see test_webrtc_stays_behind_the_proxy.
    switches.append("--webrtc-ip-handling-policy=disable_non_proxied_udp")
    return switches
