"""The shared state of a relay: extensions and their profiles, clients, and exclusive access."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from boathook.local_server.guard import AccessRefusal
from boathook.relay.extension.extension_connection import ExtensionConnection
from boathook.relay.extension.protocol import SUPPORTED, Event, ExtensionRequest, Handshake
from boathook.relay.server.credentials import proof
from boathook.relay.server.profile_names import LONGEST_NAME, ProfileNames, clean_name
from boathook.relay.server.traffic_log import TrafficLog
from boathook.relay.sessions.cdp_client import CdpClient
from boathook.relay.sessions.profile import RelayProfile

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from boathook.relay.send_queue import SendQueue
    from boathook.relay.server.access import Visitor
    from boathook.relay.server.credentials import RelayCredentials
    from boathook.relay.sessions.user_tab import RelayTab

REPLACED = 4001
HELLO_SECONDS = 10.0
REVOKED_SECONDS = 1.0
"""How often tokens of connected clients are looked up."""


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
        self._names = ProfileNames(files)
        self.started_at = _now()
        self._since = ""
        self._connections: Counter[str] = Counter()
        self._hang_ups: dict[str, Callable[[], None]] = {}
        self._client_arrived = asyncio.Event()

    def find_profile(self, wanted: str) -> RelayProfile | AccessRefusal:
        """The profile that a client names, or the only one."""
        connected = [profile for profile in self.slots.values() if profile.is_connected]
        if not connected:
            return AccessRefusal(503, "no browser is connected; see `boathook relay doctor`")
        found = [profile for profile in connected if not wanted or self._has_name(profile, wanted)]
        if len(found) == 1:
            return found[0]
        names = ", ".join(sorted(self.name_of(profile) for profile in connected))
        if not found:
            return AccessRefusal(
                404, f"no profile {wanted[:LONGEST_NAME]!r} is connected; connected: {names}"
            )
        if wanted:
            return AccessRefusal(
                409,
                f"{len(found)} connected profiles are called {wanted!r}; rename one on the extension's options page",
            )
        return AccessRefusal(
            409,
            f"several profiles are connected: {names}; choose one with ?profile=NAME in the URL, or --browser relay:NAME",
        )

    def name_of(self, profile: RelayProfile) -> str:
        """What the user calls a profile, or its default name."""
        given = clean_name(profile.settings.get("profileName"))
        return given or self._names.default_name(profile.install_id, profile.browser)

    def _has_name(self, profile: RelayProfile, wanted: str) -> bool:
        return wanted == profile.install_id or wanted.casefold() == self.name_of(profile).casefold()

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
        client.token = self.files.known_token(visitor.client)
        if not self.clients:
            self._since = _now()
        self.clients.append(client)
        profile.add_client(client)
        _announce_programs(profile)
        return client

    async def end_revoked(self) -> None:
        """Disconnect clients whose token was replaced or removed, as long as the relay runs."""
        while True:
            await asyncio.sleep(REVOKED_SECONDS)
            for client in list(self.clients):
                if not client.is_revoked and self.files.known_token(client.name) != client.token:
                    client.revoke()

    def dismiss(self, client: CdpClient) -> None:
        """A client has disconnected."""
        self.clients.remove(client)
        client.close()
        _announce_programs(client.profile)

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
            install_id, browser = str(hello["installId"])[:64], clean_name(hello.get("browser"))
            welcome = {
                "proof": proof(self.files.key, f"relay:{nonce}:{theirs}"),
                "profile": self._names.default_name(install_id, browser),
            }
            send_queue.put({"method": Handshake.WELCOME, "params": welcome})
            ready = _params(await receive(), Event.READY)
        profile = self.slots.setdefault(install_id, RelayProfile(install_id))
        self._hand_over(profile, hang_up)
        profile.version, profile.user_agent = str(hello.get("version", "")), str(hello.get("userAgent", ""))
        profile.browser = browser
        profile.browser_version = str(hello.get("browserVersion", ""))[:40]
        link = ExtensionConnection(send_queue)
        self._connections[install_id] += 1
        profile.on_connect(link, ready)
        _announce_programs(profile)
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
            "extensions": [
                {
                    "name": self.name_of(profile),
                    "connections": self._connections[profile.install_id],
                    **_describe_profile(profile),
                }
                for profile in self.slots.values()
            ],
        }


def _announce_programs(profile: RelayProfile) -> None:
    """Send the popup which programs are connected."""
    if profile.link is not None:
        names = sorted({client.label for client in profile.clients})
        profile.link.post(ExtensionRequest.PROGRAMS, {"names": names}, lambda _result, _error: None)


def _describe_profile(profile: RelayProfile) -> dict[str, Any]:
    return {
        "installId": profile.install_id,
        "connected": profile.is_connected,
        "version": profile.version,
        "browser": profile.product,
        "stopped": profile.stopped,
        "settings": profile.settings,
        "tabs": [describe_tab(tab) for tab in profile.tabs.values()],
    }


def describe_tab(tab: RelayTab) -> dict[str, Any]:
    """A tab, for people and for programs that ask."""
    return {
        "tabId": tab.tab_id,
        "targetId": tab.target_id,
        "title": tab.title,
        "url": tab.url,
        "origin": tab.origin,
        "attached": tab.is_live,
        "owner": tab.owner.label if tab.owner else None,
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
