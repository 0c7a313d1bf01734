"""Permissions at browser level: granted for sites in tabs that the client opened, by the extension, until the client is gone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import ExtensionRequest
from boathook.relay.rules.parameter_types import BAD_PARAMS
from boathook.relay.rules.site_rules import SiteRules
from boathook.relay.rules.user_limits import check_browser_limits
from boathook.relay.send_queue import CdpRefusal
from boathook.relay.sessions.placeholder import origin_of

if TYPE_CHECKING:
    from boathook.relay.sessions.cdp_client import CdpClient
    from boathook.relay.sessions.profile import RelayProfile

_TYPES = {
    "geolocation": "location",
    "notifications": "notifications",
    "videoCapture": "camera",
    "camera": "camera",
    "audioCapture": "microphone",
    "microphone": "microphone",
    "clipboardReadWrite": "clipboard",
    "clipboard-read": "clipboard",
}
"""The names of the protocol and of the web -> the setting of Chrome that an extension can change."""
_ALWAYS = frozenset(
    {
        "clipboardSanitizedWrite",
        "clipboard-write",
        "backgroundSync",
        "background-sync",
        "sensors",
        "accelerometer",
    }
    | {"gyroscope", "magnetometer", "ambient-light-sensor", "wakeLockScreen", "screen-wake-lock"}
)
"""Pages have these without being granted them."""
_SETTINGS = {"granted": "allow", "denied": "block", "prompt": "ask"}
_EVERYWHERE = ""


class PermissionCommands:
    """`_wanted` are the settings by origin and type; the origin `_EVERYWHERE` stands for all that the client's tabs show."""

    def __init__(self, client: CdpClient) -> None:
        self._client = client
        self._wanted: dict[tuple[str, str], str] = {}
        self.answers = {
            "Browser.grantPermissions": self._grant,
            "Browser.setPermission": self._set,
            "Browser.resetPermissions": self._reset,
        }

    def __bool__(self) -> bool:
        return bool(self._wanted)

    async def _grant(self, params: dict[str, Any]) -> dict[str, Any]:
        names = params.get("permissions")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise CdpRefusal("Invalid parameters: permissions: a list of names expected", code=BAD_PARAMS)
        return await self._apply(names, "allow", params.get("origin", ""))

    async def _set(self, params: dict[str, Any]) -> dict[str, Any]:
        name = params.get("permission", {}).get("name")
        setting = _SETTINGS.get(params.get("setting", ""))
        if not isinstance(name, str) or setting is None:
            raise CdpRefusal("Invalid parameters: permission, setting", code=BAD_PARAMS)
        return await self._apply([name], setting, params.get("origin", ""))

    async def _reset(self, _params: dict[str, Any]) -> dict[str, Any]:
        self._wanted.clear()
        await self._client.profile.permissions.apply()
        return {}

    async def _apply(self, names: list[str], setting: str, given: str) -> dict[str, Any]:
        self._check(names, setting, given)
        origin = origin_of(given) if given else _EVERYWHERE
        before = dict(self._wanted)
        for name in names:
            if name in _TYPES:
                self._wanted[origin, _TYPES[name]] = setting
        try:
            await self._client.profile.permissions.apply()
        except CdpRefusal:
            self._wanted = before
            raise
        return {}

    def _check(self, names: list[str], setting: str, given: str) -> None:
        profile = self._client.profile
        check_browser_limits("Browser.grantPermissions", settings=profile.settings, stopped=profile.stopped)
        for name in names:
            if name not in _TYPES and not (name in _ALWAYS and setting == "allow"):
                raise CdpRefusal(f"an extension cannot change the permission {name!r} in the user's browser")
        if why := SiteRules.of(profile.settings).why_not(given):
            raise CdpRefusal(why)
        shown = self._client.own_tabs.origins()
        driven = {origin_of(tab.url) for tab in profile.tabs.values() if self._client.has_driven(tab)}
        is_only_in_users = (
            origin_of(given) in driven - shown if given else not self._client.own_tabs and driven
        )
        if is_only_in_users:
            raise CdpRefusal(
                "permissions can be changed for sites in tabs that the program opened, not in tabs of the user"
            )

    def grants(self, *, also: str = "") -> list[dict[str, str]]:
        """The settings for what the client's tabs show, and for an origin that one of them is about to show."""
        origins = self._client.own_tabs.origins() | ({also} if also else set())
        return [
            {"origin": origin, "type": kind, "setting": setting}
            for origin in sorted(origins)
            for kind, setting in self._for(origin).items()
        ]

    def _for(self, origin: str) -> dict[str, str]:
        everywhere, here = (
            {kind: setting for (where, kind), setting in self._wanted.items() if where == place}
            for place in (_EVERYWHERE, origin)
        )
        return {**everywhere, **here}


class GrantedPermissions:
    """What the extension applies for all clients of a profile."""

    def __init__(self, profile: RelayProfile) -> None:
        self._profile = profile
        self._applied: list[dict[str, str]] = []

    async def apply(self, *, client: CdpClient | None = None, origin: str = "") -> None:
        """Apply what clients were granted, also for an origin that one is about to show; an error if the user has blocked it."""
        link = self._profile.link
        grants = self._grants(client, origin)
        if link is None or grants == self._applied:
            return
        before, self._applied = self._applied, grants
        reply = await link.call(ExtensionRequest.PERMISSIONS_APPLY, grants=grants)
        for blocked in reply.get("blocked", []):
            self._applied = before
            raise CdpRefusal(f"the user has blocked {blocked['type']} for {blocked['origin']}")

    def follow(self) -> None:
        """A tab shows another site, or a client is gone."""
        link = self._profile.link
        grants = self._grants()
        if link is not None and grants != self._applied:
            self._applied = grants
            link.post(ExtensionRequest.PERMISSIONS_APPLY, {"grants": grants}, lambda _result, _error: None)

    def on_connect(self) -> None:
        """The extension has none when it connects."""
        self._applied = []
        self.follow()

    def _grants(self, client: CdpClient | None = None, origin: str = "") -> list[dict[str, str]]:
        return [
            grant
            for other in self._profile.clients
            for grant in other.permissions.grants(also=origin if other is client else "")
        ]
