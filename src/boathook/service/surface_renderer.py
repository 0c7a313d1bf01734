"""Surfaces: how hints and next actions are rendered for a caller, and what may be run for it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Protocol

from boathook import hints

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from boathook.registry.registry import Command
    from boathook.service.output.outcome import NextAction

PROGRAM = "boathook"
LONGEST_LINE = 2_000
"""A next action with a long argument is useless in part, and too long as a whole."""


class SurfaceRenderer(Protocol):
    """What one caller sees."""

    @property
    def for_model(self) -> bool:
        """Whether a model reads the text: it names a new session, and includes next actions after a success."""

    def hint(self, marked: str, *, command: str) -> str:
        """The hint of an error, in the caller's notation."""

    def next_lines(self, actions: Iterable[NextAction]) -> str:
        """Next actions as lines of text, each a call that the caller can make."""

    def next_data(self, actions: Iterable[NextAction]) -> list[dict[str, Any]]:
        """The same as data."""

    def offers(self, command: Command, arguments: Mapping[str, Any]) -> bool:
        """Whether the caller may run this command inside another one."""


class CommandLineSurface:
    """A person or program that types command lines."""

    for_model = False
    words: hints.SurfaceTerms = hints.COMMAND_LINE

    def hint(self, marked: str, *, command: str) -> str:
        """As command lines and flags."""
        del command
        return hints.render(marked, self.words)

    def next_lines(self, actions: Iterable[NextAction]) -> str:
        """The most useful one as a command line, with the reason and the id; of several that act, none is."""
        listed = [action for action in actions if action.argv]
        if len(listed) > 1 and not listed[0].safe and not listed[1].safe:
            listed = [action for action in listed if action.safe]
        if not listed:
            return ""
        first = listed[0]
        line = f"next: {PROGRAM} {shlex.join(first.argv)}   ({first.reason}) {tag(first)}"
        return f"{line}\n" if len(line) <= LONGEST_LINE and line.isprintable() else ""

    def next_data(self, actions: Iterable[NextAction]) -> list[dict[str, Any]]:
        """As command-line words."""
        return [
            {**facts_of(action), **({} if action.path else {"params": {"args": list(action.argv)}})}
            for action in actions
        ]

    def offers(self, command: Command, arguments: Mapping[str, Any]) -> bool:
        """Everything."""
        del command, arguments
        return True


class PythonSurface(CommandLineSurface):
    """A program that uses the Python library."""

    words: hints.SurfaceTerms = hints.PYTHON


def facts_of(action: NextAction) -> dict[str, Any]:
    """What every surface says about an action."""
    told = {"id": action.id, "reason": action.reason, "safe": action.safe}
    return {**told, "artifact_path": action.path} if action.path else told


def tag(action: NextAction) -> str:
    """The id of an action, and whether it does more than read."""
    return f"[{action.id}]" if action.safe else f"[{action.id}, unsafe]"


COMMAND_LINE = CommandLineSurface()
PYTHON = PythonSurface()
