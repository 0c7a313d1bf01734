"""Headers from callers: which names and values can be sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HEADERS = 100
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}\Z")
_VALUE = re.compile(r"[^\x00-\x08\x0a-\x1f\x7f]{0,8192}\Z")


def usable_value(value: object) -> bool:
    """Whether a header can have this value."""
    return isinstance(value, str) and _VALUE.match(value) is not None


def check_headers(headers: Mapping[str, str] | None) -> None:
    """BadSetting when one of them cannot be sent, or there are too many."""
    for name, value in (headers or {}).items():
        if not _NAME.match(str(name)) or not usable_value(value):
            raise BadSetting(f"invalid header name or value: {str(name)[:80]!r}")
    if headers is not None and len(headers) > MOST_HEADERS:
        raise BadSetting(f"too many headers: {len(headers)}", hint=f"use at most {MOST_HEADERS}")
