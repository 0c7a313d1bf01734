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
_LIFECYCLE = ("DOMContentLoaded", "load", "networkAlmostIdle", "networkIdle")


def answer(view: ClientSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Answer a preparation for a page without a debugger."""
    special = _ANSWERS.get(method)
    made = None
    result: dict[str, Any] = {}
    if special is not None:
        result, made = special(view, params)
    if method not in _NOT_RECORDED:
        record(view, method, params, made)
    return result


def record(view: ClientSession, method: str, params: dict[str, Any], made: Any = None) -> None:
    """Record a preparation, so that it is repeated after each attach."""
    domain, _, verb = method.partition(".")
    if verb == "enable":
        view.enabled.add(domain)
    elif verb == "disable":
        view.enabled.discard(domain)
        view.records = [one for one in view.records if one[0] != f"{domain}.enable"]
        return
    elif method == "Target.setAutoAttach":
        view.auto_attach = params if params.get("autoAttach") else None
        return
    elif method == "Page.removeScriptToEvaluateOnNewDocument":
        view.records = [one for one in view.records if one[2] != params.get("identifier")]
        return
    view.records = [one for one in view.records if made is not None or one[:2] != (method, params)]
    view.records.append((method, params, made))


def _frame_tree(view: ClientSession, _params: dict[str, Any]) -> tuple[dict[str, Any], None]:
    return {"frameTree": {"frame": frame(view)}}, None


def _runtime_enabled(view: ClientSession, _params: dict[str, Any]) -> tuple[dict[str, Any], None]:
    if "Runtime" not in view.enabled:
        announce_context(view, view.new_context(), name="")
    return {}, None


def _world(view: ClientSession, params: dict[str, Any]) -> tuple[dict[str, Any], int]:
    number = view.new_context()
    announce_context(view, number, name=params.get("worldName", ""), is_default=False)
    return {"executionContextId": number}, number


def _lifecycle(view: ClientSession, params: dict[str, Any]) -> tuple[dict[str, Any], None]:
    view.is_loaded = False
    if params.get("enabled"):
        tell_loaded(view)
    return {}, None


def _script(view: ClientSession, _params: dict[str, Any]) -> tuple[dict[str, Any], str]:
    identifier = f"boathook-{view.new_context()}"
    return {"identifier": identifier}, identifier


_ANSWERS = {
    "Page.getFrameTree": _frame_tree,
    "Runtime.enable": _runtime_enabled,
    "Page.createIsolatedWorld": _world,
    "Page.setLifecycleEventsEnabled": _lifecycle,
    "Page.addScriptToEvaluateOnNewDocument": _script,
}


def origin_of(url: str) -> str:
    """The CDP security origin of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else "://"


def frame(view: ClientSession) -> dict[str, Any]:
    """The main frame as CDP describes it; its id is the target's, as in Chrome."""
    url = view.channel.url
    address, hashmark, fragment = url.partition("#")
    return {
        "id": view.channel.target_id,
        "loaderId": view.loader,
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


def announce_context(view: ClientSession, number: int, *, name: str, is_default: bool = True) -> None:
    """Announce a context in the main frame that will exist when it is needed."""
    unique = f"boathook.{number}"
    view.unique_ids[unique] = number
    kind = "default" if is_default else "isolated"
    aux = {"isDefault": is_default, "type": kind, "frameId": view.channel.target_id}
    context = {
        "id": number,
        "origin": origin_of(view.channel.url),
        "name": name,
        "uniqueId": unique,
        "auxData": aux,
    }
    if is_default:
        view.records = [one for one in view.records if one[0] != "boathook.main"]
        view.records.append(("boathook.main", {}, number))
    view.emit("Runtime.executionContextCreated", {"context": context})


def tell_loaded(view: ClientSession) -> None:
    """Announce once that the document is complete, to interested sessions."""
    wants = any(one[0] == "Page.setLifecycleEventsEnabled" for one in view.records) or not view.is_loaded
    if view.is_loaded or not wants or view.channel.tab.status != "complete":
        return
    view.is_loaded = True
    for name in _LIFECYCLE:
        view.emit(
            "Page.lifecycleEvent",
            {"frameId": view.channel.target_id, "loaderId": view.loader, "name": name, "timestamp": 0},
        )


def renew(channel: TargetSession) -> None:
    """Another document was loaded, or the debugger was detached: announced contexts are no longer valid."""
    for view in list(channel.views):
        view.is_live = False
        view.is_loaded = False
        view.loader = f"boathook-loader-{view.new_context()}"
        view.forget_contexts()
        worlds = {
            one[1].get("worldName", ""): one for one in view.records if one[0] == "Page.createIsolatedWorld"
        }
        scripts = [
            one[1].get("worldName", "")
            for one in view.records
            if one[0] == "Page.addScriptToEvaluateOnNewDocument"
        ]
        view.records = [
            one for one in view.records if one[0] not in {"Page.createIsolatedWorld", "boathook.main"}
        ]
        if "Runtime" in view.enabled:
            view.emit("Runtime.executionContextsCleared", {})
        if "Page" in view.enabled:
            view.emit("Page.frameNavigated", {"frame": frame(view), "type": "Navigation"})
        if "Runtime" in view.enabled:
            announce_context(view, view.new_context(), name="")
            # Chrome recreates worlds in each document only for init scripts.
            for name in [name for name in worlds if name in scripts]:
                params = {**worlds[name][1], "frameId": channel.target_id}
                _, made = _world(view, params)
                record(view, "Page.createIsolatedWorld", params, made)
        tell_loaded(view)
