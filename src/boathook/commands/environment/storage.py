"""Cookies, local and session storage, and state files that hold both."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Annotated, Any

from boathook.engine.state import state_file
from boathook.engine.state import storage as stored
from boathook.engine.state.cookie_sources import CookiesTaken, parse_cookies, read_cookie_file
from boathook.engine.state.origin_visit import visiting
from boathook.engine.state.state_file import SavedState
from boathook.engine.state.state_store import place_of
from boathook.engine.state.storage import Area, SameSite
from boathook.engine.tab import READ_SECONDS, Tab
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.redaction.secret import Secret
from boathook.redaction.stored_values import hide_private
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Also, Doc, Effect, command


@command(
    group="storage",
    handles_dialog=True,
    words=("cookies", "cookies get"),
    examples=("cookies", "cookies https://example.org"),
)
async def cookies(
    tab: Tab,
    *urls: Annotated[str, Doc("only those that would be sent to these addresses")],
    timeout: Timeout = READ_SECONDS,
) -> list[dict[str, Any]]:
    """List the cookies of the tab's context, or those that would be sent to these URLs; values are hidden."""
    async with tab.call("reading cookies", seconds=timeout, looks=True, needs_page=False) as deadline:
        found = await stored.cookies(tab, urls or None, deadline=deadline)
    return [{**cookie, "value": Secret(cookie["value"], reason="cookie")} for cookie in found]


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    words=("cookies set",),
    secrets=("value",),
    examples=("cookies set theme dark", "cookies set login env:TOKEN --domain example.org --secure"),
)
async def set_cookie(
    tab: Tab,
    name: Annotated[str, Doc("its name")],
    value: Annotated[str, Doc("its value")],
    *,
    url: Annotated[str | None, Doc("an address that it belongs to; the present page's without one")] = None,
    domain: Annotated[str | None, Doc("the domain that it belongs to")] = None,
    path: Annotated[str | None, Doc("only below this path")] = None,
    expires: Annotated[float | None, Doc("seconds since 1970; with the session when not given")] = None,
    http_only: Annotated[bool, Doc("kept from the page's scripts"), Also("--httpOnly")] = False,
    secure: Annotated[bool, Doc("sent over HTTPS only")] = False,
    same_site: Annotated[
        SameSite | None, Doc("whether other sites' requests carry it"), Also("--sameSite")
    ] = None,
    timeout: Timeout = READ_SECONDS,
) -> None:
    """Set one cookie; without a domain or an address it belongs to the present page."""
    given: dict[str, Any] = {"url": url, "domain": domain, "path": path, "expires": expires}
    given |= {"httpOnly": http_only or None, "secure": secure or None, "sameSite": same_site}
    cookie = {key: one for key, one in given.items() if one is not None}
    await set_cookies(tab, {"name": name, "value": value, **cookie}, timeout=timeout)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("cookies",),
    examples=('set cookies \'{"name": "theme", "value": "dark"}\'',),
)
async def set_cookies(
    tab: Tab,
    *cookies: Annotated[Mapping[str, Any], Doc("cookies as JSON, in the form that `cookies` gives")],
    timeout: Timeout = READ_SECONDS,
) -> None:
    """Set cookies; without a domain or an address they belong to the present page."""
    async with tab.call("setting cookies", seconds=timeout, looks=True, needs_page=False) as deadline:
        await stored.set_cookies(tab, cookies, deadline=deadline)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    words=("cookies import", "cookies set --curl"),
    reads_files=("source",),
    from_stdin=("source",),
    examples=("cookies import cookies.txt", "cookies set --curl request.txt --domain example.org"),
)
async def import_cookies(
    tab: Tab,
    source: Annotated[
        str | Path,
        Doc(
            "a file, or - for standard input: a curl command, a Cookie header, Netscape's cookies.txt, or JSON"
        ),
    ],
    *,
    domain: Annotated[
        str | None, Doc("the domain of cookies that do not say theirs; the present page's without one")
    ] = None,
    timeout: Timeout = READ_SECONDS,
) -> CookiesTaken:
    """Set cookies from what browsers and other tools write; what kind of text it is shows by itself."""
    text = read_cookie_file(source) if isinstance(source, Path) else source
    async with tab.call("importing cookies", seconds=timeout, looks=True, needs_page=False) as deadline:
        found = parse_cookies(text, domain=domain)
        await stored.set_cookies(tab, found.cookies, deadline=deadline)
    return found.taken()


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    words=("cookies clear",),
    examples=("cookies clear", "cookies clear login"),
)
async def clear_cookies(
    tab: Tab,
    name: Annotated[str | None, Doc("only those of this name")] = None,
    *,
    timeout: Timeout = READ_SECONDS,
) -> int:
    """Delete the cookies of the tab's context, or those of one name; gives their number."""
    async with tab.call("deleting cookies", seconds=timeout, looks=True, needs_page=False) as deadline:
        return await stored.clear_cookies(tab, name, deadline=deadline)


@command(group="storage", examples=("storage",))
async def storage(
    tab: Tab, area: Annotated[Area, Doc("which one")] = "local", *, timeout: Timeout = READ_SECONDS
) -> dict[str, str | Secret]:
    """List the items of the page's local or session storage; values that may be private are hidden."""
    async with tab.call("reading storage", seconds=timeout, looks=True) as deadline:
        return hide_private(await stored.read_area(tab, area, deadline=deadline))


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    secrets=("items",),
    examples=('set storage \'{"theme": "dark"}\'',),
)
async def set_storage(
    tab: Tab,
    items: Annotated[Mapping[str, str], Doc("names and values, as JSON")],
    *,
    area: Annotated[Area, Doc("which one")] = "local",
    timeout: Timeout = READ_SECONDS,
) -> None:
    """Set items of the page's local or session storage."""
    async with tab.call("writing storage", seconds=timeout, looks=True) as deadline:
        await stored.write_area(tab, area, items, deadline=deadline)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    words=("storage clear",),
    examples=("storage clear", "storage clear theme --area session"),
)
async def clear_storage(
    tab: Tab,
    *names: Annotated[str, Doc("items to remove; all when none is named")],
    area: Annotated[Area, Doc("which one")] = "local",
    timeout: Timeout = READ_SECONDS,
) -> None:
    """Remove items of the page's local or session storage; all when none is named."""
    async with tab.call("clearing storage", seconds=timeout, looks=True) as deadline:
        await stored.remove_items(tab, area, names, deadline=deadline)


@command(
    group="storage",
    writes_files=("path",),
    kept_by_name=("path",),
    words=("state save",),
    examples=("state save login.json", "state save login --encrypt"),
)
async def save_state(
    tab: Tab,
    path: Annotated[str | Path, Doc("the file to write; or a name, without slash and .json, to keep it by")],
    *,
    encrypt: Annotated[
        bool | None,
        Doc("encrypted, so that only this user's key opens it; else as the file that is replaced"),
    ] = None,
    timeout: Timeout = WAIT_SECONDS,
) -> SavedState:
    """Write cookies and storage to a file that only its owner can read; Playwright understands it unless it is encrypted.

    A file that is no state, or one that cannot be opened, is not written over.
    """
    async with tab.call("saving state", seconds=timeout, looks=True) as deadline:
        return await state_file.save_state(tab, place_of(path), encrypt=encrypt, deadline=deadline)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    reads_files=("path",),
    kept_by_name=("path",),
    words=("state load",),
    examples=("state load login.json", "state load login"),
)
async def load_state(
    tab: Tab,
    path: Annotated[str | Path, Doc("the file to read, or the name that it is kept by")],
    *,
    timeout: Timeout = WAIT_SECONDS,
) -> SavedState:
    """Set cookies and storage from a file; in browsers of others, only origins that the tab shows."""
    async with AsyncExitStack() as opened:
        visit = None
        if tab.browser.managed:
            visit = await opened.enter_async_context(visiting(tab.browser, tab))
        async with tab.call("loading state", seconds=timeout, looks=True) as deadline:
            return await state_file.load_state(tab, place_of(path), visit=visit, deadline=deadline)
