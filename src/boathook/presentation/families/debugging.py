"""Text for vitals, audits, styles and coverage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.debug.audit import Audit
from boathook.engine.debug.coverage import Coverage
from boathook.engine.debug.style_rules import Styling
from boathook.engine.debug.vitals import Vitals
from boathook.presentation.rendering import as_text, own_lines

if TYPE_CHECKING:
    from boathook.engine.debug.audit import AuditFinding
    from boathook.engine.debug.vitals import Vital

MOST_SHOWN = 3
"""Elements shown for one finding; the data has all of them."""
_NAMES = {
    "lcp": "Largest Contentful Paint (LCP)",
    "fcp": "First Contentful Paint (FCP)",
    "ttfb": "Time to First Byte (TTFB)",
    "inp": "Interaction to Next Paint (INP)",
    "cls": "Cumulative Layout Shift (CLS)",
}


@own_lines
def render_vitals(vitals: Vitals) -> str:
    """A line for each metric."""
    lines = [_figure(figure) for figure in vitals.figures]
    return "\n".join(lines + ([f"LCP element: {vitals.largest}"] if vitals.largest else []))


def _figure(vital: Vital) -> str:
    if vital.value is None:
        return f"{_NAMES[vital.name]}: not measured"
    value = f"{vital.value:g}" if vital.name == "cls" else f"{vital.value:.0f} ms"
    return f"{_NAMES[vital.name]}: {value}, {vital.rating}"


@own_lines
def render_audit(audit: Audit) -> str:
    """The violations, most severe first, with the first elements of each."""
    if not audit.violations:
        head = f"no violations; {audit.passes} rules passed"
    else:
        total = sum(violation.count for violation in audit.violations)
        head = f"{len(audit.violations)} rules violated in {total} places; {audit.passes} rules passed"
    order = ["critical", "serious", "moderate", "minor", ""]
    worst_first = sorted(
        audit.violations, key=lambda finding: order.index(finding.impact) if finding.impact in order else 4
    )
    lines = [head, *(_finding(finding) for finding in worst_first)]
    if audit.incomplete:
        lines.append(f"needs manual review: {', '.join(finding.rule for finding in audit.incomplete)}")
    return "\n".join(lines)


def render_styling(styling: Styling) -> str:
    """Each rule with its declarations; overridden ones are in parentheses."""
    if not styling.rules:
        return f"no rule of the page matches {styling.ref}"
    lines = []
    for rule in styling.rules:
        lines.append(f"{rule.selector}  ({rule.source})")
        for declaration in rule.declarations:
            said = f"{declaration.name}: {declaration.value}" + (
                " !important" if declaration.important and "!important" not in declaration.value else ""
            )
            lines.append(f"  {said}" if declaration.wins else f"  ({said})")
    return "\n".join(lines)


@own_lines
def render_coverage(coverage: Coverage) -> str:
    """The total, and a line for each file."""
    if not coverage.total:
        return "no files were loaded while coverage was recorded"
    lines = [
        f"{coverage.used:,} of {coverage.total:,} characters used ({coverage.used / coverage.total:.0%})"
    ]
    for file in coverage.files:
        share = file.used / file.total if file.total else 1
        lines.append(f"{share:4.0%} of {file.total:,}  {file.kind} {file.url}")
    return "\n".join(lines)


def _finding(finding: AuditFinding) -> str:
    shown = [place.ref or place.selector for place in finding.places[:MOST_SHOWN]]
    more = f" and {finding.count - len(shown)} more" if finding.count > len(shown) else ""
    return f"{finding.impact or 'unrated'} {finding.rule}: {finding.help} ({', '.join(shown)}{more})"


as_text.register(Styling, render_styling)
