"""Evaluating our scripts in a page: one way to send them, and one way to turn what they throw into typed errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.errors import PageError

if TYPE_CHECKING:
    import asyncio

    from boathook.cdp.cdp_session import CdpSession
    from boathook.errors import BoathookError

SHOWN_ERROR = 300
CODE_PREFIX = "boathook:"


@dataclass(frozen=True, slots=True)
class Thrown:
    """What a script threw."""

    text: str
    """The description of the exception, with its stack."""
    value: Any = None
    """The value itself, if it is plain data."""

    @property
    def message(self) -> str:
        """Its first line, without the name of the class `Error`."""
        return self.text.partition("\n")[0].removeprefix("Error: ")

    @property
    def code(self) -> str:
        """The code that one of our page scripts threw, such as `gone`; empty for other errors."""
        return self.message.removeprefix(CODE_PREFIX) if self.message.startswith(CODE_PREFIX) else ""


def thrown_in(reply: dict[str, Any]) -> Thrown | None:
    """What the evaluation threw, if it did."""
    details = reply.get("exceptionDetails")
    if details is None:
        return None
    exception = details.get("exception", {})
    text = exception.get("description") or exception.get("value") or details.get("text", "")
    return Thrown(str(text), exception.get("value"))


def value_of(reply: dict[str, Any], *, failed: str, error: type[BoathookError] = PageError) -> Any:
    """The value of an evaluation; if it threw, an error that begins with `failed`."""
    thrown = thrown_in(reply)
    if thrown is not None:
        raise error(f"{failed}: {thrown.text[:SHOWN_ERROR]}")
    return reply["result"].get("value")


async def evaluate_in(
    session: CdpSession, expression: str, *, context_id: int | None = None, gesture: bool = False
) -> dict[str, Any]:
    """Evaluate an expression and await its promise; without a context, in the page's main world."""
    return await post_evaluation(session, expression, context_id=context_id, gesture=gesture)


def post_evaluation(
    session: CdpSession, expression: str, *, context_id: int | None = None, gesture: bool = False
) -> asyncio.Future[dict[str, Any]]:
    """Send the evaluation now, and return the future of its reply."""
    where = {} if context_id is None else {"contextId": context_id}
    if gesture:
        where |= {"userGesture": True}
    return session.post(
        "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, **where
    )
