"""What a guest may say to the browser as a whole, and which of its pages he sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.cdp_targets import TargetInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

Way = Literal["forward", "in context", "about a target", "nothing", "ours", "refuse"]

WAYS: dict[str, Way] = {
    "Browser.getVersion": "forward",
    "Schema.getDomains": "forward",
    # These would change the browser for everybody.
    "Browser.setDownloadBehavior": "nothing",
    "Browser.close": "nothing",
    "Security.setIgnoreCertificateErrors": "nothing",
    "Target.setRemoteLocations": "nothing",
    # About cookies and permissions, which each context has its own of.
    "Storage.getCookies": "in context",
    "Storage.setCookies": "in context",
    "Storage.clearCookies": "in context",
    "Browser.grantPermissions": "in context",
    "Browser.resetPermissions": "in context",
    "Browser.setPermission": "in context",
    "Target.attachToTarget": "about a target",
    "Target.closeTarget": "about a target",
    "Target.activateTarget": "about a target",
    "Target.getTargetInfo": "about a target",
    "Browser.getWindowForTarget": "about a target",
    "Target.attachToBrowserTarget": "forward",
    "Target.detachFromTarget": "forward",
    "Target.createTarget": "ours",
    "Target.setAutoAttach": "ours",
    "Target.setDiscoverTargets": "ours",
    "Target.getTargets": "ours",
    "Target.getBrowserContexts": "ours",
}
"""How a command to the browser is served; others are refused."""


def way_of(method: str) -> Way:
    """How a command to the browser as a whole is served."""
    return WAYS.get(method, "refuse")


@dataclass(slots=True, eq=False)
class Sight:
    """Which pages a guest sees: those of one context, or in a browser that is not ours only some of them."""

    context: str
    only: set[str] | None = None
    known: set[str] = field(default_factory=set)
    """Targets that were seen."""

    def sees(self, info: Mapping[str, Any]) -> bool:
        """Whether a target, as the browser describes it, is one of his."""
        target = TargetInfo.read(dict(info))
        if not target.is_page or target.context_id != self.context:
            return False
        if self.only is not None and not {target.id, target.opener_id} & self.only:
            return False
        self.known.add(target.id)
        return True

    def admit(self, target_id: str) -> None:
        """A page that the guest made himself is his."""
        self.known.add(target_id)
        if self.only is not None:
            self.only.add(target_id)
