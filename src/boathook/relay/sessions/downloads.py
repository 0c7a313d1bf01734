"""Downloads: Chrome saves them in the user's folder; clients hear of those of tabs that they control, and get their own copy.

The debugger of a tab reports that a download begins, and the extension where its file is. Both name its URL.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import ExtensionRequest
from boathook.relay.rules.cdp_methods import CONTEXT_ID
from boathook.relay.rules.site_rules import SiteRules
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.profile import RelayProfile
    from boathook.relay.sessions.user_tab import RelayTab

MOST_KEPT = 200
_STATES = {"complete": "completed", "interrupted": "canceled"}
_SAFE = re.compile(r"[A-Za-z0-9-]+")


@dataclass(frozen=True, slots=True)
class DownloadBehavior:
    """What a client has requested with `Browser.setDownloadBehavior`."""

    behavior: str = "default"
    folder: str = ""
    has_events: bool = False

    @staticmethod
    def of(params: dict[str, Any]) -> DownloadBehavior:
        """As in the command."""
        return DownloadBehavior(
            params.get("behavior", "default"),
            params.get("downloadPath", ""),
            bool(params.get("eventsEnabled")),
        )


@dataclass(slots=True)
class _Download:
    guid: str
    url: str
    item_id: int = -1
    clients: list[CdpClient] = field(default_factory=list)


class Downloads:
    """The downloads of one profile."""

    def __init__(self, profile: RelayProfile) -> None:
        self._profile = profile
        self._known: list[_Download] = []

    def on_begin(self, tab: RelayTab, params: dict[str, Any]) -> None:
        """A page that has a debugger starts one."""
        if self._is_denied(params["url"]):
            return
        download = _Download(params["guid"], params["url"])
        self._announce(download, tab, frame=params["frameId"], name=params["suggestedFilename"])

    def on_item(self, item: dict[str, Any]) -> None:
        """The extension reports one of the profile: new, or changed."""
        if any(self._is_denied(item.get(name) or "") for name in ("url", "finalUrl", "referrer")):
            return
        download = next((known for known in self._known if known.item_id == item["id"]), None)
        if download is None:
            download = self._match(item)
        if download is None:
            return
        for client in download.clients:
            client.spawn(_report(client, download, item))

    def _is_denied(self, url: str) -> bool:
        return bool(SiteRules.of(self._profile.settings).why_not(url))

    def _match(self, item: dict[str, Any]) -> _Download | None:
        """The download that a tab has reported; or one that a page started in a tab which was closed for it."""
        for download in self._known:
            if download.item_id < 0 and download.url in {item["url"], item["finalUrl"]}:
                download.item_id = item["id"]
                return download
        tab = next((tab for tab in self._profile.tabs.values() if tab.url == item["referrer"]), None)
        if tab is None or item["state"] != "in_progress":
            return None
        download = _Download(f"boathook-download-{item['id']}", item["url"], item["id"])
        name = item["filename"] or item["finalUrl"].partition("?")[0]
        self._announce(
            download, tab, frame=tab.target_id, name=name.replace("\\", "/").rpartition("/")[2] or "download"
        )
        return download

    def _announce(self, download: _Download, tab: RelayTab, *, frame: str, name: str) -> None:
        self._known = [*self._known[-MOST_KEPT:], download]
        params = {"frameId": frame, "guid": download.guid, "url": download.url, "suggestedFilename": name}
        for client in self._profile.clients_of(tab):
            if client.downloads.has_events and client.is_driving(tab):
                download.clients.append(client)
                client.send(
                    {
                        "method": "Browser.downloadWillBegin",
                        "params": {**params, "browserContextId": CONTEXT_ID},
                    }
                )

    async def cancel(self, client: CdpClient, params: dict[str, Any]) -> dict[str, Any]:
        """Cancel a download of the client."""
        for download in self._known:
            is_its_own = download.guid == params.get("guid") and client in download.clients
            if is_its_own and download.item_id >= 0 and self._profile.link is not None:
                await self._profile.link.call(ExtensionRequest.DOWNLOAD_CANCEL, id=download.item_id)
                return {}
        raise CdpRefusal("No download item found for the given GUID")


async def _report(client: CdpClient, download: _Download, item: dict[str, Any]) -> None:
    state = _STATES.get(item["state"], "inProgress")
    path = item["filename"]
    if state == "completed" and client.downloads.behavior == "allowAndName" and client.downloads.folder:
        path = await asyncio.to_thread(_copy, path, client.downloads.folder, download.guid)
    progress = {
        "guid": download.guid,
        "totalBytes": max(item["totalBytes"], item["bytesReceived"] if state == "completed" else 0),
        "receivedBytes": item["bytesReceived"],
        "state": state,
        "filePath": path,
    }
    client.send({"method": "Browser.downloadProgress", "params": progress})


def _copy(source: str, folder: str, guid: str) -> str:
    """Where the client looks for its file: a new one, in a folder that exists. The user keeps the download."""
    target = Path(folder, guid)
    if not _SAFE.fullmatch(guid) or not target.is_absolute():
        return source
    try:
        with (
            Path(source).open("rb") as original,
            os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as copy,
        ):
            shutil.copyfileobj(original, copy)
    except OSError:
        return source  # the client runs on another machine, or has removed its folder
    return str(target)
