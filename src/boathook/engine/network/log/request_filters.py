"""Filters for the log: by URL, type, method, status and failure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boathook.engine.network.routing.routes import RESOURCE_TYPES
from boathook.engine.network.routing.url_patterns import url_matcher
from boathook.errors import BadSetting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.engine.network.log.request import Request

_CLASS = re.compile(r"([1-5])xx\Z", re.IGNORECASE)
_RANGE = re.compile(r"(\d{3})-(\d{3})\Z")
_ONE = re.compile(r"\d{3}\Z")
_TYPES = RESOURCE_TYPES | {"websocket", "signedexchange", "cspviolationreport", "fedcm"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which requests match."""

    matcher: re.Pattern[str] | None = None
    types: frozenset[str] = frozenset()
    """In lower case; none means all."""
    method: str = ""
    statuses: tuple[tuple[int, int], ...] = ()
    """First and last status of each range; none means all."""
    failed: bool | None = None
    """Only those that need attention, or only the others."""

    def wants(self, request: Request) -> bool:
        """Whether a request matches."""
        return (
            (self.matcher is None or self.matcher.search(request.url) is not None)
            and (not self.types or request.type.lower() in self.types)
            and (not self.method or request.method == self.method)
            and (not self.statuses or any(low <= request.status <= high for low, high in self.statuses))
            and (self.failed is None or self.failed == (request.failed and not request.benign))
        )


def filter_of(
    *,
    pattern: str | None = None,
    types: Sequence[str] = (),
    method: str | None = None,
    status: str | None = None,
    failed: bool | None = None,
) -> Filter:
    """From user input; BadSetting if it is invalid."""
    given = [types] if isinstance(types, str) else types
    wanted = {part.strip().lower() for text in given for part in text.split(",") if part.strip()}
    unknown = min(wanted - _TYPES, default="")
    if unknown:
        raise BadSetting(f"unknown request type: {unknown!r}", hint=f"use {', '.join(sorted(_TYPES))}")
    return Filter(
        matcher=url_matcher(pattern) if pattern is not None else None,
        types=frozenset(wanted),
        method=method.upper() if method else "",
        statuses=_statuses(status) if status else (),
        failed=failed,
    )


def _statuses(text: str) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    for part in (part.strip() for part in text.split(",")):
        if match := _CLASS.match(part):
            ranges.append((int(match[1]) * 100, int(match[1]) * 100 + 99))
        elif match := _RANGE.match(part):
            ranges.append((int(match[1]), int(match[2])))
        elif _ONE.match(part):
            ranges.append((int(part), int(part)))
        else:
            raise BadSetting(
                f"invalid status: {part!r}", hint="use 404, 2xx, 400-499, or several separated by commas"
            )
    return tuple(ranges)
