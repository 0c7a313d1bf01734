"""Which rules style an element, from which sheet, and which of their declarations won."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from boathook.engine.elements.locate import locate

if TYPE_CHECKING:
    from boathook.cdp.cdp_session import CdpSession
    from boathook.clock import Deadline
    from boathook.engine.tab import Tab

MOST_RULES = 40
MOST_DECLARATIONS = 60
LONGEST_VALUE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """One property and its value; `wins` if nothing stronger overrides it."""

    name: str
    value: str
    important: bool = False
    wins: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StyleRule:
    """One rule that matches, with its location."""

    selector: str
    source: str
    declarations: tuple[Declaration, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Styling:
    """All rules of the page that match an element, the strongest first; rules of the browser itself are omitted."""

    ref: str
    rules: tuple[StyleRule, ...]


async def styling_of(tab: Tab, target: str, *, deadline: Deadline) -> Styling:
    """Ask the browser which rules match."""
    element = await locate(tab, target, deadline=deadline)
    session = element.frame.session
    handle = await element.handle()
    async with deadline.stage("asking for matched rules"):
        sheets: dict[str, str] = {}
        stop = session.on("CSS.styleSheetAdded", lambda params: sheets.update(_sheet(params["header"])))
        try:
            async with session.domain("DOM"), session.domain("CSS"):
                told = await _fetch_matching_styles(session, handle)
        finally:
            stop()
    rules: list[StyleRule | None] = (
        [_inline(told)] if told.get("inlineStyle", {}).get("cssProperties") else []
    )
    rules += [_rule(match["rule"], sheets) for match in reversed(told.get("matchedCSSRules", ()))]
    shown = [rule for rule in rules if rule is not None and rule.declarations][:MOST_RULES]
    return Styling(ref=str(element.ref), rules=tuple(_mark_winners(shown)))


async def _fetch_matching_styles(session: CdpSession, handle: str) -> dict[str, Any]:
    await session.send("DOM.getDocument", depth=0)
    node = await session.send("DOM.requestNode", objectId=handle)
    return await session.send("CSS.getMatchedStylesForNode", nodeId=node["nodeId"])


def _sheet(header: dict[str, Any]) -> dict[str, str]:
    return {str(header["styleSheetId"]): str(header.get("sourceURL") or "the document")[:300]}


def _inline(told: dict[str, Any]) -> StyleRule:
    return StyleRule(
        selector="style attribute", source="the element", declarations=_declarations(told["inlineStyle"])
    )


def _rule(rule: dict[str, Any], sheets: dict[str, str]) -> StyleRule | None:
    if rule.get("origin") != "regular":
        return None
    sheet = sheets.get(str(rule.get("styleSheetId", "")), "the document")
    line = rule.get("style", {}).get("range", {}).get("startLine")
    return StyleRule(
        selector=str(rule.get("selectorList", {}).get("text", ""))[:300],
        source=sheet if line is None else f"{sheet}:{int(line) + 1}",
        declarations=_declarations(rule.get("style", {})),
    )


def _declarations(style: dict[str, Any]) -> tuple[Declaration, ...]:
    # A shorthand is reported once as written, and again as its longhands, without a source range.
    written = [
        declared for declared in style.get("cssProperties", ()) if "range" in declared or "text" in declared
    ]
    return tuple(
        Declaration(
            name=str(declared["name"]),
            value=str(declared.get("value", ""))[:LONGEST_VALUE],
            important=bool(declared.get("important")),
        )
        for declared in written[:MOST_DECLARATIONS]
        if not declared.get("disabled")
    )


def _mark_winners(rules: list[StyleRule]) -> list[StyleRule]:
    """Mark what wins: important declarations, then the strongest rule, then the last declaration in it."""
    strength: dict[str, tuple[bool, int, int]] = {}
    for place, rule in enumerate(rules):
        for position, declaration in enumerate(rule.declarations):
            own = (declaration.important, -place, position)
            strength[declaration.name] = max(own, strength.get(declaration.name, own))
    return [
        replace(
            rule,
            declarations=tuple(
                replace(
                    declaration, wins=strength[declaration.name] == (declaration.important, -place, position)
                )
                for position, declaration in enumerate(rule.declarations)
            ),
        )
        for place, rule in enumerate(rules)
    ]
