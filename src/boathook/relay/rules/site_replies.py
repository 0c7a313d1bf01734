"""Replies of Chrome without what belongs to sites that the user does not allow."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boathook.relay.send_queue import CdpRefusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from boathook.relay.rules.site_rules import SiteRules

_URL = re.compile(r"(?:(?:blob|filesystem):)?(?:https?|wss?)://[^\s\"'^|]+", re.IGNORECASE)
_SITE_PARAMETERS = frozenset({"origin", "securityOrigin", "url", "requestURL", "storageKey"})


def denied_string(value: Any, rules: SiteRules) -> str:
    """Why a value with URLs, origins or storage keys in it is not allowed; empty if it is."""
    return next((why for text in _strings(value) for why in _denied_in(text, rules)), "")


def denied_parameter(params: Any, rules: SiteRules) -> str:
    """The same for parameters of a client, where a URL must be plain, since Chrome reads many forms of it."""
    named = (value for name, value in _named(params) if name in _SITE_PARAMETERS)
    given = next((why for value in named if (why := rules.why_not_given(value.partition("^")[0]))), "")
    return given or denied_string(params, rules)


def _named(value: Any) -> Iterator[tuple[str, str]]:
    for name, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, str):
            yield name, item
        else:
            yield from _named(item)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _denied_in(text: str, rules: SiteRules) -> Iterator[str]:
    for url in _URL.findall(text):
        if why := rules.why_not(url):
            yield why


def _cookies(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    kept = [
        cookie
        for cookie in result.get("cookies", [])
        if not rules.why_not_cookie(str(cookie.get("domain", ""))) and not _is_partitioned(cookie, rules)
    ]
    return {**result, "cookies": kept}


def _is_partitioned(cookie: dict[str, Any], rules: SiteRules) -> bool:
    return bool(denied_string(cookie.get("partitionKey"), rules))


def _frames(tree: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    """A frame tree or resource tree; the main frame is allowed, or its tab would not exist."""
    kept = {
        **tree,
        "frame": {name: value for name, value in tree["frame"].items() if name != "unreachableUrl"},
    }
    if "childFrames" in tree:
        kept["childFrames"] = [
            _frames(child, rules)
            for child in tree["childFrames"]
            if not _is_denied_frame(child["frame"], rules)
        ]
    if "resources" in tree:
        kept["resources"] = _without(tree["resources"], "url", rules)
    return kept


def _is_denied_frame(frame: dict[str, Any], rules: SiteRules) -> bool:
    return bool(rules.why_not(frame.get("url", "")) or rules.why_not(frame.get("securityOrigin", "")))


def _without(items: list[dict[str, Any]], field: str, rules: SiteRules) -> list[dict[str, Any]]:
    return [item for item in items if not rules.why_not(str(item.get(field, "")))]


def _tree(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    return {**result, "frameTree": _frames(result["frameTree"], rules)}


def _history(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    entries = result.get("entries", [])
    kept = [
        entry
        for entry in entries
        if not rules.why_not(entry.get("url", "")) and not rules.why_not(entry.get("userTypedURL", ""))
    ]
    before = entries[: result.get("currentIndex", 0)]
    return {**result, "entries": kept, "currentIndex": sum(entry in kept for entry in before)}


def _entries(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    """Opaque responses are of unknown sites: pages cannot read them either."""
    entries = [
        entry
        for entry in _without(result.get("cacheDataEntries", []), "requestURL", rules)
        if entry.get("responseType") not in {"opaqueResponse", "opaqueRedirect"}
    ]
    return {**result, "cacheDataEntries": entries}


def _caches(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    return {
        **result,
        "caches": [cache for cache in result.get("caches", []) if not denied_string(cache, rules)],
    }


def _manifest(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    if why := rules.why_not(str(result.get("url", ""))):
        raise CdpRefusal(why)
    return result


def _storage_key(result: dict[str, Any], rules: SiteRules) -> dict[str, Any]:
    if why := denied_string(result, rules):
        raise CdpRefusal(why)
    return result


FILTERS: dict[str, Callable[[dict[str, Any], SiteRules], dict[str, Any]]] = {
    "Network.getAllCookies": _cookies,
    "Network.getCookies": _cookies,
    "Storage.getCookies": _cookies,
    "Page.getFrameTree": _tree,
    "Page.getResourceTree": _tree,
    "Page.getNavigationHistory": _history,
    "CacheStorage.requestEntries": _entries,
    "CacheStorage.requestCacheNames": _caches,
    "Page.getAppManifest": _manifest,
    "Storage.getStorageKeyForFrame": _storage_key,
    "Storage.getStorageKey": _storage_key,
}
"""Methods whose replies may contain other sites."""
