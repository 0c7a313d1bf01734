"""Running one script: receive it, enter the jail, run it, send the result."""

from __future__ import annotations

import ast
import asyncio
import builtins
import fcntl
import json
import linecache
import os
import sys
import traceback

from boathook.sandbox import jail
from boathook.sandbox.scope import Calls, HelperNames, Outputs, ScriptHelpers, ScriptTab, assert_, wait
from boathook.sandbox.script_channel import Gone
from boathook.sandbox.syntax_message import syntax_failure
from boathook.wire.plain_values import Plain
from boathook.wire.script_messages import STARTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from boathook.sandbox.script_channel import Channel, Message

FILE = "<script>"
_MAIN = "__script__"
_CHANNEL, _ABOVE = 3, 16
"""The first descriptor of Node is the channel, the second the connection of its CDP client; the others are below this number."""


def run(channel: Channel, line: int) -> None:
    """Receive the first message, and run it; `line` is the descriptor for a CDP client of the script."""
    try:
        order = channel.receive()
    except Gone:
        return  # kept ready, and not needed after all
    if "node" in order:
        _become_node(channel, order, line)
    os.close(line)
    if "monty" in order:
        _run_safely(channel, order)
        return
    loop = asyncio.new_event_loop()
    try:
        asyncio.set_event_loop(loop)
        loop.run_until_complete(channel.open())
        os.chdir(str(order["scratch"]))
        if order.get("jail", True):
            jail.close_in(
                readable=order["readable"],
                writable=order["writable"],
                cpu_seconds=int(order["cpu_seconds"]),
                version=order.get("landlock"),
            )
        channel.send(STARTED)
        loop.run_until_complete(_run(channel, order))
    except jail.JailUnavailable as error:
        channel.send({"type": "failed", "kind": "jail", "message": str(error)})
        loop.run_until_complete(channel.drain())


def _run_safely(channel: Channel, order: Message) -> None:
    """Run in a separate interpreter, which few scripts need."""
    from boathook.sandbox.safe_engine import run_safely  # noqa: PLC0415 (as said)

    try:
        run_safely(channel, order)
    except (jail.JailUnavailable, ImportError, OSError) as error:
        channel.send_now({"type": "failed", "kind": "jail", "message": str(error)})


def _become_node(channel: Channel, order: Message, line: int) -> None:
    """Exec Node.js in the same kind of jail, with the channel as descriptor 3 and the request in the scratch folder."""
    os.chdir(str(order["scratch"]))
    with open("order.json", "w", encoding="utf-8") as file:  # noqa: PTH123 (pathlib costs every script its import)
        json.dump(order, file)
    if order.get("jail", True):
        try:
            jail.close_in(
                readable=order["readable"],
                writable=order["writable"],
                cpu_seconds=int(order["cpu_seconds"]),
                programs=order["programs"],
                version=order.get("landlock"),
            )
        except jail.JailUnavailable as error:
            channel.send_now({"type": "failed", "kind": "jail", "message": str(error)})
            raise
    channel.send_now(STARTED)
    _keep_for_node(channel.number, *([line] if order.get("package") else []))
    words = [str(word) for word in order["node"]]
    os.execve(words[0], words, {"UV_USE_IO_URING": "0"})  # noqa: S606 (that is what it is to become)


def _keep_for_node(*numbers: int) -> None:
    """Make these the descriptors from 3 on, and close all others."""
    # Above them first, so that none takes the place of another.
    higher = [fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, _ABOVE) for number in numbers]
    os.closerange(_CHANNEL, _ABOVE)
    for place, number in enumerate(higher, start=_CHANNEL):
        os.dup2(number, place, inheritable=True)


async def _run(channel: Channel, order: Message) -> None:
    calls, outputs = Calls(channel), Outputs(channel)
    state = dict(order.get("state") or {})
    scope = _scope(calls, outputs, order, state)
    try:
        main = compile_script(str(order["code"]), scope)
    except SyntaxError as unreadable:
        _finish(channel, syntax_failure(unreadable))
        await channel.drain()
        return
    script = asyncio.ensure_future(_catch_all(_run_main(main, calls, order, scope)))
    listening = asyncio.ensure_future(_listen(channel, calls, script, scope["tab"]))
    value: Any
    error: BaseException | None
    try:
        value, error = await script
    except asyncio.CancelledError as stopped:  # before it had begun
        value, error = None, stopped
    if error is not None:
        _finish(channel, _failure(error))
    else:
        plain, kept = Plain(), Plain()
        _finish(
            channel,
            {
                "type": "done",
                "value": plain.of(value),
                "gives": value is not None,
                "cut": plain.cut,
                "state": kept.of(state),
            },
        )
    listening.cancel()
    await channel.drain()


async def _run_main(
    main: Callable[[], Coroutine[Any, Any, Any]], calls: Calls, order: Message, scope: dict[str, Any]
) -> Any:
    """The script's value; without a jail it has Playwright's objects in scope, if it uses them."""
    if not order.get("jail", True):
        from boathook.sandbox import playwright_scope  # noqa: PLC0415 (few scripts need it)

        if playwright_scope.is_used_in(str(order["code"])):
            scope |= await playwright_scope.playwright_objects(calls, order)
            scope["tab"].page = scope["page"]
    return await main()


async def _catch_all(work: Coroutine[Any, Any, Any]) -> tuple[Any, BaseException | None]:
    """The script's value or its error of any kind: none may stop the loop that reports it."""
    try:
        return await work, None
    except BaseException as error:  # noqa: BLE001 (as said)
        return None, error


def _finish(channel: Channel, message: Message) -> None:
    channel.send(message)


async def _listen(channel: Channel, calls: Calls, script: asyncio.Future[Any], tab: ScriptTab) -> None:
    try:
        while True:
            message = await channel.next()
            if message["type"] == "answer":
                calls.settle(message)
            elif message["type"] == "stop":
                tab.signal.aborted = True
                script.cancel()
    except Gone:
        script.cancel()


def _scope(calls: Calls, outputs: Outputs, order: Message, state: dict[str, Any]) -> dict[str, Any]:
    tab = ScriptTab(calls, HelperNames(order, "tab"), name=str(order["tab"]))
    scope: dict[str, Any] = {
        "__name__": _MAIN,
        "__builtins__": builtins,
        "tab": tab,
        "page": tab,
        "browser": ScriptHelpers(calls, HelperNames(order, "browser"), "browser"),
        "display": outputs.display,
        "assert_": assert_,
        "wait": wait,
        "log": outputs.log,
        "print": lambda *values, **_options: outputs.log(*values),
        "state": state,
    }
    return scope


def compile_script(code: str, scope: dict[str, Any]) -> Callable[[], Coroutine[Any, Any, Any]]:
    """The code as the body of an async function, with its own line numbers; a last expression is its value."""
    tree = ast.parse(code, FILE)
    body = tree.body or [ast.Pass()]
    if isinstance(body[-1], ast.Expr):
        body[-1] = ast.copy_location(ast.Return(body[-1].value), body[-1])
    function = ast.AsyncFunctionDef(
        name=_MAIN,
        args=ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[]),
        body=body,
        decorator_list=[],
    )
    module = ast.fix_missing_locations(ast.Module(body=[function], type_ignores=[]))
    linecache.cache[FILE] = (len(code), None, code.splitlines(keepends=True), FILE)
    exec(compile(module, FILE, "exec"), scope)  # noqa: S102 (what this process is for)
    main: Callable[[], Coroutine[Any, Any, Any]] = scope[_MAIN]
    if not asyncio.iscoroutinefunction(main):
        raise SyntaxError("a script cannot yield", (FILE, 1, 1, code.splitlines()[0] if code else ""))
    return main


def _failure(error: BaseException) -> Message:
    """The traceback in the script's own lines, without internal ones."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
    where = "\n".join(f"line {frame.lineno}: {(frame.line or '').strip()}" for frame in frames[-5:])
    try:
        said = str(error)
    except Exception:  # noqa: BLE001 (its own __str__ may fail)
        said = ""
    kind = type(error).__name__
    code = getattr(error, "code", "")
    return {
        "type": "failed",
        "kind": "error",
        "message": Plain(4_000).of(f"{kind}: {said}" if said else kind),
        "where": Plain(4_000).of(where),
        "code": code if isinstance(code, str) else "",
    }


sys.setrecursionlimit(1_000)
