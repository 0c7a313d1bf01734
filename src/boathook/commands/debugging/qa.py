"""QA: check pages as a test does, and write reports for people and CI."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from boathook.clock import Deadline
from boathook.effects import Effect
from boathook.engine.qa.check_page import QA_SECONDS, PageChecks, check_page
from boathook.engine.qa.html_report import html_report
from boathook.engine.qa.junit_file import junit_xml
from boathook.engine.qa.page_list import read_pages
from boathook.engine.qa.report import PageReport, QaReport
from boathook.engine.tab import Tab
from boathook.errors import BadRequest, BadSetting
from boathook.input_files import read_text_file, write_output_file
from boathook.registry.context import HostApi
from boathook.registry.parameters import LoadState, Timeout
from boathook.registry.registry import Doc, Scope, command
from boathook.values import count_noun

LARGEST_LIST = 1 << 20
Junit = Annotated[str | Path | None, Doc("write a JUnit XML report to this file")]
Html = Annotated[str | Path | None, Doc("write an HTML report with images to this file")]


@command(
    group="debug",
    effect=Effect.ACTS,
    may_navigate=True,
    writes_files=("screenshot", "junit", "html"),
    examples=(
        "qa localhost:3000 --text Welcome",
        "qa localhost:3000 --selector main --screenshot start.png --html report.html",
        "qa --attached --check-console",
    ),
)
async def qa(
    tab: Tab,
    url: Annotated[str | None, Doc("the page to open and check")] = None,
    *,
    attached: Annotated[bool, Doc("check the current page instead, without opening anything")] = False,
    text: Annotated[Sequence[str], Doc("text that the page must show (may be repeated)")] = (),
    selector: Annotated[Sequence[str], Doc("element that must be visible (may be repeated)")] = (),
    screenshot: Annotated[str | Path | None, Doc("save a screenshot to this file")] = None,
    check_console: Annotated[
        bool | None, Doc("fail on errors in the console (default: if a URL is opened)")
    ] = None,
    check_errors: Annotated[bool | None, Doc("fail on uncaught errors (default: if a URL is opened)")] = None,
    check_network: Annotated[
        bool | None, Doc("fail on failed requests (default: if a URL is opened)")
    ] = None,
    wait_until: LoadState = "domcontentloaded",
    junit: Junit = None,
    html: Html = None,
    timeout: Timeout = QA_SECONDS,
) -> QaReport:
    """Check a page: it loads, shows what is expected, and causes no errors. Fails if a check does.

    Only errors and requests of the page itself count, not what was logged before it was opened.
    """
    if attached == (url is not None):
        wrong = "url and attached are mutually exclusive" if attached else "qa needs a url, or attached"
        raise BadRequest(wrong, hint="for example `qa localhost:3000 --text Welcome`")
    _require_writable(screenshot, junit, html)
    checks = PageChecks(
        url=url,
        text=tuple(text),
        selector=tuple(selector),
        screenshot=None if screenshot is None else Path(screenshot),
        console=not attached if check_console is None else check_console,
        errors=not attached if check_errors is None else check_errors,
        network=not attached if check_network is None else check_network,
        wait_until=wait_until,
    )
    report = QaReport(pages=(await check_page(tab, checks, deadline=Deadline.after(timeout)),))
    return await asyncio.to_thread(_with_files, report, junit, html)


@command(
    group="debug",
    scope=Scope.HOST,
    effect=Effect.ACTS,
    may_navigate=True,
    runs_commands=True,
    reads_files=("file",),
    writes_files=("junit", "html"),
    examples=(
        "qa pages pages.toml",
        "qa pages pages.toml --base http://localhost:3000 --junit qa.xml --html qa.html",
    ),
)
async def qa_pages(
    host: HostApi,
    file: Annotated[Path, Doc("the pages: a TOML file, or JSON if it ends in .json")],
    *,
    base: Annotated[str | None, Doc("the URL that the URLs of the pages are relative to")] = None,
    junit: Junit = None,
    html: Html = None,
) -> QaReport:
    """Check the pages that a file lists, one after another. Fails if a check of any page does."""
    content = await asyncio.to_thread(read_text_file, file, most_bytes=LARGEST_LIST)
    listed = read_pages(content, is_json=file.suffix.lower() == ".json", base=base)
    shots = [str(host.whole_path(page["screenshot"])) for page in listed if "screenshot" in page]
    _require_writable(*shots, junit, html)
    await host.start_afresh()
    if host.timeout is None:
        pages = await _check_all(host, listed)
    else:
        async with Deadline.after(host.timeout).stage(f"checking {count_noun(len(listed), 'page')}"):
            pages = await _check_all(host, listed)
    return await asyncio.to_thread(_with_files, QaReport(pages=pages), junit, html)


async def _check_all(host: HostApi, listed: list[dict[str, Any]]) -> tuple[PageReport, ...]:
    """Each page by a separate call, so that the policy decides about each."""
    pages: list[PageReport] = []
    for page in listed:
        name = page.pop("name", "")
        done: QaReport = await host.run("qa", page)
        pages += [replace(checked, name=name or checked.name) for checked in done.pages]
    return tuple(pages)


def _require_writable(*paths: str | Path | None) -> None:
    """Refuse, before the page is touched, folders and two results in one file, which would leave only the second."""
    named = [os.path.realpath(path) for path in paths if path is not None]
    folder = next((path for path in named if Path(path).is_dir()), None)
    if folder is not None:
        raise BadRequest(
            f"a result cannot be written to {folder}: it is a folder", hint="pass the path of a file"
        )
    twice = next((path for path in named if named.count(path) > 1), None)
    if twice is not None:
        raise BadRequest(f"two results would be written to {twice}", hint="use a separate file for each")


def _with_files(report: QaReport, junit: str | Path | None, html: str | Path | None) -> QaReport:
    """The report, with the files that were written."""
    wanted = ((junit, junit_xml), (html, html_report))
    files = tuple(_write(Path(path), content(report)) for path, content in wanted if path is not None)
    return replace(report, files=files)


def _write(path: Path, content: bytes) -> Path:
    try:
        write_output_file(path, content)
    except OSError as error:
        raise BadSetting(f"the report cannot be written to {path}: {error.strerror}") from error
    return path
