"""Which methods a client may call, which pages it sees, and which files it may give to them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from boathook.engine.cdp_targets import TargetInfo

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MethodPolicy = Literal["forward", "in context", "about a target", "nothing", "ours", "refuse"]
BROWSER_DOMAINS = frozenset({"Browser", "Target"})
"""Sessions of pages have these too, for the whole browser."""

WAYS: dict[str, MethodPolicy] = {
    "Browser.getVersion": "forward",
    "Schema.getDomains": "forward",
    # These would change the browser for all clients.
    "Browser.setDownloadBehavior": "nothing",
    "Page.setDownloadBehavior": "nothing",
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
OF_PAGES: frozenset[str] = frozenset(
    {
        "Target.setAutoAttach",
        "Browser.getWindowBounds",
        "Browser.setWindowBounds",
        "Browser.setContentsSize",
    }
)
"""Commands of these domains that are about the page, if a page's session sends them."""


OPENS = frozenset({"Page.navigate", "Target.createTarget", "Network.loadNetworkResource"})
"""Commands that open a URL."""
WHOLE_BROWSER = frozenset({"Tracing", "SystemInfo", "Memory"})
"""Domains of pages that report about other contexts too."""


def method_policy(method: str, *, of_page: bool = False) -> MethodPolicy:
    """How a command is handled, in a session about the browser or in that of a page."""
    if of_page:
        is_about_page = method.partition(".")[0] not in BROWSER_DOMAINS and method not in WAYS
        if is_about_page or method in OF_PAGES:
            return "forward"
    return WAYS.get(method, "refuse")


def files_of(params: Mapping[str, Any]) -> list[str]:
    """The files that a command gives to a page: by an input, or by dropping them."""
    dragged = params.get("data")
    lists = (params.get("files"), dragged.get("files") if isinstance(dragged, dict) else None)
    return [str(file) for files in lists if isinstance(files, list) for file in files]


@dataclass(slots=True, eq=False)
class TargetVisibility:
    """Which pages a client sees: those of one context, or in a browser that is not ours only some of them."""

    context: str
    only: set[str] | None = None
    known: set[str] = field(default_factory=set)
    """Targets that were seen."""
    upload_roots: tuple[Path, ...] | None = None
    """Folders that files may be uploaded from; None is everywhere."""
    schemes: frozenset[str] | None = None
    """Schemes of URLs that may be opened; None is all."""

    def may_send(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether a client with limited schemes may send a command: it opens no other URL, and does not observe the whole browser."""
        if self.schemes is None:
            return True
        if method not in OPENS:
            return method.partition(".")[0] not in WHOLE_BROWSER
        scheme, colon, _ = str(params.get("url") or "about:blank").strip().lower().partition(":")
        return bool(colon) and scheme in self.schemes

    def may_read(self, files: Iterable[str]) -> bool:
        """Whether a client may give these files to a page."""
        if self.upload_roots is None:
            return True
        roots = [os.path.realpath(root) for root in self.upload_roots]
        real = [os.path.realpath(file) for file in files]
        return all(any(Path(file).is_relative_to(root) for root in roots) for file in real)

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
