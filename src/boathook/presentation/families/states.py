"""Saved states and profiles as text."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from boathook.commands.results import CookieList
from boathook.engine.launch.profiles.user_profiles import UserProfile
from boathook.engine.state.state_file import SavedState
from boathook.engine.state.state_store import KeptState, StateFacts
from boathook.presentation.quoting import quote, visible
from boathook.presentation.rendering import as_text, own_lines
from boathook.presentation.terminal_table import table_row, table_rows
from boathook.values import count_noun

if TYPE_CHECKING:
    from collections.abc import Mapping


@own_lines
def _render_cookies(value: CookieList) -> str:
    return "\n".join(map(_describe_cookie, value)) or "none"


def _describe_cookie(cookie: Mapping[str, Any]) -> str:
    """One line, like the header that sets it; the value is hidden."""
    expires = cookie.get("expires", -1)
    parts = [
        f"{quote(cookie['name'], marks=False)}={as_text(cookie['value'])}",
        f"Domain={quote(cookie.get('domain', ''), marks=False)}",
        f"Path={quote(cookie.get('path', ''), marks=False)}",
        f"Expires={_moment(expires)}" if expires > 0 else "",
        *_flags_of(cookie),
    ]
    return "; ".join(part for part in parts if part)


@table_rows.register
def _cookie_rows(value: CookieList) -> list[dict[str, str]]:
    return [
        {
            "name": quote(cookie["name"], marks=False),
            "domain": quote(cookie.get("domain", ""), marks=False),
            "path": quote(cookie.get("path", ""), marks=False),
            "expires": _moment(cookie["expires"]) if cookie.get("expires", -1) > 0 else "",
            "flags": " ".join(_flags_of(cookie)),
            "value": visible(as_text(cookie["value"])),
        }
        for cookie in value
    ]


def _flags_of(cookie: Mapping[str, Any]) -> list[str]:
    flags = ["HttpOnly" if cookie.get("httpOnly") else "", "Secure" if cookie.get("secure") else ""]
    flags += [f"SameSite={cookie['sameSite']}" if cookie.get("sameSite") else ""]
    return [flag for flag in flags if flag]


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return f"{seconds:g}"


@own_lines
def _render_saved_state(value: SavedState) -> str:
    skipped = f"; skipped {', '.join(value.skipped)}" if value.skipped else ""
    sealed = ", encrypted" if value.sealed else ""
    return f"{value.path}: {count_noun(value.cookies, 'cookie')}, {count_noun(len(value.origins), 'origin')}{sealed}{skipped}"


@own_lines
def _render_kept_state(value: KeptState) -> str:
    return f"{value.name}: saved {value.saved} ({value.size} bytes{', encrypted' if value.sealed else ''})"


@table_row.register
def _kept_state_row(value: KeptState) -> dict[str, str]:
    return {
        "name": value.name,
        "saved": value.saved,
        "bytes": str(value.size),
        "encrypted": "yes" if value.sealed else "",
    }


@own_lines
def _render_state_facts(value: StateFacts) -> str:
    sealed = ", encrypted" if value.sealed else ""
    lines = [f"{value.name}: saved {value.saved} in {value.path}{sealed}"]
    lines += [
        f"  cookies of {quote(domain, marks=False)}: {count}" for domain, count in value.cookies.items()
    ]
    lines += [f"  items of {quote(origin, marks=False)}: {count}" for origin, count in value.origins.items()]
    return "\n".join([*lines, *([f"  {value.expired} cookies have expired"] if value.expired else [])])


@own_lines
def _render_user_profile(value: UserProfile) -> str:
    return f"{quote(value.name)}: {value.browser}, {quote(value.path)}"


@table_row.register
def _user_profile_row(value: UserProfile) -> dict[str, str]:
    return {"name": visible(value.name), "browser": value.browser, "path": visible(value.path)}
