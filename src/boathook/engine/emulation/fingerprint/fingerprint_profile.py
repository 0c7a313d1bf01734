"""A fingerprint profile: all that a browser reports about itself and its machine; everything else of stealth is derived from it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from boathook.engine.page_scripts import code_lines, page_script

if TYPE_CHECKING:
    from boathook.engine.emulation.fingerprint.client_hints import ClientHints

Command = tuple[str, dict[str, Any]]
_SOFTWARE_RENDERERS = ("SwiftShader", "llvmpipe", "softpipe", "Microsoft Basic Render")
_SOFTWARE_VENDORS = ("Google Inc. (Google)", "Google Inc. (Mesa)", "Google Inc. (Microsoft)")


@dataclass(frozen=True, slots=True, kw_only=True)
class DesktopHardware:
    """A desktop computer; its system is always the real one, since too much else reveals that."""

    cores: int
    toolbar: int
    """Pixels by which a window is higher than its viewport."""
    vendor: str
    renderer: str
    """The GPU vendor and renderer strings of WebGL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FingerprintProfile:
    """Values that replace Chromium's; None keeps Chromium's."""

    agent: str | None = None
    hints: ClientHints | None = None
    cores: int | None = None
    desk: DesktopHardware | None = None
    """The GPU and the window, which page scripts override; only under stealth `full`."""
    toolbar: int = 0
    """Pixels to add to the height of headless windows."""

    @property
    def anything(self) -> bool:
        """Whether there is anything to override."""
        return self.hints is not None or self.whole

    @property
    def whole(self) -> bool:
        """Whether it applies to every frame and worker, and not only to the user agent."""
        return self.desk is not None

    def overrides(self) -> list[Command]:
        """The protocol commands for any target."""
        commands: list[Command] = []
        if self.agent is not None and self.hints is not None:
            names = {"userAgent": self.agent, "userAgentMetadata": self.hints.as_wire()}
            commands.append(("Emulation.setUserAgentOverride", names))
        if self.cores is not None:
            commands.append(("Emulation.setHardwareConcurrencyOverride", {"hardwareConcurrency": self.cores}))
        return commands

    def script(self) -> str:
        """The script that documents and workers run before their own; empty if there is none."""
        if self.desk is None:
            return ""
        facts = {
            "vendor": self.desk.vendor,
            "renderer": self.desk.renderer,
            "software": _SOFTWARE_RENDERERS,
            "vendors": _SOFTWARE_VENDORS,
            "toolbar": self.toolbar,
        }
        return f"({_source()})({json.dumps(facts)})"


@cache
def local_desktop() -> DesktopHardware | None:
    """The desktop profile for this system; None for unknown systems."""
    known = json.loads(files(__package__).joinpath("profiles.json").read_text(encoding="utf-8"))
    return DesktopHardware(**known[sys.platform]) if sys.platform in known else None


@cache
def _source() -> str:
    """The page script as one expression, without comments and indentation: every document compiles it."""
    return "\n".join(code_lines(page_script("debug/stealth.js")))
