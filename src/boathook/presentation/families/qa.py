"""Verdicts about pages as text and data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.engine.qa.report import QaReport
from boathook.presentation.quoting import quote
from boathook.presentation.rendering import as_data, own_lines

if TYPE_CHECKING:
    from boathook.engine.qa.report import PageReport


@own_lines
def render_qa_report(report: QaReport) -> str:
    """The verdict, then each page: its checks, those that failed marked, and its warnings."""
    lines = [f"{'passed' if report.passed else 'failed'}: {report.summary}"]
    for page in report.pages:
        lines += _page_lines(page, is_short=page.passed and len(report.pages) > 1)
    return "\n".join([*lines, *(f"saved {path}" for path in report.files)])


def _page_lines(page: PageReport, *, is_short: bool) -> list[str]:
    named = "" if page.name == page.url else f"{page.name}: "
    title = f" {quote(page.title)}" if page.title else ""
    head = f"== {named}{page.url}{title}"
    if is_short:
        return [f"{head}: ok"]
    checks = [f"{'ok' if check.ok else 'failed':8}{check.title}: {check.message}" for check in page.checks]
    return [head, *checks, *(f"warning {text}" for text in page.warnings)]


@as_data.register
def _qa_data(report: QaReport) -> dict[str, Any]:
    """The verdict with the names of other tools, and all checks."""
    return {
        "passed": report.passed,
        "failedChecks": [
            {"check": check.title, "message": check.message, "page": page.name}
            for page, check in report.failed_checks
        ],
        "warnings": [text for page in report.pages for text in page.warnings],
        "summary": report.summary,
        "pages": [_page_data(page) for page in report.pages],
        "files": [str(path) for path in report.files],
    }


def _page_data(page: PageReport) -> dict[str, Any]:
    return {
        "name": page.name,
        "url": page.url,
        "title": page.title,
        "passed": page.passed,
        "checks": [as_data(check) for check in page.checks],
        "screenshot": None if page.screenshot is None else str(page.screenshot),
    }
