"""Text for logins, imported cookies and keys; these values contain no secrets."""

from __future__ import annotations

from boathook.engine.login.sign_in import SignedIn
from boathook.engine.state.cookie_sources import CookiesTaken
from boathook.engine.vault.logins import KeptLogin
from boathook.engine.vault.rotation import Rotated
from boathook.presentation.quoting import quote, visible
from boathook.presentation.rendering import own_lines
from boathook.values import count_noun


@own_lines
def render_signed_in(value: SignedIn) -> str:
    """What was filled in, the final URL, and the evidence that it worked."""
    title = f" {quote(value.title)}" if value.title else ""
    shows = ["the login fields are gone"] if value.fields_gone else []
    shows += [count_noun(value.new_cookies, "new cookie")] if value.new_cookies else []
    return (
        f"signed in with {value.name}: filled in {', '.join(value.gave)}\n"
        f"now at {quote(value.url, marks=False)}{title}; {', '.join(shows)}"
    )


@own_lines
def render_login(value: KeptLogin) -> str:
    """One line, and one for each field selector."""
    if value.problem:
        return f"{value.name}: cannot be decrypted: {visible(value.problem)}"
    more = ", with one-time codes" if value.has_code else ""
    who = f" as {quote(value.username)}" if value.username else ""
    when = f" (saved {value.updated})" if value.updated else ""
    named = [f"  {role} field: {quote(selector)}" for role, selector in value.selectors.items()]
    return "\n".join([f"{value.name}: {quote(value.url, marks=False)}{who}{more}{when}", *named])


@own_lines
def render_rotation(value: Rotated) -> str:
    """What was re-encrypted, and what was not."""
    forgotten = f"; deleted {count_noun(value.forgotten, 'old key')}" if value.forgotten else ""
    lines = [f"re-encrypted {count_noun(len(value.sealed), 'file')} with a new key{forgotten}"]
    return "\n".join(
        [*lines, *(f"cannot be decrypted, left unchanged: {visible(path)}" for path in value.failed)]
    )


@own_lines
def render_cookies_taken(value: CookiesTaken) -> str:
    """The number of cookies, their domains and names, without values."""
    names = ", ".join(quote(name) for name in value.names) + (" …" if value.count > len(value.names) else "")
    skipped = f"; skipped {value.skipped} entries that are not cookies" if value.skipped else ""
    return f"set {count_noun(value.count, 'cookie')} from a {value.form} for {', '.join(visible(domain) for domain in value.domains)}: {names}{skipped}"
