"""What a script has in scope: `tab`, `page`, `browser`, `display`, `assert_`, `wait`, `log`, `state`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from difflib import get_close_matches

from boathook.wire.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterator
    from typing import Any

    from boathook.sandbox.script_channel import Channel, Message

POLL_SECONDS = 0.1
SHORTEST_POLL_SECONDS = 0.01
RESPONSE_SECONDS = 30.0
ANY_URL = "re:"
_PROPERTY = "url"
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
    if isinstance(value, ScriptElement):
        return value.ref
    if type(value).__name__ == "Pattern" and isinstance(value.pattern, str):
        flags = "".join(letter for letter, bit in _FLAGS.items() if value.flags & bit)
        return {"regexp": value.pattern, "flags": flags}
    if callable(value):
        raise TypeError(
            f"{method} does not accept a function; use wait(…) to call one until it returns a truthy value"
        )
    return value


class _HelperMethod:
    """A helper that is a property of the Python API: it may be awaited with and without parentheses."""

    def __init__(self, call: Callable[..., Awaitable[Any]]) -> None:
        self._call = call

    def __call__(self, *given: Any, **named: Any) -> Awaitable[Any]:
        return self._call(*given, **named)

    def __await__(self) -> Iterator[Any]:
        return iter(self._call().__await__())


class ScriptHelpers:
    """An object whose methods are helpers of the daemon, for one element or another tab if it is bound to it."""

    def __init__(
        self, calls: Calls, names: HelperNames, what: str, *, element: str = "", in_tab: str = ""
    ) -> None:
        self._calls = calls
        self._names = names
        self._what = what
        self._in_tab = {"in_tab": in_tab} if in_tab else {}
        self._bound = {**({"element": element} if element else {}), **self._in_tab}

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        if name not in self._names.every:
            near = get_close_matches(name, self._names.every, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise AttributeError(f"{self._what} has no {name}{hint}")

        def call(*given: Any, **named: Any) -> Awaitable[Any]:
            if name in self._names.giving_responses and given and callable(given[0]):
                return self._match(name, *given, **named)
            answer = self._calls.ask(name, given, named | self._bound)
            if name in self._names.giving_tabs:
                return self._open(answer)
            return self._hold(answer) if name in self._names.giving_elements else answer

        return _HelperMethod(call) if name == _PROPERTY else call

    def _hold(self, answer: asyncio.Future[Any]) -> asyncio.Future[Any]:
        """The element whose ref an answer is."""

        async def held() -> ScriptElement | None:
            ref = await answer
            return ScriptElement(self._calls, self._names, ref, **self._in_tab) if ref else None

        return asyncio.ensure_future(held())

    def _open(self, answer: asyncio.Future[Any]) -> asyncio.Future[OtherTab]:
        """The tab that an answer is about."""

        async def opened() -> OtherTab:
            return OtherTab(self._calls, self._names.of_tabs(), await answer)

        return asyncio.ensure_future(opened())

    def _match(
        self, name: str, fits: Callable[[Any], Any], *, timeout: float = RESPONSE_SECONDS, **named: Any
    ) -> asyncio.Future[Any]:
        """The first response for which a function of the script returns a truthy value."""
        until = asyncio.get_running_loop().time() + timeout
        named |= self._in_tab
        first = self._calls.ask(name, (ANY_URL,), {**named, "timeout": timeout})

        async def matched() -> Any:
            response, skip = await first, []
            while not await _result(fits(response)):
                skip.append(str(response["number"]))
                left = max(0.001, until - asyncio.get_running_loop().time())
                again = {**named, "timeout": left, "skip": skip, "since": response["mark"]}
                response = await self._calls.ask(name, (ANY_URL,), again)
            return response

        return asyncio.ensure_future(matched())

    def __repr__(self) -> str:
        return f"<{self._what}>"


class ScriptElement(ScriptHelpers):
    """An element of the page, with the tab's methods."""

    def __init__(self, calls: Calls, names: HelperNames, ref: str, *, in_tab: str = "") -> None:
        self.ref = ref if ref.startswith("@") else f"@{ref}"
        super().__init__(calls, names, f"element {self.ref}", element=self.ref, in_tab=in_tab)

    def __await__(self) -> Any:
        """It can be awaited, as where elements are looked up."""

        async def itself() -> ScriptElement:
            return self

        return itself().__await__()

    def __str__(self) -> str:
        return self.ref


class HelperNames:
    """The names of helpers, and which of them return an element or a response."""

    def __init__(self, order: Message, owner: str) -> None:
        self.every: Collection[str] = order[f"{owner}_helpers"]
        self.giving_elements: Collection[str] = order.get("element_helpers", ())
        self.giving_responses: Collection[str] = order.get("response_helpers", ())
        self.giving_tabs: Collection[str] = order.get("helpers_giving_tabs", ()) if owner == "browser" else ()
        self._order = order

    def of_tabs(self) -> HelperNames:
        """Those of a tab."""
        return HelperNames(self._order, "tab")


class OtherTab(ScriptHelpers, Mapping):  # type: ignore[type-arg] # typing is not imported here
    """A tab that a script opened or found: the tab's methods, and what was known about it then as items."""

    def __init__(self, calls: Calls, names: HelperNames, facts: dict[str, Any]) -> None:
        super().__init__(calls, names, "tab", in_tab=str(facts["id"]))
        self.facts = facts

    def __getitem__(self, name: str) -> Any:
        return self.facts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.facts)

    def __len__(self) -> int:
        return len(self.facts)

    def ref(self, ref: str) -> ScriptElement:
        """The element with this ref; it has the tab's methods."""
        return ScriptElement(self._calls, self._names, str(ref), **self._in_tab)


class StopSignal:
    """Whether the run is being stopped."""

    aborted = False


class ScriptTab(ScriptHelpers):
    """The tab of the script."""

    def __init__(self, calls: Calls, names: HelperNames, *, name: str) -> None:
        super().__init__(calls, names, "tab")
        self.name = name
        self.signal = StopSignal()
        self.page: Any = self

    def id(self, number: int | str) -> ScriptElement:
        """The element with this number in the result of `observe` or `snapshot`."""
        return self.ref(f"e{number}" if str(number).isdecimal() else str(number))

    def ref(self, ref: str) -> ScriptElement:
        """The element with this ref; it has the tab's methods."""
        return ScriptElement(self._calls, self._names, str(ref))


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


async def wait(
    what: Any,
    *,
    timeout: float | None = None,
    interval: float = POLL_SECONDS,
    every: float | None = None,
) -> Any:
    """Wait for some seconds, or until a function returns a truthy value: within `timeout` seconds, asked every `interval`."""
    if isinstance(what, int | float):
        await asyncio.sleep(what)
        return None
    loop = asyncio.get_running_loop()
    until = loop.time() + (timeout or float("inf"))
    pause = max(interval if every is None else every, SHORTEST_POLL_SECONDS)
    while True:
        found = await _result(what())
        if found:
            return found
        if loop.time() >= until:
            raise TimeoutError(f"wait: the function returned nothing truthy within {timeout:g} s")
        await asyncio.sleep(min(pause, max(0.0, until - loop.time())))


async def _result(found: Any) -> Any:
    """The value of a function, which may be asynchronous."""
    return await found if hasattr(found, "__await__") else found
