"""Values that a page has stored: settings may be shown, values that may identify the user may not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boathook.redaction.rules import is_credential_shaped, is_token_shaped
from boathook.redaction.secret import Secret
from boathook.redaction.sensitive_names import sensitive_name, words_of

if TYPE_CHECKING:
    from collections.abc import Mapping


def hide_private(items: Mapping[str, str]) -> dict[str, str | Secret]:
    """The items of a storage area, with values that may be private as secrets with a reason."""
    return {
        name: Secret(value, reason=reason) if (reason := privacy_reason(name, value)) else value
        for name, value in items.items()
    }


_PRIVATE_KEYS = words_of(
    "account auth authorization bearer cookie credential credentials csrf email identity jwt key login password phone"
    " profile secret session sessionid sid token tokens uid user userid username xsrf"
)
_HARMLESS_KEYS = words_of(
    "theme locale language lang layout sort tab view debug feature flag flags dark mode zoom width height color"
    " consent banner sidebar panel collapsed expanded volume currency timezone version"
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}")
_PRIVATE_WORD = re.compile(
    r"\b(?:password|passwd|secret|token|bearer|authorization|credential|session|cookie|user_?(?:id|name)|e-?mail|account"
    r"|jwt|api_?key)s?\b",
    re.IGNORECASE,
)
_LONG_TOKEN = re.compile(r"(?<![A-Za-z0-9_+/=.\-])[A-Za-z0-9_+/=.\-]{32,}")
_LONGEST_LOOK = 64 * 1024


def privacy_reason(key: str, value: str) -> str:
    """Why a stored value is not shown; empty if it may be."""
    if sensitive_name(key) or names_private(key):
        return "key"
    if len(value) > _LONGEST_LOOK:
        return "size"
    if _EMAIL.search(value):
        return "email"
    if any(is_token_shaped(match.group()) for match in _LONG_TOKEN.finditer(value)):
        return "token"
    head, _, rest = value.partition(" ")
    if head.lower() in {"bearer", "basic"} and is_credential_shaped(rest.strip()):
        return "credential"
    return "word" if _PRIVATE_WORD.search(value) and not _words(key) & _HARMLESS_KEYS else ""


def names_private(key: str) -> bool:
    """Whether a key suggests that its value is about the user or a sign-in."""
    return bool(_words(key) & _PRIVATE_KEYS)


def _words(key: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(key[-128:])}
