"""Cookies as other tools write them: curl commands, Cookie headers, Netscape's cookies.txt, JSON of several kinds."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from boathook.errors import BadRequest
from boathook.input_files import read_input_file

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE = 4 * 1024 * 1024
NETSCAPE_FIELDS = 7
_HEADER = re.compile(r"\A\s*(?:set-)?cookie\s*:", re.IGNORECASE)
_PAIR = re.compile(r"\A[^=;\s]+=[^;\n]*(?:;|\Z)")
_SAME_SITE = {"strict": "Strict", "lax": "Lax", "none": "None", "no_restriction": "None"}
_NEXT_LINE = re.compile(r"(?:\\\\|\\^)\r?\n")
_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CookiesTaken:
    """What was found in some text, without any value."""

    form: str
    count: int
    names: tuple[str, ...]
    domains: tuple[str, ...]
    skipped: int = 0
    """Entries that are not cookies, or have expired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCookies:
    """Cookies found in some text, ready to be set."""

    form: str
    cookies: list[dict[str, Any]] = field(repr=False)
    skipped: int = 0

    def summary(self) -> CookiesTaken:
        """The same without values."""
        places = (
            str(cookie.get("domain") or urlsplit(str(cookie.get("url", ""))).hostname or "the current page")
            for cookie in self.cookies
        )
        return CookiesTaken(
            form=self.form,
            count=len(self.cookies),
            names=tuple(str(cookie["name"]) for cookie in self.cookies[:_SHOWN]),
            domains=tuple(dict.fromkeys(places)),
            skipped=self.skipped,
        )


def read_cookie_file(path: Path) -> str:
    """The text of a file; its content never appears in errors."""
    try:
        content = read_input_file(path, most_bytes=LARGEST_FILE)
        if len(content) > LARGEST_FILE:
            raise BadRequest(f"{path} is larger than {LARGEST_FILE} bytes")
        return content.decode("utf-8-sig")
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadRequest(f"{path} is not text") from error


def parse_cookies(text: str, *, domain: str | None) -> FoundCookies:
    """Cookies from text in any of the known formats; `domain` is for cookies that do not specify one."""
    found = _detect_cookies(text.strip())
    if not found.cookies:
        raise BadRequest(
            f"no cookies found (read as {found.form})" if found.form else "no cookies found",
            hint="use a curl command, a Cookie header, a Netscape cookies.txt, or a JSON list of cookies",
        )
    if domain is None:
        return found
    placed = [
        match if "domain" in match else {**_without(match, "url"), "domain": domain}
        for match in found.cookies
    ]
    return FoundCookies(form=found.form, cookies=placed, skipped=found.skipped)


def _detect_cookies(text: str) -> FoundCookies:
    if text[:1] in {"[", "{"}:
        return _from_json(text)
    if re.match(r"curl(\.exe)?\s", text):
        return _from_curl(text)
    if "\t" in text and any(len(line.split("\t")) == NETSCAPE_FIELDS for line in text.splitlines()):
        return _from_netscape(text)
    if _HEADER.match(text) or _PAIR.match(text):
        pairs = [pair for line in text.splitlines() for pair in _pairs(line)]
        return FoundCookies(form="Cookie header", cookies=pairs)
    return FoundCookies(form="", cookies=[])


def _pairs(line: str) -> list[dict[str, Any]]:
    """`Cookie: a=1; b=2`, with or without the header name; of Set-Cookie only the first pair is a cookie."""
    only_first = bool(re.match(r"\s*set-cookie\s*:", line, re.IGNORECASE))
    found = []
    for part in _HEADER.sub("", line).split(";")[: 1 if only_first else None]:
        name, equals, value = part.strip().partition("=")
        if equals and name:
            found.append({"name": name.strip(), "value": value.strip()})
    return found


def _from_curl(text: str) -> FoundCookies:
    """The cookies of a request, for its URL."""
    try:
        words = shlex.split(_NEXT_LINE.sub(" ", text).replace("$'", "'"))
    except ValueError as error:
        raise BadRequest("invalid curl command: a quote is not closed") from error
    address, lines = "", []
    for number, word in enumerate(words):
        following = words[number + 1] if number + 1 < len(words) else ""
        header = word in {"-H", "--header"} and _HEADER.match(following)
        if header or (word in {"-b", "--cookie"} and "=" in following):
            lines.append(following)
        elif word.startswith(("http://", "https://")):
            address = address or word
    pairs = [pair for line in lines for pair in _pairs(line)]
    return FoundCookies(
        form="curl command", cookies=[{**pair, "url": address} if address else pair for pair in pairs]
    )


def _from_netscape(text: str) -> FoundCookies:
    cookies, skipped = [], 0
    for raw in text.splitlines():
        http_only = raw.startswith("#HttpOnly_")
        line = raw.removeprefix("#HttpOnly_")
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != NETSCAPE_FIELDS:
            skipped += 1
            continue
        domain, below, path, secure, expires, name, value = parts
        cookie: dict[str, Any] = {
            "name": name,
            "value": value,
            "path": path,
            "secure": secure.upper() == "TRUE",
        }
        cookie["httpOnly"] = http_only
        cookies.append(
            cookie
            | _cookie_scope(domain, host_only=below.upper() != "TRUE", secure=cookie["secure"], path=path)
            | _expiry(expires)
        )
    return FoundCookies(form="cookies.txt", cookies=cookies, skipped=skipped)


def _from_json(text: str) -> FoundCookies:
    """A list of cookies, or an object that contains one: ours, Playwright's, or that of browser extensions."""
    try:
        given = json.loads(text)
    except ValueError as error:
        raise BadRequest("invalid JSON") from error
    listed = given.get("cookies", [given]) if isinstance(given, dict) else given
    entries = (
        [entry for entry in listed if isinstance(entry, dict) and "name" in entry and "value" in entry]
        if isinstance(listed, list)
        else []
    )
    skipped = len(listed) - len(entries) if isinstance(listed, list) else 0
    return FoundCookies(form="JSON", cookies=[_from_entry(cookie) for cookie in entries], skipped=skipped)


def _from_entry(entry: dict[str, Any]) -> dict[str, Any]:
    cookie: dict[str, Any] = {"name": str(entry["name"]), "value": str(entry["value"])}
    for name in ("path", "httpOnly", "secure"):
        if entry.get(name) is not None:
            cookie[name] = entry[name]
    if isinstance(entry.get("partitionKey"), dict):
        cookie["partitionKey"] = entry["partitionKey"]
    same_site = _SAME_SITE.get(str(entry.get("sameSite", "")).lower())
    if same_site is not None:
        cookie["sameSite"] = same_site
    if entry.get("domain"):
        host_only = bool(entry.get("hostOnly"))
        cookie |= _cookie_scope(
            str(entry["domain"]),
            host_only=host_only,
            secure=bool(entry.get("secure")),
            path=str(entry.get("path") or "/"),
        )
    elif entry.get("url"):
        cookie["url"] = str(entry["url"])
    expires = entry.get("expires", entry.get("expirationDate"))
    return cookie | ({} if entry.get("session") else _expiry(expires))


def _cookie_scope(domain: str, *, host_only: bool, secure: bool, path: str) -> dict[str, Any]:
    """A host-only cookie is set by a URL: with a domain, subdomains would receive it as well."""
    if host_only and not domain.startswith("."):
        return {"url": f"{'https' if secure else 'http'}://{domain}{path if path.startswith('/') else '/'}"}
    return {"domain": domain}


def _expiry(given: object) -> dict[str, float]:
    try:
        seconds = float(str(given))
    except ValueError:
        return {}
    return {"expires": seconds} if seconds > 0 else {}


def _without(cookie: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in cookie.items() if key != name}
