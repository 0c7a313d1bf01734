"""The verdict about pages: each check of each page, and what failed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from boathook.redaction.safe_repr import safe_repr
from boathook.values import count_noun

if TYPE_CHECKING:
    from pathlib import Path


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check and its result."""

    name: str
    """open, text, selector, console, errors, network or screenshot."""
    ok: bool
    message: str
    """What was found."""
    subject: str = ""
    """What was expected: text or a selector."""
    seconds: float = 0.0

    @property
    def title(self) -> str:
        """The same in every run, whatever was found."""
        return f"{self.name} {self.subject!r}" if self.subject else self.name


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class PageReport:
    """The checks of one page."""

    name: str
    url: str
    title: str = ""
    checks: tuple[Check, ...] = ()
    warnings: tuple[str, ...] = ()
    screenshot: Path | None = None
    image: bytes = field(default=b"", repr=False)
    """The viewport as JPEG, for reports."""

    @property
    def passed(self) -> bool:
        """Whether no check failed."""
        return all(check.ok for check in self.checks)

    @property
    def seconds(self) -> float:
        """How long its checks took."""
        return sum(check.seconds for check in self.checks)


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class QaReport:
    """The checks of all pages, and the files that were written."""

    pages: tuple[PageReport, ...]
    files: tuple[Path, ...] = ()
    """Reports; screenshots are listed with their pages."""

    FAILURE: ClassVar[str] = "qa-failure"

    @property
    def passed(self) -> bool:
        """Whether no check of any page failed."""
        return all(page.passed for page in self.pages)

    @property
    def failure_category(self) -> str:
        """The category of a call whose check did not pass; empty if it passed."""
        return "" if self.passed else self.FAILURE

    @property
    def failed_checks(self) -> list[tuple[PageReport, Check]]:
        """Every check that failed, with its page."""
        return [(page, check) for page in self.pages for check in page.checks if not check.ok]

    @property
    def summary(self) -> str:
        """One line."""
        every = sum(len(page.checks) for page in self.pages)
        failed = len(self.failed_checks)
        pages = f" on {count_noun(len(self.pages), 'page')}" if len(self.pages) > 1 else ""
        said = (
            f"{failed} of {count_noun(every, 'check')} failed"
            if failed
            else f"{count_noun(every, 'check')} passed"
        )
        return f"{said}{pages}"
