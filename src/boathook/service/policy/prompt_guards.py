"""Prompt guards: where the user wants an agent to stop, and which files must exist before a session is closed.

No prompt reaches this program, so the user, or the program that runs the agent, sets them: `stop_before` and `required_artifacts`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from boathook.errors import PolicyBlocked
from boathook.service.policy.categories import categories_of
from boathook.service.policy.confirmation_scene import scene_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from boathook.service.call import Call
    from boathook.service.sessions.session import Session

USUAL = "on"
"""The value that stands for the usual phrases."""
STOP = "explicit-user-stop-boundary"
MISSING = "requested-artifacts-missing-before-close"
_ORDERS = r"(?:order|purchase|payment|booking|checkout)"
_FINAL = re.compile(
    rf"\b(?:finish|finali[sz]e|buy now|pay now|pay (?:[€$£]\s?)?\d|checkout complete"
    rf"|(?:place|submit|complete|confirm)(?: (?:the|your|my|this))? {_ORDERS}|purchase|submit payment)\b",
    re.IGNORECASE,
)
_SUBMITTING_KEYS = frozenset({"enter", "return", "numpadenter"})


async def check_stop_boundary(
    call: Call, arguments: Mapping[str, Any], session: Session, phrases: Sequence[str] | None
) -> None:
    """Refuse a click on what completes an order, and the Enter key; PolicyBlocked."""
    if not phrases:
        return
    if _presses_enter(call, arguments):
        _refuse(call, "it may submit a form", "Enter")
    if "click" not in categories_of(call.command, arguments) and not call.command.acts_at_pointer:
        return
    scene = await scene_of(call, arguments, session)
    labels = [f"{purpose.role} {purpose.name}" for purpose in scene.purposes]
    labels += [str(value) for value in arguments.values() if isinstance(value, str)]
    for label in labels:
        if phrase := _phrase_in(label, phrases):
            _refuse(call, f"{label[:120]!r} means {phrase!r}", label)


def _presses_enter(call: Call, arguments: Mapping[str, Any]) -> bool:
    key = arguments.get("key")
    return (
        call.command.parameter("key") is not None
        and isinstance(key, str)
        and key.rsplit("+", 1)[-1].lower() in _SUBMITTING_KEYS
    )


def _phrase_in(label: str, phrases: Iterable[str]) -> str:
    """The phrase that a label contains; empty if it has none."""
    text = " ".join(re.split(r"[\s_=\[\]\"'#.\-]+", label))
    for phrase in phrases:
        if phrase == USUAL:
            if found := _FINAL.search(text):
                return found[0]
        elif phrase and phrase.lower() in text.lower():
            return phrase
    return ""


def _refuse(call: Call, why: str, label: str) -> None:
    raise PolicyBlocked(
        f"{call.command.cli_name} is beyond where the user wants to stop: {why}",
        hint="report what is ready, and let the user do this step",
        prompt_guard={"reason": STOP, "label": label[:200]},
    )


def require_artifacts(missing: Sequence[str]) -> None:
    """Refuse to close a session before the files that the user wants were saved; PolicyBlocked."""
    if missing:
        raise PolicyBlocked(
            f"files that the user wants are not saved yet: {', '.join(missing)[:300]}",
            hint="save them first, then close",
            prompt_guard={"reason": MISSING, "missing": list(missing)},
        )
