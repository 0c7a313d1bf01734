"""The endpoint: a server for one run, through which a client sees the tab's context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.local_server.token_websocket import TokenWebSocketServer
from boathook.service.endpoint.cdp_proxy_session import CdpProxySession
from boathook.service.endpoint.method_policy import TargetVisibility

if TYPE_CHECKING:
    from pathlib import Path

    from boathook.engine.tab import Tab
    from boathook.local_server.token_websocket import Peer


class CdpEndpoint:
    """Started when its URL is requested, and stopped by `close`."""

    def __init__(
        self,
        tab: Tab,
        *,
        upload_roots: tuple[Path, ...] | None = None,
        schemes: frozenset[str] | None = None,
    ) -> None:
        self._tab = tab
        self._upload_roots = upload_roots
        self._schemes = schemes
        self._socket_server = TokenWebSocketServer(self._create_session)

    @property
    def target_id(self) -> str:
        """The target id of the tab, as clients see it."""
        return self._tab.target_id

    async def address(self) -> str:
        """Where it listens."""
        return f"ws://{await self._socket_server.url()}"

    async def close(self) -> None:
        """Stop it and disconnect its clients; may be called twice."""
        await self._socket_server.close()

    def _create_session(self, line: Peer) -> CdpProxySession:
        return CdpProxySession(self._tab.browser.connection, self._visibility(), send=line.send)

    def _visibility(self) -> TargetVisibility:
        tab = self._tab
        info = tab.browser.targets.get(tab.target_id)
        only = None if tab.browser.managed else {tab.target_id}
        return TargetVisibility(
            context=info.context_id if info is not None else "",
            only=only,
            upload_roots=self._upload_roots,
            schemes=self._schemes,
        )
