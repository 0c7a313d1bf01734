"""Script helpers: what `tab.click(…)` and `browser.open(…)` mean in a script, declared at the command."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ScriptHelper:
    """One helper of scripts: its name, its positional arguments, and aliases of its named ones."""

    name: str
    """In Python; in JavaScript `wait_for_url` is `waitForUrl`."""
    order: tuple[str, ...] = ()
    rest: str = field(default="", kw_only=True)
    """The parameter that takes all further positional arguments."""
    also: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """Other names of its parameters."""
    fixed: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    """Arguments that a script cannot change."""
    defaults: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    """Arguments that a script need not pass, where its default differs from that of the command."""
    gives: str = field(default="data", kw_only=True)
    """What of the value is handed to the script: data, text, one field of the data, or an element or a tab that it can act on."""
    element: str = field(default="", kw_only=True)
    """Its parameter for the element if it is called on one; `target`, where that is positional."""


WAIT_UNTIL = {"waitUntil": "wait_until"}
SELECTOR = {"selector": "target"}
