"""Verdicts as JUnit XML, which CI systems show: a test suite for each page, a test case for each check."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from boathook.engine.qa.report import PageReport, QaReport

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(report: QaReport) -> bytes:
    """The file; strings of pages are escaped, and characters that XML does not allow are replaced."""
    root = ET.Element("testsuites", name="boathook qa")
    for page in report.pages:
        root.append(_suite(page))
    total = {"tests": sum(len(page.checks) for page in report.pages), "failures": len(report.failed_checks)}
    for name, value in total.items():
        root.set(name, str(value))
    ET.indent(root)
    return bytes(ET.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _suite(page: PageReport) -> ET.Element:
    failures = sum(not check.ok for check in page.checks)
    suite = ET.Element(
        "testsuite",
        name=_clean(page.name),
        tests=str(len(page.checks)),
        failures=str(failures),
        errors="0",
        time=f"{page.seconds:.3f}",
    )
    for check in page.checks:
        case = ET.SubElement(
            suite,
            "testcase",
            classname=_clean(page.name),
            name=_clean(check.title),
            time=f"{check.seconds:.3f}",
        )
        if not check.ok:
            ET.SubElement(case, "failure", message=_clean(check.message)).text = _clean(page.url)
    if page.warnings:
        ET.SubElement(suite, "system-out").text = _clean("\n".join(page.warnings))
    return suite


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
