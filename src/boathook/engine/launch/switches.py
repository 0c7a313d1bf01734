"""Chromium switches that a caller may add: an allow-list, because some switches run programs.

A value of `--renderer-cmd-prefix`, `--utility-cmd-prefix` or `--browser-subprocess-path` is executed, others
lift the same-origin policy, open a port or move the profile. What is not in the table is refused.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from boathook.errors import BadSwitch

if TYPE_CHECKING:
    from collections.abc import Iterable

ALLOWED: dict[str, str] = {
    "accept-lang": "languages the browser asks servers for",
    "autoplay-policy": "whether media may start without a gesture",
    "blink-settings": "only imagesEnabled=true or false; other settings lift walls",
    "deny-permission-prompts": "permission questions are answered with no",
    "disable-accelerated-2d-canvas": "draw canvases in software",
    "disable-accelerated-video-decode": "decode video in software",
    "disable-font-subpixel-positioning": "same glyph positions on every machine",
    "disable-gpu": "no graphics card",
    "disable-lcd-text": "grey antialiasing, for comparable screenshots",
    "disable-notifications": "no web notifications",
    "disable-partial-raster": "comparable screenshots",
    "disable-pinch": "no pinch zoom",
    "disable-skia-runtime-opts": "comparable screenshots",
    "disable-smooth-scrolling": "scrolling jumps",
    "disable-speech-api": "no speech input or output",
    "disable-webgl": "no WebGL",
    "enable-gpu": "use the graphics card in headless mode",
    "enable-unsafe-swiftshader": "WebGL in software",
    "force-color-profile": "same colours on every machine",
    "force-dark-mode": "dark user interface",
    "force-device-scale-factor": "device pixels per CSS pixel",
    "force-prefers-no-reduced-motion": "pages animate",
    "force-prefers-reduced-motion": "pages keep still",
    "font-render-hinting": "hinting of glyphs in headless mode",
    "hide-scrollbars": "no scroll bars in screenshots",
    "host-resolver-rules": "host names mapped to addresses; policies need it",
    "host-rules": "requests to one host go to another; policies need it",
    "ignore-gpu-blocklist": "use a graphics card that Chromium distrusts",
    "js-flags": "V8 limits; only --max-old-space-size and --expose-gc",
    "kiosk": "full screen without browser controls",
    "lang": "language of the browser",
    "mute-audio": "no sound",
    "process-per-site": "fewer processes; sites stay apart",
    "renderer-process-limit": "upper bound of renderer processes",
    "site-per-process": "every site in its own process",
    "start-fullscreen": "window fills the screen",
    "start-maximized": "window fills the desktop",
    "touch-events": "pages see a touch screen",
    "use-angle": "graphics back end",
    "use-fake-device-for-media-stream": "a test picture as camera, a beep as microphone",
    "use-fake-ui-for-media-stream": "camera and microphone are granted without asking",
    "use-gl": "graphics back end",
    "user-agent": "what the browser calls itself",
    "window-position": "where the window is",
    "window-size": "how large the window is",
}

_REFUSALS = (
    (re.compile(r"cmd-prefix|subprocess-path|launcher|-path$"), "its value is executed or loaded"),
    (re.compile(r"extension"), "it loads code into every page"),
    (re.compile(r"^remote-"), "it opens a second door to the browser; boathook has its own pipe"),
    (re.compile(r"user-data-dir|profile"), "the profile is the option `profile`"),
    (re.compile(r"sandbox|zygote|seccomp"), "the sandbox is the option `sandbox`"),
    (re.compile(r"^proxy-|^no-proxy|proxy"), "the proxy is the option `proxy`"),
    (re.compile(r"web-security|isolation|site-|features"), "it can lift the walls between sites"),
    (
        re.compile(r"certificate|^allow-insecure|unsafely"),
        "certificates are `ignore_certificate_errors` and `ca_bundle`",
    ),
    (re.compile(r"^headless"), "it is the option `headless`"),
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
            f"{switch!r} is not spelled like a switch",
            hint="write --name or --name=value, in lower case, one switch per item",
            switch=switch,
        )
    name, value = match["name"], match["value"]
    if name not in ALLOWED:
        raise _refusal(name)
    if name in _VALUES and not _VALUES[name].match(value or ""):
        raise BadSwitch(f"--{name} may not have the value {value!r}: {ALLOWED[name]}", switch=switch)
    return switch


def _refusal(name: str) -> BadSwitch:
    reason = next((why for pattern, why in _REFUSALS if pattern.search(name)), "it is not on the allow-list")
    near = [f"--{other}" for other in difflib.get_close_matches(name, ALLOWED, n=3, cutoff=0.6)]
    hint = f"allowed and similar: {', '.join(near)}" if near else None
    return BadSwitch(f"--{name} may not be given: {reason}", hint=hint, switch=f"--{name}", near=near)
