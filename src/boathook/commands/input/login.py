"""Logins in the vault: save, list, remove, sign in. Passwords are never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from boathook.effects import Effect, SideEffect
from boathook.engine.login.sign_in import LOGIN_SECONDS, SignedIn, sign_in
from boathook.engine.tab import Tab
from boathook.engine.vault import logins
from boathook.engine.vault.logins import KeptLogin, Login
from boathook.errors import BadRequest, BoathookError
from boathook.registry.context import HostApi
from boathook.registry.parameters import Timeout
from boathook.registry.registry import Doc, Scope, command

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Name = Annotated[str, Doc("the name of the login")]
_SOURCE = "its source: env:NAME or secret:NAME, never the literal value"


@command(
    group="login",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    reads_stdin=True,
    side_effects=(SideEffect.WRITES_LOGIN,),
    own_text=True,
    examples=(
        "auth save desk --url https://example.org/login --username ada --password-stdin",
        "auth save desk --url https://example.org/login --username ada --password env:DESK --totp secret:desk-seed",
    ),
)
async def auth_save(
    host: HostApi,
    name: Name,
    *,
    url: Annotated[str, Doc("URL of the sign-in page; only pages of its origin receive the login")],
    username: Annotated[str, Doc("the user name")],
    password_stdin: Annotated[bool, Doc("read the password from the first line of standard input")] = False,
    password: Annotated[str | None, Doc(_SOURCE)] = None,
    totp_stdin: Annotated[bool, Doc("read the TOTP seed from standard input, after the password")] = False,
    totp: Annotated[str | None, Doc(f"the TOTP seed; {_SOURCE}")] = None,
    username_selector: Annotated[str, Doc("selector of the user name field, if it is not detected")] = "",
    password_selector: Annotated[str, Doc("selector of the password field")] = "",
    submit_selector: Annotated[str, Doc("selector of the submit button")] = "",
) -> KeptLogin:
    """Save a login in the encrypted vault. Pass the password as env:NAME or on standard input."""
    if (password is None) is not password_stdin or (totp is not None and totp_stdin):
        raise BadRequest(
            "pass the password either on standard input or from a source, and the seed likewise",
            hint="`--password-stdin`|, or `--password env:NAME`",
        )
    lines = (host.stdin or "").splitlines() if password_stdin or totp_stdin else []
    if len(lines) < password_stdin + totp_stdin:
        raise BadRequest(
            "standard input has too few lines",
            hint="pass the password on the first line and the seed on the second",
        )
    origin = logins.origin_of(url)
    word = lines.pop(0) if password_stdin else await host.secret(str(password), origin=origin)
    seed = lines.pop(0) if totp_stdin else await host.secret(totp, origin=origin) if totp is not None else ""
    if lines and any(line.strip() for line in lines):
        raise BadRequest("standard input has too many lines", hint="pass the password on one line")
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


def _opens_login_page(arguments: Mapping[str, Any]) -> tuple[SideEffect, ...]:
    return () if arguments.get("navigate") is False else (SideEffect.REACHES_HOST,)


@command(
    group="login",
    effect=Effect.ACTS,
    may_navigate=True,
    side_effects=(SideEffect.READS_STATE,),
    side_effects_when=_opens_login_page,
    examples=("auth login desk", "auth login desk --no-navigate"),
)
async def auth_login(
    tab: Tab,
    name: Name,
    *,
    navigate: Annotated[bool, Doc("open the login's page first")] = True,
    username_selector: Annotated[str, Doc("selector of the user name field, for this call")] = "",
    password_selector: Annotated[str, Doc("selector of the password field")] = "",
    submit_selector: Annotated[str, Doc("selector of the submit button")] = "",
    timeout: Timeout = LOGIN_SECONDS,
) -> SignedIn:
    """Sign in with a saved login. Finds the fields, also in frames and over several steps, and prints the outcome.

    Pages of another origin receive nothing, and neither does a page that replaces the field in the meantime.
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


@command(
    group="login",
    scope=Scope.HOST,
    side_effects=(SideEffect.READS_STATE,),
    own_text=True,
    examples=("auth list",),
)
async def auth_list(host: HostApi) -> list[KeptLogin]:
    """List the logins in the vault: names, URLs and user names, never passwords."""
    del host
    return [_describe_login(path) for path in logins.paths()]


def _describe_login(path: Path) -> KeptLogin:
    """A login that cannot be decrypted is still listed, with the reason."""
    try:
        return logins.public_view(logins.find(path.stem))
    except BoathookError as error:
        return KeptLogin(name=path.stem, url="", username="", has_code=False, problem=error.message)


@command(
    group="login",
    scope=Scope.HOST,
    side_effects=(SideEffect.READS_STATE,),
    own_text=True,
    examples=("auth show desk",),
)
async def auth_show(host: HostApi, name: Name) -> KeptLogin:
    """Show a saved login without its secrets."""
    del host
    return logins.public_view(logins.find(name))


@command(
    group="login",
    scope=Scope.HOST,
    effect=Effect.CHANGES_MACHINE,
    aliases=("auth delete", "auth remove"),
    side_effects=(SideEffect.WRITES_LOGIN,),
    own_text=True,
    examples=("auth delete desk",),
)
async def auth_delete(host: HostApi, name: Name) -> str:
    """Remove a login from the vault."""
    del host
    logins.remove(name)
    return f"removed login {name}"
