"""Confirmations: requests that wait for a person; an approval is valid for one call, and only the daemon knows it."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.service.call import Call

WAITING_SECONDS = 60.0
"""How long a request stays open, and an approval valid."""
MOST_QUESTIONS = 100


@dataclass(slots=True)
class _Question:
    call: Call
    digest: str
    """A digest of the call: an approval applies to exactly that call."""
    asked: float
    confirmed: bool = False


class Confirmations:
    """The confirmations of one daemon."""

    def __init__(self) -> None:
        self._questions: dict[str, _Question] = {}

    def ask(self, call: Call, arguments: Mapping[str, Any], *, session: str) -> str:
        """Create a request for a call; returns its id."""
        self._forget_old()
        while len(self._questions) >= MOST_QUESTIONS:
            self._questions.pop(next(iter(self._questions)))
        number = secrets.token_hex(16)
        digest = _digest(call.command.name, arguments, session)
        self._questions[number] = _Question(call, digest, time.monotonic())
        return number

    def confirm(self, number: str) -> Call:
        """Approve: the same call may be made once, soon; it is returned to the caller."""
        question = self._open(number)
        question.confirmed, question.asked = True, time.monotonic()
        return question.call

    def deny(self, number: str) -> Call:
        """Deny; returns the call that is not made."""
        self._open(number)
        return self._questions.pop(number).call

    def take(self, command: str, arguments: Mapping[str, Any], *, session: str) -> bool:
        """Whether a person has approved exactly this call; the approval is used up."""
        self._forget_old()
        wanted = _digest(command, arguments, session)
        for number, question in self._questions.items():
            if question.confirmed and question.digest == wanted:
                self._questions.pop(number)
                return True
        return False

    def _open(self, number: str) -> _Question:
        self._forget_old()
        question = self._questions.get(number)
        if question is None:
            raise BadRequest(
                f"no pending confirmation {number!r}",
                hint=f"confirmations expire after {WAITING_SECONDS:.0f} s",
            )
        return question

    def _forget_old(self) -> None:
        old = [
            number
            for number, question in self._questions.items()
            if time.monotonic() - question.asked > WAITING_SECONDS
        ]
        for number in old:
            self._questions.pop(number)


def _digest(command: str, arguments: Mapping[str, Any], session: str) -> str:
    said = json.dumps([command, dict(arguments), session], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()
