"""The connection to one extension: calls with replies, and its notifications."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boathook.cdp.errors_map import NOT_CONNECTED
from boathook.relay.extension.protocol import ExtensionRequest
from boathook.relay.send_queue import CdpRefusal, NotAnswered

if TYPE_CHECKING:
    from collections.abc import Callable

    from boathook.relay.send_queue import SendQueue

    Done = Callable[[dict[str, Any] | None, CdpRefusal | None], None]

CALL_SECONDS = 30.0


@dataclass(slots=True)
class _Pending:
    done: Done
    tab_id: int | None
    timer: asyncio.TimerHandle | None


class ExtensionConnection:
    """Numbers calls and dispatches replies; if the extension disconnects, every call fails at once."""

    def __init__(self, send_queue: SendQueue) -> None:
        self._send_queue = send_queue
        self._pending: dict[int, _Pending] = {}
        self._last = 0
        self.is_lost = False

    def post(
        self,
        method: str,
        params: dict[str, Any],
        done: Done,
        *,
        tab_id: int | None = None,
        seconds: float = 0,
    ) -> None:
        """Call, and pass the reply to `done`; without `seconds` there is no time limit."""
        if self.is_lost:
            done(None, NotAnswered("the extension is not connected", code=NOT_CONNECTED))
            return
        self._last += 1
        number = self._last
        timer = None
        if seconds:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(seconds, self._on_timeout, number, method, params, seconds)
        self._pending[number] = _Pending(done, tab_id, timer)
        self._send_queue.put({"id": number, "method": method, "params": params})

    async def call(self, method: str, *, seconds: float = CALL_SECONDS, **params: Any) -> dict[str, Any]:
        """Call and wait for the reply."""
        answer, done = future_answer()
        tied = (
            params.get("tabId") if method != ExtensionRequest.TAB_CLOSE else None
        )  # a closed tab answers that one too
        self.post(method, params, done, tab_id=tied, seconds=seconds)
        return await answer

    def take_answer(self, message: dict[str, Any]) -> None:
        """A reply has arrived; one without a waiting call is dropped."""
        pending = self._pending.pop(message["id"], None)
        if pending is None:
            return
        if pending.timer is not None:
            pending.timer.cancel()
        error = message.get("error")
        if error is not None:
            pending.done(None, CdpRefusal(str(error.get("message", error)), code=error.get("code", -32000)))
        else:
            pending.done(message.get("result") or {}, None)

    def fail_tab(self, tab_id: int, why: str) -> None:
        """Calls for this tab will not be answered."""
        for number in [number for number, pending in self._pending.items() if pending.tab_id == tab_id]:
            self._fail(number, why)

    def on_disconnect(self, why: str = "the extension disconnected") -> None:
        """The connection is closed."""
        self.is_lost = True
        self._send_queue.close()
        for number in list(self._pending):
            self._fail(number, why, code=NOT_CONNECTED)

    def _on_timeout(self, number: int, method: str, params: dict[str, Any], seconds: float) -> None:
        asked = params.get("method", method)
        self._fail(number, f"no response to {asked} within {seconds:g} s; the tab may be frozen")

    def _fail(self, number: int, why: str, *, code: int = -32000) -> None:
        pending = self._pending.pop(number, None)
        if pending is None:
            return
        if pending.timer is not None:
            pending.timer.cancel()
        pending.done(None, NotAnswered(why, code=code))


def future_answer() -> tuple[asyncio.Future[dict[str, Any]], Done]:
    """A future, and the callback that sets its result."""
    answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

    def resolve(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result or {})

    return answer, resolve
