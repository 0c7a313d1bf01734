"""Dates, times, months, weeks and ranges as ISO text: what `fill` accepts for every kind of date field."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

_DATE = r"(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})"
_TIME = r"(?P<hour>\d{2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        _DATE,
        f"{_DATE}[T ]{_TIME}",
        _TIME,
        r"(?P<year>\d{4})-(?P<month>\d{2})",
        r"(?P<year>\d{4})-W(?P<week>\d{2})",
    )
)
_LAST = {"month": 12, "day": 31, "hour": 23, "minute": 59, "second": 59, "week": 53}
ENDS = 2
"""A range has two."""
_LEAST = {"month": 1, "day": 1, "week": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class IsoMoment:
    """A date, a time, or both; None stands for a part that was not given."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: int | None = None

    def __str__(self) -> str:
        return "T".join(filter(None, (self.date_text, self.time_text)))

    @property
    def date_text(self) -> str:
        """The part before the time."""
        if self.week is not None:
            return f"{self.year:04}-W{self.week:02}"
        parts = [f"{part:02}" for part in (self.month, self.day) if part is not None]
        return "-".join([f"{self.year:04}", *parts]) if self.year is not None else ""

    @property
    def time_text(self) -> str:
        """Hours and minutes, with seconds if they were given."""
        parts = [f"{part:02}" for part in (self.hour, self.minute, self.second) if part is not None]
        return ":".join(parts)

    def as_native(self, kind: str) -> str:
        """The value that an input of this type takes, as far as this moment determines it."""
        day = date(self.year, self.month, self.day) if self.year and self.month and self.day else None
        if kind == "time":
            return self.time_text
        if kind == "datetime-local":
            return f"{self.date_text}T{self.time_text or '00:00'}" if day else str(self)
        if kind == "week" and day:
            year, week, _ = day.isocalendar()
            return f"{year:04}-W{week:02}"
        if kind == "month":
            return self.date_text[:7] if self.week is None else str(self)
        return self.date_text if kind == "date" and day else str(self)


def parse_iso(text: str) -> tuple[IsoMoment, ...]:
    """The moment that the text names, the two ends of a range, or nothing if the text is something else."""
    moments = [_one(part.strip()) for part in text.split("/")]
    if len(moments) > ENDS or None in moments:
        return ()
    return tuple(moment for moment in moments if moment is not None)


def _one(text: str) -> IsoMoment | None:
    match = next((found for form in _FORMS if (found := form.fullmatch(text))), None)
    if match is None:
        return None
    parts = {name: int(digits) for name, digits in match.groupdict().items() if digits is not None}
    if any(not _LEAST.get(name, 0) <= part <= _LAST.get(name, 9999) for name, part in parts.items()):
        return None
    if "day" in parts:
        try:
            date(parts["year"], parts["month"], parts["day"])
        except ValueError:
            return None
    return IsoMoment(**parts)
