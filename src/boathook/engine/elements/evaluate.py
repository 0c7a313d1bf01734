"""Running a caller's JavaScript in the page or on an element, with a size limit that is enforced inside the page."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from boathook.engine.elements.locate import locate
from boathook.engine.page.page_eval import thrown_in
from boathook.errors import BadRequest, BoathookError, DialogOpened, EvaluationFailed, ResultTooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from boathook.clock import Deadline
    from boathook.engine.elements.locate import Element
    from boathook.engine.tab import Tab

WorldName = Literal["main", "isolated"]

RESULT_LIMIT = 1024 * 1024
"""Characters (roughly) that one result may have."""
SCRIPT_LIMIT = 1024 * 1024
LONGEST_ERROR = 2_000
SCRIPT_START = "(element => ("
_STACK = "\n    at "
_FRAME = re.compile(r"^    at (?:.*\()?<anonymous>:(\d+):(\d+)\)?$", re.MULTILINE)
_TOO_LARGE = "boathook: the result is too large"
_TOO_DEEP = "boathook: the result is nested too deeply or refers to itself"

# Only syntax, no builtins: the page may have replaced JSON, Array.prototype or Symbol.iterator.
_MEASURED = """
(async (make, subject, args) => {
  let left = %(limit)d;
  const measure = (value, depth) => {
    if (depth > 100) throw '%(too_deep)s';
    if (typeof value === 'string') left -= value.length;
    else if (typeof value === 'object' && value !== null)
      for (const key in value) { left -= key.length; measure(value[key], depth + 1); }
    left -= 4;
    if (left < 0) throw '%(too_large)s';
  };
  let value = make(subject);
  if (typeof value === 'function') value = value(...(subject === undefined ? args : [subject, ...args]));
  value = await value;
  measure(value, 0);
  return value;
})"""


async def evaluate(
    tab: Tab,
    script: str,
    arguments: Sequence[object] = (),
    *,
    target: str | None = None,
    world: WorldName = "main",
    limit: int = RESULT_LIMIT,
    deadline: Deadline,
) -> Any:
    """The JSON value of an expression, or of a function called with the arguments (an element first, if given).

    Code that is not an expression is run as statements, like in the console of a browser.
    """
    if len(script) > SCRIPT_LIMIT:
        raise BadRequest("the script is longer than 1 MiB")
    if world not in {"main", "isolated"}:
        raise BadRequest(
            f"unknown world: {world!r}", hint="use main (the page's own) or isolated (boathook's)"
        )
    wrapped = _wrap_script(script, arguments, limit=limit)
    async with deadline.stage("running the script in the page"):
        running = _run_script(
            tab, script, wrapped, target=target, world=world, limit=limit, program=not arguments
        )
        return await tab.dialogs.unless_held(running, DialogOpened)


async def _run_script(
    tab: Tab, script: str, wrapped: str, *, target: str | None, world: WorldName, limit: int, program: bool
) -> Any:
    """Run a script as an expression; as statements if it is not one and may be a program."""
    if target is None:
        reply = await _in_page(tab, f"{wrapped}(undefined)", world=world)
        if program and _is_no_expression(reply):
            return await _as_program(tab, script, world=world, limit=limit)
    else:
        element = await locate(tab, target)
        reply = await _on_element(element, wrapped, world=world)
    return _value_of(reply, script, first_line=wrapped.partition(SCRIPT_START)[0].count("\n") + 2)


def _wrap_script(script: str, arguments: Sequence[object], *, limit: int) -> str:
    try:
        args = msgspec.json.encode(list(arguments)).decode()
    except TypeError as error:
        raise BadRequest(f"the arguments are not JSON values: {error}") from error
    measured = _MEASURED % {"limit": limit, "too_large": _TOO_LARGE, "too_deep": _TOO_DEEP}
    # The newline ends a line comment at the end of the script.
    return f"((subject) => {measured}{SCRIPT_START}\n{script}\n), subject, {args}))"


async def _in_page(tab: Tab, expression: str, *, world: WorldName) -> dict[str, Any]:
    options: dict[str, Any] = {
        "expression": expression,
        "returnByValue": True,
        "awaitPromise": True,
        "userGesture": True,
    }
    if world == "isolated":
        options["contextId"] = (await tab.frames.world(tab.frames.main)).context_id
    return await tab.session.send("Runtime.evaluate", **options)


def _is_no_expression(reply: dict[str, Any]) -> bool:
    """Whether the script could not be parsed as an expression; then nothing of it has run."""
    thrown = thrown_in(reply)
    return thrown is not None and thrown.text.startswith("SyntaxError") and "\n    at " not in thrown.text


async def _as_program(tab: Tab, script: str, *, world: WorldName, limit: int) -> Any:
    """Statements, as in the console of a browser: the value is that of the last one, and await is allowed."""
    options: dict[str, Any] = {
        "expression": script,
        "replMode": True,
        "awaitPromise": True,
        "userGesture": True,
    }
    if world == "isolated":
        options["contextId"] = (await tab.frames.world(tab.frames.main)).context_id
    reply = await tab.session.send("Runtime.evaluate", **options)
    handle = reply["result"].get("objectId") if thrown_in(reply) is None else None
    if handle is None:
        value = _value_of(reply, script, first_line=1)
        if isinstance(value, str) and len(value) > limit:
            raise ResultTooLarge("the script's result is too large")
        return value
    measured = _wrap_script("element", (), limit=limit)
    try:
        plain = await tab.session.send(
            "Runtime.callFunctionOn",
            functionDeclaration=f"function () {{ return {measured}(this); }}",
            objectId=handle,
            returnByValue=True,
            awaitPromise=True,
        )
    finally:
        with suppress(BoathookError):  # the page may have moved on, and its objects with it
            await tab.session.send("Runtime.releaseObject", objectId=handle)
    return _value_of(plain, "", first_line=1)


async def _on_element(element: Element, wrapped: str, *, world: WorldName) -> dict[str, Any]:
    session = element.frame.session
    object_id = await element.handle()
    if world == "main":
        node = (await session.send("DOM.describeNode", objectId=object_id))["node"]
        resolved = await session.send("DOM.resolveNode", backendNodeId=node["backendNodeId"])
        object_id = resolved["object"]["objectId"]
    return await session.send(
        "Runtime.callFunctionOn",
        functionDeclaration=f"function () {{ return {wrapped}(this); }}",
        objectId=object_id,
        returnByValue=True,
        awaitPromise=True,
        userGesture=True,
    )


def _value_of(reply: dict[str, Any], script: str, *, first_line: int) -> Any:
    """The value of a script that starts at this line of what was evaluated."""
    thrown = thrown_in(reply)
    if thrown is None:
        result = reply["result"]
        return result.get("value", _unserializable(result))
    if thrown.value == _TOO_LARGE:
        raise ResultTooLarge("the script's result is too large")
    if thrown.value == _TOO_DEEP:
        raise EvaluationFailed(
            "the script's result is nested too deeply or refers to itself",
            hint="return plain data",
            is_object=True,
        )
    text = thrown.text.partition(_STACK)[0][:LONGEST_ERROR]
    place = _place_in(script, reply, first_line=first_line)
    hint = "omit the word return, or pass a function" if "Illegal return" in text else None
    raise EvaluationFailed(
        f"the script failed: {text}{f' at {place}' if place else ''}", hint=hint, exception=text, place=place
    )


def _place_in(script: str, reply: dict[str, Any], *, first_line: int) -> str:
    """Line and column in the caller's script at which it failed; empty if that is not known."""
    thrown, details = thrown_in(reply), reply["exceptionDetails"]
    last_line = first_line + script.count("\n")
    places = [(int(line), int(column)) for line, column in _FRAME.findall(thrown.text if thrown else "")]
    if thrown is not None and _STACK not in thrown.text and thrown.text.startswith("SyntaxError"):
        places = [(int(details["lineNumber"]) + 1, int(details["columnNumber"]) + 1)]
    inside = [(line, column) for line, column in places if first_line <= line <= last_line]
    return f"{inside[0][0] - first_line + 1}:{inside[0][1]}" if inside else ""


def _unserializable(result: dict[str, Any]) -> Any:
    """Numbers that JSON cannot represent; everything else without a value is undefined, which is None here."""
    text = result.get("unserializableValue")
    if text is None:
        return None
    if text.endswith("n"):
        return int(text[:-1])
    return {"-0": -0.0, "Infinity": float("inf"), "-Infinity": float("-inf")}.get(text, float("nan"))
