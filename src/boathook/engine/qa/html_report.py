"""Verdicts as one HTML file that needs no other: a section for each page, with its image."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.engine.qa.report import Check, PageReport, QaReport

_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>QA report</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #1c1c1c; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin: 2.5rem 0 .25rem }
.url { color: #555; overflow-wrap: anywhere; margin: 0 0 .75rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #ddd; overflow-wrap: anywhere }
th { font-weight: 600; white-space: nowrap } td:first-child { white-space: nowrap } td:nth-child(2) { width: 30% }
.ok { color: #17692b } .failed { color: #b3261e; font-weight: 600 } .warning { color: #7a5200 }
img { max-width: 100%; border: 1px solid #ccc; margin-top: .9rem }
@media (prefers-color-scheme: dark) { body { color: #eee; background: #181818 } .url { color: #aaa } th, td { border-color: #444 }
.ok { color: #7bd88f } .failed { color: #ff8a80 } .warning { color: #e5c07b } }
</style>
</head>
<body>
"""


def html_report(report: QaReport) -> bytes:
    """The file; everything in it that comes from pages is escaped, and it loads and runs nothing."""
    state = "ok" if report.passed else "failed"
    head = f'<h1><span class="{state}">{"Passed" if report.passed else "Failed"}</span>: {escape(report.summary)}</h1>\n'
    pages = "".join(_section(page) for page in report.pages)
    return f"{_HEAD}{head}{pages}</body>\n</html>\n".encode(errors="replace")


def _section(page: PageReport) -> str:
    named = escape(page.name)
    title = f" “{escape(page.title)}”" if page.title else ""
    rows = "".join(_row(check) for check in page.checks)
    notes = "".join(
        f'<tr><td class="warning">warning</td><td></td><td>{escape(text)}</td><td></td></tr>\n'
        for text in page.warnings
    )
    return (
        f"<section>\n<h2>{named}</h2>\n<p class=url>{escape(page.url)}{title}</p>\n"
        "<table>\n<tr><th>result</th><th>check</th><th>details</th><th>seconds</th></tr>\n"
        f"{rows}{notes}</table>\n{_image(page)}</section>\n"
    )


def _row(check: Check) -> str:
    state = "ok" if check.ok else "failed"
    return (
        f'<tr><td class="{state}">{state}</td><td>{escape(check.title)}</td>'
        f"<td>{escape(check.message)}</td><td>{check.seconds:.2f}</td></tr>\n"
    )


def _image(page: PageReport) -> str:
    if not page.image:
        return ""
    data = base64.b64encode(page.image).decode()
    return f'<img alt="Screenshot of {escape(page.name)}" src="data:image/jpeg;base64,{data}">\n'
