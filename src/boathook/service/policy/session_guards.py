"""Guards: restrictions that a session was started with; later calls can add to them and never remove any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Guards:
    """Actions that require confirmation, and the action policy files."""

    confirm: frozenset[str] = frozenset()
    policies: frozenset[str] = frozenset()

    def __or__(self, other: Guards) -> Guards:
        """The union of both."""
        return Guards(self.confirm | other.confirm, self.policies | other.policies)


NO_GUARDS = Guards()


def guards_of(settings: Mapping[str, Any]) -> Guards:
    """The guards in the settings of a call, or in those that a session was started with."""
    path = settings.get("action_policy")
    return Guards(frozenset(settings.get("confirm_actions") or ()), frozenset({str(path)} if path else ()))
