"""Confirmations: requests that wait for a person; an approval is valid for one call, and only the daemon knows it."""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from boathook.errors import BadRequest, PolicyBlocked
from boathook.service.policy.answering_process import Asker, asker_of, why_not_approved_by
from boathook.service.policy.confirmation_scene import NOWHERE, Scene

if TYPE_CHECKING:
    from collections.abc import Mapping

    from boathook.service.call import Call

Approval = Literal["given", "outdated", "none"]
"""`outdated`: another page, or another element, is there now."""

WAITING_SECONDS = 60.0
"""How long a request stays open, and an approval valid."""
MOST_QUESTIONS = 100


@dataclass(slots=True)
class _Question:
    call: Call
    digest: str
    """A digest of the call: an approval applies to exactly that call."""
    scene: Scene
    """Where it would act: an approval applies to that element of that document."""
    asker: Asker
    text: str
    asked: float
    confirmed: bool = False


class Confirmations:
    """The confirmations of one daemon."""

    def __init__(self) -> None:
        self._questions: dict[str, _Question] = {}

    def ask(
        self,
        call: Call,
        arguments: Mapping[str, Any],
        *,
        session: str,
        scene: Scene = NOWHERE,
        text: str = "",
    ) -> str:
        """Create a request for a call; returns its id."""
        self._forget_old()
        while len(self._questions) >= MOST_QUESTIONS:
            self._questions.pop(next(iter(self._questions)))
        number = secrets.token_hex(16)
        digest = _digest(call, arguments, session)
        self._questions[number] = _Question(call, digest, scene, asker_of(call.peer), text, time.monotonic())
        return number

    def pending(self) -> dict[str, str]:
        """The open requests: what each is about, by id."""
        self._forget_old()
        return {
            number: question.text for number, question in self._questions.items() if not question.confirmed
        }

    def confirm(self, number: str, *, peer: int | None = None) -> Call:
        """Approve: the same call may be made once, soon; it is returned to the caller.

        `peer` is the process that approves; without it, a client has asked its user.
        """
        question = self._open(number)
        refused = why_not_approved_by(peer, question.asker)
        if refused:
            raise PolicyBlocked(
                f"this process may not approve the action: {refused}",
                hint=f"the user can approve it in another terminal: `confirm {number}`",
            )
        question.confirmed, question.asked = True, time.monotonic()
        return question.call

    def confirm_for_client(self, number: str, *, peer: int | None) -> None:
        """Approve what an MCP client has asked its user about: only the server that the request came from may say so."""
        question = self._open(number)
        if not question.call.surface.is_model or question.call.peer != peer:
            raise PolicyBlocked("this process may not approve the action: another one asked for it")
        question.confirmed, question.asked = True, time.monotonic()

    def deny(self, number: str) -> Call:
        """Deny; returns the call that is not made."""
        self._open(number)
        return self._questions.pop(number).call

    def drop(self, number: str) -> None:
        """Forget a request: an approval is for one run, whatever its result is."""
        self._questions.pop(number, None)

    def take(
        self, call: Call, arguments: Mapping[str, Any], *, session: str, scene: Scene = NOWHERE
    ) -> Approval:
        """Whether a person has approved exactly this call on this page; the approval is used up."""
        self._forget_old()
        wanted = _digest(call, arguments, session)
        for number, question in self._questions.items():
            if question.confirmed and question.digest == wanted:
                self._questions.pop(number)
                return "given" if question.scene.key == scene.key else "outdated"
        return "none"

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


def _digest(call: Call, arguments: Mapping[str, Any], session: str) -> str:
    """Of the command, its arguments and the settings that came with it."""
    settings = {name: call.settings.get(name) for name in call.own_settings}
    said = json.dumps([call.command.name, dict(arguments), session, settings], sort_keys=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()
