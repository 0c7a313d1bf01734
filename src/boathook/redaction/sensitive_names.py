"""Names of fields and parameters whose values are secrets."""

from __future__ import annotations

import re
from functools import lru_cache


def words_of(text: str) -> frozenset[str]:
    """A set of words, from a space-separated string."""
    return frozenset(text.split())


_PHRASES = tuple(
    tuple(phrase.split())
    for phrase in (
        "api key", "access key", "private key", "secret key", "signing key", "encryption key", "auth key",
        "sentry key", "write key", "account key", "secrets", "passwords", "passphrase", "pwd", "credential",
        "credentials", "database url", "db url", "connection string", "mongo uri", "mongodb uri", "mongo url",
        "redis url", "authorization", "bearer", "cookie", "session id", "sessid", "signature", "otp",
    )
)  # fmt: skip
_WORD_ENDS = (
    "token",
    "secret",
    "password",
    "passwd",
    "apikey",
    "accesskey",
    "privatekey",
    "sessionid",
    "sessid",
)
"""Suffixes of single words too, since `accesstoken` and `PGPASSWORD` are common."""
_NOT_THE_SECRET = words_of(
    "type types expiry expires expiration expire ttl count counts length size limit strength hint file path name"
    " names policy field fields banner consent label page placeholder min max visible required enabled disabled valid"
    " invalid error errors message index prompt reset jar manager autocomplete mismatch status state style class color"
    " usage budget format algorithm in at on version location endpoint uri url uris urls settings preferences store stdin"
)
"""A name with this suffix is only about a secret: its length, where it is stored."""
_QUESTIONS = words_of("is has show hide max min num use require forgot allow enable disable need needs")
_QUERY_NAMES = words_of(
    "access_token api_key apikey auth authorization bearer client_secret code cookie id_token key pass password passwd"
    " pwd refresh_token secret sentry_key session_id sessionid session sid sig signature token write_key ticket otp"
    " jwt assertion samlresponse code_verifier x-amz-signature x-amz-credential x-amz-security-token"
)
STEMS = (
    "pass", "pwd", "token", "secret", "key", "cred", "url", "uri", "connection", "auth", "bearer", "cookie", "sess",
    "signature", "otp",
)  # fmt: skip
"""Every sensitive name contains one of these."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
LONGEST_NAME = 128


def sensitive_name(name: str) -> bool:
    """Whether a field of this name, in snake, kebab or camel case, contains a secret."""
    return _names_a_secret(name[-LONGEST_NAME:])


@lru_cache(maxsize=4096)
def _names_a_secret(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[0] in _QUESTIONS:
        return False
    for phrase in _PHRASES:
        if any(tuple(words[at : at + len(phrase)]) == phrase for at in range(len(words))):
            ends_with_it = tuple(words[-len(phrase) :]) == phrase
            return ends_with_it or words[-1] not in _NOT_THE_SECRET
    if words[-1] in _NOT_THE_SECRET:
        return False
    return any(word.endswith(_WORD_ENDS) for word in words)


def sensitive_query_name(name: str) -> bool:
    """Whether a URL parameter of this name is a secret; URLs use short names for them."""
    return name.lower() in _QUERY_NAMES or sensitive_name(name)
