"""The shared state of a relay: extensions and their profiles, clients, and exclusive access."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from boathook.local_server.guard import AccessRefusal
from boathook.relay.extension.extension_connection import ExtensionConnection
from boathook.relay.extension.protocol import SUPPORTED, Event, Handshake
from boathook.relay.server.credentials import proof
from boathook.relay.server.traffic_log import TrafficLog
from boathook.relay.sessions.cdp_client import CdpClient
from boathook.relay.sessions.profile import RelayProfile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.relay.send_queue import SendQueue
    from boathook.relay.server.access import Visitor
    from boathook.relay.server.credentials import RelayCredentials

REPLACED = 4001
HELLO_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Rules:
    """How a relay was started."""

    single_active: bool = False
    owns_tabs: bool = False
    wait_seconds: float = 8.0
    """How long a client waits for an extension that is connecting."""


class NotOurs(Exception):
    """The other side did not prove that it is our extension."""


class Hub:
    """The state of one relay."""

    def __init__(self, files: RelayCredentials, rules: Rules) -> None:
        self.files = files
        self.rules = rules
        self.slots: dict[str, RelayProfile] = {}
        self.clients: list[CdpClient] = []
        self.log = TrafficLog()
        self.started_at = _now()
        self._since = ""
        self._hang_ups: dict[str, Callable[[], None]] = {}
        self._client_arrived = asyncio.Event()

    def find_profile(self, wanted: str) -> RelayProfile | AccessRefusal:
        """The profile that a client names, or the only one."""
        if wanted:
            profile = self.slots.get(wanted)
            return (
                profile
                if profile is not None and profile.is_connected
                else AccessRefusal(404, "no such profile connected")
            )
        connected = [profile for profile in self.slots.values() if profile.is_connected]
        if not connected:
            return AccessRefusal(503, "no extension is connected; see `boathook relay doctor`")
        if len(connected) > 1:
            ids = ", ".join(profile.install_id for profile in connected)
            return AccessRefusal(409, f"several profiles are connected: add ?profile= with one of {ids}")
        return connected[0]

    async def profile_for(self, visitor: Visitor) -> RelayProfile | AccessRefusal:
        """As `find_profile`, with a wait: an extension reconnects within seconds after a restart."""
        if self.is_busy:
            return AccessRefusal(409, "another client is active; see /client-slot")
        try:
            async with asyncio.timeout(self.rules.wait_seconds):
                while True:
                    self._client_arrived.clear()
                    found = self.find_profile(visitor.query.get("profile", ""))
                    if isinstance(found, RelayProfile) or found.status == 409:  # noqa: PLR2004 - conflict
                        return found
                    await self._client_arrived.wait()
        except TimeoutError:
            return self.find_profile(visitor.query.get("profile", ""))

    @property
    def is_busy(self) -> bool:
        """Whether only one client is allowed, and it is connected."""
        return self.rules.single_active and bool(self.clients)

    def admit(self, send_queue: SendQueue, profile: RelayProfile, visitor: Visitor) -> CdpClient:
        """A client has connected."""
        label = visitor.query.get("label", "")[:40]
        client = CdpClient(
            send_queue, profile, name=visitor.client, label=label, owns_tabs=self.rules.owns_tabs
        )
        if not self.clients:
            self._since = _now()
        self.clients.append(client)
        profile.add_client(client)
        return client

    def dismiss(self, client: CdpClient) -> None:
        """A client has disconnected."""
        self.clients.remove(client)
        client.close()

    async def greet(
        self, send_queue: SendQueue, receive: Callable[[], Awaitable[Any]], hang_up: Callable[[], None]
    ) -> tuple[RelayProfile, ExtensionConnection]:
        """Both sides prove that they have the key; then the extension reports its state."""
        nonce = secrets.token_hex(16)
        send_queue.put({"method": Handshake.CHALLENGE, "params": {"nonce": nonce}})
        async with asyncio.timeout(HELLO_SECONDS):
            hello = _params(await receive(), Handshake.HELLO)
            theirs = str(hello.get("nonce", ""))
            if not secrets.compare_digest(
                proof(self.files.key, f"extension:{nonce}:{theirs}"), str(hello.get("proof", ""))
            ):
                raise NotOurs
            if hello.get("protocol", 1) not in SUPPORTED:
                raise NotOurs(
                    "the extension and the relay have different versions: run `boathook relay install`"
                )
            send_queue.put(
                {
                    "method": Handshake.WELCOME,
                    "params": {"proof": proof(self.files.key, f"relay:{nonce}:{theirs}")},
                }
            )
            ready = _params(await receive(), Event.READY)
        install_id = str(hello["installId"])[:64]
        profile = self.slots.setdefault(install_id, RelayProfile(install_id))
        self._hand_over(profile, hang_up)
        profile.version, profile.user_agent = str(hello.get("version", "")), str(hello.get("userAgent", ""))
        link = ExtensionConnection(send_queue)
        profile.on_connect(link, ready)
        self._client_arrived.set()
        return profile, link

    def _hand_over(self, profile: RelayProfile, hang_up: Callable[[], None]) -> None:
        """A second connection of the same installation replaces the first, which is closed."""
        if profile.is_connected:
            profile.on_disconnect()
            self._hang_ups[profile.install_id]()
        self._hang_ups[profile.install_id] = hang_up

    def client_profile(self) -> dict[str, Any]:
        """The active client, for clients that wait."""
        active = self.clients[0] if self.clients and self.rules.single_active else None
        return {
            "mode": "single-active" if self.rules.single_active else "multi-client",
            "busy": self.is_busy,
            "activeClientId": active.id if active else None,
            "connectedAt": self._since if active else None,
            "clients": len(self.clients),
        }

    def status(self) -> dict[str, Any]:
        """The whole state, for people and for `doctor`."""
        return {
            "startedAt": self.started_at,
            "clients": [
                {"id": client.id, "name": client.name, "label": client.label} for client in self.clients
            ],
            "extensions": [_describe_profile(profile) for profile in self.slots.values()],
        }


def _describe_profile(profile: RelayProfile) -> dict[str, Any]:
    return {
        "installId": profile.install_id,
        "connected": profile.is_connected,
        "version": profile.version,
        "browser": profile.product,
        "stopped": profile.stopped,
        "settings": profile.settings,
        "tabs": [
            {
                "tabId": tab.tab_id,
                "targetId": tab.target_id,
                "title": tab.title,
                "url": tab.url,
                "origin": tab.origin,
                "attached": tab.is_live,
                "owner": tab.owner.label if tab.owner else None,
            }
            for tab in profile.tabs.values()
        ],
    }


def _params(message: Any, method: str) -> dict[str, Any]:
    if (
        not isinstance(message, dict)
        or message.get("method") != method
        or not isinstance(message.get("params"), dict)
    ):
        raise NotOurs
    params: dict[str, Any] = message["params"]
    return params


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
