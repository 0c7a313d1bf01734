"""The category of a failure, where the call and the state around it say more than the type of the error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boathook.errors import PageError, TimedOut
from boathook.service.diagnostics.tabs import DRIFT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.errors import BoathookError
    from boathook.service.call import Call
    from boathook.service.diagnostics.diagnostic import Diagnostic

NO_DOWNLOAD = "download-not-verified"


def failure_category(error: BoathookError, call: Call, found: Iterable[Diagnostic]) -> str:
    """The category of a failed call."""
    if any(finding.kind == DRIFT for finding in found):
        return DRIFT
    if waits_for_download(call) and (isinstance(error, TimedOut) or type(error) is PageError):
        return NO_DOWNLOAD
    return error.category


def waits_for_download(call: Call) -> bool:
    """Whether a file was to be saved; `wait` has many purposes."""
    named = call.command.saves_download
    optional = any(
        parameter.name == named and not parameter.positional for parameter in call.command.parameters
    )
    return bool(named) and (not optional or call.arguments.get(named) is not None)
