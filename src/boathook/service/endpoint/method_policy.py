"""Which browser-level methods a client may call, and which pages it sees."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.cdp_targets import TargetInfo

if TYPE_CHECKING:
    from collections.abc import Mapping

MethodPolicy = Literal["forward", "in context", "about a target", "nothing", "ours", "refuse"]

WAYS: dict[str, MethodPolicy] = {
    "Browser.getVersion": "forward",
    "Schema.getDomains": "forward",
    # These would change the browser for all clients.
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
"""How a browser-level command is handled; others are refused."""


def method_policy(method: str) -> MethodPolicy:
    """How a browser-level command is handled."""
    return WAYS.get(method, "refuse")


@dataclass(slots=True, eq=False)
class TargetVisibility:
    """Which pages a client sees: those of one context, or in a browser that is not ours only some of them."""

    context: str
    only: set[str] | None = None
    known: set[str] = field(default_factory=set)
    """Targets that were seen."""

    def sees(self, info: Mapping[str, Any]) -> bool:
        """Whether a target, as the browser describes it, is visible to the client."""
        target = TargetInfo.read(dict(info))
        if not target.is_page or target.context_id != self.context:
            return False
        if self.only is not None and not {target.id, target.opener_id} & self.only:
            return False
        self.known.add(target.id)
        return True

    def admit(self, target_id: str) -> None:
        """A page that the client created is visible to it."""
        self.known.add(target_id)
        if self.only is not None:
            self.only.add(target_id)
