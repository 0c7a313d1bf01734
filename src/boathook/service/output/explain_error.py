"""Errors of calls, explained by what is known around them: swapped arguments, a session that has just been started."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from boathook.engine.elements.selector import parse_target
from boathook.engine.waits.wait_for_element import look_up_elements
from boathook.errors import BoathookError, TargetNotFound
from boathook.hints import mark_line, plain
from boathook.service.input.suggestions import looks_like_target

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.engine.tab import Tab
    from boathook.registry.registry import Command
    from boathook.service.call import Call, CallContext

LOOKING_SECONDS = 1.0
_WORDS = re.compile(r"[\w -]+")


async def explain_error(error: BoathookError, call: Call, context: CallContext) -> BoathookError:
    """The error of a call, or a clearer one."""
    if not isinstance(error, TargetNotFound) or context.tab is None:
        return error
    if error.evidence.get("blank"):
        return _explain_blank(error, context)
    return await _explain_swapped(call.command, call.arguments, context.tab) or error


async def _explain_swapped(command: Command, arguments: Mapping[str, Any], tab: Tab) -> TargetNotFound | None:
    """The error for a target that matches nothing while another argument is an element of the page."""
    elements = [parameter for parameter in command.elements if parameter.positional]
    target = str(arguments.get(elements[0].name, "")) if len(elements) == 1 else ""
    if not _WORDS.fullmatch(target):
        return None
    for other in command.parameters:
        given = str(arguments.get(other.name) or "")
        is_text = other.positional and other.kind == "text" and not other.element
        if is_text and looks_like_target(given) and await _matches(tab, given):
            kept = other.name.upper() if other.name in command.secrets else target
            line = mark_line([*command.cli_name.split(), given, kept])
            return TargetNotFound(
                f"nothing on the page matches {target!r}, but {given!r} does",
                hint=f"the element comes first: {line}" if line else "the element comes first",
                corrected=True,
            )
    return None


async def _matches(tab: Tab, target: str) -> bool:
    """Whether something on the page matches: otherwise it is text, perhaps a secret one."""
    try:
        async with asyncio.timeout(LOOKING_SECONDS):
            return (await look_up_elements(tab, parse_target(target))).count > 0
    except (BoathookError, TimeoutError):
        return False


def _explain_blank(error: TargetNotFound, context: CallContext) -> BoathookError:
    """Nothing can be found on a blank page: the caller probably meant another session."""
    if context.session is None or not context.other_pages:
        return error
    hint, context.other_pages = context.other_pages, ""
    message = f"{error.message} (session {context.session.shown} has just been started)"
    return TargetNotFound(message, hint=plain(hint), **error.evidence)
