"""Guards: what a session was started with against its own calls; later calls can add to it and never take away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Guards:
    """What has to be asked about, and the files that say what may be done."""

    confirm: frozenset[str] = frozenset()
    policies: frozenset[str] = frozenset()

    def __or__(self, other: Guards) -> Guards:
        """Both of them."""
        return Guards(self.confirm | other.confirm, self.policies | other.policies)


NO_GUARDS = Guards()


def guards_of(settings: Mapping[str, Any]) -> Guards:
    """What the settings of a call say, or those that a session was started with."""
    path = settings.get("action_policy")
    return Guards(frozenset(settings.get("confirm_actions") or ()), frozenset({str(path)} if path else ()))
