"""A placeholder for a page without a debugger: clients receive enough to continue, and no debugger is attached.

Preparations are recorded and answered; execution contexts are announced under our own ids. The first command that
needs the page attaches the debugger, the preparations are applied, and our ids are mapped to Chrome's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from boathook.relay.sessions.client_session import ClientSession
    from boathook.relay.sessions.target_session import TargetSession

_NOT_RECORDED = frozenset(
    {"Page.getFrameTree", "Target.setDiscoverTargets", "Runtime.runIfWaitingForDebugger"}
)
RUN_NOW = "boathook.run"
"""Recorded in place of an init script's evaluation in the current documents."""
_LIFECYCLE = ("DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle")


def answer(client_session: ClientSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Answer a preparation for a page without a debugger."""
    special = _ANSWERS.get(method)
    made = None
    result: dict[str, Any] = {}
    if special is not None:
        result, made = special(client_session, params)
    if method not in _NOT_RECORDED:
        record(client_session, method, params, made)
    return result


def record(client_session: ClientSession, method: str, params: dict[str, Any], made: Any = None) -> None:
    """Record a preparation, so that it is repeated after each attach."""
    domain, _, verb = method.partition(".")
    if verb == "enable":
        client_session.enabled.add(domain)
    elif verb == "disable":
        client_session.enabled.discard(domain)
        client_session.records = [kept for kept in client_session.records if kept[0] != f"{domain}.enable"]
        return
    elif method == "Target.setAutoAttach":
        client_session.auto_attach = params if params.get("autoAttach") else None
        return
    elif method == "Page.removeScriptToEvaluateOnNewDocument":
        client_session.records = [
            kept for kept in client_session.records if kept[2] != params.get("identifier")
        ]
        return
    client_session.records = [
        kept for kept in client_session.records if made is not None or kept[:2] != (method, params)
    ]
    client_session.records.append((method, params, made))


def _frame_tree(client_session: ClientSession, _params: dict[str, Any]) -> tuple[dict[str, Any], None]:
    return {"frameTree": {"frame": frame(client_session)}}, None


def _enable_runtime(client_session: ClientSession, _params: dict[str, Any]) -> tuple[dict[str, Any], None]:
    if "Runtime" not in client_session.enabled:
        announce_context(client_session, client_session.new_context(), name="")
    return {}, None


def _world(client_session: ClientSession, params: dict[str, Any]) -> tuple[dict[str, Any], int]:
    number = client_session.new_context()
    announce_context(client_session, number, name=params.get("worldName", ""), is_default=False)
    return {"executionContextId": number}, number


def _lifecycle(client_session: ClientSession, params: dict[str, Any]) -> tuple[dict[str, Any], None]:
    client_session.is_loaded = False
    if params.get("enabled"):
        announce_load(client_session)
    return {}, None


def _script(client_session: ClientSession, _params: dict[str, Any]) -> tuple[dict[str, Any], str]:
    identifier = f"boathook-{client_session.new_context()}"
    return {"identifier": identifier}, identifier


_ANSWERS = {
    "Page.getFrameTree": _frame_tree,
    "Runtime.enable": _enable_runtime,
    "Page.createIsolatedWorld": _world,
    "Page.setLifecycleEventsEnabled": _lifecycle,
    "Page.addScriptToEvaluateOnNewDocument": _script,
}


def origin_of(url: str) -> str:
    """The CDP security origin of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else "://"


def frame(client_session: ClientSession) -> dict[str, Any]:
    """The main frame as CDP describes it; its id is the target's, as in Chrome."""
    url = client_session.target_session.url
    address, hashmark, fragment = url.partition("#")
    return {
        "id": client_session.target_session.target_id,
        "loaderId": client_session.loader,
        "url": address,
        **({"urlFragment": hashmark + fragment} if hashmark else {}),
        "domainAndRegistry": "",
        "securityOrigin": origin_of(url),
        "mimeType": "text/html",
        "adFrameStatus": {"adFrameType": "none"},
        "secureContextType": "Secure",
        "crossOriginIsolatedContextType": "NotIsolated",
        "gatedAPIFeatures": [],
    }


def announce_context(
    client_session: ClientSession, number: int, *, name: str, is_default: bool = True
) -> None:
    """Announce a context in the main frame that will exist when it is needed."""
    unique = f"boathook.{number}"
    client_session.unique_ids[unique] = number
    kind = "default" if is_default else "isolated"
    aux = {"isDefault": is_default, "type": kind, "frameId": client_session.target_session.target_id}
    context = {
        "id": number,
        "origin": origin_of(client_session.target_session.url),
        "name": name,
        "uniqueId": unique,
        "auxData": aux,
    }
    if is_default:
        client_session.records = [kept for kept in client_session.records if kept[0] != "boathook.main"]
        client_session.records.append(("boathook.main", {}, number))
    client_session.emit("Runtime.executionContextCreated", {"context": context})


def announce_load(client_session: ClientSession) -> None:
    """Announce once that the document is complete, to interested sessions."""
    wants = (
        any(kept[0] == "Page.setLifecycleEventsEnabled" for kept in client_session.records)
        or not client_session.is_loaded
    )
    if client_session.is_loaded or not wants or client_session.target_session.tab.status != "complete":
        return
    client_session.is_loaded = True
    for name in _LIFECYCLE:
        client_session.emit(
            "Page.lifecycleEvent",
            {
                "frameId": client_session.target_session.target_id,
                "loaderId": client_session.loader,
                "name": name,
                "timestamp": 0,
            },
        )


def renew(target_session: TargetSession) -> None:
    """Another document was loaded, or the debugger was detached: announced contexts are no longer valid."""
    for client_session in list(target_session.client_sessions):
        client_session.is_live = False
        client_session.is_loaded = False
        client_session.loader = f"boathook-loader-{client_session.new_context()}"
        client_session.forget_contexts()
        worlds = {
            kept[1].get("worldName", ""): kept
            for kept in client_session.records
            if kept[0] == "Page.createIsolatedWorld"
        }
        scripts = [
            kept[1].get("worldName", "")
            for kept in client_session.records
            if kept[0] == "Page.addScriptToEvaluateOnNewDocument"
        ]
        client_session.records = [
            kept
            for kept in client_session.records
            if kept[0] not in {"Page.createIsolatedWorld", "boathook.main"}
        ]
        if "Runtime" in client_session.enabled:
            client_session.emit("Runtime.executionContextsCleared", {})
        if "Page" in client_session.enabled:
            client_session.emit("Page.frameNavigated", {"frame": frame(client_session), "type": "Navigation"})
        if "Runtime" in client_session.enabled:
            announce_context(client_session, client_session.new_context(), name="")
            # Chrome recreates worlds in each document only for init scripts.
            for name in [name for name in worlds if name in scripts]:
                params = {**worlds[name][1], "frameId": target_session.target_id}
                _, made = _world(client_session, params)
                record(client_session, "Page.createIsolatedWorld", params, made)
        announce_load(client_session)
