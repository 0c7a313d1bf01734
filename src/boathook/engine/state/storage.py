"""Storage: cookies of the tab's context, and the local and session storage of its pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec

from boathook.engine.page.page_eval import SHOWN_ERROR, thrown_in
from boathook.errors import BadRequest, PageError, ProtocolError
from boathook.redaction.secret import reveal_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from boathook.clock import Deadline
    from boathook.engine.page.frames import Frame
    from boathook.engine.tab import Tab

Area = Literal["local", "session"]
SameSite = Literal["Strict", "Lax", "None"]

COOKIE_FIELDS = ("name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite")
_ALLOWED_FIELDS = frozenset({*COOKIE_FIELDS, "url", "partitionKey"})
_SAME_SITE = frozenset(get_args(SameSite))
_CONTROL = re.compile(r"[\x00-\x1f\x7f;]")
LONGEST_COOKIE = 4_096
_DOMAIN = re.compile(r"\.?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?\Z|\[[0-9a-fA-F:.]+\]\Z")
# Item by item, since an item called `length` or `key` is not among the object's properties.
_READ = """(area => {
  const items = {};
  for (let i = 0; i < Storage.prototype.__lookupGetter__('length').call(area); i++) {
    const name = Storage.prototype.key.call(area, i);
    items[name] = Storage.prototype.getItem.call(area, name);
  }
  return items;
})(%(area)s)"""


async def cookies(tab: Tab, urls: Sequence[str] | None, *, deadline: Deadline) -> list[dict[str, Any]]:
    """Cookies of the tab's context, or those that would be sent to these URLs."""
    async with deadline.stage("reading cookies"):
        if urls is None:
            reply = await tab.session.send("Network.getAllCookies")
        else:
            reply = await tab.session.send("Network.getCookies", urls=list(urls))
    return [_plain_cookie(raw) for raw in reply["cookies"]]


async def set_cookies(tab: Tab, given: Sequence[Mapping[str, Any]], *, deadline: Deadline) -> None:
    """Set cookies; each has a name, a value, and a domain or a URL. Values are never put into errors."""
    wanted = [_check_cookie(cookie, tab.url) for cookie in given]
    async with deadline.stage("setting cookies"):
        try:
            await tab.session.send("Network.setCookies", cookies=wanted)
        except ProtocolError as error:
            names = ", ".join(str(cookie["name"])[:50] for cookie in wanted)
            raise BadRequest(
                f"the browser rejected one of the cookies {names}",
                hint="check domain, path, secure and sameSite: they must agree with each other",
            ) from error


async def clear_cookies(tab: Tab, name: str | None, *, deadline: Deadline) -> int:
    """Delete all cookies of the context, or those of one name; returns how many there were."""
    there = await cookies(tab, None, deadline=deadline)
    going = [cookie for cookie in there if name is None or cookie["name"] == name]
    async with deadline.stage("deleting cookies"):
        if name is None:
            await tab.session.send("Network.clearBrowserCookies")
        for cookie in going if name is not None else ():
            await tab.session.send(
                "Network.deleteCookies", name=cookie["name"], domain=cookie["domain"], path=cookie["path"]
            )
    return len(going)


async def read_area(
    tab: Tab, area: Area, *, frame: Frame | None = None, deadline: Deadline
) -> dict[str, str]:
    """All items of a page's storage."""
    async with deadline.stage(f"reading {area}Storage"):
        items = await _in_page(tab, frame, _READ % {"area": _storage_object(area)})
    return {str(name): str(value) for name, value in items.items()}


async def write_area(
    tab: Tab, area: Area, items: Mapping[str, str], *, frame: Frame | None = None, deadline: Deadline
) -> None:
    """Set items of a page's storage."""
    items = {name: reveal_value(value) for name, value in items.items()}
    for name, value in items.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise BadRequest(
                "storage values must be strings", hint="convert other values to text, such as JSON, first"
            )
    given = msgspec.json.encode(dict(items)).decode()
    script = f"(items => {{ for (const [name, value] of Object.entries(items)) Storage.prototype.setItem.call({_storage_object(area)}, name, value); return {{}}; }})({given})"
    async with deadline.stage(f"writing {area}Storage"):
        await _in_page(tab, frame, script)


async def remove_items(tab: Tab, area: Area, names: Sequence[str], *, deadline: Deadline) -> None:
    """Remove items of a page's storage; all of them when none is named."""
    given = msgspec.json.encode(list(names)).decode()
    script = f"(names => {{ if (!names.length) Storage.prototype.clear.call({_storage_object(area)}); for (const name of names) Storage.prototype.removeItem.call({_storage_object(area)}, name); return {{}}; }})({given})"
    async with deadline.stage(f"removing from {area}Storage"):
        await _in_page(tab, None, script)


def _storage_object(area: Area) -> str:
    if area not in get_args(Area):
        raise BadRequest(f"unknown storage area: {area!r}", hint="use local or session")
    return f"{area}Storage"


async def _in_page(tab: Tab, frame: Frame | None, script: str) -> dict[str, Any]:
    reply = await tab.frames.run(frame or tab.frames.main, script)
    thrown = thrown_in(reply)
    if thrown is not None and "QuotaExceeded" in thrown.message:
        raise PageError("the page's storage is full", hint="store less, or remove items first")
    if thrown is not None:
        reason = thrown.message[:SHOWN_ERROR]
        raise PageError(
            f"this page has no storage: {reason}", hint="open a page of the site first", url=tab.url
        )
    value: dict[str, Any] = reply["result"].get("value") or {}
    return value


def _plain_cookie(raw: dict[str, Any]) -> dict[str, Any]:
    cookie = {name: raw[name] for name in COOKIE_FIELDS if name in raw}
    cookie.setdefault("sameSite", "Lax")
    if raw.get("session"):
        cookie["expires"] = -1
    if "partitionKey" in raw:
        cookie["partitionKey"] = raw["partitionKey"]
    return cookie


def _check_cookie(given: Mapping[str, Any], page: str) -> dict[str, Any]:
    name, value = given.get("name"), reveal_value(given.get("value"))
    if not isinstance(name, str) or not isinstance(value, str) or _CONTROL.search(name + value):
        raise BadRequest("a cookie needs a name and a value, both plain text without ; or control characters")
    if not name or len(name) + len(value) > LONGEST_COOKIE:
        raise BadRequest(
            f"the cookie {name[:50]!r} has no name or is longer than {LONGEST_COOKIE} characters"
        )
    unknown = set(given) - _ALLOWED_FIELDS
    if unknown:
        raise BadRequest(
            f"the cookie {name[:50]!r} has the unknown field {min(unknown)!r}",
            hint=f"use {', '.join(sorted(_ALLOWED_FIELDS))}",
        )
    cookie = {key: part for key, part in {**given, "value": value}.items() if part is not None}
    if cookie.get("sameSite", "Lax") not in _SAME_SITE:
        raise BadRequest(f"the cookie {name[:50]!r}: sameSite must be Strict, Lax or None")
    if "domain" in cookie and not _DOMAIN.match(str(cookie["domain"])):
        raise BadRequest(
            f"the cookie {name[:50]!r} has an invalid domain", hint="use a format such as example.org"
        )
    if cookie.get("expires") in {-1, 0}:
        cookie.pop("expires")
    if "domain" not in cookie and "url" not in cookie:
        if not page.startswith(("http:", "https:")):
            raise BadRequest(f"the cookie {name[:50]!r} has neither a domain nor a URL")
        cookie["url"] = page
    return cookie
