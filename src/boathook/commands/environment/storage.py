"""Cookies, local and session storage, and state files with both."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from boathook.clock import READ_SECONDS, Deadline
from boathook.commands.results import CookieList
from boathook.effects import Effect, SideEffect
from boathook.engine.state import state_file
from boathook.engine.state import storage as stored
from boathook.engine.state.cookie_sources import CookiesTaken, parse_cookies, read_cookie_file
from boathook.engine.state.origin_visit import visit_origins
from boathook.engine.state.state_file import SavedState
from boathook.engine.state.state_store import place_of
from boathook.engine.state.storage import Area, SameSite
from boathook.engine.tab import Tab
from boathook.engine.waits.wait_for_event import WAIT_SECONDS
from boathook.errors import BadRequest
from boathook.redaction.secret import Secret
from boathook.redaction.stored_values import hide_private
from boathook.registry.invoke import invoke
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Also, Doc, command, registered
from boathook.registry.script_helper import ScriptHelper


@command(
    group="storage",
    handles_dialog=True,
    aliases=("cookies", "cookies get"),
    doing="reading cookies",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("cookies", rest="urls"),),
    side_effects=(SideEffect.READS_STATE,),
    examples=("cookies", "cookies https://example.org"),
)
async def cookies(
    tab: Tab,
    *urls: Annotated[str, Doc("only cookies that would be sent to these URLs")],
    deadline: Deadline,
) -> list[dict[str, Any]]:
    """List the cookies of the tab's context, or those sent to these URLs. Values are hidden."""
    for url in urls:
        _require_url(url)
    found = await stored.cookies(tab, urls or None, deadline=deadline)
    return CookieList({**cookie, "value": Secret(cookie["value"], reason="cookie")} for cookie in found)


def _require_url(word: str) -> None:
    """A word that is not a URL is a misspelled command, and must not read like an empty list."""
    if any(mark in word for mark in ".:/") or word == "localhost":
        return
    family = {
        alias[1]
        for entry in registered().values()
        for alias in entry.aliases
        if alias[0] == "cookies" and len(alias) > 1
    }
    near = get_close_matches(word, sorted(family), n=1, cutoff=0.6)
    raise BadRequest(
        f"cookies: not a URL: {word[:80]!r}",
        hint=f"did you mean `cookies {near[0]}`?" if near else "pass a URL such as https://example.org",
    )


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    aliases=("cookies set",),
    secrets=("value",),
    side_effects=(SideEffect.WRITES_STATE,),
    examples=("cookies set theme dark", "cookies set login env:TOKEN --domain example.org --secure"),
)
async def set_cookie(
    tab: Tab,
    name: Annotated[str, Doc("cookie name")],
    value: Annotated[str, Doc("cookie value")],
    *,
    url: Annotated[str | None, Doc("URL it belongs to (default: the current page)")] = None,
    domain: Annotated[str | None, Doc("domain it belongs to")] = None,
    path: Annotated[str | None, Doc("path it is limited to")] = None,
    expires: Annotated[float | None, Doc("expiry as a Unix timestamp (default: session cookie)")] = None,
    http_only: Annotated[bool, Doc("HttpOnly: not readable by scripts"), Also("--httpOnly")] = False,
    secure: Annotated[bool, Doc("Secure: sent over HTTPS only")] = False,
    same_site: Annotated[SameSite | None, Doc("SameSite policy"), Also("--sameSite")] = None,
    timeout: Timeout = READ_SECONDS,
) -> None:
    """Set one cookie, by default for the current page."""
    given: dict[str, Any] = {"url": url, "domain": domain, "path": path, "expires": expires}
    given |= {"httpOnly": http_only or None, "secure": secure or None, "sameSite": same_site}
    cookie = {key: name for key, name in given.items() if name is not None}
    await invoke(set_cookies, tab, {"name": name, "value": value, **cookie}, timeout=timeout)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    secrets=("cookies",),
    doing="setting cookies",
    timeout=READ_SECONDS,
    side_effects=(SideEffect.WRITES_STATE,),
    examples=('set cookies \'{"name": "theme", "value": "dark"}\'',),
)
async def set_cookies(
    tab: Tab,
    *cookies: Annotated[Mapping[str, Any], Doc("cookies as JSON, in the format of `cookies`")],
    deadline: Deadline,
) -> None:
    """Set cookies, by default for the current page."""
    await stored.set_cookies(tab, cookies, deadline=deadline)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    aliases=("cookies import", "cookies set --curl"),
    reads_files=("source",),
    from_stdin=("source",),
    doing="importing cookies",
    timeout=READ_SECONDS,
    side_effects=(SideEffect.WRITES_STATE,),
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
        str | None, Doc("domain of cookies that have none (default: the current page's)")
    ] = None,
    deadline: Deadline,
) -> CookiesTaken:
    """Import cookies from a browser or another tool. The format is detected."""
    text = await asyncio.to_thread(read_cookie_file, source) if isinstance(source, Path) else source
    found = parse_cookies(text, domain=domain)
    await stored.set_cookies(tab, found.cookies, deadline=deadline)
    return found.summary()


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    handles_dialog=True,
    aliases=("cookies clear",),
    doing="deleting cookies",
    timeout=READ_SECONDS,
    side_effects=(SideEffect.WRITES_STATE,),
    examples=("cookies clear", "cookies clear login"),
)
async def clear_cookies(
    tab: Tab,
    name: Annotated[str | None, Doc("only cookies with this name")] = None,
    *,
    deadline: Deadline,
) -> int:
    """Delete the cookies of the tab's context, or those with one name. Prints how many."""
    return await stored.clear_cookies(tab, name, deadline=deadline)


@command(
    group="storage",
    doing="reading storage",
    timeout=READ_SECONDS,
    script_helpers=(ScriptHelper("storage", ("area",)),),
    side_effects=(SideEffect.READS_STATE,),
    examples=("storage",),
)
async def storage(
    tab: Tab, area: Annotated[Area, Doc("local or session")] = "local", *, deadline: Deadline
) -> dict[str, str | Secret]:
    """List the items of local or session storage. Values that may be secret are hidden."""
    return hide_private(await stored.read_area(tab, area, deadline=deadline))


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    secrets=("items",),
    doing="writing storage",
    timeout=READ_SECONDS,
    side_effects=(SideEffect.WRITES_STATE,),
    examples=('set storage \'{"theme": "dark"}\'',),
)
async def set_storage(
    tab: Tab,
    items: Annotated[Mapping[str, str], Doc("items as JSON")],
    *,
    area: Annotated[Area, Doc("local or session")] = "local",
    deadline: Deadline,
) -> None:
    """Set items of local or session storage."""
    await stored.write_area(tab, area, items, deadline=deadline)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    aliases=("storage clear",),
    doing="clearing storage",
    timeout=READ_SECONDS,
    side_effects=(SideEffect.WRITES_STATE,),
    examples=("storage clear", "storage clear theme --area session"),
)
async def clear_storage(
    tab: Tab,
    *names: Annotated[str, Doc("keys to remove (default: all)")],
    area: Annotated[Area, Doc("local or session")] = "local",
    deadline: Deadline,
) -> None:
    """Remove items of local or session storage, by default all."""
    await stored.remove_items(tab, area, names, deadline=deadline)


@command(
    group="storage",
    writes_files=("path",),
    stored_by_name=("path",),
    aliases=("state save",),
    doing="saving state",
    timeout=WAIT_SECONDS,
    side_effects=(SideEffect.READS_STATE, SideEffect.WRITES_STATE, SideEffect.REVEALS_SECRETS),
    examples=("state save login.json", "state save login --encrypt"),
)
async def save_state(
    tab: Tab,
    path: Annotated[
        str | Path, Doc("the file to write, or a name (without slash and .json) to save it under")
    ],
    *,
    encrypt: Annotated[
        bool | None,
        Doc("encrypt with this user's key (default: same as the replaced file)"),
    ] = None,
    deadline: Deadline,
) -> SavedState:
    """Save cookies and storage to a private file, in Playwright's format unless it is encrypted.

    A file that is not a state file, or that cannot be opened, is not overwritten.
    """
    return await state_file.save_state(tab, place_of(path), encrypt=encrypt, deadline=deadline)


@command(
    group="storage",
    effect=Effect.CHANGES_BROWSER,
    reads_files=("path",),
    stored_by_name=("path",),
    aliases=("state load",),
    side_effects=(SideEffect.WRITES_STATE,),
    examples=("state load login.json", "state load login"),
)
async def load_state(
    tab: Tab,
    path: Annotated[str | Path, Doc("the file to read, or the name of a saved state")],
    *,
    timeout: Timeout = WAIT_SECONDS,
) -> SavedState:
    """Load cookies and storage from a file. In attached browsers, only for origins that the tab shows."""
    async with AsyncExitStack() as opened:
        visit = None
        if tab.browser.managed:
            visit = await opened.enter_async_context(visit_origins(tab.browser, tab))
        async with tab.call("loading state", seconds=timeout, read_only=True) as deadline:
            return await state_file.load_state(tab, place_of(path), visit=visit, deadline=deadline)
