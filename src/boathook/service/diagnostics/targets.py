"""Targets that match nothing, several elements, or a stale ref: the same call on each element that may be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from boathook.errors import AmbiguousTarget, StaleRef
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.same_call import EDITABLE, TYPING, action_of, on_element, reads, target_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.errors import BoathookError
    from boathook.registry.context import NextAction
    from boathook.registry.registry import Command

MOST = 3
"""Candidates that are offered."""
_NAME_IDS = {"button": "try-button-name-candidate", "link": "try-link-name-candidate"}
"""Near names after a click on text, by role."""


def after_target_error(
    error: BoathookError, command: Command | None, arguments: Mapping[str, Any]
) -> list[NextAction]:
    """Calls after an element was not found, is ambiguous or stale."""
    if error.evidence.get("blank"):
        return [suggest("list-tabs-for-about-blank-recovery", "tab")]
    if error.evidence.get("corrected"):
        return []  # the hint has the call
    refs = _refs(error)
    if command is not None and action_of(command, arguments) in TYPING and (fields := _editable(error, refs)):
        return fields
    offered = _offers(error, command, arguments, refs) if command is not None and refs else []
    looks = [
        suggest("inspect-candidate", "snapshot", "--root", ref, number=number, reason=f"inspect {ref}")
        for number, ref in enumerate(refs[:MOST], 1)
    ]
    return [*(offered or looks), suggest("refresh-interactive-refs", "snapshot")]


def _offers(
    error: BoathookError, command: Command, arguments: Mapping[str, Any], refs: list[str]
) -> list[NextAction]:
    if isinstance(error, AmbiguousTarget):
        return _same_call(refs[:MOST], command, arguments)
    if isinstance(error, StaleRef):  # several equal ones are no better than a guess
        again = _same_call(refs, command, arguments) if len(refs) == 1 else []
        return [_renamed(action, "use-nearest-match", "the same element now") for action in again]
    exact = [str(match["ref"]) for match in _near(error) if match["exact"]]
    return _same_call(exact[:MOST], command, arguments) or _nearest(error, command, arguments)


def _same_call(refs: list[str], command: Command, arguments: Mapping[str, Any]) -> list[NextAction]:
    """The same call on each of these elements."""
    id = (
        "inspect-visible-text-candidates" if _reads_content(command, arguments) else "try-current-visible-ref"
    )
    safe = reads(command, arguments)
    found = [(ref, on_element(command, arguments, ref)) for ref in refs]
    return [
        suggest(id, *argv, number=number if len(refs) > 1 else 0, safe=safe)
        for number, (_ref, argv) in enumerate(found, 1)
        if argv
    ]


def _reads_content(command: Command, arguments: Mapping[str, Any]) -> bool:
    return command.group == "facts" or action_of(command, arguments) == "text"


def _nearest(error: BoathookError, command: Command, arguments: Mapping[str, Any]) -> list[NextAction]:
    """The same call on the element whose name is most similar; after a click on text, on a button and on a link."""
    near = _near(error)
    wants_text = (
        target_of(command, arguments).startswith("text=") and action_of(command, arguments) == "click"
    )
    by_id: dict[str, str] = {}
    for match in near if wants_text else near[:1]:
        id = _NAME_IDS.get(str(match["role"]), "") if wants_text else "use-nearest-match"
        by_id.setdefault(id, str(match["ref"]))
    by_id.pop("", None)
    if not by_id and near:
        by_id = {"use-nearest-match": str(near[0]["ref"])}
    safe = reads(command, arguments)
    calls = [(id, on_element(command, arguments, ref)) for id, ref in by_id.items()]
    return [suggest(id, *argv, safe=safe) for id, argv in calls if argv]


def _editable(error: BoathookError, refs: list[str]) -> list[NextAction]:
    """The field that is probably meant, without the text, which may be secret."""
    roles = {str(match["ref"]): str(match["role"]) for match in _near(error)}
    field = next((ref for ref in refs if roles.get(ref) in EDITABLE), "")
    if not field:
        return []
    return [
        suggest("focus-current-editable-ref", "focus", field),
        suggest("refresh-interactive-refs", "snapshot"),
        suggest("click-current-editable-ref", "click", field),
    ]


def _renamed(action: NextAction, id: str, reason: str) -> NextAction:
    return suggest(id, *action.argv, reason=reason, safe=action.safe)


def _refs(error: BoathookError) -> list[str]:
    listed = error.evidence.get("candidates")
    return [str(ref) for ref in listed] if isinstance(listed, list | tuple) else []


def _near(error: BoathookError) -> list[Mapping[str, Any]]:
    """Elements that an error names, with role and name."""
    listed = error.evidence.get("near")
    return list(listed) if isinstance(listed, list | tuple) else []
