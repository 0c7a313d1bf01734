"""Signing in, step by step: user name, password, one-time code, in as many forms as the page makes of them."""

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
from boathook.engine.login.login_form import Form, Sight, look
from boathook.engine.secrets.report_secret import confide
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
"""How long it may go on showing what it has been given, once it is calm, before that is called a failure."""
BUSY_SECONDS = 10.0
"""How long requests that followed are waited for."""
CALM_LOOKS = 3
"""Looks in a row without any field that make us believe that there is none."""
POLL_SECONDS = 0.1
LAST_SECONDS_OF_A_CODE = 2.0
MOST_FORMS = 6


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """What was done, and what shows that it worked."""

    name: str
    gave: tuple[str, ...]
    """What the page was given, in order."""
    url: str
    title: str
    fields_gone: bool
    """Whether no field to sign in with is left."""
    new_cookies: int


async def sign_in(tab: Tab, login: Login, *, deadline: Deadline) -> SignedIn:
    """Sign in on the page that the tab shows; an error says where it stopped and what had been given by then."""
    confide(tab, login.password)
    before = {_kind_of(one) for one in await cookies(tab, None, deadline=deadline)}
    gave: list[str] = []
    form = await _first(tab, login, deadline)
    for _ in range(MOST_FORMS):
        gave += await _given(tab, login, form, deadline)
        mark = tab.requests.started
        await _sent(tab, form, deadline)
        following = await _next(tab, login, form, gave=gave, mark=mark, deadline=deadline)
        if following is None:
            break
        form = following
    else:
        raise LoginFailed(f"the page at {tab.url[:200]} asked {MOST_FORMS} times", gave=gave)
    after = {_kind_of(one) for one in await cookies(tab, None, deadline=deadline)}
    return SignedIn(
        name=login.name,
        gave=tuple(gave),
        url=tab.url,
        title=await tab.title(),
        fields_gone=True,
        new_cookies=len(after - before),
    )


async def _first(tab: Tab, login: Login, deadline: Deadline) -> Form:
    patience = deadline.shortened(APPEARING_SECONDS)
    async with deadline.stage("looking for fields to sign in with"):
        while True:
            sight = await _looked(tab, login, deadline)
            form = sight.form_for(login.origin)
            if form is not None:
                return form
            if patience.remaining() == 0:
                raise LoginFailed(
                    f"{tab.url[:200]} shows no field to sign in with",
                    hint="you may be signed in already|; else name the fields: `--username-selector SELECTOR` and so on",
                )
            await asyncio.sleep(POLL_SECONDS)


async def _given(tab: Tab, login: Login, form: Form, deadline: Deadline) -> list[str]:
    """Fill the form; the names of what went in."""
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
            "the page asks for a one-time code, and this login has no seed to make one from",
            hint=f"let a person do it|: `handoff`|; or keep one|: `auth save {login.name} --totp-stdin`",
        )
    left = seconds_left(login.totp, time.time())
    if left < LAST_SECONDS_OF_A_CODE:
        async with deadline.stage("waiting for the next one-time code"):
            await asyncio.sleep(left)
    code = code_at(login.totp, time.time())
    confide(tab, code)
    return code


async def _sent(tab: Tab, form: Form, deadline: Deadline) -> None:
    """Press what sends the form, else Enter; a page that went on by itself has sent it already."""
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
    """The form that follows; None when none is left. One that asks the same again is a failure."""
    began = calm_since = now()
    without = 0
    async with deadline.stage("waiting for the page's answer"):
        while True:
            sight = await _looked(tab, login, deadline)
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
    said = f'; it says "{sight.said}"' if sight.said else ""
    raise LoginFailed(
        f"{tab.url[:200]} still asks for the {_WORDS[form.asks]} after it was given{said}",
        hint="check what is kept|: `auth show NAME`|; or let a person look|: `handoff`",
        gave=gave,
    )


async def _looked(tab: Tab, login: Login, deadline: Deadline) -> Sight:
    """One look; a document that goes away meanwhile shows nothing."""
    try:
        return await look(tab, login, deadline=deadline)
    except (ContextGone, PageError):
        tab.require_alive()
        return Sight()


def _is_calm(tab: Tab, mark: int, began: float) -> bool:
    """Whether the page has nothing under way; requests that last for ever do not count for ever."""
    busy = tab.requests.open_since(mark) and now() - began < BUSY_SECONDS
    return not tab.loads.navigating and not busy and tab.loads.state() in {"load", "networkidle"}


def _kind_of(cookie: dict[str, object]) -> tuple[object, ...]:
    return cookie["name"], cookie["domain"], cookie["path"], cookie["value"]
