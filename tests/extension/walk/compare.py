"""Compares what a client saw on a bare Chromium with what it saw through the relay."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.extension.walk.declared import HERE, declared_methods, without_case

if TYPE_CHECKING:
    from tests.extension.walk.running import Seen

_COMPARED = ("value", "log", "events")
_MOST_SHOWN = 300


def known_differences(client: str) -> dict[str, str]:
    """The reasons by method."""
    listed = tomllib.loads((HERE / "differences.toml").read_text())[client]
    return {method: entry["reason"] for entry in listed for method in entry["methods"]}


@dataclass(slots=True)
class Comparison:
    """The methods of one client."""

    client: str
    declared: int = 0
    equal: list[str] = field(default_factory=list)
    explained: list[str] = field(default_factory=list)
    differing: dict[str, str] = field(default_factory=dict)
    outdated: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether every method is equal or explained."""
        return not self.differing and not self.missing

    def summary(self) -> str:
        """The counts in a line."""
        return (
            f"{self.client}: {self.declared} methods, {len(self.equal)} equal, "
            f"{len(self.explained)} differ with a reason, {len(self.differing)} differ without one, "
            f"{len(self.missing)} without a case"
        )


def compare(client: str, bare: Seen, relay: Seen) -> Comparison:
    """Sort the methods."""
    reasons = known_differences(client)
    result = Comparison(client, declared=len(declared_methods(client)), missing=without_case(client))
    for name, seen in bare.items():
        differs = difference(seen, relay.get(name, {}))
        if not differs:
            result.equal.append(name)
            if name in reasons:
                result.outdated.append(name)
        elif name in reasons:
            result.explained.append(name)
        else:
            result.differing[name] = differs
    return result


def difference(bare: dict[str, Any], relay: dict[str, Any]) -> str:
    """What differs; empty if nothing does."""
    lines = []
    for part in _COMPARED:
        first, second = bare.get(part), relay.get(part)
        if first == second:
            continue
        if part == "events" and isinstance(first, list) and isinstance(second, list):
            lines.append(f"events only there: {_only(first, second)}, only here: {_only(second, first)}")
        else:
            lines.append(f"{part}: {_shown(first)} there, {_shown(second)} here")
    return "; ".join(lines)


def _only(first: list[str], second: list[str]) -> str:
    return _shown(sorted((Counter(first) - Counter(second)).elements()))


def _shown(value: Any) -> str:
    return json.dumps(value)[:_MOST_SHOWN]


def markdown_table() -> str:
    """The listed differences, for docs/relay.md."""
    listed = tomllib.loads((HERE / "differences.toml").read_text())
    titles = {"playwright": "Playwright", "puppeteer": "Puppeteer"}
    rows = [
        f"| {titles[client]} | {', '.join(f'`{method}`' for method in entry['methods'])} | {entry['reason']} |"
        for client in titles
        for entry in listed[client]
    ]
    return "\n".join(["| client | methods | difference, and why |", "|---|---|---|", *rows])
