"""Text for logins, imported cookies and keys; these values contain no secrets."""

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
    """What was filled in, the final URL, and the evidence that it worked."""
    title = f" {quoted(value.title)}" if value.title else ""
    shows = ["the login fields are gone"] if value.fields_gone else []
    shows += [counted(value.new_cookies, "new cookie")] if value.new_cookies else []
    return (
        f"signed in with {value.name}: filled in {', '.join(value.gave)}\n"
        f"now at {quoted(value.url, marks=False)}{title}; {', '.join(shows)}"
    )


def kept_login(value: KeptLogin) -> str:
    """One line, and one for each field selector."""
    if value.problem:
        return f"{value.name}: cannot be decrypted: {visible(value.problem)}"
    more = ", with one-time codes" if value.has_code else ""
    who = f" as {quoted(value.username)}" if value.username else ""
    when = f" (saved {value.updated})" if value.updated else ""
    named = [f"  {role} field: {quoted(one)}" for role, one in value.selectors.items()]
    return "\n".join([f"{value.name}: {quoted(value.url, marks=False)}{who}{more}{when}", *named])


def rotated(value: Rotated) -> str:
    """What was re-encrypted, and what was not."""
    forgotten = f"; deleted {counted(value.forgotten, 'old key')}" if value.forgotten else ""
    lines = [f"re-encrypted {counted(len(value.sealed), 'file')} with a new key{forgotten}"]
    return "\n".join(
        [*lines, *(f"cannot be decrypted, left unchanged: {visible(one)}" for one in value.failed)]
    )


def cookies_taken(value: CookiesTaken) -> str:
    """The number of cookies, their domains and names, without values."""
    names = ", ".join(quoted(name) for name in value.names) + (" …" if value.count > len(value.names) else "")
    skipped = f"; skipped {value.skipped} entries that are not cookies" if value.skipped else ""
    return f"set {counted(value.count, 'cookie')} from a {value.form} for {', '.join(visible(one) for one in value.domains)}: {names}{skipped}"
