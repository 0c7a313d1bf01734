"""Answers in the form of agent-browser: an envelope of JSON or text, and the exit status 0 or 1."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from boathook.errors import (
    BoathookError,
    ConfirmationRequired,
    NoSuchSession,
    NotScrolled,
    TargetNotFound,
    TimedOut,
)
from boathook.presentation.quoting import on_one_line, quote
from boathook.registry.context import Step
from boathook.service.agent_browser.answered import Answered
from boathook.service.agent_browser.json_shapes import SHAPES
from boathook.service.agent_browser.rules import LOCAL_SHAPES
from boathook.service.agent_browser.text_shapes import FAILED, WARNING, text_of
from boathook.service.daemon.host_protocol import Answer
from boathook.service.output.boundary import enclose, fresh_nonce
from boathook.service.output.data_budget import within
from boathook.service.output.marking import looks_like_ours
from boathook.service.sessions.session import DEFAULT_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from boathook.engine.snapshot.take import Snapshot
    from boathook.engine.tab import Tab
    from boathook.service.agent_browser.read_line import TheirLine
    from boathook.service.call import Call
    from boathook.service.output.outcome import Outcome
    from boathook.service.output.output_guard import OutputGuard
    from boathook.service.sessions.session import Session

log = logging.getLogger("boathook")
EXIT_FAILED = 1
BEGINNINGS: tuple[tuple[type[BoathookError], str], ...] = (
    (TargetNotFound, "Element not found"),
    (TimedOut, "Wait timed out"),
)
"""How messages begin that agents look for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One command's answer, before it is printed."""

    shape: str = ""
    data: Any = None
    error: str = ""
    kind: str = ""
    """The kind of mistake in the line; then nothing ran."""
    warning: str = ""

    @property
    def ok(self) -> bool:
        """Whether it succeeded."""
        return not self.error

    def envelope(self) -> dict[str, Any]:
        """As one JSON object."""
        if self.kind:
            return {"error": self.error, "success": False, "type": self.kind}
        told = {"success": self.ok, "data": self.data, "error": self.error or None}
        if self.ok and self.shape in LOCAL_SHAPES:
            del told["error"]
        return {**told, "warning": self.warning} if self.warning else told

    def step(self, argv: tuple[str, ...]) -> Step:
        """As one step of a batch."""
        text = text_of(self.shape, self.data) if self.ok else self.error
        return Step(argv=argv, ok=self.ok, text=text, data=self.data, code=self.kind)


def reply_to(
    outcome: Outcome,
    line: TheirLine,
    guard: OutputGuard,
    *,
    session: Session | None,
    before: Iterable[Tab],
    call: Call,
    title: str = "",
    marked: Snapshot | None = None,
) -> Reply:
    """What a call has to say; without secrets."""
    outcome = guard.without_secrets(outcome)
    warning = " ".join((*outcome.notes, *_dialog_warning(session)))
    if isinstance(outcome.error, NotScrolled):  # agent-browser does not check whether anything moved
        outcome = replace(outcome, error=None)
    if outcome.error is not None:
        return _failure(outcome.error, line, guard, warning=warning)
    done = Answered(
        value=outcome.value,
        line=line,
        url=outcome.page.url if outcome.page is not None else "",
        tab=session.current if session is not None else None,
        tabs=tuple(session.tabs) if session is not None else (),
        closed=next((tab for tab in before if tab.state == "closed"), None),
        title=title,
        marked=marked,
        session=str(call.settings.get("session") or DEFAULT_NAME),
        folder=call.folder,
    )
    warning = guard.redactor.text(warning)
    if line.shape == "batch":
        return Reply(shape="batch", data=outcome.value, warning=warning)
    shape, data = _shaped(line.shape, done)
    return Reply(shape=shape, data=guard.redactor.value(data), warning=warning)


def _shaped(shape: str, done: Answered) -> tuple[str, dict[str, Any]]:
    """The data of an answer; a value that does not fit its shape is printed as it is, since the command has run."""
    try:
        return shape, SHAPES[shape](done)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        log.warning("agent_browser.shape shape=%s kind=%s", shape, type(error).__name__)
        return "ours", SHAPES["ours"](done)


def _dialog_warning(session: Session | None) -> tuple[str, ...]:
    pending = session.current.dialogs.pending if session is not None and session.current is not None else None
    if pending is None:
        return ()
    return (
        f"A JavaScript {pending.kind} dialog is open: {quote(pending.message)}; answer it with dialog accept or dialog dismiss",
    )


def _failure(error: BoathookError, line: TheirLine, guard: OutputGuard, *, warning: str) -> Reply:
    if isinstance(error, ConfirmationRequired):
        return Reply(
            shape="done",
            data={
                "action": error.evidence.get("command", line.argv[0]),
                "confirmation_id": error.evidence.get("confirmation", ""),
                "confirmation_required": True,
            },
        )
    if isinstance(error, NoSuchSession) and line.shape == "closed":
        return Reply(shape="closed", data={"closed": True})
    return Reply(error=message_of(error, guard), warning=guard.redactor.text(warning))


def message_of(error: BoathookError, guard: OutputGuard) -> str:
    """An error as one text."""
    beginning = next((words for kind, words in BEGINNINGS if isinstance(error, kind)), "")
    said = guard.error_message(error)
    return f"{beginning}: {said}" if beginning else said


def refuse(error: BoathookError, guard: OutputGuard) -> Reply:
    """The answer to a line that cannot be read, or whose settings are wrong."""
    return Reply(error=guard.error_message(error), kind=str(error.evidence.get("type") or ""))


def answer(
    reply: Reply, guard: OutputGuard, *, as_json: bool, characters: int | None, boundaries: bool, origin: str
) -> Answer:
    """Print a reply; only a limit that the user gave shortens it, and only boundaries that the user wants mark it."""
    is_batch = reply.shape == "batch" and reply.ok
    steps = [step for step in reply.data if not step.is_pending] if is_batch else None
    failed = not reply.ok or any(not step.ok for step in steps or ())
    exit = EXIT_FAILED if failed else 0
    if as_json:
        told: Any = (
            [_step_data(index, step) for index, step in enumerate(steps)]
            if steps is not None
            else {**reply.envelope(), **({"untrusted": True} if boundaries else {})}
        )
        if characters is not None:
            told = within(told, characters)[0]
        return Answer(out=guard.data(told), err="", exit=exit)
    warning = f"{WARNING} {guard.clean(on_one_line(reply.warning))}\n" if reply.warning else ""
    if steps is not None:
        out = "\n\n".join(guard.clean(step.text) for step in steps if step.ok)
        err = "".join(f"{FAILED} {guard.clean(step.text)}\n" for step in steps if not step.ok)
        out = _marked(out, origin=guard.clean(origin)) if boundaries else out
        return Answer(out=f"{out}\n" if out else "", err=warning + err, exit=exit)
    if not reply.ok:
        return Answer(out="", err=f"{warning}{FAILED} {guard.clean(reply.error)}\n", exit=exit)
    text = guard.clean(_confirmation(reply) or text_of(reply.shape, reply.data))
    text = text if characters is None or len(text) <= characters else f"{text[:characters]}\n[truncated]"
    text = _marked(text, origin=guard.clean(origin)) if boundaries else text
    return Answer(out=f"{text}\n", err=warning, exit=exit)


def _marked(text: str, *, origin: str) -> str:
    """Several lines, and a line that looks like ours, in a boundary."""
    marks = "\n" in text or looks_like_ours(text)
    return enclose(text, origin=origin, nonce=fresh_nonce()) if marks else text


def _confirmation(reply: Reply) -> str:
    if not isinstance(reply.data, dict) or not reply.data.get("confirmation_required"):
        return ""
    number = reply.data["confirmation_id"]
    return f"Confirmation required: {reply.data['action']}\n  confirm {number}\n  deny {number}"


def _step_data(index: int, step: Step) -> dict[str, Any]:
    named = {"command": list(step.argv)} if step.argv else {"index": index}
    told = {**named, "error": None if step.ok else step.text, "success": step.ok}
    return told if step.code and not step.ok else {**told, "result": step.data}
