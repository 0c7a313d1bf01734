"""Logins that are kept in the vault: saving them, signing in with them, what there is; passwords are never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from boathook.engine.login.sign_in import LOGIN_SECONDS, SignedIn, sign_in
from boathook.engine.tab import Tab
from boathook.engine.vault import logins
from boathook.engine.vault.logins import KeptLogin, Login
from boathook.errors import BadRequest, BoathookError
from boathook.registry.context import HostScope
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Doc, Effect, Scope, command

if TYPE_CHECKING:
    from pathlib import Path

Name = Annotated[str, Doc("the name under which it is kept")]
_SOURCE = "where it comes from: env:NAME or secret:NAME, never the value itself"


@command(
    group="login",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    reads_stdin=True,
    examples=(
        "auth save desk --url https://example.org/login --username ada --password-stdin",
        "auth save desk --url https://example.org/login --username ada --password env:DESK --totp secret:desk-seed",
    ),
)
async def auth_save(
    host: HostScope,
    name: Name,
    *,
    url: Annotated[str, Doc("the page where one signs in; only pages of its origin are given the login")],
    username: Annotated[str, Doc("the user name")],
    password_stdin: Annotated[bool, Doc("the password comes on standard input, as its first line")] = False,
    password: Annotated[str | None, Doc(_SOURCE)] = None,
    totp_stdin: Annotated[
        bool, Doc("the seed of one-time codes comes on standard input, behind the password")
    ] = False,
    totp: Annotated[str | None, Doc(f"the seed of one-time codes; {_SOURCE}")] = None,
    username_selector: Annotated[
        str, Doc("the field for the user name, where it is not found by itself")
    ] = "",
    password_selector: Annotated[str, Doc("the same for the password")] = "",
    submit_selector: Annotated[str, Doc("the same for what sends them")] = "",
) -> KeptLogin:
    """Keep a login in the vault, encrypted; a password never stands on the command line."""
    if (password is None) is not password_stdin or (totp is not None and totp_stdin):
        raise BadRequest(
            "the password comes either on standard input or from a source, and so does the seed",
            hint="`--password-stdin`|, or `--password env:NAME`",
        )
    lines = (host.stdin or "").splitlines() if password_stdin or totp_stdin else []
    if len(lines) < password_stdin + totp_stdin:
        raise BadRequest(
            "standard input has too few lines", hint="the password first, then the seed, a line each"
        )
    origin = logins.origin_of(url)
    word = lines.pop(0) if password_stdin else await host.secret(str(password), origin=origin)
    seed = lines.pop(0) if totp_stdin else await host.secret(totp, origin=origin) if totp is not None else ""
    if lines and any(line.strip() for line in lines):
        raise BadRequest("standard input has more lines than were asked for", hint="the password is one line")
    return logins.keep(
        Login(
            name=name,
            url=url,
            username=username,
            password=word,
            totp=seed.strip(),
            username_selector=username_selector,
            password_selector=password_selector,
            submit_selector=submit_selector,
        )
    )


@command(
    group="login",
    effect=Effect.ACTS,
    may_navigate=True,
    examples=("auth login desk", "auth login desk --no-navigate"),
)
async def auth_login(
    tab: Tab,
    name: Name,
    *,
    navigate: Annotated[bool, Doc("go to the login's own page first; else the present page is used")] = True,
    username_selector: Annotated[str, Doc("the field for the user name, this time")] = "",
    password_selector: Annotated[str, Doc("the same for the password")] = "",
    submit_selector: Annotated[str, Doc("the same for what sends them")] = "",
    timeout: Timeout = LOGIN_SECONDS,
) -> SignedIn:
    """Sign in with a kept login: finds the fields, also in frames and over several steps, and tells what came of it.

    Pages of another origin than the login's are given nothing, nor is a page that exchanges the field meanwhile.
    """
    kept = logins.find(name)
    login = msgspec.structs.replace(
        kept,
        username_selector=username_selector or kept.username_selector,
        password_selector=password_selector or kept.password_selector,
        submit_selector=submit_selector or kept.submit_selector,
    )
    if navigate:
        await tab.goto(login.url, timeout=timeout)
    async with tab.call(f"signing in with {name}", seconds=timeout) as deadline:
        return await sign_in(tab, login, deadline=deadline)


@command(group="login", scope=Scope.HOST, examples=("auth list",))
async def auth_list(host: HostScope) -> list[KeptLogin]:
    """The logins in the vault: names, addresses, user names; never passwords."""
    del host
    return [_listed(path) for path in logins.paths()]


def _listed(path: Path) -> KeptLogin:
    """One that cannot be opened is listed all the same, with why."""
    try:
        return logins.shown(logins.find(path.stem))
    except BoathookError as error:
        return KeptLogin(name=path.stem, url="", username="", has_code=False, problem=error.message)


@command(group="login", scope=Scope.HOST, examples=("auth show desk",))
async def auth_show(host: HostScope, name: Name) -> KeptLogin:
    """What is kept of a login, without its secrets."""
    del host
    return logins.shown(logins.find(name))


@command(
    group="login",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    words=("auth delete", "auth remove"),
    examples=("auth delete desk",),
)
async def auth_delete(host: HostScope, name: Name) -> str:
    """Take a login out of the vault."""
    del host
    logins.remove(name)
    return f"removed the login {name}"
