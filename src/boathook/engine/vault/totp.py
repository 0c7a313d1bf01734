"""Time-based one-time codes (RFC 6238), from a base32 seed or an otpauth: URL."""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import struct
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from boathook.errors import BadRequest

_SPACES = re.compile(r"[\s-]+")
ALGORITHMS = frozenset({"sha1", "sha256", "sha512"})
SHORTEST, LONGEST = 6, 10
LONGEST_PERIOD = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Seed:
    """The parameters of the codes."""

    secret: bytes = field(repr=False)
    digits: int = 6
    period: int = 30
    algorithm: str = "sha1"


def check_seed(text: str) -> None:
    """BadRequest if no codes can be generated from it; the error does not repeat it."""
    _seed(text)


def code_at(text: str, seconds: float) -> str:
    """The code at a moment, in seconds since 1970."""
    seed = _seed(text)
    counter = struct.pack(">Q", int(seconds // seed.period))
    digest = hmac.digest(seed.secret, counter, seed.algorithm)
    at = digest[-1] & 0x0F
    number = struct.unpack(">I", digest[at : at + 4])[0] & 0x7FFFFFFF
    return str(number % 10**seed.digits).zfill(seed.digits)


def seconds_left(text: str, seconds: float) -> float:
    """How long the code of a moment is still valid."""
    period = _seed(text).period
    return period - seconds % period


def _seed(text: str) -> Seed:
    if not text.strip().lower().startswith("otpauth:"):
        return Seed(secret=_decode_seed(text))
    parts = urlsplit(text.strip())
    given = {name: values[0] for name, values in parse_qs(parts.query).items()}
    digits, period = given.get("digits", "6"), given.get("period", "30")
    algorithm = given.get("algorithm", "SHA1").lower().replace("-", "")
    fits = (
        parts.netloc.lower() == "totp" and algorithm in ALGORITHMS and digits.isdigit() and period.isdigit()
    )
    if not fits or not SHORTEST <= int(digits) <= LONGEST or not 1 <= int(period) <= LONGEST_PERIOD:
        raise BadRequest("unsupported otpauth: URL (only time-based codes are supported)")
    return Seed(
        secret=_decode_seed(given.get("secret", "")),
        digits=int(digits),
        period=int(period),
        algorithm=algorithm,
    )


def _decode_seed(text: str) -> bytes:
    plain = _SPACES.sub("", text).rstrip("=").upper()
    try:
        secret = base64.b32decode(plain + "=" * (-len(plain) % 8))
    except binascii.Error:
        secret = b""
    if not secret:
        raise BadRequest("the TOTP seed must be base32 text or an otpauth: URL")
    return secret
