"""Which action an element takes, for errors about one that it does not take."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boathook.engine.actions.prepare import ActionPoint

_BY_KIND = {
    "text": "`fill {ref} VALUE`",
    "assigned": "`fill {ref} VALUE`",
    "editable": "`fill {ref} VALUE`",
    "select": "`select {ref} OPTION`",
    "checkbox": "`check {ref}`",
    "radio": "`check {ref}`",
    "file": "`upload {ref} FILE`",
}


def suitable_action(spot: ActionPoint) -> str:
    """A hint with the action for this kind of field; other elements are clicked."""
    line = _BY_KIND.get(spot.kind, "`click {ref}`")
    return f"for this element|: {line.format(ref=spot.element.ref)}"
