"""Lazy attach: after attaching, apply what clients were promised, and map their context ids to Chrome's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.extension_connection import future_answer
from boathook.relay.rules.cdp_methods import NOT_FOUND_HERE, domain_of
from boathook.relay.send_queue import CdpRefusal, NotAnswered
from boathook.relay.sessions.target_session import INIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from boathook.relay.sessions.client_session import ClientSession
    from boathook.relay.sessions.target_session import TargetSession
    from boathook.relay.sessions.user_tab import RelayTab

_WORLD = "Page.createIsolatedWorld"
_SCRIPT = "Page.addScriptToEvaluateOnNewDocument"


async def materialize(tab: RelayTab, *, is_fresh: bool) -> None:
    """Apply the state of every session of a tab; a tab that does not respond fails as a whole."""
    channel = tab.root
    channel.contexts.clear()
    if (
        not is_fresh
    ):  # attached earlier: contexts and children are announced again only after disabling and enabling
        await _ask(channel, "Runtime.disable")
        await _ask(
            channel, "Target.setAutoAttach", autoAttach=False, waitForDebuggerOnStart=False, flatten=True
        )
    await _ask(channel, "Page.enable")
    if tab.origin == "agent":
        # Behind the user's own tab it would never be painted, and clients that wait for a frame before they click, as
        # Puppeteer does, would wait indefinitely; tests/extension/test_puppeteer.py clicks in such a tab.
        await _ask(channel, "Emulation.setFocusEmulationEnabled", enabled=True)
    views = list(channel.views)
    if any("Runtime" in view.enabled for view in views):
        await _ask(channel, "Runtime.enable")
        channel.is_runtime_on = True
    await asyncio.gather(*(_prepare(channel, view, *record) for view in views for record in view.records))
    tree = (await _ask(channel, "Page.getFrameTree"))["frameTree"]
    frames = list(_below(tree))
    await _worlds_below(channel, views, frames)
    for view in views:
        _bind(channel, view)
        _tell(channel, view, frames)
        view.is_live = True
    for view in views:
        if view.auto_attach is not None:
            channel.handle(view, "Target.setAutoAttach", view.auto_attach, lambda _result, _error: None)


async def _prepare(
    channel: TargetSession, view: ClientSession, method: str, params: dict[str, Any], made: Any
) -> None:
    if method in {"boathook.main", "Runtime.enable"} or domain_of(method) in NOT_FOUND_HERE:
        return
    if channel._is_swallowed(method):  # noqa: SLF001 - one concept in two files
        return
    try:
        result = await _ask(channel, method, **params)
    except NotAnswered:
        raise
    except CdpRefusal:
        return  # answered as done already; a browser that refuses it now is one that lacks it
    if method == _WORLD:
        view.bind_context(made, result["executionContextId"])
    elif method == _SCRIPT:
        view.scripts[made] = result["identifier"]


def _bind(channel: TargetSession, view: ClientSession) -> None:
    """Map our context id of the main world to the real one."""
    numbers = [made for method, _, made in view.records if method == "boathook.main"]
    for number, params in channel.contexts.items():
        aux = params["context"].get("auxData", {})
        if numbers and aux.get("isDefault") and aux.get("frameId") == channel.target_id:
            view.bind_context(numbers[-1], number)


def _below(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in tree.get("childFrames", []):
        yield child["frame"]
        yield from _below(child)


async def _worlds_below(
    channel: TargetSession, views: list[ClientSession], frames: list[dict[str, Any]]
) -> None:
    """Clients create their worlds in frames that they know; they could not know these."""
    wanted = {
        (frame["id"], params.get("worldName", ""), bool(params.get("grantUniveralAccess")))
        for view in views
        for method, params, _ in view.records
        if method == _WORLD
        for frame in frames
    }
    await asyncio.gather(
        *(
            _ask(channel, _WORLD, frameId=frame_id, worldName=name, grantUniveralAccess=access)
            for frame_id, name, access in sorted(wanted)
        ),
        return_exceptions=True,  # a frame that was removed meanwhile
    )


def _tell(channel: TargetSession, view: ClientSession, frames: list[dict[str, Any]]) -> None:
    if "Page" in view.enabled:
        for frame in frames:
            view.emit("Page.frameAttached", {"frameId": frame["id"], "parentFrameId": frame["parentId"]})
            view.emit("Page.frameNavigated", {"frame": frame, "type": "Navigation"})
    if "Runtime" in view.enabled:
        channel.tell_contexts(view)


def _ask(channel: TargetSession, method: str, **params: Any) -> asyncio.Future[dict[str, Any]]:
    answer, done = future_answer()
    channel.send(method, params, done, seconds=INIT_SECONDS)
    return answer
