"""Files: one that was saved can be used, one that could not be verified is listed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.service.diagnostics.action_ids import suggest
from boathook.service.records.artifacts import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.registry.context import NextAction
    from boathook.service.records.artifacts import Artifact


def after_files(artifacts: Iterable[Artifact]) -> list[NextAction]:
    """What to do with the files of a call: a saved one is used by its path, which needs no call."""
    files = list(artifacts)
    if any(file.state in {State.UNVERIFIED, State.MISSING} for file in files):
        return [suggest("verify-artifact-path", "artifacts")]
    saved = [file for file in files if file.state is State.SAVED]
    return [suggest("use-saved-artifact", path=str(saved[0].path))] if saved else []
