"""Logins, imported cookies and keys in words; what is secret is not in these values at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.presentation.quoting import quoted, visible
from boathook.values import counted

if TYPE_CHECKING:
    from boathook.engine.login.sign_in import SignedIn
    from boathook.engine.state.cookie_sources import CookiesTaken
    from boathook.engine.vault.logins import KeptLogin
    from boathook.engine.vault.rotation import Rotated


def signed_in(value: SignedIn) -> str:
    """What was given, where it led, and what shows that it worked."""
    title = f" {quoted(value.title)}" if value.title else ""
    shows = ["the fields are gone"] if value.fields_gone else []
    shows += (
        [f"{counted(value.new_cookies, 'cookie')} {'is' if value.new_cookies == 1 else 'are'} new"]
        if value.new_cookies
        else []
    )
    return (
        f"signed in with {value.name}: gave {', '.join(value.gave)}\n"
        f"now at {quoted(value.url, marks=False)}{title}; {', '.join(shows)}"
    )


def kept_login(value: KeptLogin) -> str:
    """One line, and one for each field that is named."""
    if value.problem:
        return f"{value.name}: cannot be opened: {visible(value.problem)}"
    more = ", with one-time codes" if value.has_code else ""
    who = f" as {quoted(value.username)}" if value.username else ""
    when = f" (saved {value.updated})" if value.updated else ""
    named = [f"  {role} field: {quoted(one)}" for role, one in value.selectors.items()]
    return "\n".join([f"{value.name}: {quoted(value.url, marks=False)}{who}{more}{when}", *named])


def rotated(value: Rotated) -> str:
    """How much was sealed anew, and what was not."""
    forgotten = f"; {value.forgotten} old keys are forgotten" if value.forgotten else ""
    lines = [f"sealed {counted(len(value.sealed), 'file')} anew with a new key{forgotten}"]
    return "\n".join([*lines, *(f"not opened, and left as it was: {visible(one)}" for one in value.failed)])


def cookies_taken(value: CookiesTaken) -> str:
    """How many cookies, for whom; their names, and no values."""
    names = ", ".join(quoted(name) for name in value.names) + (" …" if value.count > len(value.names) else "")
    skipped = f"; {value.skipped} entries were no cookies" if value.skipped else ""
    return f"set {counted(value.count, 'cookie')} from a {value.form} for {', '.join(visible(one) for one in value.domains)}: {names}{skipped}"
