"""Credentials of requests: in custom headers, in cookies, and in the URL."""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from boathook.redaction.credential_values import is_credential
from boathook.redaction.known_secrets import SHORTEST_SECRET
from boathook.redaction.sensitive_names import sensitive_name, sensitive_query_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.engine.network.log.request_record import RequestRecord

_SCHEMES = ("bearer", "basic", "token", "negotiate", "apikey")


def credentials_of(record: RequestRecord) -> Iterator[str]:
    """Values of one request and its response that must not be printed."""
    for name, value in parse_qsl(urlsplit(record.url).query):
        if len(value) >= SHORTEST_SECRET and sensitive_query_name(name):
            yield value
    for headers in (record.request_headers, record.response_headers):
        for name, value in headers.items():
            yield from _in_header(name.lower(), value)


def _in_header(name: str, value: str) -> Iterator[str]:
    if name == "cookie":
        pairs = (pair.strip().partition("=") for pair in value.split(";"))
        yield from (text for cookie, _, text in pairs if is_credential(cookie, text))
    elif name == "set-cookie":
        for line in value.split("\n"):
            pair, _, flags = line.partition(";")
            cookie, _, text = pair.strip().partition("=")
            if is_credential(cookie, text, hidden="httponly" in flags.lower()):
                yield text
    elif sensitive_name(name):
        scheme, _, rest = value.partition(" ")
        secret = rest.strip() if scheme.lower() in _SCHEMES else value
        if len(secret) >= SHORTEST_SECRET:
            yield secret
        if scheme.lower() == "basic":
            yield from _password_in(secret)


def _password_in(encoded: str) -> Iterator[str]:
    try:
        _user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return
    if len(password) >= SHORTEST_SECRET:
        yield password
