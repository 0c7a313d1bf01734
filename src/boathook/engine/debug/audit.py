"""Accessibility audits with axe-core, from an optional package, run where the page's scripts cannot see it."""

from __future__ import annotations

import importlib.util
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boathook.engine.elements.locate import locate
from boathook.engine.page.page_eval import evaluate_in, value_of
from boathook.errors import BadRequest, BoathookError, Unsupported
from boathook.input_files import read_input_file
from boathook.redaction.safe_repr import safe_repr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

PACKAGE = "axe_playwright_python"
FILE = "axe.min.js"
MOST_NODES = 10
MOST_RULES = 50
_RUN = """
async (scope, tags, most) => {
  const options = { resultTypes: ['violations', 'incomplete'], elementRef: false };
  if (tags.length) options.runOnly = { type: 'tag', values: tags };
  let context = document;
  if (scope) {
    context = document.querySelector(scope);
    if (!context) return { missing: true };
  }
  const found = await axe.run(context, options);
  const told = (rule) => ({
    id: rule.id, impact: rule.impact || '', help: rule.help, url: rule.helpUrl, count: rule.nodes.length,
    nodes: rule.nodes.slice(0, most).map((node) => ({ target: node.target, html: node.html.slice(0, 200) })),
  });
  return { version: axe.version, passes: found.passes.length, violations: found.violations.map(told), incomplete: found.incomplete.map(told) };
}
"""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLocation:
    """Where a rule is violated; `ref` if the element could be identified."""

    selector: str
    ref: str = ""


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFinding:
    """One rule that is violated, or that needs a manual check."""

    rule: str
    impact: str
    help: str
    url: str
    count: int
    places: tuple[AuditLocation, ...]


@safe_repr
@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The findings of axe-core."""

    url: str
    version: str
    passes: int
    violations: tuple[AuditFinding, ...]
    incomplete: tuple[AuditFinding, ...]


def axe_source(given: Path | None) -> str:
    """The source of axe-core: that of a file, or of the package; Unsupported if there is neither."""
    if given is not None:
        try:
            return read_input_file(given).decode("utf-8")
        except OSError as error:
            raise BadRequest(f"{given} cannot be read ({error.strerror})") from error
        except UnicodeDecodeError as error:
            raise BadRequest(f"{given} is not UTF-8 text", hint="pass axe.min.js of axe-core") from error
    spec = importlib.util.find_spec(PACKAGE)
    for place in spec.submodule_search_locations or () if spec is not None else ():
        with suppress(OSError):
            return (Path(place) / FILE).read_text(encoding="utf-8")
    raise Unsupported(
        "axe-core is not installed",
        hint="pip install 'boathook[a11y]'|, or npm install axe-core and pass `--axe node_modules/axe-core/axe.min.js`",
    )


async def audit(
    tab: Tab, source: str, *, scope: str | None = None, tags: Sequence[str] = (), deadline: Deadline
) -> Audit:
    """Run all rules, or those with one of the tags, over the page or one part of it."""
    async with deadline.stage("auditing the page"):
        found = await _run(tab, source, scope, tags)
    if found.get("missing"):
        raise BadRequest(
            f"nothing matches {scope!r}", hint="use a CSS selector that matches an element on the page"
        )
    told = {}
    for kind in ("violations", "incomplete"):
        told[kind] = tuple([await _finding(tab, match, kind) for match in found[kind][:MOST_RULES]])
    return Audit(url=tab.url, version=str(found["version"]), passes=int(found["passes"]), **told)


async def _run(tab: Tab, source: str, scope: str | None, tags: Sequence[str]) -> dict[str, Any]:
    frame = tab.frames.main
    world = await tab.frames.world(frame)
    here = {"contextId": world.context_id}
    present = await frame.session.send(
        "Runtime.evaluate", expression="typeof axe", returnByValue=True, **here
    )
    if present["result"].get("value") != "object":
        await frame.session.send("Runtime.evaluate", expression=source, **here)
    asked = ", ".join(json.dumps(argument) for argument in (scope or "", list(tags), MOST_NODES))
    reply = await evaluate_in(frame.session, f"({_RUN})({asked})", context_id=world.context_id)
    value: dict[str, Any] = value_of(reply, failed="the audit failed")
    return value


async def _finding(tab: Tab, told: dict[str, Any], kind: str) -> AuditFinding:
    places = [await _place(tab, node["target"], named=kind == "violations") for node in told["nodes"]]
    return AuditFinding(
        rule=str(told["id"]),
        impact=str(told["impact"]),
        help=str(told["help"]),
        url=str(told["url"]),
        count=int(told["count"]),
        places=tuple(places),
    )


async def _place(tab: Tab, target: list[Any], *, named: bool) -> AuditLocation:
    """A selector in axe-core's notation: several parts lead through frames and shadow roots."""
    selector = " >>> ".join(str(part) for part in target)[:500]
    ref = ""
    if named and len(target) == 1 and isinstance(target[0], str):
        with suppress(BoathookError):
            ref = str((await locate(tab, f"css={target[0]}", nth=0)).ref)
    return AuditLocation(selector=selector, ref=ref)
