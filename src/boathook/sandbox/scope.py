"""What a script has in scope: `tab`, `page`, `browser`, `display`, `assert_`, `wait`, `log`, `state`."""

from __future__ import annotations

import asyncio
from difflib import get_close_matches

from boathook.sandbox.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from typing import Any

    from boathook.sandbox.script_channel import Channel, Message

POLL_SECONDS = 0.1
_FLAGS = {"i": 2, "m": 8, "s": 16}
"""The flags of `re`, which is not imported for them: most scripts do not use it."""


class HelperFailed(Exception):
    """A helper failed; `code` and `hint` are those of its command."""

    def __init__(self, message: str, *, code: str = "", hint: str = "") -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.code = code
        self.hint = hint


class Calls:
    """Pending helper calls by number."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._last = 0

    def ask(self, method: str, given: tuple[Any, ...], named: dict[str, Any]) -> asyncio.Future[Any]:
        """Start a call in the daemon at once, even if its result is awaited later."""
        self._last += 1
        number = self._last
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        answer.add_done_callback(lambda _answer: self._waiting.pop(number, None))
        self._waiting[number] = answer
        plain = Plain()
        self._channel.send(
            {
                "type": "call",
                "id": number,
                "method": method,
                "args": plain.of([_sendable(method, value) for value in given]),
                "named": plain.of({name: _sendable(method, value) for name, value in named.items()}),
            }
        )
        return answer

    def settle(self, message: Message) -> None:
        """Handle a response."""
        answer = self._waiting.get(int(message["id"]))
        if answer is None or answer.done():
            return
        error = message.get("error")
        if error is None:
            answer.set_result(message.get("value"))
        else:
            failed = HelperFailed(str(error["message"]), code=str(error["code"]), hint=str(error["hint"]))
            answer.set_exception(failed)


def _sendable(method: str, value: Any) -> Any:
    """A value as sent to the daemon, which cannot call functions of a script."""
    if type(value).__name__ == "Pattern" and isinstance(value.pattern, str):
        flags = "".join(letter for letter, bit in _FLAGS.items() if value.flags & bit)
        return {"regexp": value.pattern, "flags": flags}
    if callable(value):
        raise TypeError(
            f"{method} does not accept a function; use wait(…) to call one until it returns a truthy value"
        )
    return value


class ScriptHelpers:
    """An object whose methods are helpers of the daemon, for one element if it is bound to it."""

    def __init__(self, calls: Calls, names: Collection[str], what: str, element: str = "") -> None:
        self._calls = calls
        self._names = names
        self._what = what
        self._bound = {"element": element} if element else {}

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        if name not in self._names:
            near = get_close_matches(name, self._names, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise AttributeError(f"{self._what} has no {name}{hint}")

        def call(*given: Any, **named: Any) -> Awaitable[Any]:
            return self._calls.ask(name, given, named | self._bound)

        return call

    def __repr__(self) -> str:
        return f"<{self._what}>"


class ScriptTab(ScriptHelpers):
    """The tab of the script."""

    def __init__(self, calls: Calls, names: Collection[str], *, name: str) -> None:
        super().__init__(calls, names, "tab")
        self.name = name
        self.page: Any = self

    def id(self, number: int | str) -> ScriptHelpers:
        """The element with this number in the result of `observe` or `snapshot`."""
        return self.ref(f"e{number}" if str(number).isdecimal() else str(number))

    def ref(self, ref: str) -> ScriptHelpers:
        """The element with this ref; it has the tab's methods."""
        return ScriptHelpers(
            self._calls, self._names, f"element {ref}", ref if ref.startswith("@") else f"@{ref}"
        )


class Outputs:
    """Displayed values and notes of a script, sent immediately."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def display(self, value: Any) -> None:
        """Show a value: text, an image as `{"type": "image", "data": …, "mimeType": …}`, or anything as JSON."""
        plain = Plain()
        self._channel.send({"type": "display", "value": plain.of(value), "cut": plain.cut})

    def log(self, *values: Any) -> None:
        """Log text; it is part of the run's log, not of its result."""
        self._channel.send(
            {"type": "log", "text": Plain(10_000).of(" ".join(str(value) for value in values))}
        )


def assert_(condition: Any, message: str = "") -> None:
    """Stop the script if a condition is false."""
    if not condition:
        raise AssertionError(message or "assert_ failed")


async def wait(what: Any, *, every: float = POLL_SECONDS) -> Any:
    """Wait for some seconds, or until a function returns a truthy value, within the run's deadline."""
    if isinstance(what, int | float):
        await asyncio.sleep(what)
        return None
    while True:
        found = what()
        if hasattr(found, "__await__"):
            found = await found
        if found:
            return found
        await asyncio.sleep(every)
