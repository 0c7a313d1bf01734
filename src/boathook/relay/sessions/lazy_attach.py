"""Lazy attach: after attaching, apply what clients were promised, and map their context ids to Chrome's."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boathook.relay.extension.extension_connection import future_answer
from boathook.relay.rules.cdp_methods import NOT_FOUND_HERE, domain_of
from boathook.relay.rules.overrides import RESETS
from boathook.relay.send_queue import CdpRefusal, NotAnswered
from boathook.relay.sessions.placeholder import RUN_NOW
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
    target_session = tab.root
    target_session.contexts.clear()
    if (
        not is_fresh
    ):  # attached earlier: contexts and children are announced again only after disabling and enabling
        await _ask(target_session, "Runtime.disable")
        await _ask(
            target_session,
            "Target.setAutoAttach",
            autoAttach=False,
            waitForDebuggerOnStart=False,
            flatten=True,
        )
    await _ask(target_session, "Page.enable")
    if tab.origin == "agent":
        # Behind the user's own tab it would never be painted, and clients that wait for a frame before they click, as
        # Puppeteer does, would wait indefinitely; tests/extension/test_puppeteer.py clicks in such a tab.
        await _ask(target_session, "Emulation.setFocusEmulationEnabled", enabled=True)
    target_session.painting.begin()
    tab.guard()  # before scripts that clients want in each document
    if tab.rules:
        await _ask(target_session, "Page.setPrerenderingAllowed", isAllowed=False)
    client_sessions = list(target_session.client_sessions)
    if any("Runtime" in client_session.enabled for client_session in client_sessions):
        await _ask(target_session, "Runtime.enable")
        target_session.is_runtime_on = True
    await asyncio.gather(
        *(
            _prepare(target_session, client_session, *record)
            for client_session in client_sessions
            for record in client_session.records
        )
    )
    frames = await _frames(tab)
    await _worlds_below(target_session, client_sessions, frames)
    for client_session in client_sessions:
        _bind(target_session, client_session)
        await _create_objects(target_session, client_session)
    await _run_scripts(target_session, client_sessions)
    for client_session in client_sessions:
        _notify(target_session, client_session, frames)
        client_session.is_live = True
    for client_session in client_sessions:
        if client_session.auto_attach is not None:
            target_session.handle(
                client_session,
                "Target.setAutoAttach",
                client_session.auto_attach,
                lambda _result, _error: None,
            )


async def _frames(tab: RelayTab) -> list[dict[str, Any]]:
    """The frames below the main one. A blank page may belong to a site that is denied, which its URL does not show."""
    tree = (await _ask(tab.root, "Page.getFrameTree"))["frameTree"]
    if why := tab.rules.why_not(tree["frame"].get("securityOrigin", "")):
        raise CdpRefusal(why)
    return [frame for frame in _below(tree) if tab.root.sites.admits_frame(frame)]


async def _prepare(
    target_session: TargetSession,
    client_session: ClientSession,
    method: str,
    params: dict[str, Any],
    made: Any,
) -> None:
    if method in {"boathook.main", RUN_NOW, "Runtime.enable"} or domain_of(method) in NOT_FOUND_HERE:
        return
    if target_session._is_swallowed(method):  # noqa: SLF001 - one concept in two files
        return
    try:
        result = await _ask_with(target_session, method, params)
    except NotAnswered:
        raise
    except CdpRefusal:
        return  # answered as done already; a browser that refuses it now is one that lacks it
    if method in RESETS:
        client_session.overrides[method] = params
    if method == _WORLD:
        client_session.bind_context(made, result["executionContextId"])
    elif method == _SCRIPT:
        client_session.scripts[made] = result.get("identifier", "")


def _bind(target_session: TargetSession, client_session: ClientSession) -> None:
    """Map our context id of the main world to the real one."""
    numbers = [made for method, _, made in client_session.records if method == "boathook.main"]
    for number, params in target_session.contexts.items():
        aux = params["context"].get("auxData", {})
        if numbers and aux.get("isDefault") and aux.get("frameId") == target_session.target_id:
            client_session.bind_context(numbers[-1], number)


def _below(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in tree.get("childFrames", []):
        yield child["frame"]
        yield from _below(child)


async def _worlds_below(
    target_session: TargetSession, client_sessions: list[ClientSession], frames: list[dict[str, Any]]
) -> None:
    """Clients create their worlds in frames that they know; they could not know these."""
    wanted = {
        (frame["id"], params.get("worldName", ""), bool(params.get("grantUniveralAccess")))
        for client_session in client_sessions
        for method, params, _ in client_session.records
        if method == _WORLD
        for frame in frames
    }
    await asyncio.gather(
        *(
            _ask(target_session, _WORLD, frameId=frame_id, worldName=name, grantUniveralAccess=access)
            for frame_id, name, access in sorted(wanted)
        ),
        return_exceptions=True,  # a frame that was removed meanwhile
    )


async def _create_objects(target_session: TargetSession, client_session: ClientSession) -> None:
    for object_id, params in client_session.deferred_objects.items():
        with suppress(CdpRefusal):  # its document is gone
            reply = await _ask(target_session, "Runtime.evaluate", **client_session.to_chrome(params))
            client_session.real_objects[object_id] = reply["result"].get("objectId", "")


async def _run_scripts(target_session: TargetSession, client_sessions: list[ClientSession]) -> None:
    """What clients wanted in the documents that are there, besides in later ones."""
    sources = [
        params["expression"]
        for client_session in client_sessions
        for method, params, _ in client_session.records
        if method == RUN_NOW
    ]
    main_worlds = [
        number
        for number, params in target_session.contexts.items()
        if params["context"].get("auxData", {}).get("isDefault")
    ]
    for source in sources:
        await asyncio.gather(
            *(
                _ask(target_session, "Runtime.evaluate", expression=source, contextId=number)
                for number in main_worlds
            ),
            return_exceptions=True,  # a frame that was removed meanwhile
        )


def _notify(
    target_session: TargetSession, client_session: ClientSession, frames: list[dict[str, Any]]
) -> None:
    if "Page" in client_session.enabled:
        for frame in frames:
            client_session.emit(
                "Page.frameAttached", {"frameId": frame["id"], "parentFrameId": frame["parentId"]}
            )
            client_session.emit("Page.frameNavigated", {"frame": frame, "type": "Navigation"})
    if "Runtime" in client_session.enabled:
        target_session.announce_contexts(client_session)


def _ask(target_session: TargetSession, method: str, **params: Any) -> asyncio.Future[dict[str, Any]]:
    return _ask_with(target_session, method, params)


def _ask_with(
    target_session: TargetSession, method: str, params: dict[str, Any]
) -> asyncio.Future[dict[str, Any]]:
    """With parameters of a client, whose names may be any."""
    answer, done = future_answer()
    target_session.send(method, params, done, seconds=INIT_SECONDS)
    return answer
