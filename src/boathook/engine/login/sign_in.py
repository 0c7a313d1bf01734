"""Signing in, step by step: user name, password, one-time code, in as many forms as the page uses."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.cdp.errors_map import ContextGone
from boathook.clock import now
from boathook.engine.actions.input import keyboard, pointer
from boathook.engine.login.fill_login import check_origin, put, put_digits
from boathook.engine.login.login_form import Form, SignInPage, look
from boathook.engine.secrets.report_secret import register_secret
from boathook.engine.state.storage import cookies
from boathook.engine.vault.totp import code_at, seconds_left
from boathook.errors import (
    Covered,
    Disabled,
    LoginFailed,
    Moving,
    NotReceived,
    NotVisible,
    PageError,
    StaleRef,
    TargetError,
)
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab
    from boathook.engine.vault.logins import Login

LOGIN_SECONDS = 45.0
APPEARING_SECONDS = 10.0
"""How long a page may take to show its first field."""
ANSWER_SECONDS = 6.0
"""How long it may keep showing a filled form, once it is idle, before it is an error."""
BUSY_SECONDS = 10.0
"""How long to wait for requests that followed."""
CALM_LOOKS = 3
"""Consecutive checks without any field before the page counts as having none."""
POLL_SECONDS = 0.1
LAST_SECONDS_OF_A_CODE = 2.0
MOST_FORMS = 6


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """What was done, and the evidence that it worked."""

    name: str
    gave: tuple[str, ...]
    """What was entered, in order."""
    url: str
    title: str
    fields_gone: bool
    """Whether no sign-in field is left."""
    new_cookies: int


async def sign_in(tab: Tab, login: Login, *, deadline: Deadline) -> SignedIn:
    """Sign in on the current page of the tab; an error says where it stopped and what had been entered by then."""
    register_secret(tab, login.password)
    before = {_kind_of(cookie) for cookie in await cookies(tab, None, deadline=deadline)}
    gave: list[str] = []
    form = await _first(tab, login, deadline)
    for _ in range(MOST_FORMS):
        gave += await _fill_form(tab, login, form, deadline)
        mark = tab.requests.started
        await _submit_form(tab, form, deadline)
        following = await _next(tab, login, form, gave=gave, mark=mark, deadline=deadline)
        if following is None:
            break
        form = following
    else:
        raise LoginFailed(f"the page at {tab.url[:200]} asked for credentials {MOST_FORMS} times", gave=gave)
    after = {_kind_of(cookie) for cookie in await cookies(tab, None, deadline=deadline)}
    return SignedIn(
        name=login.name,
        gave=tuple(gave),
        url=tab.url,
        title=await tab.title(),
        fields_gone=True,
        new_cookies=len(after - before),
    )


async def _first(tab: Tab, login: Login, deadline: Deadline) -> Form:
    patience = deadline.shorten(APPEARING_SECONDS)
    async with deadline.stage("looking for sign-in fields"):
        while True:
            sight = await _look_at_page(tab, login, deadline)
            form = sight.form_for(login.origin)
            if form is not None:
                return form
            if patience.remaining() == 0:
                raise LoginFailed(
                    f"{tab.url[:200]} has no sign-in field",
                    hint="you may already be signed in|; otherwise pass the fields: `--username-selector SELECTOR` and so on",
                )
            await asyncio.sleep(POLL_SECONDS)


async def _fill_form(tab: Tab, login: Login, form: Form, deadline: Deadline) -> list[str]:
    """Fill the form; returns the names of what was entered."""
    origin = login.origin
    check_origin(form.origin, origin, what=_WORDS[form.asks])
    gave = []
    if "user" in form.fields:
        await put(
            tab, form.fields["user"], login.username, what="user name", origin=origin, deadline=deadline
        )
        gave.append("user name")
    if "password" in form.fields:
        await put(
            tab, form.fields["password"], login.password, what="password", origin=origin, secret=True, deadline=deadline
        )  # fmt: skip
        gave.append("password")
    if "code" in form.fields:
        code = await _code(tab, login, deadline)
        if form.boxes:
            await put_digits(tab, form.fields["code"], code, origin=origin, deadline=deadline)
        else:
            await put(tab, form.fields["code"], code, what="one-time code", origin=origin, deadline=deadline)
        gave.append("one-time code")
    return gave


_WORDS = {"user": "user name", "password": "password", "code": "one-time code"}


async def _code(tab: Tab, login: Login, deadline: Deadline) -> str:
    if not login.totp:
        raise LoginFailed(
            "the page asks for a one-time code, but this login has no TOTP seed",
            hint=f"let a person enter it|: `handoff`|; or save a seed|: `auth save {login.name} --totp-stdin`",
        )
    left = seconds_left(login.totp, time.time())
    if left < LAST_SECONDS_OF_A_CODE:
        async with deadline.stage("waiting for the next one-time code"):
            await asyncio.sleep(left)
    code = code_at(login.totp, time.time())
    register_secret(tab, code)
    return code


async def _submit_form(tab: Tab, form: Form, deadline: Deadline) -> None:
    """Click what submits the form, otherwise press Enter; a page that navigated by itself has submitted it already."""
    with suppress(StaleRef, NotReceived, ContextGone):
        if form.submit is not None:
            try:
                await pointer.click(tab, str(form.submit.ref), deadline=deadline)
            except (Disabled, Covered, NotVisible, Moving):
                pass
            else:
                return
        with suppress(TargetError):
            await keyboard.press(tab, "Enter", str(form.fields[form.asks].ref), deadline=deadline)


async def _next(
    tab: Tab, login: Login, form: Form, *, gave: list[str], mark: int, deadline: Deadline
) -> Form | None:
    """The next form; None if there is none. One that asks for the same again is an error."""
    began = calm_since = now()
    without = 0
    async with deadline.stage("waiting for the page to respond"):
        while True:
            sight = await _look_at_page(tab, login, deadline)
            found = sight.form_for(login.origin)
            if not _is_calm(tab, mark, began):
                without, calm_since = 0, now()
            elif found is None:
                without += 1
                if without >= CALM_LOOKS:
                    return None
            elif found.asks != form.asks:
                return found
            elif now() - calm_since > ANSWER_SECONDS:
                break
            await asyncio.sleep(POLL_SECONDS)
    said = f'; the page shows "{sight.said}"' if sight.said else ""
    raise LoginFailed(
        f"{tab.url[:200]} still asks for the {_WORDS[form.asks]} after it was entered{said}",
        hint="check the saved login|: `auth show NAME`|; or let a person check|: `handoff`",
        gave=gave,
    )


async def _look_at_page(tab: Tab, login: Login, deadline: Deadline) -> SignInPage:
    """One check; a document that is replaced meanwhile shows nothing."""
    try:
        return await look(tab, login, deadline=deadline)
    except (ContextGone, PageError):
        tab.require_alive()
        return SignInPage()


def _is_calm(tab: Tab, mark: int, began: float) -> bool:
    """Whether the page is idle; endless requests are ignored after a while."""
    busy = tab.requests.open_since(mark) and now() - began < BUSY_SECONDS
    return not tab.loads.navigating and not busy and tab.loads.state() in {"load", "networkidle"}


def _kind_of(cookie: dict[str, object]) -> tuple[object, ...]:
    return cookie["name"], cookie["domain"], cookie["path"], cookie["value"]
