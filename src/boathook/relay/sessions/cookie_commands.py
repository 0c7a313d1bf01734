"""Cookies at browser level: those of the profile that a client may see, read and written by the extension.

A client clears only what is its own: cookies that it has set, and those of sites that tabs it opened have shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.relay.extension.protocol import ExtensionRequest
from boathook.relay.rules.parameter_types import BAD_PARAMS
from boathook.relay.rules.site_filter import check_cookies
from boathook.relay.rules.site_replies import FILTERS
from boathook.relay.rules.site_rules import SiteRules, host_of
from boathook.relay.rules.user_limits import check_browser_limits
from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.relay.sessions.cdp_client import CdpClient

CLEARING = frozenset({"Storage.clearCookies", "Network.clearBrowserCookies"})
_Cookie = dict[str, Any]
_Key = tuple[str, str, str, str]


class CookieCommands:
    """The cookie commands of one client."""

    def __init__(self, client: CdpClient) -> None:
        self._client = client
        self._own: set[_Key] = set()
        self.answers = {
            "Storage.getCookies": self.get,
            "Storage.setCookies": self.set,
            "Storage.clearCookies": self.clear,
        }

    async def get(self, _params: dict[str, Any]) -> dict[str, Any]:
        """All cookies that the client may see."""
        return {"cookies": await self._visible("Storage.getCookies")}

    async def set(self, params: dict[str, Any]) -> dict[str, Any]:
        """Set cookies. Those that already are as requested are not written: clients read all, and write most of them back."""
        wanted = [_without_empty(cookie) for cookie in _checked(params.get("cookies"))]
        known = {_key(cookie): cookie for cookie in await self._visible("Storage.setCookies")}
        rules = SiteRules.of(self._client.profile.settings)
        if rules:
            check_cookies(wanted, rules)
        for cookie in wanted:
            self._check_shared(cookie)
        changed = [cookie for cookie in wanted if not _is_same(cookie, known.get(_key(cookie)))]
        await self._change(to_set=changed)
        self._own |= {_key(cookie) for cookie in changed}
        return {}

    async def clear(self, _params: dict[str, Any]) -> dict[str, Any]:
        """Remove the client's own cookies."""
        removed = [
            cookie
            for cookie in await self._visible("Storage.clearCookies")
            if _key(cookie) in self._own or self._has_shown(cookie)
        ]
        await self._change(to_remove=removed)
        return {}

    def _has_shown(self, cookie: _Cookie) -> bool:
        return any(_is_of(cookie, host) for host in self._client.own_tabs.hosts)

    async def _visible(self, method: str) -> list[_Cookie]:
        profile = self._client.profile
        check_browser_limits(method, settings=profile.settings, stopped=profile.stopped)
        if profile.link is None:
            raise CdpRefusal("the extension is not connected")
        listed = await profile.link.call(ExtensionRequest.COOKIES_LIST)
        rules = SiteRules.of(profile.settings)
        kept = FILTERS["Storage.getCookies"](listed, rules) if rules else listed
        return [cookie for cookie in kept["cookies"] if self._is_shared(cookie)]

    def _is_shared(self, cookie: _Cookie) -> bool:
        """Whether it is of a tab that the user has attached, if only those exist for clients."""
        profile = self._client.profile
        if profile.settings.get("attach") != "manual":
            return True
        return any(_is_of(cookie, host_of(tab.url)) for tab in profile.tabs.values())

    def _check_shared(self, cookie: _Cookie) -> None:
        domain = cookie.get("domain") or host_of(str(cookie.get("url", "")))
        if not self._is_shared({"domain": domain}):
            raise CdpRefusal("the user has attached no tab of this site")

    async def _change(self, *, to_set: Sequence[_Cookie] = (), to_remove: Sequence[_Cookie] = ()) -> None:
        link = self._client.profile.link
        if link is None:
            raise CdpRefusal("the extension is not connected")
        if to_set or to_remove:
            await link.call(ExtensionRequest.COOKIES_CHANGE, set=to_set, remove=to_remove)


def _checked(cookies: Any) -> list[_Cookie]:
    if not isinstance(cookies, list) or not all(isinstance(cookie, dict) for cookie in cookies):
        raise CdpRefusal("Invalid parameters: cookies: a list of objects expected", code=BAD_PARAMS)
    for cookie in cookies:
        named = all(isinstance(cookie.get(name), str) for name in ("name", "value"))
        placed = isinstance(cookie.get("url") or cookie.get("domain"), str)
        if not named or not placed:
            raise CdpRefusal("Invalid cookie fields", code=BAD_PARAMS)
    return cookies


def _without_empty(cookie: _Cookie) -> _Cookie:
    return {name: value for name, value in cookie.items() if value is not None}


def _key(cookie: _Cookie) -> _Key:
    partition = cookie.get("partitionKey")
    site = partition.get("topLevelSite", "") if isinstance(partition, dict) else partition or ""
    domain = cookie.get("domain") or host_of(str(cookie.get("url", "")))
    return str(cookie["name"]), str(domain), str(cookie.get("path") or "/"), str(site)


def _is_same(wanted: _Cookie, known: _Cookie | None) -> bool:
    """Whether writing it would change nothing; clients add a default for a `sameSite` that was not set."""
    if known is None:
        return False
    expires = wanted.get("expires", -1)
    fields = ("value", "httpOnly", "secure")
    return (
        all(wanted.get(name, False) == known.get(name, False) for name in fields)
        and wanted.get("sameSite", "Lax") == known.get("sameSite", "Lax")
        and isinstance(expires, int | float)
        and abs(max(expires, -1) - known["expires"]) < 1
    )


def _is_of(cookie: _Cookie, host: str) -> bool:
    """Whether pages of a host receive the cookie."""
    domain = str(cookie.get("domain", ""))
    bare = domain.lstrip(".").lower()
    return bool(bare) and (host == bare or (domain.startswith(".") and host.endswith(f".{bare}")))
