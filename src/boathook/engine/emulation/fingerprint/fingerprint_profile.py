"""A guise: all that a browser says of itself and its machine, from which everything else about stealth is derived."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from boathook.engine.page_scripts import page_script

if TYPE_CHECKING:
    from boathook.engine.emulation.fingerprint.client_hints import ClientHints

Command = tuple[str, dict[str, Any]]
_SOFTWARE_RENDERERS = ("SwiftShader", "llvmpipe", "softpipe", "Microsoft Basic Render")
_SOFTWARE_VENDORS = ("Google Inc. (Google)", "Google Inc. (Mesa)", "Google Inc. (Microsoft)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """A computer that somebody could sit at; its system is always the true one, since too much else tells that."""

    cores: int
    toolbar: int
    """Pixels by which a window is higher than the page in it."""
    vendor: str
    renderer: str
    """Of the graphics card, as WebGL says them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guise:
    """What is said instead of what Chromium would say; None leaves that alone."""

    agent: str | None = None
    hints: ClientHints | None = None
    cores: int | None = None
    desk: Desk | None = None
    """Of which page scripts tell the graphics card and the window; only under stealth `full`."""
    toolbar: int = 0
    """Pixels to add to the height of windows that have no window."""

    @property
    def anything(self) -> bool:
        """Whether there is anything to say."""
        return self.hints is not None or self.whole

    @property
    def whole(self) -> bool:
        """Whether it reaches into every frame and worker, and not only to where names are told."""
        return self.desk is not None

    def overrides(self) -> list[Command]:
        """What any target is told over the protocol."""
        commands: list[Command] = []
        if self.agent is not None and self.hints is not None:
            names = {"userAgent": self.agent, "userAgentMetadata": self.hints.as_wire()}
            commands.append(("Emulation.setUserAgentOverride", names))
        if self.cores is not None:
            commands.append(("Emulation.setHardwareConcurrencyOverride", {"hardwareConcurrency": self.cores}))
        return commands

    def script(self) -> str:
        """What documents and workers run before their own first line; empty when there is nothing to run."""
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
def desk_here() -> Desk | None:
    """The desk that stands for computers with this system; None for systems that we know nothing of."""
    known = json.loads(files(__package__).joinpath("profiles.json").read_text(encoding="utf-8"))
    return Desk(**known[sys.platform]) if sys.platform in known else None


@cache
def _source() -> str:
    """The page script as one expression, without comments and indentation: every document compiles it anew."""
    lines = [line.strip() for line in page_script("debug/stealth.js").splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("//"))
