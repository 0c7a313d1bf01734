"""The engine `safe`: a script in Monty, an interpreter without system access, inside a jail.

Monty is a separate program, controlled by the client that is started here. The script never runs in this process.
"""

from __future__ import annotations

import builtins
import json
import os
import re
import shlex
import sys
import time
from difflib import get_close_matches

from boathook.sandbox import jail
from boathook.sandbox.function_body import LINES_BEFORE, NAME, as_function
from boathook.sandbox.safe_scope import ASK, CALLED, NOTE, SHOW, SLEEP, scope
from boathook.sandbox.script_channel import Gone
from boathook.sandbox.syntax_message import syntax_failure
from boathook.wire.plain_values import Plain
from boathook.wire.script_messages import STARTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from boathook.sandbox.script_channel import Channel, Message

MEMORY_BYTES = 256 << 20
INTERPRETER_BYTES = 384 << 20
CLIENT_BYTES = 640 << 20
"""Two processes: what the script has in memory, and copies of what it passes on."""
RECURSION = 500
CALLS = 1_000_000
"""More than a script can produce within its limits."""
_FUTURE = {"future": ...}
_NOTHING = {"return_value": None}
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from boathook.sandbox.monty_start import become_monty; become_monty(sys.argv[2], sys.argv[3:])"
)
_OTHER = "use the engine jail"
_SCRIPT = "<python-input-1>"
"""The second piece of code that the interpreter runs; the first one creates the scope."""
_UNKNOWN = re.compile(r"object has no attribute '(\w+)'")


class _Stopped(Exception):
    """The daemon asked to stop."""


def run_safely(channel: Channel, order: Message) -> None:
    """Run a script in Monty, then exit the process."""
    sys.path.append(str(order["packages"]))
    import pydantic_monty  # noqa: PLC0415 (from the folder that the order names)

    os.chdir(str(order["scratch"]))
    jailed = bool(order.get("jail", True))
    if jailed:
        # Before any thread is begun: all of them are inside then.
        jail.close_files(
            readable=order["readable"],
            writable=order["writable"],
            programs=order["programs"],
            version=order.get("landlock"),
        )
    monty = pydantic_monty.Monty(binary_path=_starter(order), min_processes=1, max_processes=1)
    monty.__enter__()
    limits: Any = {
        "max_memory": MEMORY_BYTES,
        "max_recursion_depth": RECURSION,
        "max_suspensions": CALLS,
    }
    session = monty.checkout(limits=limits)
    session.__enter__()
    if jailed:
        jail.close_calls(cpu_seconds=int(order["cpu_seconds"]), reserves=True, memory_bytes=CLIENT_BYTES)
    channel.send_now(STARTED)
    try:
        channel.send_now(_Run(pydantic_monty, session, channel, order).run_to_end())
    except (_Stopped, Gone, OSError):
        return  # nothing awaits it


def _starter(order: Message) -> str:
    """A program that runs Monty in its own jail: the client can only start a program by path."""
    keys = ("libraries", "monty", "cpu_seconds", "jail", "landlock")
    facts = json.dumps({**{key: order[key] for key in keys}, "memory_bytes": INTERPRETER_BYTES})
    words = [str(order["python"]), "-I", "-S", "-c", _START, str(order["sources"]), facts]
    path = os.path.abspath("monty")  # noqa: PTH100 (pathlib costs every script its import)
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123
        file.write(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    os.chmod(path, 0o700)  # noqa: PTH101
    return path


class _Run:
    """One script: the interpreter pauses for every external call."""

    def __init__(self, monty: ModuleType, session: Any, channel: Channel, order: Message) -> None:
        self._monty = monty
        self._session = session
        self._channel = channel
        self._order = order
        self._settled: dict[int, Any] = {}
        self._timers: dict[int, float] = {}
        self._called: dict[str, Callable[[Any], Any]] = {
            ASK: self._ask,
            SLEEP: self._sleep,
            SHOW: self._show,
            NOTE: self._note,
        }

    def run_to_end(self) -> Message:
        """The result of the run."""
        order = self._order
        try:
            code = as_function(str(order["code"]))
        except SyntaxError as unreadable:
            return syntax_failure(unreadable)
        except (RecursionError, MemoryError, ValueError) as error:
            return {"type": "failed", "kind": "syntax", "message": f"line 1: {error}", "where": ""}
        made = scope(order)
        try:
            self._feed(made, inputs={"state": dict(order.get("state") or {})})
            value = self._feed(f"{code}await {NAME}()")
            state = self._feed("state")
        except self._monty.MontyError as error:
            return self._failure(error)
        plain, kept = Plain(), Plain()
        return {
            "type": "done",
            "value": plain.of(value),
            "gives": value is not None,
            "cut": plain.cut,
            "state": kept.of(state),
        }

    def _feed(self, code: str, **options: Any) -> Any:
        """The value of one piece of code."""
        stop = self._session.feed_start(code, print_callback=self._on_print, **options)
        while not isinstance(stop, self._monty.MontyComplete):
            stop = self._resume(stop)
        return stop.output

    def _resume(self, stop: Any) -> Any:
        """Answer the interpreter's call; returns its next pause."""
        if isinstance(stop, self._monty.NameLookupSnapshot):
            if stop.variable_name in CALLED:
                return stop.resume(value=_named_stub(stop.variable_name))
            return stop.resume()
        if isinstance(stop, self._monty.FutureSnapshot):
            return stop.resume(self._wait_for(stop.pending_call_ids))
        if stop.is_os_function:
            return self._of_system(stop)
        called = self._called.get(stop.function_name)
        return stop.resume(called(stop) if called is not None else _unknown(stop.function_name))

    def _of_system(self, stop: Any) -> Any:
        """The only system service is a clock."""
        if stop.function_name == "system.async_sleep":
            return stop.resume(self._sleep(stop))
        if stop.function_name == "system.sleep":
            self._sleep(stop)
            self._wait_for([stop.call_id])
            return stop.resume(_NOTHING)
        return stop.resume_not_handled()

    def _ask(self, stop: Any) -> Any:
        method, given, named, element = stop.args
        bound = {"element": element} if element else {}
        plain = Plain()
        self._send(
            {
                "type": "call",
                "id": stop.call_id,
                "method": str(method),
                "args": plain.of(given),
                "named": plain.of({**named, **bound}),
            }
        )
        return _FUTURE

    def _sleep(self, stop: Any) -> Any:
        seconds = stop.args[0] if stop.args else 0
        self._timers[stop.call_id] = time.monotonic() + float(seconds)
        return _FUTURE

    def _show(self, stop: Any) -> Any:
        plain = Plain()
        value = stop.args[0] if stop.args else None
        self._send({"type": "display", "value": plain.of(value), "cut": plain.cut})
        return _NOTHING

    def _note(self, stop: Any) -> Any:
        self._tell(" ".join(str(argument) for argument in stop.args))
        return _NOTHING

    def _on_print(self, _stream: str, text: str) -> None:
        for line in text.splitlines():
            self._tell(line)

    def _tell(self, text: str) -> None:
        self._send({"type": "log", "text": Plain(10_000).of(text)})

    def _send(self, message: Message) -> None:
        """Send a message, and read answers meanwhile: the daemon reads no further calls before it has sent them."""
        self._channel.send_hearing(message, self._hear)

    def _wait_for(self, numbers: list[int]) -> dict[int, Any]:
        """Results of these calls: all that are available, at least one."""
        while True:
            now = time.monotonic()
            for number in [number for number, at in self._timers.items() if at <= now]:
                del self._timers[number]
                self._settled[number] = _NOTHING
            found = {number: self._settled.pop(number) for number in numbers if number in self._settled}
            if found:
                return found
            until = min(self._timers.values(), default=None)
            if self._channel.wait(None if until is None else max(0.0, until - now)):
                self._hear(self._channel.receive())

    def _hear(self, message: Message) -> None:
        if message["type"] == "stop":
            raise _Stopped
        if message["type"] != "answer":
            return
        error = message.get("error")
        answer: dict[str, Any] = {"return_value": message.get("value")}
        if error is not None:
            said = f"{error['message']} ({error['hint']})" if error["hint"] else error["message"]
            answer = {"exception": RuntimeError(f"{said} [{error['code']}]")}
        self._settled[int(message["id"])] = answer

    def _failure(self, error: Any) -> Message:
        """The traceback in the script's own lines."""
        if isinstance(error, self._monty.MontyCrashedError):
            return {
                "type": "failed",
                "kind": "error",
                "message": "the interpreter exited unexpectedly",
                "where": "",
            }
        frames = [
            frame
            for frame in error.traceback()
            if frame.filename == _SCRIPT and frame.function_name != "<module>"
        ]
        at = [(frame.line - LINES_BEFORE, frame) for frame in frames if frame.line > LINES_BEFORE]
        said = error.display("type-msg")
        missing = re.search(r"does not yet support (.+)", said)
        if missing or isinstance(error, self._monty.MontySyntaxError):
            wrong = f"the engine safe does not support {missing[1]}; {_OTHER}" if missing else said
            message = f"line {at[0][0] if at else '?'}: {wrong}"
            return {"type": "failed", "kind": "syntax", "message": message, "where": self._lines(at[:1])}
        if said.startswith("ModuleNotFoundError"):
            said = f"{said}; the engine safe has few modules and no packages: the engine jail has the standard library"
        builtin = re.match(r"NameError: name '(\w+)' is not defined", said)
        if builtin and hasattr(builtins, builtin[1]):
            said = f"{said}: the engine safe does not have this built-in function; {_OTHER}"
        where = self._lines(at[-5:])
        return {
            "type": "failed",
            "kind": "error",
            "message": Plain(4_000).of(said + self._near(said)),
            "where": where,
            "code": "",
        }

    def _lines(self, at: list[tuple[int, Any]]) -> str:
        lines = str(self._order["code"]).splitlines()
        shown = [f"line {line}: {lines[line - 1].strip()}" for line, _frame in at if line <= len(lines)]
        text: str = Plain(4_000).of("\n".join(shown))
        return text

    def _near(self, said: str) -> str:
        unknown = _UNKNOWN.search(said)
        if unknown is None or not re.search(r"'(Tab|Browser)'", said):
            return ""
        near = get_close_matches(unknown[1], self._order["tab_helpers"], n=1)
        return f"; did you mean {near[0]}?" if near else ""


def _unknown(name: str) -> dict[str, Any]:
    """The answer to a call of a name that neither the script nor the interpreter defines, such as `globals`."""
    return {"exception": NameError(f"name {name!r} is not defined")}


def _named_stub(name: str) -> Callable[..., None]:
    """A stand-in that the interpreter knows by name; it is never called on this side."""

    def outside() -> None:
        return None

    outside.__name__ = name
    return outside
