"""Scripts while the user allows read-only access: Chrome stops them at the first side effect.

That check holds while the script runs. Awaiting its result calls `then` of the returned object, outside of the check;
so a result is awaited only if it is a real promise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boathook.relay.extension.extension_connection import Done
    from boathook.relay.send_queue import CdpRefusal
    from boathook.relay.sessions.target_session import TargetSession

_ITSELF = "function () { return this; }"


def run_without_effects(
    target_session: TargetSession, method: str, params: dict[str, Any], done: Done
) -> None:
    """Run a script that must not change anything, and await its promise if it returned one."""
    by_value = bool(params.get("returnByValue"))
    if not params.get("awaitPromise"):
        target_session.send(method, {**params, "throwOnSideEffect": True}, done)
        return

    def on_result(result: dict[str, Any] | None, error: CdpRefusal | None) -> None:
        if error is not None or result is None or "exceptionDetails" in result:
            done(result, error)
            return
        value = result["result"]
        if value.get("subtype") == "promise":
            wanted = {"promiseObjectId": value["objectId"], "returnByValue": by_value}
            target_session.send("Runtime.awaitPromise", wanted, done)
        elif by_value and "objectId" in value:
            wanted = {"objectId": value["objectId"], "functionDeclaration": _ITSELF, "returnByValue": True}
            target_session.send("Runtime.callFunctionOn", {**wanted, "throwOnSideEffect": True}, done)
        else:
            done(result, error)

    first = {**params, "throwOnSideEffect": True, "awaitPromise": False, "returnByValue": False}
    target_session.send(method, first, on_result)
