"""Chromium switches that a caller may add: an allow-list, because some switches run programs.

A value of `--renderer-cmd-prefix`, `--utility-cmd-prefix` or `--browser-subprocess-path` is executed, others
disable the same-origin policy, open a port or move the profile. Switches that are not in the table are refused.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from boathook.errors import BadSwitch

if TYPE_CHECKING:
    from collections.abc import Iterable

ALLOWED: dict[str, str] = {
    "accept-lang": "languages that the browser requests from servers",
    "autoplay-policy": "whether media may start without a user gesture",
    "blink-settings": "only imagesEnabled=true or false; other settings weaken security",
    "deny-permission-prompts": "permission prompts are denied",
    "disable-accelerated-2d-canvas": "draw canvases in software",
    "disable-accelerated-video-decode": "decode video in software",
    "disable-font-subpixel-positioning": "same glyph positions on every machine",
    "disable-gpu": "no GPU",
    "disable-lcd-text": "grey antialiasing, for comparable screenshots",
    "disable-notifications": "no web notifications",
    "disable-partial-raster": "comparable screenshots",
    "disable-pinch": "no pinch zoom",
    "disable-skia-runtime-opts": "comparable screenshots",
    "disable-smooth-scrolling": "no smooth scrolling",
    "disable-speech-api": "no speech input or output",
    "disable-webgl": "no WebGL",
    "enable-gpu": "use the GPU in headless mode",
    "enable-unsafe-swiftshader": "WebGL in software",
    "force-color-profile": "same colours on every machine",
    "force-dark-mode": "dark user interface",
    "force-device-scale-factor": "device pixels per CSS pixel",
    "force-prefers-no-reduced-motion": "pages may animate",
    "force-prefers-reduced-motion": "pages are asked to reduce motion",
    "font-render-hinting": "hinting of glyphs in headless mode",
    "hide-scrollbars": "no scroll bars in screenshots",
    "host-resolver-rules": "host names mapped to IP addresses; policies need it",
    "host-rules": "requests to one host go to another; policies need it",
    "ignore-gpu-blocklist": "use a GPU that Chromium blocks",
    "js-flags": "V8 limits; only --max-old-space-size and --expose-gc",
    "kiosk": "full screen without browser controls",
    "lang": "language of the browser",
    "mute-audio": "no sound",
    "process-per-site": "fewer processes; sites stay isolated",
    "renderer-process-limit": "upper bound of renderer processes",
    "site-per-process": "every site in its own process",
    "start-fullscreen": "window fills the screen",
    "start-maximized": "window fills the desktop",
    "touch-events": "pages see a touch screen",
    "use-angle": "graphics back end",
    "use-fake-device-for-media-stream": "a test image as camera, a beep as microphone",
    "use-fake-ui-for-media-stream": "camera and microphone are granted without a prompt",
    "use-gl": "graphics back end",
    "user-agent": "the user agent string",
    "window-position": "the window position",
    "window-size": "the window size",
}

_REFUSALS = (
    (re.compile(r"cmd-prefix|subprocess-path|launcher|-path$"), "its value is executed or loaded"),
    (re.compile(r"extension"), "it loads code into every page"),
    (re.compile(r"^remote-"), "it opens a second debugging channel; boathook uses its own pipe"),
    (re.compile(r"user-data-dir|profile"), "use the option `profile`"),
    (re.compile(r"sandbox|zygote|seccomp"), "use the option `sandbox`"),
    (re.compile(r"^proxy-|^no-proxy|proxy"), "use the option `proxy`"),
    (re.compile(r"web-security|isolation|site-|features"), "it can disable the isolation of sites"),
    (
        re.compile(r"certificate|^allow-insecure|unsafely"),
        "use the options `ignore_certificate_errors` and `ca_bundle`",
    ),
    (re.compile(r"^headless"), "use the option `headless`"),
)

_SHAPE = re.compile(r"--(?P<name>[a-z0-9]+(?:-[a-z0-9]+)*)(?:=(?P<value>.*))?\Z", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")
_VALUES = {
    "blink-settings": re.compile(r"imagesEnabled=(?:true|false)\Z"),
    "js-flags": re.compile(r"(?:--(?:max-old-space-size=[0-9]{1,6}|expose-gc)(?: |\Z))+\Z", re.ASCII),
}
_LONGEST = 4096


def check_switches(switches: Iterable[str]) -> list[str]:
    """The caller's switches, each spelled canonically; BadSwitch for the first one that is not allowed."""
    return [_check(switch) for switch in switches]


def _check(switch: str) -> str:
    if not isinstance(switch, str) or len(switch) > _LONGEST or _CONTROL.search(switch):
        raise BadSwitch(f"not a switch: {str(switch)[:80]!r}", switch=str(switch)[:80])
    match = _SHAPE.match(switch)
    if match is None:
        raise BadSwitch(
            f"invalid switch: {switch!r}",
            hint="use --name or --name=value, in lower case, one switch per item",
            switch=switch,
        )
    name, value = match["name"], match["value"]
    if name not in ALLOWED:
        raise _refusal(name)
    if name in _VALUES and not _VALUES[name].match(value or ""):
        raise BadSwitch(f"--{name} does not accept the value {value!r}: {ALLOWED[name]}", switch=switch)
    return switch


def _refusal(name: str) -> BadSwitch:
    reason = next((why for pattern, why in _REFUSALS if pattern.search(name)), "it is not on the allow-list")
    near = [f"--{other}" for other in difflib.get_close_matches(name, ALLOWED, n=3, cutoff=0.6)]
    hint = f"allowed and similar: {', '.join(near)}" if near else None
    return BadSwitch(f"--{name} is not allowed: {reason}", hint=hint, switch=f"--{name}", near=near)
