"""Comboboxes: a focused one whose list did not open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.engine.actions.perform import Performed
from boathook.engine.page_scripts import page_script
from boathook.errors import BoathookError
from boathook.service.diagnostics.action_ids import suggest
from boathook.service.diagnostics.diagnostic import Diagnostic

if TYPE_CHECKING:
    from boathook.service.diagnostics.diagnostic import Situation

LOOKING_SECONDS = 1.0
_ROLES = ("combobox ", "listbox ")
_ACTIONS = ("click", "fill", "type")


async def find_closed_combobox(situation: Situation) -> Diagnostic | None:
    """A combobox that was clicked or filled, has the focus and says whether it is expanded, without any visible option."""
    done, tab = situation.value, situation.context.tab
    if tab is None or not isinstance(done, Performed) or tab.dialogs.pending is not None:
        return None
    changes = done.changes
    if (
        done.action not in _ACTIONS
        or not done.target.startswith(_ROLES)
        or changes.new_document
        or changes.closed
    ):
        return None
    try:
        async with tab.call("checking the combobox", seconds=LOOKING_SECONDS, read_only=True):
            reply = await tab.frames.run(tab.frames.main, page_script("actions/combobox.js"))
    except BoathookError:
        return None
    if reply["result"].get("value") is not True:
        return None
    ref = done.target.rsplit(" ", 1)[-1]
    return Diagnostic(
        kind="combobox-focus",
        summary=f"combobox {ref} has the focus, but no option is visible: its list may be closed or empty",
        facts={"ref": ref},
        next_actions=(
            suggest("inspect-focused-combobox", "snapshot", "--root", ref),
            suggest("try-open-combobox-with-arrow", "press", "ArrowDown"),
            suggest("try-open-combobox-with-enter", "press", "Enter"),
        ),
    )
